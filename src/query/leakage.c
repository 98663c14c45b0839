/* Computes the leakage power of cells by their states. See leakage.h. */
#include "query/leakage.h"

#include "db/function.h"

enum { MOST_FREE = 12, MOST_IN_ALL = 16, NO_TABLE_YET = UINT32_MAX };

/* The leakage of a cell by the values of its free variables: inputs and states. */
typedef struct {
  float    base;                     /* where no condition holds */
  uint32_t count;                    /* of variables; 0: base alone */
  NameId   pin[MOST_FREE];           /* NO_NAME: a state */
  uint8_t  state[MOST_FREE];         /* its index */
  float   *table;                    /* [1 << count] */
} CellTable;

struct Leakage {
  const LibrarySet *libs;
  const Netlist    *n;
  const Corner     *corner;
  Probability      *p;
  ARRAY(CellTable) tables;
  Map              *table_of;        /* CellId of the netlist -> its table */
  float             values[1 << MOST_FREE];
};

/* --- variables of a cell's conditions --------------------------------------------------------- */
typedef struct {
  const LibrarySet *libs;
  CellId     cell;
  PortId     port[MOST_IN_ALL];      /* free ones, then those that follow from them */
  FunctionId function[MOST_IN_ALL];  /* of those; NO_FUNCTION with an inverted state */
  uint32_t   inverse_of[MOST_IN_ALL];        /* place of the state */
  uint32_t   free, count;
} Variables;

static bool has_variable(const Variables *v, PortId port)
{
  for (uint32_t i = 0; i < v->count; i++)
    if (v->port[i] == port) return true;
  return false;
}

/* A state's sequential group, *inverted; NULL: the port is none. */
static const LibSequential *state_group(const Variables *v, PortId port, bool *inverted)
{
  const LibCell *c = &v->libs->cells.at[v->cell];
  for (uint32_t i = 0; i < c->sequential_count; i++) {
    const LibSequential *s = &v->libs->sequentials.at[c->first_sequential + i];
    *inverted = s->state_inverted == port;
    if (s->state == port || *inverted) return s;
  }
  return NULL;
}

static bool is_dependent(const Variables *v, PortId port)
{
  bool inverted = false;
  const LibSequential *s = state_group(v, port, &inverted);
  if (s) return inverted;
  const LibPort *p = &v->libs->ports.at[port];
  return p->direction != DIR_INPUT && p->function != NO_FUNCTION;
}

/* Free variables first: two passes over the same functions. */
static bool add_ports(Variables *v, FunctionId f, bool dependent)
{
  PortId ports[MOST_IN_ALL];
  uint32_t count = 0;
  if (!function_ports(v->libs, f, ports, &count, MOST_IN_ALL)) return false;
  for (uint32_t i = 0; i < count; i++) {
    bool inverted = false, follows = is_dependent(v, ports[i]);
    const LibSequential *s = state_group(v, ports[i], &inverted);
    FunctionId own = s ? NO_FUNCTION : v->libs->ports.at[ports[i]].function;
    if (follows && own != NO_FUNCTION && !add_ports(v, own, dependent)) return false;
    PortId port = follows && s && !dependent ? s->state : ports[i];
    bool wanted = follows == dependent || (s && inverted && !dependent);
    if (!wanted || has_variable(v, port)) continue;
    if (v->count == MOST_IN_ALL) return false;
    v->port[v->count] = port;
    v->function[v->count] = dependent ? own : NO_FUNCTION;
    v->inverse_of[v->count] = 0;
    for (uint32_t k = 0; dependent && s && k < v->count; k++)
      if (v->port[k] == s->state) v->inverse_of[v->count] = k;
    v->count++;
  }
  return true;
}

/* Leakage groups of a cell: those of [*from, *to) without a pin. */
static void powers_of(const LibrarySet *libs, CellId cell, uint32_t *from, uint32_t *to)
{
  array_run(&libs->powers, cell, from, to);
}

static bool is_leakage(const LibPower *p)
{
  return p->is_leakage;
}

static bool find_variables(Variables *v, uint32_t from, uint32_t to)
{
  for (int dependent = 0; dependent <= 1; dependent++) {
    for (uint32_t i = from; i < to; i++) {
      const LibPower *p = &v->libs->powers.at[i];
      if (is_leakage(p) && p->when != NO_FUNCTION && !add_ports(v, p->when, dependent))
        return false;
    }
    if (!dependent) v->free = v->count;
  }
  return v->free <= MOST_FREE;
}

/* --- tables ----------------------------------------------------------------------------------- */
static uint64_t rows_of_variable(uint32_t place, uint32_t block)
{
  static const uint64_t low[] = { 0xaaaaaaaaaaaaaaaaull, 0xccccccccccccccccull,
                                  0xf0f0f0f0f0f0f0f0ull, 0xff00ff00ff00ff00ull,
                                  0xffff0000ffff0000ull, 0xffffffff00000000ull };
  return place < 6 ? low[place] : block >> (place - 6) & 1 ? UINT64_MAX : 0;
}

