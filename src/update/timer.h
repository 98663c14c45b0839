/* The timer of a scenario. It owns the numbers, knows what is out of date, and updates it on
   demand.

   Timers of one mode share the graph of the mode. Timers of one corner share the libraries of the
   corner (update/share.h). Each timer has its own numbers and its own list of dirty pins, so it can
   be updated at any later time. */
#ifndef SL_UPDATE_TIMER_H
#define SL_UPDATE_TIMER_H

#include "update/share.h"

struct Backend;

/* The inputs of a timer.  It owns none of them. */
typedef struct {
  const Netlist     *netlist;
  const LibrarySet  *libs;
  const Constraints *constraints;
  const Parasitics  *parasitics[2];       /* NULL: none */
  const Annotations *annotations;         /* NULL: none */
  const Corner      *corner;              /* the corner whose libraries are used; NULL: all
                                             libraries */
  const struct Variation *variation;      /* db/ocv_tables.h; NULL: none */
  GraphRules         rules;
} TimerInput;

typedef struct Timer {
  TimerInput    in;
  Log          *log;
  const struct Backend *backend;
  TimerShare   *share;                    /* shared with other timers, or its own */
  bool          owns_share;
  const CornerLibs  *corner_libs;
  SharedGraph  *structure;                /* the graph that the numbers belong to; NULL until the
                                             first update */
  Graph        *graph;                    /* the graph of structure */
  Timing       *timing;
  DelayModel    delay_model;
  bool          late_only;           /* timer_set_late_only */
  CommonOptions common;
  EngineOptions engine_options;
  int           threads;                  /* 0: all cores */
  int           work_threads;             /* threads of the update that is running */
  bool          required_valid;
  bool          host_only;                /* the next numbers are made on the host alone, because a
                                             device has failed */
  const struct Backend *made_by;          /* the backend that made the present arrays of numbers;
                                             NULL: an interrupt left them incomplete */
  CommonOptions made_common;              /* the options that the arrays were made with */
  uint64_t      updates;                  /* grows whenever the numbers or the graph change;
                                             anything that refers to the old ones is then stale */
  uint64_t      annotation_version, variation_version;      /* the versions that the numbers were
                                                               made with */
  /* Pins whose nets have changed since the last update.  whole: everything has changed. */
  bool          whole;
  ARRAY(PinId)  dirty_pins;
  /* Seconds of the phases of the last update. */
  double        seconds_graph, seconds_nets, seconds_forward, seconds_backward;
} Timer;

/* share NULL: a timer that shares with no other. */
Timer *timer_new_in(TimerShare *share, const TimerInput *in, Log *log);
Timer *timer_new(const TimerInput *in, Log *log);
void   timer_free(Timer *timer);
/* Frees the numbers and the graph.  The next update makes them again. */
void   timer_reset(Timer *timer);

/* Sets the backend for the next updates.  At first it is the CPU's. */
void timer_set_backend(Timer *timer, const struct Backend *backend);
/* Sets the options of the device for the next updates.  Numbers on the device are dropped. */
void timer_set_engine_options(Timer *timer, EngineOptions options);
void timer_set_delay_model(Timer *timer, DelayModel model);
void timer_set_common(Timer *timer, CommonOptions options);
/* on: no query reads early numbers of data until it is off again, so the CPU may leave them out.
   off: the next update computes all numbers again. */
void timer_set_late_only(Timer *timer, bool on);
/* Says that everything is out of date, for instance after read_sdf. */
void timer_invalidate(Timer *timer);
/* Says that numbers of the net at a pin have changed, or numbers of the cell that drives this net:
   the cell was swapped, the net has new parasitics, or annotation at the pin has changed. The
   structure of the graph has not changed. If annotation changes and no pin is touched, the next
   update is a whole one. */
void timer_touch_pin(Timer *timer, PinId pin);
/* Touches all pins of a net after new parasitics.  Pins are stored and not the net, because later
   edits may move them to another net. */
void timer_touch_net(Timer *timer, NetId net);

/* Says that netlist_swap_cell has replaced old_cell of an instance.  Call it for every timer of the
   design. */
void timer_cell_swapped(Timer *timer, InstId inst, CellId old_cell);
/* The same for many cells.  Before the swaps, call timer_swap_graph for each timer.  It returns the
   graph in which swaps may be made in place; NULL: there is none, and the next update makes a new
   graph.  Then swap the cells in the netlist and in these graphs.  After the swaps, call
   timer_graph_swapped for each timer and each graph that has all swaps of the netlist.  Then call
   timer_touch_pins for each timer and swapped cell. */
Graph *timer_swap_graph(const Timer *timer);
void   timer_graph_swapped(Timer *timer, const Graph *g);
void   timer_touch_pins(Timer *timer, PinId first, uint32_t count);
/* Returns the number of threads of updates. */
int    timer_threads(const Timer *timer);

/* Brings arrivals up to date and, with `required`, required times and slacks. Then brings all
   groups of numbers from a device to Timing's arrays. */
Status timer_update(Timer *timer, bool required);
/* The same for several timers of one design. Graphs are made one after another. The numbers of
   several timers may be computed at the same time. Only the given groups of numbers (NUMBERS_... of
   timing/residency.h) are sure to be in Timing's arrays. Other groups may stay on a device, which
   may still be computing them. If groups is 0, the call fetches nothing, but it waits until the
   device has finished. */
Status timers_update(Timer *const *timers, uint32_t count, bool required, unsigned groups);

#endif
