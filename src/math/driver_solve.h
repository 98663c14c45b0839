/* The solution of one timing edge by a waveform model: a template, included once for each way of
   holding tables.  The file that includes it defines

     SOLVE_PART(name)                   names of the functions; SOLVE_PART(solve) is the whole
     SOLVE_TABLES                       the edge's tables at its input slew, and ramp tables
     SOLVE_AT(tables, cap)              their delay and slew at a capacitance
     SOLVE_RAMP(tables, v, rd, cap, at) the ramp at a capacitance (ramp_of); at: delay
                                        and slew there
     SOLVE_BEND(tables, levels)         the driver's shape by its tables (cs_bend_of)
     SOLVE_LEVELS(tables, v, own)       cs_levels(v); *own has room for them */

/* --- ceff ------------------------------------------------------------------------------------- */

SL_HD float SOLVE_PART(ceff)(SOLVE_TABLES *tables, Thresholds v, PiDriver d)
{
  CeffSearch s = ceff_start(d);
  for (int step = 0; step < CEFF_STEPS && !s.done; step++) {
    Ramp ramp = SOLVE_RAMP(tables, v, d.rd, s.x1, SOLVE_AT(tables, s.x1));
    s = ceff_step(s, charge_balance(d, v, ramp, s.x1));
  }
  return s.x1;
}

/* The output's waveform, if a ramp fits at the ceff that was found. */
SL_HD void SOLVE_PART(wave)(int model, SOLVE_TABLES *tables, PiModel net, Thresholds v,
                            DriverSolution *r)
{
  DriverWave w;
  w.v = v;
  w.pi = pi_driver(net.c_far, net.c_near, net.r_pi, r->rd);
  w.ceff = SOLVE_PART(ceff)(tables, v, w.pi);
  w.table = SOLVE_AT(tables, w.ceff);
  Ramp ramp = SOLVE_RAMP(tables, v, r->rd, w.ceff, w.table);
  if (!ramp_fits(ramp, w.table.slew)) return;
  w.t0 = ramp.t0;
  w.dt = ramp.dt;
  Wave wave = wave_of_driver(w.pi, w.dt);
  w.at.tl = driver_crossing(&wave, v.vl);
  w.at.tth = driver_crossing(&wave, v.vth);
  w.at.th = driver_crossing(&wave, v.vh);
  DelaySlew out = driver_measure(model, &w);
  r->delay = out.delay;
  r->slew = out.slew;
  r->ceff = w.ceff;
  r->t0 = w.t0;
  r->shape = driver_shape(&w);
}

SL_HD void SOLVE_PART(by_ceff)(int model, SOLVE_TABLES *tables, PiModel net, Thresholds v,
                               DriverSolution *r)
{
  float total = net.c_far + net.c_near;
  DelaySlew at = SOLVE_AT(tables, total), more = SOLVE_AT(tables, total + 1.0f);
  r->delay = at.delay;
  r->slew = at.slew;
  r->ceff = total;
  r->rd = driver_resistance(v.vth, at.delay, more.delay);
  r->lumped = pi_is_lumped(net.c_far, net.c_near, net.r_pi, r->rd);
  if (!r->lumped) SOLVE_PART(wave)(model, tables, net, v, r);
  r->slew = r->slew > 0 ? r->slew : 0;
  r->shape.slew = r->slew;
}

/* --- current_source --------------------------------------------------------------------------- */
SL_HD DelaySlew SOLVE_PART(read)(SOLVE_TABLES *tables, const CsProblem *p, float cap)
{
  DelaySlew r = SOLVE_AT(tables, cap);
  r.slew *= p->levels->derate;
  return r;
}

SL_HD CsProgress SOLVE_PART(start)(SOLVE_TABLES *tables, const CsProblem *p)
{
  CsShape shape = cs_shape(p->levels, p->bend);
  float near = p->net.c_near, far = p->net.c_far;
  DelaySlew total = SOLVE_PART(read)(tables, p, far + near);
  float u = cs_middle(-cs_g(p->levels, shape, 0) * total.slew, 1.0f / cs_tau(p->net, total));
  DelaySlew middle = SOLVE_PART(read)(tables, p, near + u * far);
  return cs_start(shape, p->net, u, SOLVE_PART(read)(tables, p, near), middle, total);
}

/* The thresholds from the tables at their capacitances. */
SL_HD void SOLVE_PART(thresholds)(SOLVE_TABLES *tables, const CsProblem *p, const CsProgress *s,
                                  CsSolution *r)
{
  DelaySlew low = SOLVE_PART(read)(tables, p, r->c[CS_LOW]);
  DelaySlew delay = SOLVE_PART(read)(tables, p, r->c[CS_DELAY]);
  DelaySlew high = SOLVE_PART(read)(tables, p, r->c[CS_HIGH]);
  float before = cs_low_to_delay(low, delay, cs_g(p->levels, s->shape, CS_LOW), s->least);
  float after = cs_delay_to_high(delay, high, cs_g(p->levels, s->shape, CS_HIGH), s->least);
  cs_stretch(r->step, CS_LOW, before);
  cs_stretch(r->step, CS_DELAY, after);
  r->delay = delay.delay;
  r->slew = (before + after) / p->levels->derate;
}

SL_HD void SOLVE_PART(levels)(SOLVE_TABLES *tables, const CsProblem *p, CsSolution *r)
{
  int last = CS_LEVELS - 1;
  CsProgress s = SOLVE_PART(start)(tables, p);
  float dy = cs_y(p->levels, p->bend, last) - cs_y(p->levels, p->bend, last - 1);
  r->c[0] = r->step[0] = 0;
  for (int k = 1; k < CS_LEVELS; k++) cs_advance(p, &s, k, r);
  r->step[CS_LEVELS] = cs_tail(p->levels->v[last], p->bend, dy, r->step[last]);
  SOLVE_PART(thresholds)(tables, p, &s, r);
}

SL_HD void SOLVE_PART(by_source)(SOLVE_TABLES *tables, PiModel net, Thresholds v, DriverSolution *r)
{
  CsLevels own;
  CsProblem p;
  CsSolution s;
  p.levels = SOLVE_LEVELS(tables, v, &own);
  p.bend = SOLVE_BEND(tables, p.levels);
  p.net = net;
  SOLVE_PART(levels)(tables, &p, &s);
  r->delay = s.delay;
  r->slew = s.slew;
  r->ceff = s.c[CS_DELAY];
  r->shape = cs_driver_shape(&s);
}

SL_HD void SOLVE_PART(solve)(int model, SOLVE_TABLES *tables, PiModel net, Thresholds v,
                             DriverSolution *r)
{
  const DriverSolution none = { 0 };
  *r = none;
  if (delay_by_levels(model)) SOLVE_PART(by_source)(tables, net, v, r);
  else SOLVE_PART(by_ceff)(model, tables, net, v, r);
}

#undef SOLVE_PART
#undef SOLVE_TABLES
#undef SOLVE_AT
#undef SOLVE_RAMP
#undef SOLVE_BEND
#undef SOLVE_LEVELS
