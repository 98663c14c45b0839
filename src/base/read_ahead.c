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

static bool failed(const ReadEnd *end)
{
  return end->n < 0 || (end->code != Z_OK && end->code != Z_STREAM_END);
}

/* Waits for an empty buffer. Returns NULL if nothing more is wanted. */
static Buffer *empty_buffer(ReadAhead *ahead)
{
  pthread_mutex_lock(&ahead->lock);
  while (ahead->full == BUFFERS && !ahead->stop) pthread_cond_wait(&ahead->changed, &ahead->lock);
  Buffer *buffer = ahead->stop ? NULL : &ahead->buffers[(ahead->next + ahead->full) % BUFFERS];
  pthread_mutex_unlock(&ahead->lock);
  return buffer;
}

/* The last buffer has the end of the file or a failure. */
static void *fill(void *data)
{
  ReadAhead *ahead = data;
  for (bool more = true; more;) {
    Buffer *buffer = empty_buffer(ahead);
    if (buffer == NULL) return NULL;
    buffer->end = read_now(ahead->file, buffer->text, BUFFER);
    buffer->taken = 0;
    more = buffer->end.n > 0 && !failed(&buffer->end);
    pthread_mutex_lock(&ahead->lock);
    ahead->full++;
    pthread_cond_signal(&ahead->changed);
    pthread_mutex_unlock(&ahead->lock);
  }
  return NULL;
}

ReadAhead *read_ahead_new(gzFile file)
{
  sigset_t all, before;
  ReadAhead *ahead = mem_alloc_zero(1, sizeof *ahead);
  ahead->file = file;
  pthread_mutex_init(&ahead->lock, NULL);
  pthread_cond_init(&ahead->changed, NULL);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);       /* signals go to the thread that has the
                                                        prompt */
  bool made = pthread_create(&ahead->thread, NULL, fill, ahead) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (made) return ahead;
  mem_free(ahead);
  return NULL;
}

static Buffer *full_buffer(ReadAhead *ahead)
{
  pthread_mutex_lock(&ahead->lock);
  while (ahead->full == 0) pthread_cond_wait(&ahead->changed, &ahead->lock);
  pthread_mutex_unlock(&ahead->lock);
  return &ahead->buffers[ahead->next];
}

static void give_back(ReadAhead *ahead)
{
  pthread_mutex_lock(&ahead->lock);
  ahead->next = (ahead->next + 1) % BUFFERS;
  ahead->full--;
  pthread_cond_signal(&ahead->changed);
  pthread_mutex_unlock(&ahead->lock);
}

/* A buffer with the end or a failure is never given back, so each further read finds it again. */
ReadEnd read_ahead(ReadAhead *ahead, char *to, size_t room)
{
  Buffer *buffer = full_buffer(ahead);
  ReadEnd e = buffer->end;
  if (e.n <= 0) return e;
  int n = e.n - buffer->taken;
  if ((size_t)n > room) n = (int)room;
  memcpy(to, buffer->text + buffer->taken, (size_t)n);
  buffer->taken += n;
  bool whole = buffer->taken == e.n;
  if (whole && failed(&e)) buffer->end.n = 0;
  else if (whole) give_back(ahead);
  if (!whole) e.code = Z_OK;
  e.n = n;
  return e;
}

void read_ahead_free(ReadAhead *ahead)
{
  if (ahead == NULL) return;
  pthread_mutex_lock(&ahead->lock);
  ahead->stop = true;
  pthread_cond_signal(&ahead->changed);
  pthread_mutex_unlock(&ahead->lock);
  pthread_join(ahead->thread, NULL);
  pthread_mutex_destroy(&ahead->lock);
  pthread_cond_destroy(&ahead->changed);
  mem_free(ahead);
}
