/* Common path credit on a device: credits of the clock tree, lists of launches forward, credited
   slacks, and lists of captures backward. Each list has a lane (cuda/credit_lanes.h), level by
   level, with any schedule.

   Lists with more than one item are stored in heaps, from which lanes take memory. A heap that is
   too small counts what it would need; it is then enlarged, and the phase runs again. */
#include "cuda/credit_lanes.h"
#include "cuda/private.h"

#include <string.h>

struct CreditMemory {
  const FlatCredit *credit;             /* the arrays on the host */
  CreditView view;
  char      *block;                /* memory of the arrays of the graph and of the credits */
  char      *cells;                /* memory of the lists; it is allocated when there is credit */
  size_t     bytes;                /* all memory of this struct on the device */
  uint32_t   kernels;              /* number of entries in scratch_used: two for each level */
};

typedef struct CreditMemory CreditMemory;

/* --- kernels ---------------------------------------------------------------------------------- */
SL_KERNEL begin_credits(SL_VIEW(v), SL_CREDIT(c))
{
  (void)v;
  SL_EACH(i, 2 * c.f.point_count)
  {
    c.own[i / 2].v[i % 2] = i < 2 ? 0 : CREDIT_NONE;
    if (i == 0) c.counts->most = 0;
  }
}

SL_KERNEL clock_differences(SL_VIEW(v), SL_CREDIT(c))
{
  SL_EACH(i, c.f.clock_count) clock_difference(&v, &c, i);
}

SL_KERNEL settle_credits(SL_VIEW(v), SL_CREDIT(c))
{
  (void)v;
  SL_EACH(i, 2 * c.f.point_count) settle_credit(&c, i / 2, i % 2);
}

SL_KERNEL begin_lists(SL_VIEW(v), SL_CREDIT(c), int which, uint32_t kernels)
{
  (void)v;
  SL_EACH(i, kernels)
  {
    c.scratch_used[i] = 0;
    if (i == 0) c.counts->used[which] = c.counts->scratch = 0;
  }
}

SL_KERNEL launch_lists(SL_VIEW(v), SL_CREDIT(c), FlatLevel level, uint32_t kernel, uint32_t first,
                       uint32_t count)
{
  SL_NEXT();
  SL_WAIT();
  SL_EACH(i, CONDITION_COUNT * count)
  list_lane(&v, &c, &level, LAUNCHES, kernel, first + i / CONDITION_COUNT,
            (int)(i % CONDITION_COUNT));
}

SL_KERNEL capture_lists(SL_VIEW(v), SL_CREDIT(c), FlatLevel level, uint32_t kernel, uint32_t first,
                        uint32_t count)
{
  SL_NEXT();
  SL_WAIT();
  SL_EACH(i, CONDITION_COUNT * count)
  list_lane(&v, &c, &level, CAPTURES, kernel, first + i / CONDITION_COUNT,
            (int)(i % CONDITION_COUNT));
}

SL_KERNEL wide_captures(SL_VIEW(v), SL_CREDIT(c), FlatLevel level, uint32_t kernel, uint32_t first,
                        uint32_t blocks)
{
  SL_BLOCKS(b, blocks)
  wide_list(&v, &c, &level, kernel, c.f.wide_nodes[first + b / CONDITION_COUNT],
            (int)(b % CONDITION_COUNT));
}

SL_KERNEL loosen_credit(SL_VIEW(v))
{
  SL_EACH(n, v.f.count.nodes) v.n.required[n] = cond_loosest();
}

SL_KERNEL credit_margins(SL_VIEW(v))
{
  SL_EACH(i, 2 * v.f.count.end_checks) check_margin(&v, v.f.end_checks[i / 2], (int)(i % 2));
}

SL_KERNEL credit_path_ends(SL_VIEW(v), SL_CREDIT(c))
{
  SL_EACH(i, 2 * v.f.count.path_ends) credit_path_end(&v, &c, i / 2, (int)(i % 2));
}

SL_KERNEL credit_ends(SL_VIEW(v), SL_CREDIT(c))
{
  SL_EACH(i, CONDITION_COUNT * v.f.count.end_slots)
  credit_end(&v, &c, v.f.end_slots[i / CONDITION_COUNT], (int)(i % CONDITION_COUNT));
}

