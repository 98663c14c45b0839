/* The state that a device backend keeps beside Timing, shared by the files device_*.c of this
   folder. */
#ifndef SL_UPDATE_DEVICE_TIMING_H
#define SL_UPDATE_DEVICE_TIMING_H

#include "update/backend.h"
#include "device/device.h"
#include "device/tree_nets.h"

typedef struct DeviceTiming Dev;

struct DeviceTiming {
  const DeviceOps *ops;
  Timing  *t;
  Log     *log;
  uint32_t *reported;                /* bits of the unsupported features that the log has named */
  Flat    *flat;                 /* flat and device are made for the first phase that runs on the
                                    device; NULL before */
  Numbers  numbers;
  Device  *device;
  FlatCredit *credit;            /* NULL until a credit is computed on the device */
  FlatFollow *follow;
  bool     trees;                /* the trees of nets are on the device */
  TreeNets *tree_nets;           /* nets that the device can reduce again after edits; NULL: none */
  uint64_t parasitics[2];        /* versions of the parasitics that the trees and `nets` have */
  ARRAY(Slot) nets;              /* drivers of nets that the CPU has reduced since the trees were
                                    sent, so that their numbers differ from those of the trees */
  Map     *is_net;               /* the set of the drivers in `nets`; NULL: empty */
  uint32_t nets_there;           /* the numbers of this many first entries of `nets` are on the
                                    device */
  bool     port_nets;            /* the host's numbers of the ports' nets are up to date */
  bool     nets_serve;           /* the next whole update can use the nets on the device: apart from
                                    patches they are what the trees would give */
  FlatPatches patches;           /* changes of the host's arrays that the device must get */
  FlatChanges changes;           /* the same for kinds of arcs and tables of checks */
  uint32_t annotated;            /* Timing.annotated at the time when the flat arrays were filled */
  uint32_t reruns;               /* whole updates on the device after edits, since the host last had
                                    all numbers */
  bool     lost;                 /* the device failed: the CPU does the rest */
};

/* Returns NULL if no device has numbers of this Timing. */
static inline Dev *device_of(const Timing *t) { return t->owned[OWNER_DEVICE].data; }

/* Records an event for groups of numbers. */
static inline void device_note(Dev *dev, unsigned groups, NumbersEvent event)
{
  residency_note(&dev->t->device.residency, groups, event);
}

/* Returns true if the device has valid numbers of all these groups. */
static inline bool device_has(const Dev *dev, unsigned groups)
{
  return (residency_there(&dev->t->device.residency) & groups) == groups;
}

/* --- device_backend.c ------------------------------------------------------------------------- */
/* Records that the device failed, so that the CPU does the rest. Returns false. */
bool device_lose(Dev *dev);
/* Sends what swaps in place have changed. If the device has the numbers of nets, also brings the
   numbers of the changed nets up to date: sends those of the nets that the CPU has reduced, and
   lets the device reduce the trees of the others. */
bool device_send_patches(Dev *dev);
/* Sends changes of trees. reduce: the device reduces these trees now. Returns false after an
   error. */
bool device_edit_trees_now(Dev *dev, bool reduce);
/* Frees the device and the flat arrays. */
void device_close(Dev *dev);
/* Returns true if the trees of an earlier update can be used again. */
bool device_has_trees(const Dev *dev);
/* Records the present versions of the parasitics: the trees on the device agree with them, except
   for the nets of the drivers in `nets`. */
void device_note_parasitics(Dev *dev);
/* Returns the features of this design without kernels (UNSUPPORTED_...), over all phases; 0:
   none. */
unsigned device_unsupported(const Timing *t);

/* --- device_touch.c: see BackendEdits.touched ------------------------------------------------- */
void device_touched(Timing *t, const Touched *touched);

/* --- device_follow.c: see Backend ------------------------------------------------------------- */
/* Returns true if nothing in the flat arrays prevents following edits. */
bool device_may_follow(const Dev *dev);
/* Returns true if an edit that changes this many drivers is so large that the device makes a whole
   update at once, without following the edit first. */
bool device_edit_is_large(const Dev *dev, uint32_t drivers);
bool device_follows(Timing *t);
FollowEnd device_follow(Timing *t, const Slot *drivers, uint32_t count, double since);

#endif
