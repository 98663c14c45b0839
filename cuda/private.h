/* The state of a device, and functions that the files of this folder share. */
#ifndef SL_CUDA_PRIVATE_H
#define SL_CUDA_PRIVATE_H

#include "cuda/device_state.h"
#include "device/device.h"

/* So many places where the rest of a forward phase may begin. */
enum { FORWARD_PARTS = 8 };

struct DeviceDesign {
  const Flat *f;                   /* of the host */
  Numbers     host;
  FlatView    view;                /* the same arrays in the arena */
  char       *arena;
  TreeView    trees;               /* nets' trees, in a block of their own; as many as the host's */
  char       *tree_block;
  struct CreditMemory *credit;     /* cuda/credit.cu; NULL: none */
  struct FollowMemory *follow;     /* cuda/follow.cu; NULL: edits are not followed here */
  char       *patch_block;         /* where patches arrive, of patch_bytes */
  size_t      patch_bytes;
  DeviceUse   use;
#ifdef __CUDACC__
  cudaGraphExec_t plan[DEVICE_PHASES];
  cudaGraphExec_t part[FORWARD_PARTS];      /* forward from a part of the levels on; NULL: plain
                                               launches */
#endif
};

/* The arrays of the design that a device has, for an operation of a family that reads them. */
static inline FlatView device_view(const Device *d) { return d->design->view; }

/* --- device.cu -------------------------------------------------------------------------------- */
/* The phase's launches are no longer as they were when they were captured. */
void device_forget(Device *d, DevicePhase phase);
/* Forward, from the part of the levels on that the level is in (see launch_forward_from). */
void device_forward_from(Device *d, uint32_t level);
void device_plan_parts(Device *d);

/* --- family.cu -------------------------------------------------------------------------------- */
bool device_run_family(Device *d, const Family *f, int operation, void *call);
unsigned device_family_reads(const Family *f, int operation);
/* What families keep of the host's memory. */
void device_forget_states(Device *d);

/* --- trees.cu, patch.cu ----------------------------------------------------------------------- */
bool device_put_trees(Device *d, const Trees *trees);
bool device_edit_trees(Device *d, const TreeEdit *edit);
bool device_patch(Device *d, const FlatPatch *patches, uint32_t count);
/* Room for those of the first edits, also where they reach a net of so many loads. */
void device_warm_patches(Device *d, uint32_t most_loads);

/* --- credit.cu -------------------------------------------------------------------------------- */
bool device_put_credit(Device *d, const FlatCredit *f);
bool device_put_latched(Device *d, const FlatLatched *list, uint32_t count);
bool device_most_credit(Device *d, float *most);
bool device_get_credits(Device *d, float (*credit)[2]);
int64_t device_list_pages(Device *d, bool captures);
bool device_get_lists(Device *d, bool captures, FrontCell *cells, FrontCell *const *pages);
/* Room for lists, before the first phase that makes some. */
bool device_make_lists(Device *d);
/* Did the lists of a phase that has run not fit?  Then there is more room now, and it is to be run
   again. */
bool device_lists_grew(Device *d, DevicePhase phase);
void device_free_credit(Device *d);
void launch_credits(Device *d);
void gather_launches(Device *d);
void launch_credit_ends(Device *d);
void launch_captures(Device *d);

/* --- sums.cu ---------------------------------------------------------------------------------- */
void launch_end_sums(Device *d);
/* [block][early, late] */
bool device_end_sums(Device *d, EndSum *out);

/* --- follow.cu -------------------------------------------------------------------------------- */
bool device_begin_following(Device *d, const FlatFollow *f);
bool device_is_following(const Device *d);
bool device_follow_edit(Device *d, const FollowEdit *edit, Followed *out);
void device_free_follow(Device *d);

/* --- launches --------------------------------------------------------------------------------- */
/* How the work of each phase is spread over threads (doc/device.md). */
typedef void (*Launch)(Device *d);
typedef struct {
  Launch nets, forward, arrivals, ends, backward;
} Schedule;

/* cuda/baseline: the published ones */
extern const Schedule SL_NAMED(net_schedule), SL_NAMED(cte_schedule);

void launch_ports(Device *d, int delays);
void launch_edited_trees(Device *d, const TreeEdit *edit);
void launch_pin_trees(Device *d);
void launch_pin_forward(Device *d);
void launch_pin_arrivals(Device *d);
void launch_pin_ends(Device *d);
void launch_pin_backward(Device *d);
/* Delays, slews and arrivals of a level and all behind it; those before are right.  Of designs
   whose edits are followed (update/device_follow.c). */
void launch_forward_from(Device *d, uint32_t level);
/* Before the levels' first launch: all runs of narrow levels from one on.  Then through the run
   that begins at a level, or ends where so many are left: the level behind it and how many are left
   then, the same where there is none. */
void launch_before_forward(Device *d, uint32_t level);
void launch_before_backward(Device *d);
uint32_t launch_narrow_forward(Device *d, uint32_t level);
uint32_t launch_narrow_backward(Device *d, uint32_t left);

/* Parts that another schedule may have in common with "pin".  Levels' edges as so said, all else by
   lanes; and parts of other phases. */
typedef void (*LaunchEdges)(Device *d, FlatLevel level, int delays);
void launch_pin_levels(Device *d, int delays, LaunchEdges edges);
void launch_pin_end_loads(Device *d);
void launch_tree_blocks(Device *d);
void launch_tree_lanes(Device *d);

#endif
