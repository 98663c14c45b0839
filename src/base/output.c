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
static void worker_open(Worker *worker, int level)
{
  *worker = (Worker){ .deflate = { .zalloc = zlib_alloc, .zfree = zlib_free } };
  if (level)
    deflateInit2(&worker->deflate, level, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL - 1,
                 Z_DEFAULT_STRATEGY);
}

static void worker_close(Worker *worker, int level)
{
  if (level) deflateEnd(&worker->deflate);
  text_free(&worker->text);
}

/* Read by threads that are about to make a block, while another one writes. */
static bool is_stopped(const Written *written)
{
  return atomic_load_explicit(&written->stopped, memory_order_relaxed);
}

static void stop(Written *written)
{
  atomic_store_explicit(&written->stopped, true, memory_order_relaxed);
}

/* --- a gzip member ---------------------------------------------------------------------------- */
/* Some of the text, which zlib counts in 32 bits. */
static void pack_some(z_stream *z, const char *at, size_t length, int flush, Block *block)
{
  z->next_in = (const Bytef *)at;
  z->avail_in = (uInt)length;
  do {
    z->next_out = (Bytef *)text_room(&block->bytes, PACK_ROOM);
    z->avail_out = PACK_ROOM;
    deflate(z, flush);
    block->bytes.len += PACK_ROOM - z->avail_out;
  } while (z->avail_out == 0);
  block->crc = crc32(block->crc, (const Bytef *)at, (uInt)length);
}

static void pack(z_stream *z, const Text *text, Block *block)
{
  const size_t most = (size_t)1 << 30;
  size_t done = 0;
  deflateReset(z);
  block->crc = crc32(0, NULL, 0);
  for (; text->len - done > most; done += most)
    pack_some(z, text->at + done, most, Z_NO_FLUSH, block);
  pack_some(z, text->at + done, text->len - done, Z_SYNC_FLUSH, block);
}

static void put(Written *written, const void *at, size_t length)
{
  if (written->stopped || length == 0 || fwrite(at, 1, length, written->file) == length) return;
  written->error = errno;
  stop(written);
}

static void put_head(Written *written, int level)
{
  enum { FASTEST = 4, SMALLEST = 2, UNIX = 3 };
  const unsigned char head[] = {
    0x1f, 0x8b, Z_DEFLATED, 0, 0, 0, 0, 0, level == 1 ? FASTEST : level == 9 ? SMALLEST : 0, UNIX
  };
  written->crc = crc32(0, NULL, 0);
  put(written, head, sizeof head);
}

static void put_end(Written *written)
{
  unsigned char end[10] = { 3, 0 };             /* the last block, with fixed codes: its end
                                                   alone */
  for (int i = 0; i < 4; i++) {
    end[2 + i] = (unsigned char)(written->crc >> 8 * i);
    end[6 + i] = (unsigned char)(written->length >> 8 * i);
  }
  put(written, end, sizeof end);
}

/* --- blocks ----------------------------------------------------------------------------------- */
static void make_block(const Output *output, const Written *written, Worker *own, uint32_t i,
                       Block *block)
{
  block->made = !is_stopped(written) && !interrupt_seen();
  if (!block->made) return;
  Text *text = output->level ? &own->text : &block->bytes;
  text_clear(&own->text);
  text_clear(&block->bytes);
  output->format(output->data, i, text);
  block->length = text->len;
  if (output->level && text->len) pack(&own->deflate, text, block);
}

/* Writes blocks in order.  A block that was not made stops all later ones. */
static void put_blocks(const Output *output, Written *written, const Block *blocks, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    const Block *block = &blocks[i];
    if (!block->made) stop(written);
    put(written, block->bytes.at, block->bytes.len);
    if (output->level && block->length)
      written->crc = crc32_combine(written->crc, block->crc, (z_off_t)block->length);
    written->length += block->length;
  }
}

/* There are two sets of blocks.  One thread writes one set while all others make the blocks of the
   next one.  Each set is a step, whose first item is to write the set before. */
typedef struct {
  const Output *output;
  Written      *written;
  Block        *blocks;       /* [2][most] */
  Worker      **own;          /* by thread; NULL: none yet */
  uint32_t      most, sets;
} Sets;

static uint32_t set_size(const Sets *sets, uint32_t set)
{
  uint32_t left = set == sets->sets ? 0 : sets->output->blocks - set * sets->most;
  return left < sets->most ? left : sets->most;
}

static uint32_t set_items(void *context, uint32_t set)
{
  return set_size(context, set) + (set > 0);
}

static Worker *own_worker(const Sets *sets, int thread)
{
  if (sets->own[thread] == NULL) {
    sets->own[thread] = mem_alloc(sizeof **sets->own);
    worker_open(sets->own[thread], sets->output->level);
  }
  return sets->own[thread];
}

static void put_share(void *context, uint32_t set, uint32_t from, uint32_t to, int thread)
{
  const Sets *sets = context;
  Block *now = sets->blocks + (set & 1) * sets->most,
        *before = sets->blocks + (~set & 1) * sets->most;
  for (uint32_t i = from; i < to; i++) {
    uint32_t block = i - (set > 0);
    if (set > 0 && i == 0) put_blocks(sets->output, sets->written, before, set_size(sets, set - 1));
    else
      make_block(sets->output, sets->written, own_worker(sets, thread), set * sets->most + block,
                 &now[block]);
  }
}

static void put_sets(const Output *output, Written *written, int threads)
{
  uint32_t most = BLOCKS_A_THREAD * (uint32_t)threads,
           sets = output->blocks / most + (output->blocks % most != 0);
  Sets x = { output,
             written,
             mem_alloc_zero(2 * (size_t)most, sizeof *x.blocks),
             mem_alloc_zero((size_t)threads, sizeof *x.own),
             most,
             sets };
  pool_run(
      &(PoolRun){
          .work = put_share, .count = set_items, .context = &x, .steps = sets + 1, .cost = 100000 },
      threads);
  for (int i = 0; i < threads; i++) {
    if (x.own[i]) worker_close(x.own[i], output->level);
    mem_free(x.own[i]);
  }
  mem_free(x.own);
  for (uint32_t i = 0; i < 2 * most; i++) text_free(&x.blocks[i].bytes);
  mem_free(x.blocks);
}

static int thread_count(const Output *output)
{
  uint32_t threads = (uint32_t)(output->threads > 0 ? output->threads : processors_usable());
  return (int)(threads < output->blocks ? threads : output->blocks ? output->blocks : 1);
}

Status output_write(const Output *output, Log *log)
{
  Where where = { output->path, 0, 0 };
  Replacement replacement;
  Written w = { .file = fopen(replace_begin(&replacement, output->path), "wb") };
  if (w.file == NULL) {
    replace_end(&replacement, false);
    return log_error(log, "FILE-005", where, "cannot write the file: %s", strerror(errno));
  }
  if (output->level) put_head(&w, output->level);
  put_sets(output, &w, thread_count(output));
  if (output->level) put_end(&w);
  if (fclose(w.file) != 0 && !w.error) w.error = errno;
  if (!replace_end(&replacement, !w.error && !w.stopped) && !w.error) w.error = errno;
  if (w.error)
    return log_error(log, "FILE-005", where, "writing the file failed: %s", strerror(w.error));
  return w.stopped ? FAILED : OK;
}
