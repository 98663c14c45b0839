/* A device that works on flat arrays (device/flat.h): what cuda/ gives to the engine.  The same
   kernels come twice: for a CUDA device, and compiled for the host as plain loops ("emulated"),
   which tests compare with the CPU backend byte for byte. */
#ifndef SL_DEVICE_DEVICE_H
#define SL_DEVICE_DEVICE_H

#include "device/flat_credit.h"
#include "device/flat_follow.h"
#include "device/trees.h"
#include "graph/levels.h"

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

/* What went wrong first, and where. */
typedef struct {
  const char *file;          /* NULL: nothing */
  int         line;
  char        text[240];
} DeviceError;

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

typedef struct Device Device;

/* Functions that return bool: false when something failed; device_error says what. */
typedef struct DeviceOps {
  const char *name;
  /* What device number so-and-so is, or why there is none. */
  bool (*available)(int device, char *text, size_t size);
  /* Levels of a graph, by the device of some options; false: *error. */
  bool (*levels)(const LevelInput *in, const EngineOptions *options, uint32_t *level,
                 DeviceError *error);
  /* Memory for all arrays, and a copy of those of Flat; numbers are 0.  Both must outlive it.
     NULL: *error. */
  Device *(*open)(const Flat *f, const Numbers *host, const EngineOptions *options,
                  DeviceError *error);
  void (*close)(Device *d);
  /* Copies the groups of numbers from the host's arrays, to them. */
  bool (*upload)(Device *d, unsigned groups);
  bool (*download)(Device *d, unsigned groups);
  /* Copies what has changed of the host's arrays. */
  bool (*patch)(Device *d, const FlatPatch *patches, uint32_t count);
  /* A copy of trees, in place of those before, which DEVICE_NETS is of. */
  bool (*put_trees)(Device *d, const Trees *trees);
  /* Of the trees that are there; they are reduced again unless DEVICE_NETS will do it. */
  bool (*edit_trees)(Device *d, const TreeEdit *edit);
  /* A copy of what common path credit takes; once. */
  bool (*put_credit)(Device *d, const FlatCredit *credit);
  /* What latches pass on, by node. */
  bool (*put_latched)(Device *d, const FlatLatched *list, uint32_t count);
  /* The largest credit; all of them, by place and phase. */
  bool (*most_credit)(Device *d, float *most);
  bool (*get_credits)(Device *d, float (*credit)[2]);
  /* Lists of launches, or of captures: how many pages their longer ones take, or -1; then all of
     them. */
  int64_t (*list_pages)(Device *d, bool captures);
  bool (*get_lists)(Device *d, bool captures, FrontCell *cells, FrontCell *const *pages);
  /* A copy of what following edits takes; once.  Where there is no room for it, edits are not
     followed. */
  bool (*put_follow)(Device *d, const FlatFollow *follow);
  bool (*follows)(const Device *d);
  /* The numbers of an edit are there by patches, as all others are: what they reach is worked out
     again. */
  bool (*follow)(Device *d, const FollowEdit *edit, Followed *out);
  bool (*run)(Device *d, DevicePhase phase);
  /* Sums of slacks over end points, end_block_count(Flat.summed_count) blocks, [block][early,
     late]. */
  bool (*end_sums)(Device *d, EndSum *out);
  const DeviceError *(*error)(const Device *d);
  DeviceUse (*use)(const Device *d);
} DeviceOps;

extern const DeviceOps emulated_device, cuda_device;      /* cuda_device: where HAVE_CUDA is
                                                             defined */

#ifdef __cplusplus
}
#endif

#endif
