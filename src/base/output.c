/* Writes a file in blocks that several threads format and compress. One thread at a time writes the
   finished blocks in order; the pieces form one gzip member. */
#include "base/output.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#define ZLIB_CONST
#include <zlib.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/processors.h"
#include "base/replace.h"

/* Bytes of compressed text that there is room for at a time: more than six, so that a flush does
   not come twice (zlib.h). */
enum { PACK_ROOM = 1 << 16, BLOCKS_A_THREAD = 4 };

/* The file so far. */
typedef struct {
  FILE    *file;
  uint64_t length;               /* of its text */
  uLong    crc;
  int      error;                /* errno of what went wrong; 0 */
  atomic_bool stopped;            /* nothing is added any more */
} Written;

/* The place of a block in the file. */
typedef struct {
  Text   bytes;
  size_t length;                 /* of its text */
  uLong  crc;
  bool   made;
} Block;

/* A thread's. */
typedef struct {
  Text     text;
  z_stream deflate;
} Worker;

static void *zlib_alloc(void *data, uInt count, uInt size)
{
  (void)data;
  return mem_alloc((size_t)count * size);
}

static void zlib_free(void *data, void *p)
{
  (void)data;
  mem_free(p);
}

/* Without zlib's own frame around it. */
static void worker_open(Worker *w, int level)
{
  *w = (Worker){ .deflate = { .zalloc = zlib_alloc, .zfree = zlib_free } };
  if (level)
    deflateInit2(&w->deflate, level, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL - 1, Z_DEFAULT_STRATEGY);
}

static void worker_close(Worker *w, int level)
{
  if (level) deflateEnd(&w->deflate);
  text_free(&w->text);
}

/* Read by threads that are about to make a block, while another one writes. */
static bool is_stopped(const Written *w)
{
  return atomic_load_explicit(&w->stopped, memory_order_relaxed);
}

static void stop(Written *w)
{
  atomic_store_explicit(&w->stopped, true, memory_order_relaxed);
}

/* --- a gzip member ---------------------------------------------------------------------------- */
/* Some of the text, which zlib counts in 32 bits. */
static void pack_some(z_stream *z, const char *at, size_t length, int flush, Block *b)
{
  z->next_in = (const Bytef *)at;
  z->avail_in = (uInt)length;
  do {
    z->next_out = (Bytef *)text_room(&b->bytes, PACK_ROOM);
    z->avail_out = PACK_ROOM;
    deflate(z, flush);
    b->bytes.len += PACK_ROOM - z->avail_out;
  } while (z->avail_out == 0);
  b->crc = crc32(b->crc, (const Bytef *)at, (uInt)length);
}

static void pack(z_stream *z, const Text *text, Block *b)
{
  const size_t most = (size_t)1 << 30;
  size_t done = 0;
  deflateReset(z);
  b->crc = crc32(0, NULL, 0);
  for (; text->len - done > most; done += most) pack_some(z, text->at + done, most, Z_NO_FLUSH, b);
  pack_some(z, text->at + done, text->len - done, Z_SYNC_FLUSH, b);
}

static void put(Written *w, const void *at, size_t length)
{
  if (w->stopped || length == 0 || fwrite(at, 1, length, w->file) == length) return;
  w->error = errno;
  stop(w);
}

static void put_head(Written *w, int level)
{
  enum { FASTEST = 4, SMALLEST = 2, UNIX = 3 };
  const unsigned char head[] = {
    0x1f, 0x8b, Z_DEFLATED, 0, 0, 0, 0, 0, level == 1 ? FASTEST : level == 9 ? SMALLEST : 0, UNIX
  };
  w->crc = crc32(0, NULL, 0);
  put(w, head, sizeof head);
}

static void put_end(Written *w)
{
  unsigned char end[10] = { 3, 0 };             /* the last block, with fixed codes: its end
                                                   alone */
  for (int i = 0; i < 4; i++) {
    end[2 + i] = (unsigned char)(w->crc >> 8 * i);
    end[6 + i] = (unsigned char)(w->length >> 8 * i);
  }
  put(w, end, sizeof end);
}

