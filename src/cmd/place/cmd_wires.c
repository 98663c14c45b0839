/* Commands that estimate parasitics, and set what a length of wire has. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "cmd/place/placed.h"
#include "db/placement.h"
#include "place/wire_rc.h"
#include "tclbind/console.h"
#include "tclbind/scenarios.h"
#include "tclbind/session_timing.h"

static const char *s_if(uint64_t count) { return count == 1 ? "" : "s"; }

/* --- set_layer_rc, set_wire_rc ---------------------------------------------------------------- */

static const Option layer_options[] = {
  { "-layer", ARG_TEXT, .value = "name", .help = "routing layer" },
  { "-via", ARG_TEXT, .value = "name", .help = "cut layer; -resistance is then the resistance of "
                                               "one cut" },
  { "-resistance", ARG_RES, .value = "number", .help = "resistance of a micron of wire",
    RANGE(0, 1e12) },
  { "-capacitance", ARG_CAP, .value = "number", .help = "capacitance of a micron of wire",
    RANGE(0, 1e12) },
  { 0 }
};

static Status find_layer(Session *s, const char *command, const char *name, LayerId *layer)
{
  NameId id = names_find(s->names, name, strlen(name));
  *layer = s->physical ? physical_find_layer(s->physical, id) : NO_LAYER;
  if (*layer != NO_LAYER) return OK;
  return log_error(s->log, "PLACE-015", NOWHERE, "%s: no LEF that was read has a layer '%.80s'",
                   command, name);
}

static Status run_set_layer_rc(Session *s, Args *a)
{
  LayerId layer;
  bool wire = args_given(a, "-layer");
  if (wire == args_given(a, "-via"))
    return log_error(s->log, "PLACE-016", NOWHERE, "set_layer_rc: expected either -layer or -via");
  if (!args_given(a, "-resistance") && !(wire && args_given(a, "-capacitance")))
    return log_error(s->log, "PLACE-016", NOWHERE, "set_layer_rc: expected %s",
                     wire ? "-resistance, -capacitance or both" : "-resistance");
  if (find_layer(s, "set_layer_rc", args_text(a, wire ? "-layer" : "-via"), &layer) != OK)
    return FAILED;
  Layer *the_layer = &s->physical->layers.at[layer];
  double *resistance = wire ? &the_layer->wire_resistance : &the_layer->cut_resistance;
  if (args_given(a, "-resistance")) *resistance = args_number(a, "-resistance");
  if (wire && args_given(a, "-capacitance")) the_layer->wire_cap = args_number(a, "-capacitance");
  return OK;
}

static const Option wire_options[] = {
  { "-signal", ARG_FLAG, .help = "wires of signals; without -clock also those of clocks" },
  { "-clock", ARG_FLAG, .help = "wires that a clock runs on" },
  { "-layer", ARG_TEXT, .value = "name",
    .help = "wires have the resistance and capacitance of this layer, from set_layer_rc or else "
            "from LEF" },
  { "-resistance", ARG_RES, .value = "number", .help = "resistance of a micron of wire",
    RANGE(0, 1e12) },
  { "-capacitance", ARG_CAP, .value = "number", .help = "capacitance of a micron of wire",
    RANGE(0, 1e12) },
  { "-access", ARG_FLOAT, .value = "um", .preset = "0",
    .help = "microns of wire between each pin and the tree of its net: vias and the way within the "
            "row",
    RANGE(0, 1e6) },
  { 0 }
};

/* What the layer says, and in its place what is said of a micron. */
static Status wire_rc(Session *s, Args *a, WireRc *rc)
{
  LayerId layer;
  *rc = (WireRc){ NAN, NAN, args_number(a, "-access") };
  if (args_given(a, "-layer")) {
    if (find_layer(s, "set_wire_rc", args_text(a, "-layer"), &layer) != OK) return FAILED;
    rc->resistance = layer_wire_resistance(s->physical, layer);
    rc->cap = layer_wire_cap(s->physical, layer);
  }
  if (args_given(a, "-resistance")) rc->resistance = args_number(a, "-resistance");
  if (args_given(a, "-capacitance")) rc->cap = args_number(a, "-capacitance");
  if (!isnan(rc->resistance) && !isnan(rc->cap)) return OK;
  return log_error(s->log, "PLACE-017", NOWHERE,
                   "set_wire_rc: the %s of a micron is not known, expected %s",
                   isnan(rc->resistance) ? "resistance" : "capacitance",
                   args_given(a, "-layer") ? "set_layer_rc for the layer before"
                                           : "-layer, or -resistance and -capacitance");
}

