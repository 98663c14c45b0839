/* A device's state, and what the files of this folder share. */
#ifndef SL_CUDA_PRIVATE_H
#define SL_CUDA_PRIVATE_H

#ifdef __cplusplus
extern "C" {
#endif
#include "base/memory.h"
#include "base/pool.h"
#include "base/processors.h"
#ifdef __cplusplus
}
#endif

#include "device/device.h"

/* Emulated, all files are one unit, so that their functions do not meet those of the CUDA build. */
#ifdef __CUDACC__
#include <cuda_runtime.h>
#define DEVICE_FN
#else
#define DEVICE_FN static
#endif

enum { ALIGNMENT = 256 };          /* of arrays in a block */
static inline size_t device_aligned(size_t bytes)
{
  return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Places arrays in a block one behind another; with block NULL it only counts their bytes. */
typedef struct {
  char  *block;
  size_t at;
} Room;

static inline char *take_room(Room *r, size_t bytes)
{
  char *place = r->block ? r->block + r->at : NULL;
  r->at += device_aligned(bytes);
  return place;
}

/* Large arrays come back in pieces through memory that the device may write to directly, and the
   host's threads put them in place: pages of new arrays are touched by all threads at once, and the
   link never waits for one of them. */
enum { STAGES = 4, STAGE_BYTES = 4 << 20 };

/* So many places where the rest of a forward phase may begin. */
enum { FORWARD_PARTS = 8 };

struct Device {
  const Flat *f;                   /* of the host */
  Numbers     host;
  FlatView    view;                /* the same arrays in the arena */
  char       *arena;
  TreeView    trees;               /* nets' trees, in a block of their own; as many as the host's */
  char       *tree_block;
  size_t      tree_bytes;
  struct CreditMemory *credit;     /* cuda/credit.cu; NULL: none */
  struct FollowMemory *follow;     /* cuda/follow.cu; NULL: edits are not followed here */
  char       *patch_block;         /* where patches arrive, of patch_bytes */
  size_t      patch_bytes;
  EngineOptions options;
  DeviceUse   use;
  DeviceError error;
  unsigned    operations;          /* so far; see device_enter */
#ifdef __CUDACC__
  char           *stage;           /* the host's memory that large copies pass through, in STAGES
                                      pieces; NULL: none yet */
  cudaEvent_t     staged[STAGES];
  cudaStream_t    stream, aside;
  cudaEvent_t     begin, end, forked, joined;
  cudaGraphExec_t plan[DEVICE_PHASES];
  cudaGraphExec_t part[FORWARD_PARTS];      /* forward from a part of the levels on; NULL: plain
                                               launches */
#endif
};

/* --- memory.cu: all of them do nothing once an error is there --------------------------------- */
DEVICE_FN bool   device_available(int device, char *text, size_t size);
/* Before each operation: its thread may be another one than before.  False: there is an error. */
DEVICE_FN bool   device_enter(Device *d, const char *operation);
DEVICE_FN void   device_start(Device *d);
DEVICE_FN void   device_stop(Device *d);
/* One block of memory, zeroed; what is missing is an error. */
DEVICE_FN char  *device_block(Device *d, size_t bytes);
/* Is there room for a block that is not needed? */
DEVICE_FN bool   device_has_room(Device *d, size_t bytes);
/* Bytes of memory that a block of a cluster may have; 0: there are no clusters. */
DEVICE_FN size_t device_stage_room(Device *d);
/* With how many items' room lists of common path credit begin. */
DEVICE_FN uint64_t device_first_room(uint64_t preset);
/* How many drivers an edit may reach; is it for a test to say? */
DEVICE_FN uint32_t device_most_followed(uint32_t preset);
DEVICE_FN bool device_edits_limited(void);
DEVICE_FN void   device_release(Device *d, char *block);
/* The host's memory that copies come back to without a stop on the way. */
DEVICE_FN char  *device_shared_block(Device *d, size_t bytes);
DEVICE_FN void   device_release_shared(Device *d, char *block);
/* The phase's launches are no longer as they were when they were captured. */
DEVICE_FN void   device_forget(Device *d, DevicePhase phase);
DEVICE_FN void   device_put(Device *d, void *to, const void *from, size_t bytes);
DEVICE_FN void   device_get(Device *d, void *to, const void *from, size_t bytes);
/* What is launched aside from here on may run beside what follows on the device's stream, until it
   is joined. */
DEVICE_FN void   device_fork(Device *d);
DEVICE_FN void   device_join(Device *d);
/* Waits for all that was asked for; seconds since `since`, of device_now. */
DEVICE_FN double device_finish(Device *d, double since);
DEVICE_FN double device_now(void);
DEVICE_FN void device_fail(Device *d, const char *file, int line, const char *what,
                           const char *more);
#ifdef __CUDACC__
bool device_check(Device *d, cudaError_t status, const char *file, int line);
#endif

DEVICE_FN bool device_put_trees(Device *d, const Trees *trees);
DEVICE_FN bool device_edit_trees(Device *d, const TreeEdit *edit);
DEVICE_FN bool device_patch(Device *d, const FlatPatch *patches, uint32_t count);
/* Room for those of the first edits, also where they reach a net of so many loads. */
DEVICE_FN void device_warm_patches(Device *d, uint32_t most_loads);

/* --- credit.cu -------------------------------------------------------------------------------- */
DEVICE_FN bool device_put_credit(Device *d, const FlatCredit *f);
DEVICE_FN bool device_put_latched(Device *d, const FlatLatched *list, uint32_t count);
DEVICE_FN bool device_most_credit(Device *d, float *most);
DEVICE_FN bool device_get_credits(Device *d, float (*credit)[2]);
DEVICE_FN int64_t device_list_pages(Device *d, bool captures);
DEVICE_FN bool device_get_lists(Device *d, bool captures, FrontCell *cells,
                                FrontCell *const *pages);
/* Room for lists, before the first phase that makes some. */
DEVICE_FN bool device_make_lists(Device *d);
/* Did the lists of a phase that has run not fit?  Then there is more room now, and it is to be run
   again. */
DEVICE_FN bool device_lists_grew(Device *d, DevicePhase phase);
DEVICE_FN void device_free_credit(Device *d);
DEVICE_FN void launch_credits(Device *d);
DEVICE_FN void gather_launches(Device *d);
DEVICE_FN void launch_credit_ends(Device *d);
DEVICE_FN void launch_captures(Device *d);

/* --- sums.cu ---------------------------------------------------------------------------------- */
DEVICE_FN void launch_end_sums(Device *d);
/* [block][early, late] */
DEVICE_FN bool device_end_sums(Device *d, EndSum *out);

/* --- levels.cu -------------------------------------------------------------------------------- */
DEVICE_FN bool device_levels(const LevelInput *in, const EngineOptions *options, uint32_t *level,
                             DeviceError *error);

/* --- follow.cu -------------------------------------------------------------------------------- */
DEVICE_FN bool device_put_follow(Device *d, const FlatFollow *f);
DEVICE_FN bool device_follows(const Device *d);
DEVICE_FN bool device_follow(Device *d, const FollowEdit *edit, Followed *out);
DEVICE_FN void device_free_follow(Device *d);

/* --- launches: of phases, by schedule --------------------------------------------------------- */
DEVICE_FN void launch_ports(Device *d, int delays);
DEVICE_FN void launch_net_trees(Device *d);
DEVICE_FN void launch_edited_trees(Device *d, const TreeEdit *edit);
DEVICE_FN void launch_pin_trees(Device *d);
DEVICE_FN void launch_net_forward(Device *d);
DEVICE_FN void launch_net_arrivals(Device *d);
DEVICE_FN void launch_net_backward(Device *d);
DEVICE_FN void launch_pin_forward(Device *d);
DEVICE_FN void launch_pin_arrivals(Device *d);
/* Delays, slews and arrivals of a level and all behind it; those before are right.  Of designs
   whose edits are followed (update/device_follow.c). */
DEVICE_FN void launch_forward_from(Device *d, uint32_t level);
/* The same, from the part of the levels on that the level is in. */
DEVICE_FN void device_forward_from(Device *d, uint32_t level);
DEVICE_FN void device_plan_parts(Device *d);
DEVICE_FN void launch_pin_backward(Device *d);
/* Before the levels' first launch: all runs of narrow levels from one on.  Then through the run
   that begins at a level, or ends where so many are left: the level behind it and how many are left
   then, the same where there is none. */
DEVICE_FN void launch_before_forward(Device *d, uint32_t level);
DEVICE_FN void launch_before_backward(Device *d);
DEVICE_FN uint32_t launch_narrow_forward(Device *d, uint32_t level);
DEVICE_FN uint32_t launch_narrow_backward(Device *d, uint32_t left);
DEVICE_FN void launch_cte_trees(Device *d);
DEVICE_FN void launch_cte_forward(Device *d);
DEVICE_FN void launch_cte_arrivals(Device *d);
DEVICE_FN void launch_cte_backward(Device *d);
/* Levels' edges as so said, all else by lanes; and parts of other phases. */
typedef void (*LaunchEdges)(Device *d, FlatLevel level, int delays);
DEVICE_FN void launch_pin_levels(Device *d, int delays, LaunchEdges edges);
DEVICE_FN void launch_pin_end_loads(Device *d);
DEVICE_FN void launch_tree_blocks(Device *d);
DEVICE_FN void launch_tree_lanes(Device *d);
DEVICE_FN void launch_net_ends(Device *d);
DEVICE_FN void launch_pin_ends(Device *d);

#endif
