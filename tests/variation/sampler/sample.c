/* Monte Carlo of a timing graph: a program of its own that shares nothing with the timer.

     sample SAMPLES [SEED] < graph

   The graph is text: "nodes N", then "start NODE" (time 0), "edge FROM TO MEAN SIGMA" (numbered
   from 0 in their order) and "path EDGE EDGE ..." lines.  Each sample draws every edge's delay
   once, from a normal distribution, and times the graph with them.  For each path it prints four
   numbers: mean and standard deviation of the path's own delay, then of the latest arrival over all
   paths to its end. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { int from, to; double mean, sigma; } Edge;
typedef struct { int first, count; double sum, square, latest, latest_square; } Path;

static Edge *edges;
static Path *paths;
static int *path_edges, *order, *starts;
static int node_count, edge_count, path_count, path_edge_count, start_count;
static uint64_t state;

static void *grow(void *at, int count, size_t size)
{
  if (count & (count - 1)) return at;         /* room is doubled at powers of two */
  at = realloc(at, (count ? 2 * (size_t)count : 1) * size);
  if (at == NULL) exit(2);
  return at;
}

static double uniform(void)
{
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (double)((state * 0x2545f4914f6cdd1dull) >> 11) * 0x1p-53;
}

/* Marsaglia's polar method, two at a time. */
static double normal(void)
{
  static double kept;
  static int has;
  if (has) {
    has = 0;
    return kept;
  }
  double x, y, s;
  do {
    x = 2 * uniform() - 1;
    y = 2 * uniform() - 1;
    s = x * x + y * y;
  } while (s >= 1 || s == 0);
  s = sqrt(-2 * log(s) / s);
  kept = y * s;
  has = 1;
  return x * s;
}

static void read_path(char *text)
{
  paths = grow(paths, path_count, sizeof *paths);
  memset(&paths[path_count], 0, sizeof *paths);
  paths[path_count].first = path_edge_count;
  for (char *word = strtok(text, " \n"); word; word = strtok(NULL, " \n")) {
    path_edges = grow(path_edges, path_edge_count, sizeof *path_edges);
    path_edges[path_edge_count++] = atoi(word);
  }
  paths[path_count].count = path_edge_count - paths[path_count].first;
  path_count++;
}

static void read_graph(void)
{
  static char line[1 << 16];
  while (fgets(line, sizeof line, stdin)) {
    Edge e;
    int node;
    if (sscanf(line, "edge %d %d %lf %lf", &e.from, &e.to, &e.mean, &e.sigma) == 4) {
      edges = grow(edges, edge_count, sizeof *edges);
      edges[edge_count++] = e;
    } else if (sscanf(line, "start %d", &node) == 1) {
      starts = grow(starts, start_count, sizeof *starts);
      starts[start_count++] = node;
    } else if (strncmp(line, "path ", 5) == 0) {
      read_path(line + 5);
    } else if (sscanf(line, "nodes %d", &node_count) != 1) {
      fprintf(stderr, "sample: what is this: %s", line);
      exit(1);
    }
  }
}

/* Edges so that all into a node come before those out of it: by the node's level. */
static int *level;
static int by_level(const void *a, const void *b)
{
  return level[edges[*(const int *)a].from] - level[edges[*(const int *)b].from];
}

static void sort_edges(void)
{
  level = calloc((size_t)node_count + 1, sizeof *level);
  order = calloc((size_t)edge_count + 1, sizeof *order);
  if (level == NULL || order == NULL) exit(2);
  for (int changed = 1, rounds = 0; changed; rounds++) {
    changed = 0;
    if (rounds > node_count) {
      fprintf(stderr, "sample: the graph has a loop\n");
      exit(1);
    }
    for (int i = 0; i < edge_count; i++)
      if (level[edges[i].to] < level[edges[i].from] + 1) {
        level[edges[i].to] = level[edges[i].from] + 1;
        changed = 1;
      }
  }
  for (int i = 0; i < edge_count; i++) order[i] = i;
  qsort(order, (size_t)edge_count, sizeof *order, by_level);
}

static void one_sample(double *delay, double *time)
{
  for (int i = 0; i < edge_count; i++) delay[i] = edges[i].mean + edges[i].sigma * normal();
  for (int n = 0; n < node_count; n++) time[n] = -1e30;
  for (int i = 0; i < start_count; i++) time[starts[i]] = 0;
  for (int i = 0; i < edge_count; i++) {
    const Edge *edge = &edges[order[i]];
    double t = time[edge->from] + delay[order[i]];
    if (t > time[edge->to]) time[edge->to] = t;
  }
  for (int p = 0; p < path_count; p++) {
    Path *path = &paths[p];
    double sum = 0, last = time[edges[path_edges[path->first + path->count - 1]].to];
    for (int i = 0; i < path->count; i++) sum += delay[path_edges[path->first + i]];
    path->sum += sum;
    path->square += sum * sum;
    path->latest += last;
    path->latest_square += last * last;
  }
}

static double deviation(double sum, double square, double n)
{
  double variance = (square - sum * sum / n) / (n - 1);
  return variance > 0 ? sqrt(variance) : 0;
}

int main(int count, char **words)
{
  long samples = count > 1 ? atol(words[1]) : 0;
  state = count > 2 ? strtoull(words[2], NULL, 10) : 1;
  state = state * 0x9e3779b97f4a7c15ull + 1;
  if (samples < 2) {
    fprintf(stderr, "usage: sample SAMPLES [SEED] < graph\n");
    return 2;
  }
  read_graph();
  sort_edges();
  double *delay = calloc((size_t)edge_count + 1, sizeof *delay),
         *time = calloc((size_t)node_count + 1, sizeof *time);
  if (delay == NULL || time == NULL) return 2;
  for (long i = 0; i < samples; i++) one_sample(delay, time);
  for (int p = 0; p < path_count; p++) {
    const Path *path = &paths[p];
    double n = (double)samples;
    printf("%.6f %.6f %.6f %.6f\n", path->sum / n, deviation(path->sum, path->square, n),
           path->latest / n, deviation(path->latest, path->latest_square, n));
  }
  return 0;
}
