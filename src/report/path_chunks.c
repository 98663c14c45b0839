/* Reports of many paths: formatted in chunks by several threads, written in order by one.

   A chunk's text depends on its paths alone (of a table with one line a path: on the widths over
   all chunks too), so the report has the same bytes with any number of threads. */
#include <string.h>

#include "base/expect.h"
#include "base/interrupt.h"
#include "base/pool.h"
#include "base/processors.h"
#include "report/path_report_private.h"

enum { CHUNK = 128, CHUNKS_A_THREAD = 4 };

typedef struct {
  const PathReport *r;
  const PathList   *list;
  const uint32_t   *indices;
  uint32_t count, chunks;
  int      threads;
} Job;

/* A thread's. */
typedef struct {
  PathReport own;           /* with the timing of the path at work */
  PathLabels labels;
  PathTable  table;
} Worker;

static bool is_line_format(PathFormat f)
{
  return f == PATH_END || f == PATH_SUMMARY || f == PATH_SLACK_ONLY;
}

static const Path *job_path(const Job *job, uint32_t i)
{
  return &job->list->paths.at[job->indices ? job->indices[i] : i];
}

static PathView view_of(const Job *job, Worker *w, uint32_t i)
{
  const Path *p = job_path(job, i);
  w->own = path_report_of(job->r, p);
  return (PathView){ &w->own, job->list, p, &w->labels };
}

static uint32_t chunk_end(const Job *job, uint32_t chunk)
{
  uint32_t end = (chunk + 1) * CHUNK;
  return end < job->count ? end : job->count;
}

static const Timing *timing_of(const Job *job, const Path *p)
{
  return job->r->sources ? job->r->sources[p->source].t : job->r->t;
}

/* The data of a row and its points is spread over the design, so it is prefetched while labels are
   looked up. */
static void expect_points(const Job *job, Worker *w, const Path *p)
{
  Slot slots[EXPECT_MOST];
  uint32_t count = p->count < EXPECT_MOST ? p->count : EXPECT_MOST;
  const PathPoint *points = path_start(job->list, p);
  const Timing *t = timing_of(job, p);
  const Graph *g = t->g;
  if (p->row != NO_ROW) mem_expect(&g->ends.path_ends.at[p->row]);
  for (uint32_t i = 0; i < count; i++) {
    slots[i] = points[i].slot;
    mem_expect(&g->slots.flags[slots[i]]);
    if (points[i].kind == LINK_ARC) mem_expect(&g->arcs.lib[points[i].link]);
  }
  path_labels_expect(&w->labels, t, slots, count);
  if (p->row != NO_ROW && g->ends.path_ends.at[p->row].check != UINT32_MAX)
    mem_expect(&g->ends.checks.at[g->ends.path_ends.at[p->row].check]);
}

/* The end points of a chunk, which a few timings may share. */
static void expect_ends(const Job *job, Worker *w, uint32_t chunk)
{
  Slot slots[CHUNK];
  uint32_t first = chunk * CHUNK, count = chunk_end(job, chunk) - first;
  const Timing *t = timing_of(job, job_path(job, first));
  for (uint32_t i = 0; i < count; i++) mem_expect(path_end(job->list, job_path(job, first + i)));
  for (uint32_t i = 0; i < count; i++) {
    const Path *p = job_path(job, first + i);
    slots[i] = path_end(job->list, timing_of(job, p) == t ? p : job_path(job, first))->slot;
  }
  path_labels_expect(&w->labels, t, slots, count);
}

/* The chunks' texts, in order: formatted into buffers of a few a thread at a time. */
typedef void (*FormatChunk)(const Job *job, void *data, uint32_t chunk, Text *out);

typedef struct {
  const Job  *job;
  FormatChunk format;
  void       *data;
  uint32_t    first;
  Text       *texts;
} ChunkTexts;

static void format_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const ChunkTexts *x = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    text_clear(&x->texts[i]);
    x->format(x->job, x->data, x->first + i, &x->texts[i]);
  }
}

static void write_chunks(const Job *job, FormatChunk format, void *data)
{
  uint32_t most = job->threads == 1 ? 1 : CHUNKS_A_THREAD * (uint32_t)job->threads;
  Text *texts = mem_alloc_zero(most, sizeof *texts);
  for (uint32_t first = 0, some; first < job->chunks && !interrupt_seen(); first += some) {
    some = job->chunks - first < most ? job->chunks - first : most;
    ChunkTexts x = { job, format, data, first, texts };
    pool_items(some, 100000, job->threads, format_share, &x);
    for (uint32_t i = 0; i < some; i++)
      job->r->write(job->r->data, text_get(&texts[i]), texts[i].len);
  }
  for (uint32_t i = 0; i < most; i++) text_free(&texts[i]);
  mem_free(texts);
}