static Status run_set_wire_rc(Session *s, Args *a)
{
  WireRc rc;
  bool signal = args_flag(a, "-signal"), clock = args_flag(a, "-clock");
  if (wire_rc(s, a, &rc) != OK) return FAILED;
  for (int i = 0; i < 2; i++) {
    if ((signal || clock) && !(i ? clock : signal)) continue;
    s->wire_rc[i].given = true;
    s->wire_rc[i].resistance = rc.resistance;
    s->wire_rc[i].cap = rc.cap;
    s->wire_rc[i].access = rc.access;
  }
  return OK;
}

/* --- estimate_parasitics ---------------------------------------------------------------------- */

static const Option estimate_options[] = {
  { "-placement", ARG_FLAG,
    .help = "take the wires from the places of cells and ports; there is no other source" },
  { "-corner", ARG_TEXT, .value = "name",
    .help = "corner of the parasitics; default: the current corner" },
  { 0 }
};

/* One word of set_wire_rc is for both kinds as long as there is no other. */
static Status check_wire_rc(Session *s)
{
  if (!s->wire_rc[0].given && !s->wire_rc[1].given)
    return log_error(s->log, "PLACE-018", NOWHERE,
                     "estimate_parasitics: expected set_wire_rc before, which says what a micron "
                     "of wire has");
  for (int i = 0; i < 2; i++)
    if (!s->wire_rc[i].given) s->wire_rc[i] = s->wire_rc[1 - i];
  return OK;
}

static Status check_placement(Session *s)
{
  if (s->placement && s->placement->netlist) return OK;
  return log_error(s->log, "PLACE-010", NOWHERE, "estimate_parasitics: no DEF was read");
}

static bool same_rc(const Session *s)
{
  return s->wire_rc[0].resistance == s->wire_rc[1].resistance
         && s->wire_rc[0].cap == s->wire_rc[1].cap
         && s->wire_rc[0].access == s->wire_rc[1].access;
}

static bool carries_clock(const Graph *g, Slot slot)
{
  const TagId *tags = tag_set_tags(g->tags, g->nodes.slot_tags[slot]);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->nodes.slot_tags[slot]); i++)
    if (tag_is_clock(&g->tags->tags.at[tags[i]])) return true;
  return false;
}

/* Where clocks run is in the graph. */
static Status find_clock_nets(Session *s)
{
  array_clear(&s->clock_nets);
  if (same_rc(s)) return OK;
  if (session_timing(s, false) == NULL) return FAILED;
  const Graph *g = s->timer->graph;
  array_resize(&s->clock_nets, s->netlist->nets.len);
  for (Slot slot = 0; slot < g->slots.count; slot++) {
    NetId net = netlist_pin_net(s->netlist, g->slots.pin[slot]);
    if (net != NO_NET && slot_is_driver(g, slot) && carries_clock(g, slot))
      s->clock_nets.at[net] = 1;
  }
  return OK;
}

static WireRc rc_of(const Session *s, int kind)
{
  return (WireRc){ s->wire_rc[kind].resistance, s->wire_rc[kind].cap, s->wire_rc[kind].access };
}

static bool estimate(Session *s, Parasitics *to, WireCounts *counts)
{
  WireOptions options = { .signal = rc_of(s, 0),
                          .clock = rc_of(s, 1),
                          .is_clock = s->clock_nets.len ? s->clock_nets.at : NULL,
                          .threads = s->threads };
  return wires_estimate_all(s->placement, &options, to, counts);
}

/* As a file that was read; the last time counts. */
static void note_read(Session *s, Parasitics *parasitics, const WireCounts *counts)
{
  NameId name = names_add_text(s->names, "(placement)");
  uint32_t kept = 0;
  for (uint32_t i = 0; i < parasitics->reads.len; i++)
    if (parasitics->reads.at[i].file != name)
      parasitics->reads.at[kept++] = parasitics->reads.at[i];
  parasitics->reads.len = kept;
  array_push(&parasitics->reads,
             (SpefRead){ .file = name, .nets = counts->nets, .matched = counts->nets });
}

