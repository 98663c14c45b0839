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
  DEVICE_NETS,               /* loads, pi models and Elmore constants of the nets that have trees */
  DEVICE_FORWARD,            /* delays, slews, arrivals of all levels */
  DEVICE_ARRIVALS,           /* only the arrivals of all levels */
  DEVICE_ENDS,               /* margins, slacks, required times at end points */
  DEVICE_BACKWARD,           /* required times of all levels */
  DEVICE_CREDITS,            /* credits of the clock tree */
  DEVICE_LAUNCHES,           /* lists of launches of all levels, when there is credit */
  DEVICE_CREDIT_ENDS,        /* margins, credited slacks; with -required ends (no lists of captures)
                                also the required times at endpoints */
  DEVICE_CAPTURES,           /* lists of captures of all levels, and required times in clock
                                networks */
  DEVICE_PHASES
} DevicePhase;

/* The use of a device: bytes, and seconds of the last run of each operation. */
typedef struct {
  size_t bytes, tree_bytes;  /* all bytes; those of the trees of nets */
  size_t credit_bytes;       /* bytes of common path credit */
  size_t edit_bytes;         /* bytes for following edits and for patches */
  double open, upload, download;
  double phase[DEVICE_PHASES];
  uint32_t waited;           /* bits of the phases that the last wait has waited for */
  double trees_copy;
  double follow;             /* following of an edit */
} DeviceUse;

/* Functions that return bool return false if something failed; DeviceOps.error says what.  All
   functions except those of DeviceOps itself need a device with a design. */

/* The work of an update. */
typedef struct {
  /* Starts a phase. The device may still be at work afterwards. So an error may be found by a
     later operation. */
  bool (*run)(Device *d, DevicePhase phase);
  /* Waits until the device has done everything, and takes the times of the phases. */
  bool (*wait)(Device *d);
  /* Returns the largest credit in *most. Call it after DEVICE_CREDITS. */
  bool (*most_credit)(Device *d, float *most);
} DevicePhaseOps;

/* Copies of the host's arrays to the device and back. */
typedef struct {
  /* Allocates memory for all arrays, and copies those of Flat; numbers are 0.  Both must outlive
     the device.  Call it once. */
  bool (*put_design)(Device *d, const Flat *f, const Numbers *host);
  /* Copy groups of numbers from the host's arrays to the device, and back. */
  bool (*upload)(Device *d, unsigned groups);
  bool (*fetch)(Device *d, unsigned groups);
  /* Copies parts of the host's arrays that have changed, and stores the changes of records. */
  bool (*patch)(Device *d, const FlatPatch *patches, uint32_t count, const FlatChanges *changes);
  /* Copies trees for DEVICE_NETS. They replace earlier trees. */
  bool (*put_trees)(Device *d, const Trees *trees);
  /* Changes some trees. The device reduces them again, unless DEVICE_NETS will do it. */
  bool (*edit_trees)(Device *d, const TreeEdit *edit);
  /* Copies the arrays of common path credit. Call it once. */
  bool (*put_credit)(Device *d, const FlatCredit *credit);
  /* Copies the arrivals that latches pass on, sorted by node. */
  bool (*put_latched)(Device *d, const FlatLatched *list, uint32_t count);
  /* Copies all credits to the host, by point and phase. */
  bool (*fetch_credits)(Device *d, float (*credit)[2]);
  /* Copy the lists of launches, or of captures, to the host. list_pages returns the number of pages
     that lists of more than one item need, or -1 after an error. fetch_lists then copies all
     lists. */
  int64_t (*list_pages)(Device *d, bool captures);
  bool (*fetch_lists)(Device *d, bool captures, FrontCell *cells, FrontCell *const *pages);
  /* Copies the sums of slacks over endpoints: end_block_count(Flat.count.summed_slots) blocks,
     [block][early, late]. */
  bool (*fetch_sums)(Device *d, EndSum *out);
} DeviceResidencyOps;

/* Follows edits in place. */
typedef struct {
  /* Copies the arrays that following needs.  Call it once.  If there is no memory for them, edits
     are not followed. */
  bool (*begin)(Device *d, const FlatFollow *follow);
  bool (*follows)(const Device *d);
  /* Computes everything again that an edit reaches. The numbers of the edit have come to the device
     by patches before. */
  bool (*follow)(Device *d, const FollowEdit *edit, Followed *out);
} DeviceEditOps;

/* The operations of a device.  Any family of kernels runs on it (device/family.h), with or without
   a design. */
typedef struct DeviceOps {
  const char *name;
  /* Writes the name of a device, or why it cannot be used. Returns true if it can be used. */
  bool (*available)(int device, char *text, size_t size);
  /* Makes a device. The first operation sets it up. */
  Device *(*open)(const EngineOptions *options);
  void (*close)(Device *d);
  const DeviceError *(*error)(const Device *d);
  bool (*run_family)(Device *d, const Family *family, int operation, void *call);
  /* Returns the groups of numbers that an operation reads. */
  unsigned (*family_reads)(const Family *family, int operation);
  FamilyUse (*family_use)(const Device *d);
  /* The times of phases are those before the last wait. */
  DeviceUse (*use)(const Device *d);
  DevicePhaseOps     phases;
  DeviceResidencyOps residency;
  DeviceEditOps      edits;
} DeviceOps;

extern const DeviceOps emulated_device, cuda_device;      /* cuda_device exists only if HAVE_CUDA is
                                                             defined */

#ifdef __cplusplus
}
#endif

#endif