/* --- several lines a path --------------------------------------------------------------------- */
static void json_chunk(const Job *job, Worker *w, uint32_t chunk, Text *out)
{
  PathJson j = { .out = out,
                 .depth = 1,
                 .first = chunk == 0,
                 .time_unit = job->r->units->scale[UNIT_TIME],
                 .cap_unit = job->r->units->scale[UNIT_CAPACITANCE] };
  if (chunk == 0) text_char(out, '[');
  for (uint32_t i = chunk * CHUNK; i < chunk_end(job, chunk); i++) {
    j.v = view_of(job, w, i);
    expect_points(job, w, j.v.p);
    path_json_text(&j);
  }
  if (chunk_end(job, chunk) == job->count) text_put(out, "\n]\n");
}

static void table_chunk(const Job *job, Worker *w, uint32_t chunk, Text *out)
{
  for (uint32_t i = chunk * CHUNK; i < chunk_end(job, chunk); i++) {
    w->table.v = view_of(job, w, i);
    if (job->r->format != PATH_SHORT) expect_points(job, w, w->table.v.p);
    path_table_text(&w->table, out);
  }
}

static void path_chunk(const Job *job, void *workers, uint32_t chunk, Text *out)
{
  Worker *w = &((Worker *)workers)[pool_thread()];
  if (job->r->format == PATH_JSON) json_chunk(job, w, chunk, out);
  else table_chunk(job, w, chunk, out);
}

/* --- a line a path ---------------------------------------------------------------------------- */
/* Every chunk is a table of its own until all widths are known. */
static void line_chunk(const Job *job, Worker *w, uint32_t chunk, PathTable *table)
{
  table->time_unit = job->r->units->scale[UNIT_TIME];
  table->v = view_of(job, w, chunk * CHUNK);
  path_line_start(table, chunk == 0);
  if (job->r->format != PATH_SLACK_ONLY) expect_ends(job, w, chunk);
  for (uint32_t i = chunk * CHUNK; i < chunk_end(job, chunk); i++) {
    table->v = view_of(job, w, i);
    path_line_row(table);
  }
}

/* Tables of all chunks, and how wide their columns have to be. */
typedef struct {
  PathTable *tables;
  uint32_t   width[MOST_COLUMNS];
} Lines;

static void print_chunk(const Job *job, void *lines, uint32_t chunk, Text *out)
{
  const Lines *l = lines;
  (void)job;
  path_columns_print(&l->tables[chunk].table, l->width, out);
}

typedef struct {
  const Job *job;
  Worker    *workers;
  Lines     *lines;
} LineTables;

static void lines_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const LineTables *x = context;
  (void)step;
  for (uint32_t i = from; i < to && !interrupt_seen(); i++)
    line_chunk(x->job, &x->workers[thread], i, &x->lines->tables[i]);
}

static void report_lines(const Job *job, Worker *workers)
{
  Lines l = { mem_alloc_zero(job->chunks, sizeof *l.tables), { 0 } };
  LineTables x = { job, workers, &l };
  pool_items(job->chunks, 100000, job->threads, lines_share, &x);
  for (uint32_t i = 0; i < job->chunks; i++)
    path_columns_measure(&l.tables[i].table, job->r->split, l.width);
  write_chunks(job, print_chunk, &l);
  for (uint32_t i = 0; i < job->chunks; i++) path_columns_free(&l.tables[i].table);
  mem_free(l.tables);
}

void report_paths(const PathReport *r, const PathList *list, const uint32_t *indices,
                  uint32_t count)
{
  Job job = { r,
              list,
              indices,
              count,
              (count + CHUNK - 1) / CHUNK,
              r->threads > 0 ? r->threads : processors_usable() };
  if (count == 0) {
    if (r->format == PATH_JSON) r->write(r->data, "[]\n", 3);
    return;
  }
  if ((uint32_t)job.threads > job.chunks) job.threads = (int)job.chunks;
  Worker *workers = mem_alloc_zero((size_t)job.threads, sizeof *workers);
  for (int i = 0; i < job.threads; i++) {
    workers[i].labels.bits = count < CHUNK ? LABEL_BITS_FEW : LABEL_BITS;
    workers[i].table.time_unit = r->units->scale[UNIT_TIME];
    workers[i].table.cap_unit = r->units->scale[UNIT_CAPACITANCE];
  }
  if (is_line_format(r->format)) report_lines(&job, workers);
  else write_chunks(&job, path_chunk, workers);
  for (int i = 0; i < job.threads; i++) {
    path_labels_free(&workers[i].labels);
    path_columns_free(&workers[i].table.table);
    text_free(&workers[i].table.label);
  }
  mem_free(workers);
}
