/* Makes commands that change something all or nothing when an interrupt comes: holds the interrupt
   back, or restores a copy. */
#include "tclbind/change.h"

#include "base/interrupt.h"
#include "tclbind/args.h"
#include "update/timer.h"

/* This many objects take some milliseconds, as a copy may. */
enum { MANY = 10000 };

static bool has_many(const Args *a)
{
  size_t count = 0, pairs = 1;
  for (uint32_t i = 0; i < a->uses.len; i++) {
    size_t own = a->uses.at[i].objects.len;
    count += own;
    pairs *= own && pairs < MANY ? own : 1;
  }
  return count >= MANY || ((a->command->flags & CMD_PAIRS) && pairs >= MANY);
}

static void copy_annotations(Change *change, const Session *s)
{
  for (ScenarioId i = 0; i < s->scenarios->scenarios.len; i++) {
    const Annotations *annotations = s->scenarios->scenarios.at[i].annotations;
    array_push(&change->annotations,
               annotations ? annotations_copy(annotations) : annotations_new());
  }
}

static void free_copies(Change *change)
{
  if (change->constraints) constraints_free(change->constraints);
  for (ScenarioId i = 0; i < change->annotations.len; i++)
    annotations_free(change->annotations.at[i]);
  array_free(&change->annotations);
}

static void put_back(Change *change, Session *s)
{
  if (change->constraints)
    constraints_restore(s->scenarios->modes.at[change->mode].constraints, change->constraints);
  change->constraints = NULL;
  for (ScenarioId i = 0; i < change->annotations.len; i++) {
    Annotations *now = s->scenarios->scenarios.at[i].annotations;
    if (now == NULL) continue;
    annotations_take(now, change->annotations.at[i]);
    change->annotations.at[i] = NULL;
    if (i < s->timers.len && s->timers.at[i]) timer_invalidate(s->timers.at[i]);
  }
}

Status change_begin(Change *change, Session *s, const Args *a)
{
  unsigned flags = a->command->flags;
  *change = (Change){ .mode = s->mode };
  if (!(flags & CMD_ALTERS)) return OK;
  if (interrupt_seen()) return FAILED;
  bool copies = (flags & (CMD_SDC | CMD_ANNOTATES)) && s->netlist && has_many(a);
  bool within_read_sdc = session_reads_sdc(s);
  if (copies && (flags & CMD_SDC) && !within_read_sdc)
    change->constraints = constraints_copy(s->constraints);
  if (copies && (flags & CMD_ANNOTATES)) copy_annotations(change, s);
  change->held = !copies;
  if (change->held) interrupt_hold(true);
  return OK;
}

bool change_end(Change *change, Session *s, const Args *a, Status status)
{
  bool seen = interrupt_seen(), whole = change->held || (a->command->flags & CMD_READS);
  if (change->held) interrupt_hold(false);
  if (seen && !change->held) put_back(change, s);
  free_copies(change);
  return status == OK && (whole || ((a->command->flags & CMD_ALTERS) && !seen));
}
