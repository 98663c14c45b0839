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
                            DriverSolution *solution)
{
  DriverWave w;
  w.v = v;
  w.pi = pi_driver(net.c_far, net.c_near, net.r_pi, solution->rd);
  w.ceff = SOLVE_PART(ceff)(tables, v, w.pi);
  w.table = SOLVE_AT(tables, w.ceff);
  Ramp ramp = SOLVE_RAMP(tables, v, solution->rd, w.ceff, w.table);
  if (!ramp_fits(ramp, w.table.slew)) return;
  w.t0 = ramp.t0;
  w.dt = ramp.dt;
  Wave wave = wave_of_driver(w.pi, w.dt);
  w.at.tl = driver_crossing(&wave, v.vl);
  w.at.tth = driver_crossing(&wave, v.vth);
  w.at.th = driver_crossing(&wave, v.vh);
  DelaySlew out = driver_measure(model, &w);
  solution->delay = out.delay;
  solution->slew = out.slew;
  solution->ceff = w.ceff;
  solution->t0 = w.t0;
  solution->shape = driver_shape(&w);
}

SL_HD void SOLVE_PART(by_ceff)(int model, SOLVE_TABLES *tables, PiModel net, Thresholds v,
                               DriverSolution *solution)
{
  float total = net.c_far + net.c_near;
  DelaySlew at = SOLVE_AT(tables, total), more = SOLVE_AT(tables, total + 1.0f);
  solution->delay = at.delay;
  solution->slew = at.slew;
  solution->ceff = total;
  solution->rd = driver_resistance(v.vth, at.delay, more.delay);
  solution->lumped = pi_is_lumped(net.c_far, net.c_near, net.r_pi, solution->rd);
  if (!solution->lumped) SOLVE_PART(wave)(model, tables, net, v, solution);
  solution->slew = solution->slew > 0 ? solution->slew : 0;
  solution->shape.slew = solution->slew;
}

/* --- current_source --------------------------------------------------------------------------- */
SL_HD DelaySlew SOLVE_PART(read)(SOLVE_TABLES *tables, const CsProblem *problem, float cap)
{
  DelaySlew r = SOLVE_AT(tables, cap);
  r.slew *= problem->levels->derate;
  return r;
}

SL_HD CsProgress SOLVE_PART(start)(SOLVE_TABLES *tables, const CsProblem *problem)
{
  CsShape shape = cs_shape(problem->levels, problem->bend);
  float near = problem->net.c_near, far = problem->net.c_far;
  DelaySlew total = SOLVE_PART(read)(tables, problem, far + near);
  float u =
      cs_middle(-cs_g(problem->levels, shape, 0) * total.slew, 1.0f / cs_tau(problem->net, total));
  DelaySlew middle = SOLVE_PART(read)(tables, problem, near + u * far);
  return cs_start(shape, problem->net, u, SOLVE_PART(read)(tables, problem, near), middle, total);
}

/* The thresholds from the tables at their capacitances. */
SL_HD void SOLVE_PART(thresholds)(SOLVE_TABLES *tables, const CsProblem *problem,
                                  const CsProgress *progress, CsSolution *solution)
{
  DelaySlew low = SOLVE_PART(read)(tables, problem, solution->c[CS_LOW]);
  DelaySlew delay = SOLVE_PART(read)(tables, problem, solution->c[CS_DELAY]);
  DelaySlew high = SOLVE_PART(read)(tables, problem, solution->c[CS_HIGH]);
  float before =
      cs_low_to_delay(low, delay, cs_g(problem->levels, progress->shape, CS_LOW), progress->least);
  float after = cs_delay_to_high(delay, high, cs_g(problem->levels, progress->shape, CS_HIGH),
                                 progress->least);
  cs_stretch(solution->step, CS_LOW, before);
  cs_stretch(solution->step, CS_DELAY, after);
  solution->delay = delay.delay;
  solution->slew = (before + after) / problem->levels->derate;
}

SL_HD void SOLVE_PART(levels)(SOLVE_TABLES *tables, const CsProblem *problem, CsSolution *solution)
{
  int last = CS_LEVELS - 1;
  CsProgress s = SOLVE_PART(start)(tables, problem);
  float dy =
      cs_y(problem->levels, problem->bend, last) - cs_y(problem->levels, problem->bend, last - 1);
  solution->c[0] = solution->step[0] = 0;
  for (int k = 1; k < CS_LEVELS; k++) cs_advance(problem, &s, k, solution);
  solution->step[CS_LEVELS] =
      cs_tail(problem->levels->v[last], problem->bend, dy, solution->step[last]);
  SOLVE_PART(thresholds)(tables, problem, &s, solution);
}

SL_HD void SOLVE_PART(by_source)(SOLVE_TABLES *tables, PiModel net, Thresholds v,
                                 DriverSolution *solution)
{
  CsLevels own;
  CsProblem p;
  CsSolution s;
  p.levels = SOLVE_LEVELS(tables, v, &own);
  p.bend = SOLVE_BEND(tables, p.levels);
  p.net = net;
  SOLVE_PART(levels)(tables, &p, &s);
  solution->delay = s.delay;
  solution->slew = s.slew;
  solution->ceff = s.c[CS_DELAY];
  solution->shape = cs_driver_shape(&s);
}

SL_HD void SOLVE_PART(solve)(int model, SOLVE_TABLES *tables, PiModel net, Thresholds v,
                             DriverSolution *solution)
{
  const DriverSolution none = { 0 };
  *solution = none;
  if (delay_by_levels(model)) SOLVE_PART(by_source)(tables, net, v, solution);
  else SOLVE_PART(by_ceff)(model, tables, net, v, solution);
}

#undef SOLVE_PART
#undef SOLVE_TABLES
#undef SOLVE_AT
#undef SOLVE_RAMP
#undef SOLVE_BEND
#undef SOLVE_LEVELS