/* --- kernels of phases ------------------------------------------------------------------------ */
void start_credits(Device *d)
{
  const CreditView *view = &d->design->credit->view;
  SL_START(d, 2 * view->f.point_count, begin_credits, d->design->view, *view);
  SL_START(d, view->f.clock_count, clock_differences, d->design->view, *view);
  SL_START(d, 2 * view->f.point_count, settle_credits, d->design->view, *view);
}

/* Nodes of a level's drivers, or of its loads, lie side by side. */
typedef struct { uint32_t first, count; } NodeRange;

static NodeRange nodes_of(const Flat *f, const FlatLevel *level, bool loads)
{
  uint32_t slot = level->first_slot + (loads ? level->count : 0),
           count = loads ? level->load_count : level->count;
  NodeRange r = { f->node_first[slot], f->node_first[slot + count] - f->node_first[slot] };
  return r;
}

static void start_list_level(Device *d, int which, uint32_t l, bool loads)
{
  const FlatLevel *level = &d->design->f->levels[l];
  NodeRange r = nodes_of(d->design->f, level, loads);
  uint32_t lanes = CONDITION_COUNT * r.count, kernel = 2 * l + loads;
  if (which == LAUNCHES)
    SL_OVERLAP(d, lanes, launch_lists, d->design->view, d->design->credit->view, *level, kernel,
               r.first, r.count);
  else
    SL_OVERLAP(d, lanes, capture_lists, d->design->view, d->design->credit->view, *level, kernel,
               r.first, r.count);
}

void start_launches(Device *d)
{
  SL_START(d, d->design->credit->kernels, begin_lists, d->design->view, d->design->credit->view,
           LAUNCHES, d->design->credit->kernels);
  for (uint32_t l = 0; l < d->design->f->count.levels; l++)
    for (int loads = 0; loads <= 1; loads++) start_list_level(d, LAUNCHES, l, loads != 0);
}

/* Starts the lists of a level's wide drivers, after those of its other drivers. They do not
   depend on each other. */
static void start_wide(Device *d, uint32_t l)
{
  const FlatCredit *credit = d->design->credit->credit;
  uint32_t first = credit->wide_first[l],
           blocks = CONDITION_COUNT * (credit->wide_first[l + 1] - first);
  SL_START_BLOCKS(d, d->stream, blocks, WIDE_LANES, wide_captures, d->design->view,
                  d->design->credit->view, d->design->f->levels[l], 2 * l, first, blocks);
}

void start_captures(Device *d)
{
  SL_START(d, d->design->credit->kernels, begin_lists, d->design->view, d->design->credit->view,
           CAPTURES, d->design->credit->kernels);
  for (uint32_t l = d->design->f->count.levels; l-- > 0;) {
    start_list_level(d, CAPTURES, l, true);
    start_list_level(d, CAPTURES, l, false);
    start_wide(d, l);
  }
}

void start_credit_ends(Device *d)
{
  const Flat *f = d->design->f;
  device_fork(d);
  SL_START_ASIDE(d, f->count.nodes, loosen_credit, d->design->view);
  SL_START(d, 2 * f->count.end_checks, credit_margins, d->design->view);
  device_join(d);
  if (d->design->credit->credit->ends_only)
    SL_START(d, CONDITION_COUNT * f->count.end_slots, credit_ends, d->design->view,
             d->design->credit->view);
  else
    SL_START(d, 2 * f->count.path_ends, credit_path_ends, d->design->view, d->design->credit->view);
}

/* --- memory ----------------------------------------------------------------------------------- */
static void place_credit(CreditMemory *memory, Room *room)
{
  const FlatCredit *credit = memory->credit;
  CreditView *view = &memory->view;
#define PLACE(type, name, count) view->f.name = \
    (const type *)take_room(room, (size_t)(count) * sizeof(type));
  CREDIT_ARRAYS(PLACE)
#undef PLACE
  view->own = (Pair *)take_room(room, credit->point_count * sizeof(Pair));
  view->credit = (Pair *)take_room(room, credit->point_count * sizeof(Pair));
  view->scratch_used =
      (unsigned long long *)take_room(room, memory->kernels * sizeof *view->scratch_used);
  view->counts = (CreditCounts *)take_room(room, sizeof *view->counts);
}

static CommonView common_view(const CreditView *view)
{
  CommonView c;
  c.point = view->f.point;
  c.least = view->f.least;
  c.count = view->f.order_count;
  c.edge_above = view->f.edge_above;
  c.credit = (const float (*)[2])view->credit;
  c.same_transition = view->f.same_transition != 0;
  c.mixed = view->f.mixed != 0;
  c.one_clock = view->f.one_clock != 0;
  return c;
}

