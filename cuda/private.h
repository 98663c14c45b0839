/* The state of a device, and functions that the files of this folder share. */
#ifndef SL_CUDA_PRIVATE_H
#define SL_CUDA_PRIVATE_H

#include "cuda/device_state.h"
#include "device/device.h"

/* The number of levels at which the rest of a forward phase may begin. */
enum { FORWARD_PARTS = 8 };

/* Memory of the host that the device copies from, or to, without the host's help. */
typedef struct {
  char  *at;
  size_t room;
#ifdef __CUDACC__
  cudaEvent_t copied;              /* its last copy is done; NULL: none yet */
#endif
} SharedRoom;

struct DeviceDesign {
  const Flat *f;                   /* the arrays on the host */
  Numbers     host;
  FlatView    view;                /* the same arrays in the arena */
  char       *arena;
  TreeView    trees;               /* the trees of nets, in a memory block of their own */
  char       *tree_block;
  struct CreditMemory *credit;     /* cuda/credit.cu; NULL: none */
  struct FollowMemory *follow;     /* cuda/follow.cu; NULL: edits are not followed here */
  GrowingBlock tree_edit;          /* receives edits of trees */
  char       *patch_block;         /* receives patches; has patch_bytes */
  size_t      patch_bytes;
  DeviceUse   use;
  DeviceSpan  span[DEVICE_PHASES];      /* of the last run of each phase */
#ifdef __CUDACC__
  cudaGraphExec_t plan[DEVICE_PHASES];
  cudaGraphExec_t part[FORWARD_PARTS];      /* the forward phase from the beginning of a part on;
                                               NULL: plain starts */
#endif
  SharedRoom patch_room, tree_room;       /* where patches and edits of trees are packed */
  SharedRoom sum_room;             /* receives the sums of slacks */
  bool       sums_asked;           /* the sums of the last end points are on their way there */
  SharedRoom upload_room;          /* where small arrays are packed */
};

/* Returns the arrays of the design that the device has, for operations of families. */
static inline FlatView device_view(const Device *d) { return d->design->view; }

/* Drops the CUDA graph of a phase, because the kernels of the phase have changed. */
static inline void device_forget(Device *d, DevicePhase phase)
{
#ifdef __CUDACC__
  cudaGraphExec_t *plan = &d->design->plan[phase];
  if (*plan) device_check(d, cudaGraphExecDestroy(*plan), __FILE__, __LINE__);
  *plan = NULL;
#else
  (void)d;
  (void)phase;
#endif
}

/* --- device.cu -------------------------------------------------------------------------------- */
/* Takes the time of a phase that has run, and waits for its end. Returns false after an error. */
bool device_take_time(Device *d, DevicePhase phase);
/* Runs the forward phase from the beginning of the part that contains the level (see
   start_forward_from). */
void device_forward_from(Device *d, uint32_t level);
/* Makes the CUDA graphs of all parts. */
void device_plan_parts(Device *d);

/* --- family.cu -------------------------------------------------------------------------------- */
bool device_run_family(Device *d, const Family *family, int operation, void *call);
unsigned device_family_reads(const Family *family, int operation);
/* Frees the states of the families, which are in the host's memory. */
void device_forget_states(Device *d);

/* --- trees.cu, patch.cu ----------------------------------------------------------------------- */
bool device_put_trees(Device *d, const Trees *trees);
bool device_edit_trees(Device *d, const TreeEdit *edit);
bool device_patch(Device *d, const FlatPatch *patches, uint32_t count, const FlatChanges *changes);
/* Returns memory of at least this size, after the last copy from it or to it is done; NULL after an
   error. shared_put copies the first bytes of it to the device, and shared_get copies bytes of the
   device there. shared_note is called after other copies. shared_wait waits for the last copy. */
