/* Reports of many paths: formatted in chunks by several threads, written in order by one.

   A chunk's text depends on its paths alone (of a table with one line a path: on the widths over
   all chunks too), so the report has the same bytes with any number of threads. */
#include "report/report_paths.h"

#include <string.h>

#include "base/expect.h"
#include "base/interrupt.h"
#include "base/pool.h"
#include "base/processors.h"
#include "report/path_report_private.h"

enum { CHUNK = 128, CHUNKS_A_THREAD = 4 };

typedef struct {
  const PathReport *report;
  const PathList   *list;
  const uint32_t   *indices;
  uint32_t count, chunks;
  int      threads;
} ChunkedReport;

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

static const Path *chunk_path(const ChunkedReport *report, uint32_t i)
{
  return &report->list->paths.at[report->indices ? report->indices[i] : i];
}

static PathView view_of(const ChunkedReport *report, Worker *worker, uint32_t i)
{
  const Path *path = chunk_path(report, i);
  worker->own = path_report_of(report->report, path);
  return (PathView){ &worker->own, report->list, path, &worker->labels };
}

static uint32_t chunk_end(const ChunkedReport *report, uint32_t chunk)
{
  uint32_t end = (chunk + 1) * CHUNK;
  return end < report->count ? end : report->count;
}

static const Timing *timing_of(const ChunkedReport *report, const Path *path)
{
  return report->report->sources ? report->report->sources[path->source].t : report->report->t;
}

/* The data of a row and its points is spread over the design, so it is prefetched while labels are
   looked up. */
static void expect_points(const ChunkedReport *report, Worker *worker, const Path *path)
{
  Slot slots[EXPECT_MOST];
  uint32_t count = path->count < EXPECT_MOST ? path->count : EXPECT_MOST;
  const PathPoint *points = path_start(report->list, path);
  const Timing *t = timing_of(report, path);
  const Graph *g = t->g;
  if (path->end_id != NO_PATH_END) mem_expect(&g->ends.path_ends.at[path->end_id]);
  for (uint32_t i = 0; i < count; i++) {
    slots[i] = points[i].slot;
    mem_expect(&g->slots.flags[slots[i]]);
    if (points[i].kind == LINK_ARC) mem_expect(&g->arcs.lib[points[i].link]);
  }
  path_labels_expect(&worker->labels, t, slots, count);
  if (path->end_id != NO_PATH_END && g->ends.path_ends.at[path->end_id].check != UINT32_MAX)
    mem_expect(&g->ends.checks.at[g->ends.path_ends.at[path->end_id].check]);
}

/* The end points of a chunk, which a few timings may share. */
static void expect_ends(const ChunkedReport *report, Worker *worker, uint32_t chunk)
{
  Slot slots[CHUNK];
  uint32_t first = chunk * CHUNK, count = chunk_end(report, chunk) - first;
  const Timing *t = timing_of(report, chunk_path(report, first));
  for (uint32_t i = 0; i < count; i++)
    mem_expect(path_end(report->list, chunk_path(report, first + i)));
  for (uint32_t i = 0; i < count; i++) {
    const Path *path = chunk_path(report, first + i);
    if (timing_of(report, path) != t) path = chunk_path(report, first);
    slots[i] = path_end(report->list, path)->slot;
  }
  path_labels_expect(&worker->labels, t, slots, count);
}

/* The chunks' texts, in order: formatted into buffers of a few a thread at a time. */
typedef void (*FormatChunk)(const ChunkedReport *report, void *data, uint32_t chunk, Text *out);

typedef struct {
  const ChunkedReport *report;
  FormatChunk format;
  void       *data;
  uint32_t    first;
  Text       *texts;
} ChunkTexts;

static void format_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const ChunkTexts *texts = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    text_clear(&texts->texts[i]);
    texts->format(texts->report, texts->data, texts->first + i, &texts->texts[i]);
  }
}

static void write_chunks(const ChunkedReport *report, FormatChunk format, void *data)
{
  uint32_t most = report->threads == 1 ? 1 : CHUNKS_A_THREAD * (uint32_t)report->threads;
  Text *texts = mem_alloc_zero(most, sizeof *texts);
  for (uint32_t first = 0, some; first < report->chunks && !interrupt_seen(); first += some) {
    some = report->chunks - first < most ? report->chunks - first : most;
    ChunkTexts x = { report, format, data, first, texts };
    pool_items(some, 100000, report->threads, format_share, &x);
    for (uint32_t i = 0; i < some; i++)
      report->report->write(report->report->data, text_get(&texts[i]), texts[i].len);
  }
  for (uint32_t i = 0; i < most; i++) text_free(&texts[i]);
  mem_free(texts);
}

