/* A backend does the numeric work of an update, either on the CPU or on a device.  It is a struct
   of functions, and each of them does a whole phase of the update over the flat arrays of the graph
   and of Timing.  The loop over levels is inside these functions, so that a device need not be
   asked level by level.  timer.c calls the phases in their order.  All backends give the same bits,
   with any number of threads.

   A backend may call the CPU's function for a phase that it has no kernels for.  It may also leave
   the results of its phases on the device until they are fetched; t->device.residency says which
   numbers are where, and the timer fetches them before anyone reads Timing's arrays.  If the device
   fails in between, its numbers become LOST (timing/residency.h), the results of the phases mean
   nothing, and the timer starts the update again without the device.  A backend keeps its own state
   for one Timing in the device structs that hang on it (see device_timing.h). */
#ifndef SL_UPDATE_BACKEND_H
#define SL_UPDATE_BACKEND_H

#include "base/text.h"
#include "device/family.h"
#include "timing/timing.h"
#include "graph/levels.h"

/* How far an edit was followed.  FOLLOW_ALL: all numbers are up to date.  FOLLOW_FORWARD: only
   required times and slacks must be computed again.  FOLLOW_NOTHING: everything must be. */
typedef enum { FOLLOW_ALL, FOLLOW_FORWARD, FOLLOW_NOTHING } FollowEnd;

/* The phases of an update.  The functions that return bool return false when interrupted. */
typedef struct {
  /* Computes loads, pi models and Elmore constants of the nets of the given drivers. */
  void (*reduce_nets)(Timing *t, const Slot *drivers, uint32_t count);
  /* Computes delays, slews and arrivals of all levels. */
  bool (*forward)(Timing *t);
  /* Computes arrivals of all levels again.  The delays must be up to date. */
  bool (*arrivals)(Timing *t);
  /* Computes the delays of the arcs from a latch's data to its output, after the delays of all
     levels. */
  void (*latch_delays)(Timing *t);
  /* Computes the clock arrivals that input and output delays with a reference pin are added to.
     Returns true if one has changed; arrivals must then be computed again. */
  bool (*reference_arrivals)(Timing *t);
  /* Computes the times that borrowing latches pass on to their outputs.  Returns true if one has
     changed since the last call; arrivals must then be computed again. */
  bool (*latch_arrivals)(Timing *t);
  /* If common path credit is on: computes the credits of the clock tree and, if there are any, the
     arrivals by launching clock pin.  Called after arrivals. */
  bool (*common_paths)(Timing *t);
  /* Computes the margins of all checks, the slacks of all path ends and the required times at
     endpoints. */
  void (*end_points)(Timing *t);
  /* Computes the required times of all levels, each from its fan-out. */
  bool (*backward)(Timing *t);
} BackendPhases;

/* The device's time for phases. */
typedef struct { double nets, forward, backward; } PhaseSeconds;

/* Manages which numbers are on the device and which copies of the host's arrays are there. */
typedef struct {
  /* Says that the host has changed arrays of the graph or of Timing (an incremental update), so
     that the device's copies of them are out of date. */
  void (*changed)(Timing *t);
  /* Prepares for computing everything again in the same arrays, of the same graph.  Returns false
     if the device needs a new Timing instead. */
  bool (*renew)(Timing *t);
  /* Copies the given groups of numbers from the device to Timing's arrays.  Returns false if they
     are lost. */
  bool (*fetch)(Timing *t, unsigned groups);
  /* Waits until the device has finished. Stores the times of the phases in t->device.report. Stores
     in *spent the times of those phases that no earlier call has counted. Returns false if the
     device failed; numbers may be lost then. */
  bool (*wait)(Timing *t, PhaseSeconds *spent);
  /* Runs an operation of a family of kernels (device/family.h) on the device that has the numbers,
     after the groups that it reads have come there.  Returns false if no device has numbers, or if
     the operation failed.  Then the caller calls fetch and does the work from Timing's arrays. */
  bool (*run)(Timing *t, const Family *family, int operation, void *call);
  /* Repeats the phases that run on a device, each `repeats` times, and stores the medians of their
     times in t->device.report. The results do not change. */
  void (*measure)(Timing *t, uint32_t repeats);
} BackendResidency;

/* The changes that edits in place have made. drivers: the drivers of nets whose pin capacitances or
   wires have changed, each once. pins: the slots of pins whose cells may have been swapped. */
typedef struct {
  ARRAY(Slot) drivers, pins;
} Touched;

/* Follows edits in place on the device that has the numbers. */
typedef struct {
  /* Says what has changed in place. The numbers that depend on it, and the copies of these arcs and
     nets, are out of date. The copies of the rest of the graph and of the nets are not. */
  void (*touched)(Timing *t, const Touched *the_touched);
  /* Returns true if computing everything again is faster after these edits than fetching all
     numbers and following the edits on the CPU. */
  bool (*reruns)(Timing *t);
  /* Returns true if the device alone has the numbers, and can follow edits in place. */
  bool (*follows)(Timing *t);
  /* Computes again everything that depends on these drivers, required times and slacks included.
     The nets or arcs of the drivers have changed, and touched has been called for them.  since:
     when the update began (clock_seconds). */
  FollowEnd (*follow)(Timing *t, const Slot *drivers, uint32_t count, double since);
} BackendEdits;

typedef struct Backend {
  const char *name;
  /* Returns true if this backend can run here, on the device with this number.  Writes to `what`
     the name of the device, or why it cannot be used. */
  bool (*available)(int device, Text *what);
  /* Computes the levels of a graph (see graph/levels.h).  Returns false, with the reason in `why`,
     if it could not.  NULL: the host computes them. */
  bool (*levels)(const EngineOptions *options, const LevelInput *in, uint32_t *level, Text *why);
  /* Called before the first phase of new numbers; NULL: nothing to do.  *reported outlives t: it is
     shared by all timers of a design and records what the log has already said: features without
     kernels, a failed device. */
  void (*attach)(Timing *t, Log *log, uint32_t *reported);
  BackendPhases phases;
  const struct DeviceOps *device;         /* NULL if there is no device; then residency and
                                             edits are NULL too */
  const BackendResidency *residency;
  const BackendEdits *edits;
} Backend;

/* What the user may ask for: the backend that suits the design best, the CPU, a CUDA device, or the
   CUDA kernels compiled for the CPU (for tests). */
typedef enum { ENGINE_AUTO, ENGINE_CPU, ENGINE_CUDA, ENGINE_EMULATED } EngineKind;

/* cuda_backend exists only if HAVE_CUDA is defined. */
extern const Backend cpu_backend, emulated_backend, cuda_backend;

/* Returns the backend for the kind that the user asked for and for a design of this many pins (0:
   no design yet). Returns the CPU's if that kind cannot be used here. Writes to `why` what the
   backend runs on and, if it is not of the kind that was asked for, the reason. */
const Backend *backend_choose(EngineKind kind, const EngineOptions *options, uint32_t pins,
                              Text *why);
/* The choice of ENGINE_AUTO: the CPU for small designs, for which copying and set-up take longer
   than the device saves; otherwise the device, if there is one. */
const Backend *backend_by_size(const Backend *device, const EngineOptions *options, uint32_t pins,
                               Text *why);
/* The same choice for a family of kernels that needs no design (family_open).  Returns the
   operations of the device, or NULL if the family runs on the CPU.  ENGINE_AUTO takes a device for
   at least `least` items. */
const struct DeviceOps *backend_for_family(EngineKind kind, const EngineOptions *options,
                                           uint64_t items, uint64_t least, Text *why);

#endif