/* --- blocks ----------------------------------------------------------------------------------- */
static void make_block(const Output *o, const Written *w, Worker *own, uint32_t i, Block *b)
{
  b->made = !is_stopped(w) && !interrupt_seen();
  if (!b->made) return;
  Text *text = o->level ? &own->text : &b->bytes;
  text_clear(&own->text);
  text_clear(&b->bytes);
  o->format(o->data, i, text);
  b->length = text->len;
  if (o->level && text->len) pack(&own->deflate, text, b);
}

/* Writes blocks in order.  A block that was not made stops all later ones. */
static void put_blocks(const Output *o, Written *w, const Block *blocks, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    const Block *b = &blocks[i];
    if (!b->made) stop(w);
    put(w, b->bytes.at, b->bytes.len);
    if (o->level && b->length) w->crc = crc32_combine(w->crc, b->crc, (z_off_t)b->length);
    w->length += b->length;
  }
}

/* There are two sets of blocks.  One thread writes one set while all others make the blocks of the
   next one.  Each set is a step, whose first item is to write the set before. */
typedef struct {
  const Output *o;
  Written      *w;
  Block        *blocks;       /* [2][most] */
  Worker      **own;          /* by thread; NULL: none yet */
  uint32_t      most, sets;
} Sets;

static uint32_t set_size(const Sets *x, uint32_t set)
{
  uint32_t left = set == x->sets ? 0 : x->o->blocks - set * x->most;
  return left < x->most ? left : x->most;
}

static uint32_t set_items(void *context, uint32_t set)
{
  return set_size(context, set) + (set > 0);
}

static Worker *own_worker(const Sets *x, int thread)
{
  if (x->own[thread] == NULL) {
    x->own[thread] = mem_alloc(sizeof **x->own);
    worker_open(x->own[thread], x->o->level);
  }
  return x->own[thread];
}

static void put_share(void *context, uint32_t set, uint32_t from, uint32_t to, int thread)
{
  const Sets *x = context;
  Block *now = x->blocks + (set & 1) * x->most, *before = x->blocks + (~set & 1) * x->most;
  for (uint32_t i = from; i < to; i++) {
    uint32_t block = i - (set > 0);
    if (set > 0 && i == 0) put_blocks(x->o, x->w, before, set_size(x, set - 1));
    else make_block(x->o, x->w, own_worker(x, thread), set * x->most + block, &now[block]);
  }
}

static void put_sets(const Output *o, Written *w, int threads)
{
  uint32_t most = BLOCKS_A_THREAD * (uint32_t)threads,
           sets = o->blocks / most + (o->blocks % most != 0);
  Sets x = { o,
             w,
             mem_alloc_zero(2 * (size_t)most, sizeof *x.blocks),
             mem_alloc_zero((size_t)threads, sizeof *x.own),
             most,
             sets };
  pool_run(
      &(PoolRun){
          .work = put_share, .count = set_items, .context = &x, .steps = sets + 1, .cost = 100000 },
      threads);
  for (int i = 0; i < threads; i++) {
    if (x.own[i]) worker_close(x.own[i], o->level);
    mem_free(x.own[i]);
  }
  mem_free(x.own);
  for (uint32_t i = 0; i < 2 * most; i++) text_free(&x.blocks[i].bytes);
  mem_free(x.blocks);
}

static int thread_count(const Output *o)
{
  uint32_t threads = (uint32_t)(o->threads > 0 ? o->threads : processors_usable());
  return (int)(threads < o->blocks ? threads : o->blocks ? o->blocks : 1);
}

Status output_write(const Output *o, Log *log)
{
  Where where = { o->path, 0, 0 };
  Replacement place;
  Written w = { .file = fopen(replace_begin(&place, o->path), "wb") };
  if (w.file == NULL) {
    replace_end(&place, false);
    return log_error(log, "FILE-005", where, "cannot write the file: %s", strerror(errno));
  }
  if (o->level) put_head(&w, o->level);
  put_sets(o, &w, thread_count(o));
  if (o->level) put_end(&w);
  if (fclose(w.file) != 0 && !w.error) w.error = errno;
  if (!replace_end(&place, !w.error && !w.stopped) && !w.error) w.error = errno;
  if (w.error)
    return log_error(log, "FILE-005", where, "writing the file failed: %s", strerror(w.error));
  return w.stopped ? FAILED : OK;
}