/* --- several lines a path --------------------------------------------------------------------- */
static void json_chunk(const ChunkedReport *report, Worker *worker, uint32_t chunk, Text *out)
{
  PathJson j = { .out = out,
                 .depth = 1,
                 .first = chunk == 0,
                 .time_unit = report->report->units->scale[UNIT_TIME],
                 .cap_unit = report->report->units->scale[UNIT_CAPACITANCE] };
  if (chunk == 0) text_char(out, '[');
  for (uint32_t i = chunk * CHUNK; i < chunk_end(report, chunk); i++) {
    j.v = view_of(report, worker, i);
    expect_points(report, worker, j.v.path);
    path_json_text(&j);
  }
  if (chunk_end(report, chunk) == report->count) text_put(out, "\n]\n");
}

static void table_chunk(const ChunkedReport *report, Worker *worker, uint32_t chunk, Text *out)
{
  for (uint32_t i = chunk * CHUNK; i < chunk_end(report, chunk); i++) {
    worker->table.v = view_of(report, worker, i);
    if (report->report->format != PATH_SHORT) expect_points(report, worker, worker->table.v.path);
    path_table_text(&worker->table, out);
  }
}

static void path_chunk(const ChunkedReport *report, void *workers, uint32_t chunk, Text *out)
{
  Worker *worker = &((Worker *)workers)[pool_thread()];
  if (report->report->format == PATH_JSON) json_chunk(report, worker, chunk, out);
  else table_chunk(report, worker, chunk, out);
}

/* --- a line a path ---------------------------------------------------------------------------- */
/* Every chunk is a table of its own until all widths are known. */
static void line_chunk(const ChunkedReport *report, Worker *worker, uint32_t chunk,
                       PathTable *table)
{
  table->time_unit = report->report->units->scale[UNIT_TIME];
  table->v = view_of(report, worker, chunk * CHUNK);
  path_line_start(table, chunk == 0);
  if (report->report->format != PATH_SLACK_ONLY) expect_ends(report, worker, chunk);
  for (uint32_t i = chunk * CHUNK; i < chunk_end(report, chunk); i++) {
    table->v = view_of(report, worker, i);
    path_line_row(table);
  }
}

/* Tables of all chunks, and how wide their columns have to be. */
typedef struct {
  PathTable *tables;
  uint32_t   width[MOST_COLUMNS];
} Lines;

static void print_chunk(const ChunkedReport *report, void *lines, uint32_t chunk, Text *out)
{
  const Lines *the_lines = lines;
  (void)report;
  path_columns_print(&the_lines->tables[chunk].table, the_lines->width, out);
}

typedef struct {
  const ChunkedReport *report;
  Worker    *workers;
  Lines     *lines;
} LineTables;

static void lines_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const LineTables *tables = context;
  (void)step;
  for (uint32_t i = from; i < to && !interrupt_seen(); i++)
    line_chunk(tables->report, &tables->workers[thread], i, &tables->lines->tables[i]);
}

static void report_lines(const ChunkedReport *report, Worker *workers)
{
  Lines l = { mem_alloc_zero(report->chunks, sizeof *l.tables), { 0 } };
  LineTables x = { report, workers, &l };
  pool_items(report->chunks, 100000, report->threads, lines_share, &x);
  for (uint32_t i = 0; i < report->chunks; i++)
    path_columns_measure(&l.tables[i].table, report->report->split, l.width);
  write_chunks(report, print_chunk, &l);
  for (uint32_t i = 0; i < report->chunks; i++) path_columns_free(&l.tables[i].table);
  mem_free(l.tables);
}

void report_paths(const PathReport *path_report, const PathList *list, const uint32_t *indices,
                  uint32_t count)
{
  ChunkedReport report = { path_report,
                           list,
                           indices,
                           count,
                           (count + CHUNK - 1) / CHUNK,
                           path_report->threads > 0 ? path_report->threads : processors_usable() };
  if (count == 0) {
    if (path_report->format == PATH_JSON) path_report->write(path_report->data, "[]\n", 3);
    return;
  }
  if ((uint32_t)report.threads > report.chunks) report.threads = (int)report.chunks;
  Worker *workers = mem_alloc_zero((size_t)report.threads, sizeof *workers);
  for (int i = 0; i < report.threads; i++) {
    workers[i].labels.bits = count < CHUNK ? LABEL_BITS_FEW : LABEL_BITS;
    workers[i].table.time_unit = path_report->units->scale[UNIT_TIME];
    workers[i].table.cap_unit = path_report->units->scale[UNIT_CAPACITANCE];
  }
  if (is_line_format(path_report->format)) report_lines(&report, workers);
  else write_chunks(&report, path_chunk, workers);
  for (int i = 0; i < report.threads; i++) {
    path_labels_free(&workers[i].labels);
    path_columns_free(&workers[i].table.table);
    text_free(&workers[i].table.label);
  }
  mem_free(workers);
}
