/* Path ends of data checks: the arrivals of a data pin are compared with those of another data pin,
   for set_data_check and for Liberty's non_seq_setup and non_seq_hold.  The nodes of the other pin
   take the place of the clock nodes of other path ends.  Both arrivals are relative to their
   launching edges, and the offset of the path end contains the distance of the edges. */
#include <math.h>
#include <stdlib.h>

#include "graph/ends.h"

/* The tags of a reference that count for a check. */
typedef struct {
  Slot    slot;
  int     edge;
  ClockId clock;              /* NO_CLOCK: any */
  bool    data_only;          /* clock tags do not count here, because they make normal checks */
} Reference;

static void each_reference(EndMaker *maker, Candidate k, const Reference *from)
{
  Graph *g = maker->g;
  TagSetId set = g->nodes.slot_tags[from->slot];
  for (uint32_t i = 0; i < tag_set_count(g->tags, set); i++) {
    const Tag *tag = &g->tags->tags.at[tag_set_tags(g->tags, set)[i]];
    if (tag->clock_edge == NO_CLOCK_EDGE || tag_is_hidden(tag) || tag->bare
        || (tag->is_clock && from->data_only))
      continue;
    if (from->clock != NO_CLOCK && clock_edge_clock(tag->clock_edge) != from->clock) continue;
    if (!(g->nodes.edges[g->nodes.first[from->slot] + i] >> from->edge & 1)) continue;
    ends_capture(maker, &k, from->slot, i, from->edge);
    ends_each_data_tag(maker, k);
  }
}

/* --- of the library --------------------------------------------------------------------------- */
static void add_library_check(EndMaker *maker, CheckId id)
{
  Graph *g = maker->g;
  const Check *check = &g->ends.checks.at[id];
  if (check->type != ARC_NON_SEQ_SETUP && check->type != ARC_NON_SEQ_HOLD) return;
  if (check->off || g->slots.flags[check->data] & SLOT_CONSTANT
      || g->slots.flags[check->clock] & SLOT_CONSTANT)
    return;
  Candidate k = { .slot = check->data,
                  .check = id,
                  .type = check->type == ARC_NON_SEQ_SETUP ? END_DATA_SETUP : END_DATA_HOLD,
                  .same_cycle = true,
                  .edges = graph_checked_edges(g, check) };
  Reference from = { check->clock, check->clock_edge, NO_CLOCK, true };
  each_reference(maker, k, &from);
}

/* --- of constraints --------------------------------------------------------------------------- */
/* Adds the path ends of one data check: setup or hold, for one edge of the reference. */
static void add_given_check(EndMaker *maker, const DataCheck *data_check, int check, int from_edge)
{
  Graph *g = maker->g;
  Slot from = graph_arriving_slot(g, data_check->from), to = graph_arriving_slot(g, data_check->to);
  const float *margin = data_check->margin[check][from_edge];
  if (from == NO_SLOT || to == NO_SLOT || (isnan(margin[RISE]) && isnan(margin[FALL]))) return;
  Candidate k = { .slot = to,
                  .check = g->ends.checks.len,
                  .type = check == SETUP ? END_DATA_SETUP : END_DATA_HOLD,
                  .same_cycle = true,
                  .edges = (isnan(margin[RISE]) ? 0 : EDGE_RISE)
                           | (isnan(margin[FALL]) ? 0 : EDGE_FALL) };
  array_push(&g->ends.checks, (Check){ .clock = from, .data = to, .lib = NO_LIB_ARC,
    .type = check == SETUP ? ARC_NON_SEQ_SETUP : ARC_NON_SEQ_HOLD, .clock_edge = (uint8_t)from_edge,
    .margin = { isnan(margin[RISE]) ? 0 : margin[RISE], isnan(margin[FALL]) ? 0 : margin[FALL] } });
  Reference reference = { from, from_edge, data_check->clock, false };
  each_reference(maker, k, &reference);
}

void add_data_check_ends(EndMaker *maker, CheckId count)
{
  const Constraints *c = maker->g->constraints;
  for (CheckId i = 0; i < count; i++) add_library_check(maker, i);
  uint32_t *order = RECORD_ORDER(c->data_checks, 3);
  for (uint32_t i = 0; i < c->data_checks.len; i++)
    for (int check = HOLD; check <= SETUP; check++)
      for (int edge = RISE; edge <= FALL; edge++)
        add_given_check(maker, &c->data_checks.at[order[i]], check, edge);
  mem_free(order);
}

/* --- what follows a reference ----------------------------------------------------------------- */
static int by_reference(const void *pa, const void *pb)
{
  const DataReference *a = pa, *b = pb;
  if (a->reference != b->reference) return a->reference < b->reference ? -1 : 1;
  return a->data < b->data ? -1 : a->data > b->data;
}

void index_data_references(Graph *g)
{
  for (PathEndId i = 0; i < g->ends.path_ends.len; i++) {
    const PathEnd *end = &g->ends.path_ends.at[i];
    if (end->type != END_DATA_SETUP && end->type != END_DATA_HOLD) continue;
    array_push(&g->ends.data_references,
               (DataReference){ g->ends.checks.at[end->check].clock, end->slot });
  }
  if (g->ends.data_references.len)
    qsort(g->ends.data_references.at, g->ends.data_references.len,
          sizeof *g->ends.data_references.at, by_reference);
}

void graph_data_references(const Graph *g, Slot reference, uint32_t *from, uint32_t *to)
{
  array_run(&g->ends.data_references, reference, from, to);
}
