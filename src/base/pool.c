/* The pool of threads. Each thread has a share of the items of a step, and a counter of what is
   claimed of it. Threads claim chunks of their own share first, then of other shares. The
   counter also holds the serial number of the step, so that a late thread cannot claim items of
   a step that is over. Threads that wait spin for a moment and then sleep. A thread that opens a
   step wakes a few others, and each of these wakes a few more. */
#include "base/pool.h"
#include "base/pool_gain.h"
#include "base/pool_place.h"
#include "base/processors.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

/* Times, ns: spun before sleep; what a chunk should take; the least that a step must take to be
   shared, and that a run must take to be worth waking threads for: waking one costs some 10 us
   here, and it comes some 50 us later. */
enum { SPIN = 50000, CHUNK = 30000, SHARED_LEAST = 12000, WAKING_LEAST = 100000 };
/* ns: a chunk that took longer may have lost its core. */
enum { LONG = 200000 };
/* ns: how often the system is asked who wants its processors. */
enum { ASK_AGAIN = 10000000 };
/* How many others a thread wakes. */
enum { FEW = 3 };
#define CLOSED UINT32_MAX

/* A thread's bed. Whoever changes asleep to false posts wake, or is the thread itself. Between this
   change and the post, `place` belongs to whoever made the change. */
typedef struct {
  sem_t wake;
  _Atomic bool asleep;
  PoolPlace place;
} Bed;

/* A thread's share of a step, on a cache line of its own.  A step that opens takes the next serial,
   so a claim that succeeds belongs to the step whose other fields were read: these change only
   while nothing can be claimed (CLOSED). */
typedef struct {
  _Alignas(64) _Atomic uint64_t at;  /* what is claimed: serial << 32 | next item */
  _Atomic uint32_t end;
} Share;

typedef struct {
  Share    shares[POOL_MOST_THREADS];
  uint64_t serial;                   /* of the last step */
  _Atomic(const PoolRun *) run;
  _Atomic uint32_t step, chunk;
  _Atomic int      threads;
  _Atomic uint32_t left;             /* items that are not done */
  _Atomic float    cost;             /* of an item, ns, of the last chunks */
  _Atomic bool     done;
  _Atomic uint32_t events;           /* steps opened, runs ended */
  _Atomic int      sleepers;
  _Atomic int      wanted;           /* how many threads should still be woken */
  _Atomic uint64_t work, lost;       /* ns that threads had a core, and none, in chunks of shared
                                        steps */
  uint64_t opened, passed;           /* ns: when the step was opened; in shared steps before it */
  Bed  beds[POOL_MOST_THREADS];
  int  made;                         /* number of threads, including the calling one */
  atomic_flag busy;                  /* a run is in progress */
  PoolGain gain;                     /* this and the following belong to whoever has set busy */
  GainCosts costs;
  int      online;                   /* the system's processors; 0: load is not open yet */
  int      load;                     /* file of processors_open_load */
  uint64_t asked;                    /* ns: when the system was asked who wants its processors */
  GainRoom room;                     /* what it had for the threads then */
} Pool;

static Pool pool = { .busy = ATOMIC_FLAG_INIT,
                     .made = 1,
                     .gain = GAIN_NEW };
static _Thread_local bool inside;
static _Thread_local int  own_number;
/* A moment of a thread: time that has passed, and time that it had a core, ns. */
typedef struct { uint64_t passed, on_core; } Moment;
static _Thread_local Moment last_moment;

int pool_thread(void) { return own_number; }

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
void pool_enter(void) { pthread_mutex_lock(&one_at_a_time); }
void pool_leave(void) { pthread_mutex_unlock(&one_at_a_time); }

