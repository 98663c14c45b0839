/* The timer of a scenario. It owns the numbers, knows what is out of date, and updates it on
   demand.

   Timers of one mode share its graph, timers of one corner its libraries (update/share.h). Each
   timer has its own numbers and its own list of dirty nets, so it can be updated at any later
   time. */
#ifndef SL_UPDATE_TIMER_H
#define SL_UPDATE_TIMER_H

#include "update/share.h"

struct Backend;

/* What a design's timing is made from; not owned. */
typedef struct {
  const Netlist     *netlist;
  const LibrarySet  *libs;
  const Constraints *constraints;
  const Parasitics  *parasitics[2];       /* NULL: none */
  const Annotations *annotations;         /* NULL: none */
  const Corner      *corner;              /* whose libraries; NULL: all */
  const struct Variation *variation;      /* db/ocv_tables.h; NULL: none */
  GraphRules         rules;
} TimerInput;

typedef struct Timer {
  TimerInput    in;
  Log          *log;
  const struct Backend *backend;
  TimerShare   *share;                    /* what it has in common with other timers, or its own */
  bool          owns_share;
  const CornerLibs  *corner_libs;
  SharedGraph  *structure;                /* the graph that the numbers belong to; NULL until the
                                             first update */
  Graph        *graph;                    /* of the structure */
  Timing       *timing;
  DelayModel    delay_model;
  CommonOptions common;
  EngineOptions engine_options;
  bool          model_given;              /* set_delay_model was called; else ceff with parasitics,
                                             lumped without */
  int           threads;                  /* 0: all cores */
  int           work_threads;             /* of the update at work */
  bool          required_valid;
  bool          host_only;                /* of the numbers to be made: a device has failed */
  const struct Backend *made_by;          /* the numbers' arrays, with these options */
  CommonOptions made_common;
  uint64_t      updates;                  /* rises whenever numbers or graph change: what refers to
                                             them is stale then */
  uint64_t      annotation_version, variation_version;      /* of what the numbers were made with */
  /* dirty nets since the last update, as drivers' pins; whole: everything */
  bool          whole;
  ARRAY(PinId)  dirty_pins;
  /* seconds of the last update's phases */
  double        seconds_graph, seconds_nets, seconds_forward, seconds_backward;
} Timer;

/* share NULL: a timer alone. */
Timer *timer_new_in(TimerShare *share, const TimerInput *in, Log *log);
Timer *timer_new(const TimerInput *in, Log *log);
void   timer_free(Timer *t);
/* Lets numbers and graph go; the next update makes them anew. */
void   timer_drop(Timer *t);

/* What computes from now on; at first the CPU. */
void timer_set_backend(Timer *t, const struct Backend *backend);
/* For what runs on a device: from the next update on, as what is on the device is dropped. */
void timer_set_engine_options(Timer *t, EngineOptions options);
void timer_set_delay_model(Timer *t, DelayModel model);
void timer_set_common(Timer *t, CommonOptions options);
/* Everything is out of date: new parasitics, libraries, ... */
void timer_invalidate(Timer *t);
/* The net at a pin, or the cell that drives it, has other numbers than before: a swapped cell's
   pins, a net with new parasitics, annotation that ends at the pin.  The structure is as before.
   Changed annotation without any touched pin is a full update. */
void timer_touch_pin(Timer *t, PinId pin);
/* All pins of a net: for new parasitics.  Pins rather than the net, as later edits may move them to
   another one. */
void timer_touch_net(Timer *t, NetId net);

/* netlist_swap_cell has given an instance another cell than old_cell; every timer of the design
   must be told. */
void timer_cell_swapped(Timer *t, InstId inst, CellId old_cell);

/* Brings arrivals (and with `required`, required times and slacks) up to date. */
Status timer_update(Timer *t, bool required);
/* The same of several timers of one design: graphs are made one after another, numbers side by
   side.  Of the numbers only some groups (NUMBERS_... of device/flat.h) need to be in Timing's
   arrays: others may stay on a device. */
Status timers_update(Timer *const *timers, uint32_t count, bool required, unsigned groups);

#endif