static void count_bytes(Device *d, size_t more, size_t less)
{
  d->design->credit->bytes += more - less;
  d->design->use.credit_bytes = d->design->credit->bytes;
}

/* Frees a block of memory and returns a new one. */
static char *other_block(Device *d, char *old, size_t have, size_t need)
{
  device_release(d, old);
  char *block = device_block(d, need);
  count_bytes(d, block ? need : 0, old ? have : 0);
  return block;
}

static bool make_heap(Device *d, int which, uint64_t cells)
{
  FrontLists *lists = &d->design->credit->view.lists[which];
  lists->heap = (FrontCell *)other_block(d, (char *)lists->heap, lists->room * sizeof(FrontCell),
                                         cells * sizeof(FrontCell));
  lists->room = lists->heap ? (uint32_t)cells : 0;
  return lists->heap != NULL;
}

static bool make_scratch(Device *d, size_t bytes)
{
  CreditView *view = &d->design->credit->view;
  view->scratch = other_block(d, view->scratch, view->scratch_room, bytes);
  view->scratch_room = view->scratch ? bytes : 0;
  return view->scratch != NULL;
}

static void copy_arrays(Device *d)
{
  const FlatCredit *credit = d->design->credit->credit;
  const CreditView *view = &d->design->credit->view;
#define PUT(type, name, count) device_put(d, (void *)view->f.name, credit->name, \
    (size_t)(count) * sizeof(type));
  CREDIT_ARRAYS(PUT)
#undef PUT
}

bool device_put_credit(Device *d, const FlatCredit *credit)
{
  if (!device_enter(d, "credit")) return false;
  CreditMemory *memory = d->design->credit = (CreditMemory *)mem_alloc_zero(1, sizeof *memory);
  Room none = { NULL, 0 };
  memory->credit = credit;
  memory->kernels = 2 * d->design->f->count.levels;
  memory->view.f = *credit;
  place_credit(memory, &none);
  memory->block = other_block(d, NULL, 0, none.at);
  if (memory->block == NULL) return false;
  Room room = { memory->block, 0 };
  place_credit(memory, &room);
  memory->view.common = common_view(&memory->view);
  copy_arrays(d);
  device_finish(d, 0);
  return d->error.file == NULL;
}

bool device_make_lists(Device *d)
{
  CreditMemory *memory = d->design->credit;
  size_t cells = (size_t)CONDITION_COUNT * memory->credit->node_count;
  uint64_t items = device_setting("lists=", (uint64_t)memory->credit->node_count * 2 + 16384);
  if (memory->cells) return true;
  if (!device_enter(d, "lists")) return false;
  memory->cells = other_block(d, NULL, 0, 2 * cells * sizeof(FrontCell));
  for (int i = LAUNCHES; i <= CAPTURES; i++)
    memory->view.lists[i].cell = (FrontCell *)memory->cells + (size_t)i * cells;
  device_forget(d, DEVICE_CREDITS);
  return memory->cells && make_heap(d, LAUNCHES, items) && make_heap(d, CAPTURES, items)
         && make_scratch(d, (items + 1) / 2 * ITEM_WORK);
}

static bool make_latched(Device *d, uint32_t count)
{
  CreditView *view = &d->design->credit->view;
  if (count <= view->latched_room) return true;
  device_forget(d, DEVICE_LAUNCHES);
  device_forget(d, DEVICE_CAPTURES);
  view->latched = (FlatLatched *)other_block(d, (char *)view->latched,
                                             view->latched_room * sizeof *view->latched,
                                             (size_t)2 * count * sizeof *view->latched);
  view->latched_room = view->latched ? 2 * count : 0;
  return view->latched != NULL;
}

bool device_put_latched(Device *d, const FlatLatched *list, uint32_t count)
{
  if (!device_enter(d, "upload") || !make_latched(d, count)) return false;
  device_put(d, d->design->credit->view.latched, list, count * sizeof *list);
  device_put(d, &d->design->credit->view.counts->latched, &count, sizeof count);
  device_finish(d, 0);
  return d->error.file == NULL;
}