/* Puts them where the corner has its own. After an interrupt nothing is put. */
static bool take_estimate(Session *s, CornerId corner, const Parasitics *fresh,
                          const WireCounts *counts)
{
  corner_own_parasitics(s->scenarios, corner, true, true);
  session_refresh(s);
  Parasitics *early = corner_parasitics(s->scenarios, corner, EARLY),
             *late = corner_parasitics(s->scenarios, corner, LATE);
  ParasiticsMark early_mark = parasitics_begin(early), late_mark = parasitics_begin(late);
  if (!parasitics_append_all(early, s->netlist, fresh)) return false;
  if (late != early && !parasitics_append_all(late, s->netlist, fresh)) {
    parasitics_rollback(early, &early_mark);
    return false;
  }
  parasitics_commit(early, s->netlist, &early_mark);
  note_read(s, early, counts);
  if (late == early) return true;
  parasitics_commit(late, s->netlist, &late_mark);
  note_read(s, late, counts);
  return true;
}

static bool estimate_corner(Session *s, CornerId corner, WireCounts *counts)
{
  Parasitics *fresh = parasitics_new();
  bool done = estimate(s, fresh, counts) && take_estimate(s, corner, fresh, counts);
  if (done) {
    warn_of_given_wires(s, fresh, "estimate_parasitics");
    placed_forget_corner(s, corner);
    array_push(&s->estimated, (EstimatedCorner){ corner, { s->wire_rc[0], s->wire_rc[1] } });
    session_drop_timers(s);
  }
  parasitics_free(fresh);
  return done;
}

static void tell_of_unplaced(Session *s, Args *a, const WireCounts *counts)
{
  Text name = { 0 };
  if (counts->unplaced_pins == 0) return;
  netlist_net_name(s->netlist, counts->first_unplaced, s->separator, &name);
  log_warning(s->log, "PLACE-019", args_where(a),
              "%u pin%s no place, of net %.80s the first: %u net%s without parasitics, on others "
              "%s where the net's first placed pin is",
              counts->unplaced_pins, counts->unplaced_pins == 1 ? " has" : "s have",
              text_get(&name), counts->unplaced_nets, counts->unplaced_nets == 1 ? " is" : "s are",
              counts->unplaced_pins == 1 ? "it is" : "they are");
  text_free(&name);
}

static Status run_estimate(Session *s, Args *a)
{
  double started = clock_seconds();
  WireCounts counts;
  const char *name = args_text(a, "-corner");
  CornerId corner = name ? corner_named(s, "estimate_parasitics", name) : s->corner;
  if (corner == NO_CORNER || check_placement(s) != OK || check_wire_rc(s) != OK)
    return FAILED;
  if (!args_flag(a, "-placement"))
    return log_error(s->log, "PLACE-020", NOWHERE, "estimate_parasitics: expected -placement");
  if (find_clock_nets(s) != OK) return FAILED;
  if (!estimate_corner(s, corner, &counts))
    return log_error(s->log, "PLACE-011", NOWHERE, "estimate_parasitics: interrupted");
  tell_of_unplaced(s, a, &counts);
  log_info(s->log, "PLACE-100", "%u net%s, %.0f um of wire (%.2f s, %.0f MB)", counts.nets,
           s_if(counts.nets), counts.length, clock_seconds() - started, (double)mem_peak() / 1e6);
  return OK;
}

/* --- the table -------------------------------------------------------------------------------- */

const Command commands_wires[] = {
  { "set_layer_rc", "placement", "set resistance and capacitance of a layer, per micron",
    layer_options, run_set_layer_rc, CMD_CHANGES,
    "The numbers are in the units of commands. Where a layer has no number, that of LEF counts.",
    "set_layer_rc -layer metal3 -resistance 0.0015 -capacitance 0.00015\n" },
  { "set_wire_rc", "placement", "set resistance and capacitance of wires, per micron", wire_options,
    run_set_wire_rc, CMD_CHANGES,
    "The command takes effect with the next estimate_parasitics. Until then, nets that are "
    "estimated again after an edit have the values of the last estimate_parasitics. Without "
    "-signal and -clock the values are for both kinds of wires.",
    "set_wire_rc -signal -layer metal3\n"
    "set_wire_rc -clock -resistance 0.001 -capacitance 0.0002\n" },
  { "estimate_parasitics", "placement", "estimate wires from the placement", estimate_options,
    run_estimate, CMD_NEEDS_DESIGN | CMD_READS,
    "Each net gets a tree of wires along x and y between its pins: a shortest tree for up to "
    "nine pins, and a nearly shortest one for more. set_wire_rc sets the resistance and "
    "capacitance per micron. The trees replace the parasitics that the corner had. Later, "
    "place_cell, swap_cell, size_cells and all edits that connect or disconnect pins change the "
    "trees too. This ends when read_spef reads parasitics for the corner. A cell that an edit "
    "makes has no place until place_cell gives it one. Until then its pins count as being at the "
    "first placed pin of their net.",
    "estimate_parasitics -placement\n" },
  { 0 }
};
