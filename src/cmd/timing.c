#include "cmd/timing.h"

CommonOptions session_common_options(const Session *s)
{
  return (CommonOptions){ !s->common.off, s->common.same_transition, s->common.clock_pins, s->common.ends_only };
}

Timer *session_timer(Session *s)
{
  if (s->netlist == NULL) {
    log_error(s->log, "CMD-009", NOWHERE, "no design is linked; use link_design first");
    return NULL;
  }
  if (s->timer == NULL) {
    TimerInput in = { s->netlist, s->libs, s->constraints, { s->parasitics[EARLY], s->parasitics[LATE] }, s->annotations, s->variation };
    s->timer = timer_new(&in, s->log);
    timer_set_common(s->timer, session_common_options(s));
    if (s->delay_model_given) timer_set_delay_model(s->timer, (DelayModel)s->delay_model);
  }
  s->timer->in.parasitics[EARLY] = s->parasitics[EARLY];
  s->timer->in.parasitics[LATE] = s->parasitics[LATE];
  s->timer->in.annotations = s->annotations;
  s->timer->in.variation = s->variation;
  s->timer->threads = s->threads;
  return s->timer;
}

Timing *session_timing(Session *s, bool required)
{
  Timer *t = session_timer(s);
  if (t == NULL || timer_update(t, required) != OK) return NULL;
  return t->timing;
}