char *shared_room(Device *d, SharedRoom *room, size_t bytes);
void  shared_put(Device *d, SharedRoom *room, void *to, size_t bytes);
void  shared_get(Device *d, SharedRoom *room, const void *from, size_t bytes);
void  shared_note(Device *d, SharedRoom *room);
void  shared_wait(Device *d, SharedRoom *room);
void  shared_free(Device *d, SharedRoom *room);
/* Allocates memory for the patches of the first edits, enough for an edit that reaches a net with
   most_loads loads. */
void device_warm_patches(Device *d, uint32_t most_loads);

/* --- credit.cu -------------------------------------------------------------------------------- */
bool device_put_credit(Device *d, const FlatCredit *credit);
bool device_put_latched(Device *d, const FlatLatched *list, uint32_t count);
bool device_most_credit(Device *d, float *most);
bool device_get_credits(Device *d, float (*credit)[2]);
int64_t device_list_pages(Device *d, bool captures);
bool device_get_lists(Device *d, bool captures, FrontCell *cells, FrontCell *const *pages);
/* Allocates memory for lists. Call it before the first phase that makes lists. */
bool device_make_lists(Device *d);
/* Returns true if the lists of a phase did not fit. There is more room then, and the phase must run
   again. */
bool device_lists_grew(Device *d, DevicePhase phase);
void device_free_credit(Device *d);
void start_credits(Device *d);
void start_launches(Device *d);
void start_credit_ends(Device *d);
void start_captures(Device *d);

/* --- sums.cu ---------------------------------------------------------------------------------- */
void start_end_sums(Device *d);
/* Computes the sums of the end points as they are now, and begins to copy them to the host. What is
   started later does not delay them. */
void device_ask_end_sums(Device *d);
/* Copies the sums of the blocks to out[block][early, late]. */
bool device_end_sums(Device *d, EndSum *out);

/* --- follow.cu -------------------------------------------------------------------------------- */
bool device_begin_following(Device *d, const FlatFollow *follow);
bool device_is_following(const Device *d);
bool device_follow_edit(Device *d, const FollowEdit *edit, Followed *out);
void device_free_follow(Device *d);

/* --- starts of kernels ------------------------------------------------------------------------ */
/* How the work of each phase is spread over threads (doc/device.md). */
typedef void (*Starter)(Device *d);
typedef struct {
  Starter nets, forward, arrivals, ends, backward;
} Schedule;

/* The published schedules (cuda/baseline). */
extern const Schedule SL_NAMED(net_schedule), SL_NAMED(cte_schedule);

void start_ports(Device *d, int delays);
void start_edited_trees(Device *d, const TreeEdit *edit);
void start_pin_trees(Device *d);
void start_pin_forward(Device *d);
void start_pin_arrivals(Device *d);
void start_pin_ends(Device *d);
void start_pin_backward(Device *d);
/* Computes delays, slews and arrivals of a level and of all levels after it. Those before it must
   be up to date. For designs whose edits are followed (update/device_follow.c). */
void start_forward_from(Device *d, uint32_t level);
/* Gathers what all runs of narrow levels from this level on need.  Call it before the kernels of
   the levels. */
void start_before_forward(Device *d, uint32_t level);
/* The same for the backward phase. */
void start_before_backward(Device *d);
/* Computes the run of narrow levels that begins at a level.  Returns the level after the run, or
   `level` if no run begins there. */
uint32_t start_narrow_forward(Device *d, uint32_t level);
/* Computes the run of narrow levels that ends where the backward phase has `left` levels left.
   Returns how many levels are left after the run, or `left` if there is no run. */
uint32_t start_narrow_backward(Device *d, uint32_t left);

/* Parts of the schedule "pin" that other schedules use too. */
typedef void (*StartEdges)(Device *d, FlatLevel level, int delays);
/* Computes all levels.  `edges` starts the timing edges of a level; everything else is done by
   lanes. */
void start_pin_levels(Device *d, int delays, StartEdges edges);
void start_pin_end_loads(Device *d);
void start_tree_blocks(Device *d);
void start_tree_lanes(Device *d);

#endif
