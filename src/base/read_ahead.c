/* A thread reads ahead into two buffers in turn. */
#include "base/read_ahead.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>

#include "base/memory.h"

enum { BUFFERS = 2, BUFFER = 1 << 17 };

typedef struct {
  char    text[BUFFER];
  ReadEnd end;
  int     taken;
} Buffer;

/* full: the number of buffers that the reader may take from, beginning with `next`. The thread
   writes to the others without the lock. */
struct ReadAhead {
  gzFile          file;
  pthread_t       thread;
  pthread_mutex_t lock;
  pthread_cond_t  changed;
  Buffer          buffers[BUFFERS];
  int             next, full;
  bool            stop;
};

ReadEnd read_now(gzFile file, char *to, size_t room)
{
  ReadEnd e = { .code = Z_OK, .text = "" };
  e.n = gzread(file, to, (unsigned)room);
  e.system = errno;
  if (e.n < 0 || (size_t)e.n < room) e.text = gzerror(file, &e.code);
  return e;
}

static bool failed(const ReadEnd *e)
{
  return e->n < 0 || (e->code != Z_OK && e->code != Z_STREAM_END);
}

/* Waits for an empty buffer. Returns NULL if nothing more is wanted. */
static Buffer *empty_buffer(ReadAhead *r)
{
  pthread_mutex_lock(&r->lock);
  while (r->full == BUFFERS && !r->stop) pthread_cond_wait(&r->changed, &r->lock);
  Buffer *b = r->stop ? NULL : &r->buffers[(r->next + r->full) % BUFFERS];
  pthread_mutex_unlock(&r->lock);
  return b;
}

/* The last buffer has the end of the file or a failure. */
static void *fill(void *data)
{
  ReadAhead *r = data;
  for (bool more = true; more;) {
    Buffer *b = empty_buffer(r);
    if (b == NULL) return NULL;
    b->end = read_now(r->file, b->text, BUFFER);
    b->taken = 0;
    more = b->end.n > 0 && !failed(&b->end);
    pthread_mutex_lock(&r->lock);
    r->full++;
    pthread_cond_signal(&r->changed);
    pthread_mutex_unlock(&r->lock);
  }
  return NULL;
}

ReadAhead *read_ahead_new(gzFile file)
{
  sigset_t all, before;
  ReadAhead *r = mem_alloc_zero(1, sizeof *r);
  r->file = file;
  pthread_mutex_init(&r->lock, NULL);
  pthread_cond_init(&r->changed, NULL);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);       /* signals go to the thread that has the
                                                        prompt */
  bool made = pthread_create(&r->thread, NULL, fill, r) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (made) return r;
  mem_free(r);
  return NULL;
}

static Buffer *full_buffer(ReadAhead *r)
{
  pthread_mutex_lock(&r->lock);
  while (r->full == 0) pthread_cond_wait(&r->changed, &r->lock);
  pthread_mutex_unlock(&r->lock);
  return &r->buffers[r->next];
}

static void give_back(ReadAhead *r)
{
  pthread_mutex_lock(&r->lock);
  r->next = (r->next + 1) % BUFFERS;
  r->full--;
  pthread_cond_signal(&r->changed);
  pthread_mutex_unlock(&r->lock);
}

/* A buffer with the end or a failure is never given back, so each further read finds it again. */
ReadEnd read_ahead(ReadAhead *r, char *to, size_t room)
{
  Buffer *b = full_buffer(r);
  ReadEnd e = b->end;
  if (e.n <= 0) return e;
  int n = e.n - b->taken;
  if ((size_t)n > room) n = (int)room;
  memcpy(to, b->text + b->taken, (size_t)n);
  b->taken += n;
  bool whole = b->taken == e.n;
  if (whole && failed(&e)) b->end.n = 0;
  else if (whole) give_back(r);
  if (!whole) e.code = Z_OK;
  e.n = n;
  return e;
}

void read_ahead_free(ReadAhead *r)
{
  if (r == NULL) return;
  pthread_mutex_lock(&r->lock);
  r->stop = true;
  pthread_cond_signal(&r->changed);
  pthread_mutex_unlock(&r->lock);
  pthread_join(r->thread, NULL);
  pthread_mutex_destroy(&r->lock);
  pthread_cond_destroy(&r->changed);
  mem_free(r);
}