/* Rows in which every dependent variable has the value that follows. */
static uint64_t consistent_rows(const Variables *v, uint32_t block)
{
  uint64_t rows = v->count < 6 ? (1ull << (1u << v->count)) - 1 : UINT64_MAX;
  for (uint32_t i = v->free; i < v->count; i++) {
    uint64_t follows = v->function[i] != NO_FUNCTION
                           ? function_rows(v->libs, v->function[i], v->port, v->count, block)
                           : ~rows_of_variable(v->inverse_of[i], block);
    rows &= ~(follows ^ rows_of_variable(i, block));
  }
  return rows;
}

static float value_of(const LibrarySet *libs, const LibPower *p)
{
  return library_table_value(libs, p->power[0], 0, 0);
}

static void add_condition(const Variables *v, const LibPower *p, float *table, bool *known)
{
  float value = value_of(v->libs, p);
  for (uint32_t block = 0; block < (v->count > 6 ? 1u << (v->count - 6) : 1u); block++) {
    uint64_t rows = consistent_rows(v, block)
                    & function_rows(v->libs, p->when, v->port, v->count, block);
    for (; rows; rows &= rows - 1) {
      uint32_t row = 64 * block + (uint32_t)__builtin_ctzll(rows);
      uint32_t state = row & ((1u << v->free) - 1);
      table[state] += value;
      known[state] = true;
    }
  }
}

static void name_variables(const Variables *v, CellTable *t)
{
  const LibCell *c = &v->libs->cells.at[v->cell];
  t->count = v->free;
  for (uint32_t i = 0; i < v->free; i++) {
    bool inverted;
    const LibSequential *s = state_group(v, v->port[i], &inverted);
    t->pin[i] = s ? NO_NAME : v->libs->ports.at[v->port[i]].name;
    t->state[i] = s ? (uint8_t)(s - &v->libs->sequentials.at[c->first_sequential]) : 0;
  }
}

static float base_of(const LibrarySet *libs, CellId cell, uint32_t from, uint32_t to,
                     bool *conditions)
{
  double sum = 0;
  bool any = false;
  for (uint32_t i = from; i < to; i++) {
    const LibPower *p = &libs->powers.at[i];
    if (!is_leakage(p)) continue;
    if (p->when != NO_FUNCTION) *conditions = true;
    else sum += value_of(libs, p), any = true;
  }
  return any ? (float)sum : libs->cells.at[cell].leakage;
}

static CellTable make_table(const LibrarySet *libs, CellId cell)
{
  CellTable t = { 0 };
  Variables v = { .libs = libs, .cell = cell };
  uint32_t from, to;
  bool conditions = false;
  powers_of(libs, cell, &from, &to);
  t.base = base_of(libs, cell, from, to, &conditions);
  if (!conditions || !find_variables(&v, from, to)) return t;
  name_variables(&v, &t);
  t.table = mem_alloc_zero(1u << v.free, sizeof *t.table);
  bool *known = mem_alloc_zero(1u << v.free, sizeof *known);
  for (uint32_t i = from; i < to; i++) {
    const LibPower *p = &libs->powers.at[i];
    if (is_leakage(p) && p->when != NO_FUNCTION) add_condition(&v, p, t.table, known);
  }
  for (uint32_t i = 0; i < 1u << v.free; i++)
    if (!known[i]) t.table[i] = t.base;
  mem_free(known);
  return t;
}

static const CellTable *table_of(Leakage *l, CellId cell)
{
  uint32_t at = map_get(l->table_of, cell);
  if (at == MAP_NO_VALUE) {
    at = l->tables.len;
    map_put(l->table_of, cell, at);
    array_push(&l->tables, make_table(l->libs, corner_cell(l->libs, l->corner, cell, LATE, NULL)));
  }
  return &l->tables.at[at];
}

/* --- cells ------------------------------------------------------------------------------------ */
double leakage_with(Leakage *l, InstId inst, CellId cell)
{
  const CellTable *t = table_of(l, cell);
  float of[MOST_FREE];
  if (t->table == NULL) return t->base;
  for (uint32_t i = 0; i < t->count; i++)
    of[i] = t->pin[i] == NO_NAME
                ? probability_of_state(l->p, inst, t->state[i])
                : probability_of_pin(l->p, netlist_find_pin_of(l->n, inst, t->pin[i]));
  memcpy(l->values, t->table, (1u << t->count) * sizeof *t->table);
  return probability_mean(l->values, of, t->count);
}

double leakage_of(Leakage *l, InstId inst)
{
  return leakage_with(l, inst, l->n->insts.at[inst].master);
}

Leakage *leakage_new(const Graph *g, const Corner *corner, int threads)
{
  Probability *p = probability_new(g, threads);
  if (p == NULL) return NULL;
  Leakage *l = mem_alloc_zero(1, sizeof *l);
  l->libs = g->libs;
  l->n = g->netlist;
  l->corner = corner;
  l->p = p;
  l->table_of = map_new();
  return l;
}

void leakage_free(Leakage *l)
{
  if (l == NULL) return;
  for (uint32_t i = 0; i < l->tables.len; i++) mem_free(l->tables.at[i].table);
  array_free(&l->tables);
  map_free(l->table_of);
  probability_free(l->p);
  mem_free(l);
}