void device_free_credit(Device *d)
{
  CreditMemory *memory = d->design->credit;
  if (memory == NULL) return;
  device_release(d, memory->block);
  device_release(d, memory->cells);
  device_release(d, (char *)memory->view.lists[LAUNCHES].heap);
  device_release(d, (char *)memory->view.lists[CAPTURES].heap);
  device_release(d, memory->view.scratch);
  device_release(d, (char *)memory->view.latched);
  mem_free(memory);
  d->design->credit = NULL;
}

/* --- more memory after a phase that had too little -------------------------------------------- */
static CreditCounts get_credit_counts(Device *d)
{
  CreditCounts counts;
  memset(&counts, 0, sizeof counts);
  device_get(d, &counts, d->design->credit->view.counts, sizeof counts);
  device_finish(d, 0);
  if (d->error.file) memset(&counts, 0, sizeof counts);
  return counts;
}

/* Returns how much memory to allocate. A count that was made with too little memory is too small,
   the more so the earlier the memory was used up. So more is allocated than was counted. */
static uint64_t with_reserve(uint64_t need, uint64_t had)
{
  uint64_t more = need + need / 2 + 4096;
  return more > 4 * had ? more : 4 * had;
}

static const uint64_t most_cells = 1ull << 30;      /* in cells: the most that pages of the host's
                                                       lists can address */

static bool grow(Device *d, int which, uint64_t cells, size_t scratch)
{
  CreditView *view = &d->design->credit->view;
  bool more_cells = cells > view->lists[which].room, more_scratch = scratch > view->scratch_room;
  if (!more_cells && !more_scratch) return false;
  device_forget(d, DEVICE_LAUNCHES);
  device_forget(d, DEVICE_CAPTURES);
  device_forget(d, DEVICE_CREDIT_ENDS);
  if (cells > most_cells)
    device_fail(d, __FILE__, __LINE__, "lists of common path credit that are too long", "");
  uint64_t room = with_reserve(cells, view->lists[which].room);
  if (more_cells && !d->error.file) make_heap(d, which, room < most_cells ? room : most_cells);
  if (more_scratch && !d->error.file) make_scratch(d, with_reserve(scratch, view->scratch_room));
  return d->error.file == NULL;
}

bool device_lists_grew(Device *d, DevicePhase phase)
{
  if (phase != DEVICE_LAUNCHES && phase != DEVICE_CAPTURES) return false;
  int which = phase == DEVICE_LAUNCHES ? LAUNCHES : CAPTURES;
  CreditCounts counts = get_credit_counts(d);
  if (counts.too_long)
    device_fail(d, __FILE__, __LINE__, "a list of common path credit that is too long", "");
  return d->error.file == NULL && grow(d, which, counts.used[which], counts.scratch);
}

/* --- copies to the host ----------------------------------------------------------------------- */
bool device_most_credit(Device *d, float *most)
{
  *most = get_credit_counts(d).most;
  return d->error.file == NULL;
}

bool device_get_credits(Device *d, float (*credit)[2])
{
  if (!device_enter(d, "download")) return false;
  device_get(d, credit, d->design->credit->view.credit,
             d->design->credit->credit->point_count * sizeof *credit);
  device_finish(d, 0);
  return d->error.file == NULL;
}

enum { PAGE_CELLS = 1 << FRONTS_PAGE_BITS };

int64_t device_list_pages(Device *d, bool captures)
{
  uint64_t used = get_credit_counts(d).used[captures ? CAPTURES : LAUNCHES];
  return d->error.file ? -1 : (int64_t)((used + PAGE_CELLS - 1) / PAGE_CELLS);
}

bool device_get_lists(Device *d, bool captures, FrontCell *cells, FrontCell *const *pages)
{
  const FrontLists *lists = &d->design->credit->view.lists[captures ? CAPTURES : LAUNCHES];
  uint64_t used = get_credit_counts(d).used[captures ? CAPTURES : LAUNCHES];
  double since = device_now();
  if (!device_enter(d, "download")) return false;
  device_get(d, cells, lists->cell,
             (size_t)CONDITION_COUNT * d->design->credit->credit->node_count * sizeof *cells);
  for (uint64_t at = 0; at < used; at += PAGE_CELLS)
    device_get(d, pages[at / PAGE_CELLS], lists->heap + at,
               (used - at < PAGE_CELLS ? used - at : PAGE_CELLS) * sizeof *cells);
  d->design->use.download += device_finish(d, since);
  return d->error.file == NULL;
}
