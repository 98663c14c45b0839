/* What an engine does: a struct of functions over the flat arrays, each a whole phase of an update;
   the loop over levels is inside, so that a device need not be asked level by level.  The timer
   says in which order.  All results are the same bits on every backend and with any number of
   threads.

   A backend may leave any phase that it has no kernels for to the CPU's function, and the results
   of the others on its device until they are fetched (timing/residency.h): the timer does so before
   others read Timing's arrays.  When the device fails meanwhile, numbers are LOST, phases have no
   more meaning, and the timer begins anew without a device.  What a backend keeps beside Timing
   hangs on a device (device_timing.h). */
#ifndef SL_UPDATE_BACKEND_H
#define SL_UPDATE_BACKEND_H

#include "base/text.h"
#include "device/family.h"
#include "timing/timing.h"
#include "graph/levels.h"

/* How far an edit was followed: all numbers are up to date; those of required times and slacks are
   to be worked out again; all are. */
typedef enum { FOLLOW_ALL, FOLLOW_FORWARD, FOLLOW_NOTHING } FollowEnd;

/* The phases of an update.  Functions that return bool: false when interrupted. */
typedef struct {
  /* Loads, pi models, Elmore constants of the nets of some drivers. */
  void (*reduce_nets)(Timing *t, const Slot *drivers, uint32_t count);
  /* Delays, slews and arrivals of all levels. */
  bool (*forward)(Timing *t);
  /* Arrivals of all levels, delays being up to date. */
  bool (*arrivals)(Timing *t);
  /* Delays of latch data to output arcs, after all levels' delays. */
  void (*latch_delays)(Timing *t);
  /* Clock arrivals that delays with a reference pin count from; true when they differ from before,
     and arrivals must be worked out again. */
  bool (*reference_pass)(Timing *t);
  /* What borrowing latches pass on to their outputs; true when it differs from the last pass, and
     arrivals must be worked out again. */
  bool (*latch_pass)(Timing *t);
  /* After arrivals, where common path credit is on: credits of the clock tree; then, when there are
     any, arrivals by launching clock pin. */
  bool (*common_paths)(Timing *t);
  /* Margins of all checks, slacks of all rows, required times at end points. */
  void (*end_points)(Timing *t);
  /* Required times of all levels, from their fan-out. */
  bool (*backward)(Timing *t);
} BackendPhases;

/* Where numbers are that a device works out, and copies of the host's there. */
typedef struct {
  /* Others have changed the graph's or Timing's arrays (incremental updates): copies of them are
     old. */
  void (*changed)(Timing *t);
  /* Everything is worked out again in the same arrays, of the same graph: false where it takes new
     ones. */
  bool (*renew)(Timing *t);
  /* Groups of numbers that are on a device alone come to Timing's arrays; false: they are lost. */
  bool (*fetch)(Timing *t, unsigned groups);
  /* Runs an operation of a family of kernels (device/family.h) on the device that has the numbers,
     after the groups that it reads have come there.  False: no device has any, or it failed; then
     the caller does the work from Timing's arrays, which fetch makes whole. */
  bool (*run)(Timing *t, const Family *f, int operation, void *call);
  /* Runs the phases that run on a device again, the same work with the same results, and puts the
     medians of their times in t->device_report. */
  void (*measure)(Timing *t, uint32_t repeats);
} BackendResidency;

/* Edits in place, followed where the numbers are. */
typedef struct {
  /* Cells, nets and checks at some slots have changed in place: of copies of the rest of the graph
     and of nets nothing is old; numbers are. */
  void (*touched)(Timing *t, const Slot *slots, uint32_t count);
  /* After edits in place: is it better to work out everything again than to fetch all numbers and
     follow the edits? */
  bool (*reruns)(Timing *t);
  /* Can edits in place be followed on a device that alone has the numbers? */
  bool (*follows)(Timing *t);
  /* The drivers among some slots have nets or arcs with other numbers, all of which the CPU and the
     backend have been told of (touched): all numbers that follow, required times and slacks too,
     are worked out again.  since: when the update began (clock_seconds). */
  FollowEnd (*follow)(Timing *t, const Slot *slots, uint32_t count, double since);
} BackendEdits;

typedef struct Backend {
  const char *name;
  /* Can it be had here, on the device of some number?  Says on what it would run, or why it
     cannot. */
  bool (*available)(int device, Text *what);
  /* Levels of a graph (graph/levels.h); false: it could not, and *why.  NULL: the host does. */
  bool (*levels)(const EngineOptions *options, const LevelInput *in, uint32_t *level, Text *why);
  /* Before the first phase of new numbers; NULL: nothing to do.  *reported outlives t and is that of
     all timers of a design: of what the log has been told. */
  void (*attach)(Timing *t, Log *log, uint32_t *reported);
  BackendPhases phases;
  const struct DeviceOps *device;         /* NULL, as the next two: there is none */
  const BackendResidency *residency;
  const BackendEdits *edits;
} Backend;

/* What the user may ask for: the best there is; the CPU; a CUDA device; its kernels compiled for
   the CPU, for tests. */
typedef enum { ENGINE_AUTO, ENGINE_CPU, ENGINE_CUDA, ENGINE_EMULATED } EngineKind;

/* cuda_backend: where HAVE_CUDA is defined */
extern const Backend cpu_backend, emulated_backend, cuda_backend;

/* The backend for what was asked and a design of some pins (0: there is none yet), the CPU's where
   that cannot be had; *why: what it runs on, and why it is another one. */
const Backend *backend_choose(EngineKind kind, const EngineOptions *o, uint32_t pins, Text *why);
/* The choice of ENGINE_AUTO: the CPU for small designs, where copies and set-up outweigh the rest;
   else the device where there is one. */
const Backend *backend_by_size(const Backend *device, const EngineOptions *o, uint32_t pins,
                               Text *why);
/* The same choice for a family of kernels without a design (family_open): where it runs, or NULL:
   on the CPU.  ENGINE_AUTO: a device from `least` items on. */
const struct DeviceOps *backend_for_family(EngineKind kind, const EngineOptions *o, uint64_t items,
                                           uint64_t least, Text *why);

#endif