static uint64_t read_clock(clockid_t clock)
{
  struct timespec t;
  clock_gettime(clock, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t now(void) { return read_clock(CLOCK_MONOTONIC); }

/* Asking for the time on a core takes some 0.2 us, so it is not asked for each chunk. */
static Moment this_moment(void)
{
  return (Moment){ now(), read_clock(CLOCK_THREAD_CPUTIME_ID) };
}

static void pause_core(void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/* --- sleeping --------------------------------------------------------------------------------- */
static bool spin(uint32_t seen)
{
  for (uint64_t end = now() + SPIN; now() < end;)
    for (int i = 0; i < 64; i++, pause_core())
      if (atomic_load(&pool.events) != seen) return true;
  return false;
}

/* Until something has happened since. */
static void wait_event(uint32_t seen, int thread)
{
  if (spin(seen)) return;
  Bed *bed = &pool.beds[thread];
  atomic_fetch_add(&pool.sleepers, 1);
  place_leave(&bed->place);
  atomic_store(&bed->asleep, true);
  bool awake = atomic_load(&pool.events) != seen && atomic_exchange(&bed->asleep, false);
  while (!awake) awake = sem_wait(&bed->wake) == 0;      /* a signal ends it early */
  atomic_fetch_sub(&pool.sleepers, 1);
  place_return(&bed->place);
  last_moment = this_moment();
}

static bool wake(int thread)
{
  Bed *bed = &pool.beds[thread];
  if (!atomic_load(&bed->asleep) || !atomic_exchange(&bed->asleep, false)) return false;
  place_avoid(&bed->place);
  sem_post(&bed->wake);
  return true;
}

/* Wakes a few of the threads that are wanted. Waking one takes some microseconds, so those that
   wake up wake more of them. */
static void wake_few(void)
{
  int threads = atomic_load(&pool.threads), woken = 0;
  for (int i = 0; i < threads && woken < FEW && atomic_load(&pool.wanted) > 0; i++) {
    if (!wake(i)) continue;
    atomic_fetch_sub(&pool.wanted, 1);
    woken++;
  }
}

/* Tells the threads that spin, and wakes up to `most` others. */
static void happened(uint32_t most)
{
  atomic_store(&pool.wanted, (int)most);
  atomic_fetch_add(&pool.events, 1);
  if (atomic_load(&pool.sleepers) > 0) wake_few();
}

/* --- steps ------------------------------------------------------------------------------------ */
/* A preempted chunk takes long: it counts as one of twice the cost. */
static void learn(float cost, uint64_t ns, uint32_t items)
{
  float seen = (float)ns / (float)items;
  if (seen > 2 * cost) seen = 2 * cost;
  atomic_store_explicit(&pool.cost, cost + 0.25f * (seen - cost), memory_order_relaxed);
}

/* Returns the ns of a chunk in which the thread had no core. The thread has not slept since its
   last moment. */
static uint64_t lost_of(uint64_t ns)
{
  if (ns < LONG) return 0;
  Moment m = this_moment();
  uint64_t passed = m.passed - last_moment.passed, on_core = m.on_core - last_moment.on_core,
           lost = passed > on_core ? passed - on_core : 0;
  last_moment = m;
  return lost < ns ? lost : ns;
}

static void count_chunk(uint64_t ns)
{
  uint64_t lost = lost_of(ns);
  atomic_fetch_add_explicit(&pool.work, ns - lost, memory_order_relaxed);
  if (lost) atomic_fetch_add_explicit(&pool.lost, lost, memory_order_relaxed);
}

/* Returns the ns that it took. */
static uint64_t work_items(const PoolRun *run, uint32_t step, uint32_t from, uint32_t to,
                           int thread)
{
  uint64_t begun = now();
  run->work(run->context, step, from, to, thread);
  uint64_t ns = now() - begun + 1;
  learn(atomic_load_explicit(&pool.cost, memory_order_relaxed), ns, to - from);
  return ns;
}

static uint32_t chunk_of(const PoolRun *run, uint32_t count, float cost, int threads)
{
  uint32_t grain = run->grain ? run->grain : 1;
  float most = CHUNK / (cost > 0.01f ? cost : 0.01f),
        share = (float)count / (2.0f * (float)threads);
  float items = most < share ? most : share;
  if (items < (float)SHARED_LEAST / 4 / cost) items = (float)SHARED_LEAST / 4 / cost;
  uint32_t chunk = items > (float)count ? count : (uint32_t)items;
  return chunk < grain ? grain : chunk / grain * grain;
}

/* All shares have the same number of whole chunks, except the last ones, which may be smaller or
   empty. */
static void open_shares(uint32_t count, uint32_t chunk)
{
  uint64_t serial = ++pool.serial << 32, from = 0;
  uint32_t threads = (uint32_t)atomic_load(&pool.threads), chunks = (count - 1) / chunk + 1;
  uint64_t share = (uint64_t)((chunks - 1) / threads + 1) * chunk;
  for (uint32_t i = 0; i < threads; i++, from += share) {
    uint64_t end = from + share < count ? from + share : count;
    atomic_store(&pool.shares[i].end, (uint32_t)end);
    atomic_store(&pool.shares[i].at, serial | (from < end ? from : CLOSED));
  }
}

static void open_step(uint32_t step, uint32_t count, uint32_t chunk)
{
  atomic_store(&pool.step, step);
  atomic_store(&pool.chunk, chunk);
  atomic_store(&pool.left, count);
  pool.opened = now();
  open_shares(count, chunk);
  happened((count - 1) / chunk);
}

/* From a step on: runs the steps that are too short to share, then opens the next one to share, or
   ends the run. */
static void advance(const PoolRun *run, uint32_t step, int thread)
{
  int threads = atomic_load_explicit(&pool.threads, memory_order_relaxed);
  for (; step < run->steps; step++) {
    uint32_t count = run->count(run->context, step);
    float cost = atomic_load_explicit(&pool.cost, memory_order_relaxed);
    uint32_t chunk = count ? chunk_of(run, count, cost, threads) : 0;
    if (chunk < count && cost * (float)count >= SHARED_LEAST) {
      open_step(step, count, chunk);
      return;
    }
    if (count) work_items(run, step, 0, count, thread);
  }
  atomic_store(&pool.done, true);
  happened(0);
  wake(0);
}

/* Claims and does a chunk of a share; false where nothing is left of it to claim. */
static bool work_share(Share *share, int thread)
{
  uint64_t at = atomic_load(&share->at);
  for (;;) {
    uint32_t from = (uint32_t)at, end = atomic_load(&share->end),
             chunk = atomic_load(&pool.chunk), step = atomic_load(&pool.step);
    const PoolRun *run = atomic_load(&pool.run);
    if (from >= end || thread >= atomic_load(&pool.threads)) return false;
    uint32_t to = end - from <= chunk ? end : from + chunk;
    if (!atomic_compare_exchange_weak(&share->at, &at,
                                      (at >> 32 << 32) | (to == end ? CLOSED : to)))
      continue;
    count_chunk(work_items(run, step, from, to, thread));
    if (atomic_fetch_sub(&pool.left, to - from) == to - from) {
      pool.passed += now() - pool.opened;
      advance(run, step + 1, thread);
    }
    return true;
  }
}

/* Claims and does a chunk of the thread's own share, else of another; false where nothing is left
   to claim. */
static bool work_chunk(int thread)
{
  int threads = atomic_load(&pool.threads);
  if (thread >= threads) return false;
  for (int i = 0; i < threads; i++)
    if (work_share(&pool.shares[(thread + i) % threads], thread)) return true;
  return false;
}

/* --- threads ---------------------------------------------------------------------------------- */
static void *thread_main(void *number)
{
  int thread = own_number = (int)(intptr_t)number;
  inside = true;
  for (;;) {
    uint32_t seen = atomic_load(&pool.events);
    if (work_chunk(thread)) continue;
    wait_event(seen, thread);
    wake_few();
  }
  return NULL;
}

/* Starts as many threads as the system gives.  The others do the work of missing ones. */
static void make_threads(int threads)
{
  if (pool.made >= threads) return;
  if (pool.made == 1) sem_init(&pool.beds[0].wake, 0, 0);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);      /* signals go to the thread that has the
                                                       prompt */
  for (bool made = true; made && pool.made < threads; pool.made += made) {
    pthread_t id;
    sem_init(&pool.beds[pool.made].wake, 0, 0);
    made = pthread_create(&id, NULL, thread_main, (void *)(intptr_t)pool.made) == 0;
    if (made) pthread_detach(id);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void alone(const PoolRun *run)
{
  int outer = own_number;
  own_number = 0;
  for (uint32_t step = 0; step < run->steps; step++) {
    uint32_t count = run->count(run->context, step);
    if (count) run->work(run->context, step, 0, count, 0);
  }
  own_number = outer;
}

typedef struct {
  PoolWork work;
  void    *context;
  uint32_t count;
} Items;

static uint32_t items_count(void *context, uint32_t step)
{
  (void)step;
  return ((const Items *)context)->count;
}

static void items_work(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Items *items = context;
  items->work(items->context, step, from, to, thread);
}

/* Says which function does the work. */
static const void *function_of(const PoolRun *run)
{
  PoolWork work = run->work == items_work ? ((const Items *)run->context)->work : run->work;
  return (const void *)(uintptr_t)work;
}

static double items_of(const PoolRun *run)
{
  double items = 0;
  for (uint32_t step = 0; step < run->steps; step++) items += run->count(run->context, step);
  return items;
}

static float first_cost(const PoolRun *run) { return run->cost > 0 ? run->cost : 100; }

static bool is_worth_waking(const PoolRun *run)
{
  float ns = 0;
  for (uint32_t step = 0; step < run->steps && ns < WAKING_LEAST; step++)
    ns += first_cost(run) * (float)run->count(run->context, step);
  return ns >= WAKING_LEAST;
}

/* Returns what the system has for the threads now.  Asks it once in 10 ms at most. */
static GainRoom room_for(int threads, uint64_t at)
{
  if (at - pool.asked < ASK_AGAIN) return pool.room;
  if (pool.online == 0) {
    pool.load = processors_open_load("");
    pool.online = processors_online();
  }
  int wanted = processors_wanted(pool.load);
  pool.asked = at;
  pool.room = wanted > 0 ? gain_room(threads, wanted - 1, pool.online) : ROOM_SOME;
  return pool.room;
}

static void share(const PoolRun *run, int threads)
{
  make_threads(threads);
  inside = true;
  last_moment = this_moment();
  uint64_t begun = last_moment.passed;
  GainRoom room = room_for(threads, begun);
  pool.passed = 0;
  atomic_store(&pool.done, false);
  atomic_store(&pool.run, run);
  atomic_store(&pool.threads, threads);
  atomic_store(&pool.work, 0);
  atomic_store(&pool.lost, 0);
  atomic_store_explicit(&pool.cost, first_cost(run), memory_order_relaxed);
  advance(run, 0, 0);
  while (!atomic_load(&pool.done)) {
    uint32_t seen = atomic_load(&pool.events);
    if (!work_chunk(0) && !atomic_load(&pool.done)) wait_event(seen, 0);
  }
  inside = false;
  GainSum sum = { (double)atomic_load(&pool.work), (double)pool.passed,
                  (double)atomic_load(&pool.lost) };
  double needed = gain_needed(&pool.costs, function_of(run), items_of(run));
  if (needed > 0) sum = (GainSum){ needed, (double)(now() - begun), sum.lost };
  gain_add_shared(&pool.gain, sum, room);
}

static void rest(const PoolRun *run, int threads)
{
  const void *function = function_of(run);
  double items = items_of(run);
  bool measured = gain_is_measuring(&pool.gain) || gain_needed(&pool.costs, function, items) == 0;
  uint64_t begun = now(), on_core = measured ? read_clock(CLOCK_THREAD_CPUTIME_ID) : 0;
  alone(run);
  if (measured) on_core = read_clock(CLOCK_THREAD_CPUTIME_ID) - on_core;
  if (measured) gain_learn(&pool.costs, function, items, (double)on_core);
  uint64_t ended = now();
  GainSum sum = { .work = (double)on_core, .passed = (double)(ended - begun) };
  gain_add_alone(&pool.gain, sum, room_for(threads, ended));
}

/* The caller has set busy. */
static bool is_resting(int threads)
{
  if (!pool.gain.begun) gain_begin(&pool.gain, room_for(threads, now()));
  return gain_is_resting(&pool.gain);
}

static int threads_of_pool(int threads)
{
  return threads < POOL_MOST_THREADS ? threads : POOL_MOST_THREADS;
}

bool pool_would_share(int threads)
{
  if (threads <= 1 || inside || atomic_flag_test_and_set(&pool.busy)) return false;
  bool resting = is_resting(threads_of_pool(threads));
  atomic_flag_clear(&pool.busy);
  return !resting;
}

void pool_run(const PoolRun *run, int threads)
{
  bool shared = threads > 1 && !inside && is_worth_waking(run);
  if (!shared || atomic_flag_test_and_set(&pool.busy)) {
    alone(run);
    return;
  }
  threads = threads_of_pool(threads);
  if (is_resting(threads)) rest(run, threads);
  else share(run, threads);
  atomic_flag_clear(&pool.busy);
}

void pool_items(uint32_t count, float cost, int threads, PoolWork work, void *context)
{
  Items x = { work, context, count };
  pool_run(
      &(PoolRun){
          .work = items_work, .count = items_count, .context = &x, .steps = 1, .cost = cost },
      threads);
}
