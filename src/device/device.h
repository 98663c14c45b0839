/* A device that computes on flat arrays (device/flat.h); the folder cuda implements it. The kernels
   are compiled twice: for a CUDA device, and for the host as plain loops ("emulated"). Tests
   compare the emulation with the CPU byte for byte. */
#ifndef SL_DEVICE_DEVICE_H
#define SL_DEVICE_DEVICE_H

#include "device/family.h"
#include "device/flat_credit.h"
#include "device/flat_follow.h"
#include "device/trees.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  DEVICE_NETS,               /* loads, pi models and Elmore constants of the drivers of trees */
  DEVICE_FORWARD,            /* delays, slews, arrivals of all levels */
  DEVICE_ARRIVALS,           /* arrivals alone */
  DEVICE_ENDS,               /* margins, slacks, required times at end points */
  DEVICE_BACKWARD,           /* required times of all levels */
  DEVICE_CREDITS,            /* credits of the clock tree */
  DEVICE_LAUNCHES,           /* lists of launches of all levels, when there is credit */
  DEVICE_CREDIT_ENDS,        /* margins, credited slacks, required times at end points that go back
                                without captures */
  DEVICE_CAPTURES,           /* lists of captures of all levels, and required times in clock
                                networks */
  DEVICE_PHASES
} DevicePhase;

/* Bytes, and seconds of the last time of each. */
typedef struct {
  size_t bytes, tree_bytes;  /* all; of nets' trees */
  size_t credit_bytes;       /* of common path credit */
  size_t edit_bytes;         /* of following edits, and of room for patches */
  double open, upload, download;
  double phase[DEVICE_PHASES];
  double trees_copy;
  double follow;             /* an edit */
} DeviceUse;

/* Functions that return bool: false when something failed; DeviceOps.error says what.  All but
   those of DeviceOps itself take a device with a design. */

/* The work of an update. */
typedef struct {
  bool (*run)(Device *d, DevicePhase phase);
  /* After DEVICE_CREDITS: the largest one. */
  bool (*most_credit)(Device *d, float *most);
} DevicePhaseOps;

/* What is there: the host's arrays go to the device and come back. */
typedef struct {
  /* Makes memory for all arrays, and a copy of those of Flat; numbers are 0.  Both must outlive the
     device.  Once. */
  bool (*put_design)(Device *d, const Flat *f, const Numbers *host);
  /* Copies groups of numbers from the host's arrays; to them. */
  bool (*upload)(Device *d, unsigned groups);
  bool (*fetch)(Device *d, unsigned groups);
  /* Copies parts of the host's arrays that have changed. */
  bool (*patch)(Device *d, const FlatPatch *patches, uint32_t count);
  /* A copy of trees, in place of those before, for DEVICE_NETS. */
  bool (*put_trees)(Device *d, const Trees *trees);
  /* Changes some of them; they are reduced again unless DEVICE_NETS will do it. */
  bool (*edit_trees)(Device *d, const TreeEdit *edit);
  /* A copy of what common path credit takes; once. */
  bool (*put_credit)(Device *d, const FlatCredit *credit);
  /* What latches pass on, by node. */
  bool (*put_latched)(Device *d, const FlatLatched *list, uint32_t count);
  /* All credits, by place and phase. */
  bool (*fetch_credits)(Device *d, float (*credit)[2]);
  /* Lists of launches, or of captures: how many pages their longer ones take, or -1; then all of
     them. */
  int64_t (*list_pages)(Device *d, bool captures);
  bool (*fetch_lists)(Device *d, bool captures, FrontCell *cells, FrontCell *const *pages);
  /* Sums of slacks over end points, end_block_count(Flat.count.summed_slots) blocks, [block][early,
     late]. */
  bool (*fetch_sums)(Device *d, EndSum *out);
} DeviceResidencyOps;

/* Following of edits in place. */
typedef struct {
  /* A copy of what it takes; once.  Where there is no room for it, edits are not followed. */
  bool (*begin)(Device *d, const FlatFollow *follow);
  bool (*follows)(const Device *d);
  /* The numbers of an edit are there by patches, as all others are: what they reach is computed
     again. */
  bool (*follow)(Device *d, const FollowEdit *edit, Followed *out);
} DeviceEditOps;

/* A device.  Any family of kernels runs on it (device/family.h), with a design or without. */
typedef struct DeviceOps {
  const char *name;
  /* What device number so-and-so is, or why there is none. */
  bool (*available)(int device, char *text, size_t size);
  /* Nothing is done yet: the first operation sets the device up. */
  Device *(*open)(const EngineOptions *options);
  void (*close)(Device *d);
  const DeviceError *(*error)(const Device *d);
  bool (*run_family)(Device *d, const Family *f, int operation, void *call);
  /* The groups of numbers that an operation reads. */
  unsigned (*family_reads)(const Family *f, int operation);
  FamilyUse (*family_use)(const Device *d);
  DeviceUse (*use)(const Device *d);
  DevicePhaseOps     phases;
  DeviceResidencyOps residency;
  DeviceEditOps      edits;
} DeviceOps;

extern const DeviceOps emulated_device, cuda_device;      /* cuda_device: where HAVE_CUDA is
                                                             defined */

#ifdef __cplusplus
}
#endif

#endif
