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
  Probability      *probability;
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

static bool has_variable(const Variables *variables, PortId port)
{
  for (uint32_t i = 0; i < variables->count; i++)
    if (variables->port[i] == port) return true;
  return false;
}

/* A state's sequential group, *inverted; NULL: the port is none. */
static const LibSequential *state_group(const Variables *variables, PortId port, bool *inverted)
{
  const LibCell *cell = &variables->libs->cells.at[variables->cell];
  for (uint32_t i = 0; i < cell->sequential_count; i++) {
    const LibSequential *sequential = &variables->libs->sequentials.at[cell->first_sequential + i];
    *inverted = sequential->state_inverted == port;
    if (sequential->state == port || *inverted) return sequential;
  }
  return NULL;
}

static bool is_dependent(const Variables *variables, PortId port)
{
  bool inverted = false;
  const LibSequential *sequential = state_group(variables, port, &inverted);
  if (sequential) return inverted;
  const LibPort *lib_port = &variables->libs->ports.at[port];
  return lib_port->direction != DIR_INPUT && lib_port->function != NO_FUNCTION;
}

/* Free variables first: two passes over the same functions. */
static bool add_ports(Variables *variables, FunctionId f, bool dependent)
{
  PortId ports[MOST_IN_ALL];
  uint32_t count = 0;
  if (!function_ports(variables->libs, f, ports, &count, MOST_IN_ALL)) return false;
  for (uint32_t i = 0; i < count; i++) {
    bool inverted = false, follows = is_dependent(variables, ports[i]);
    const LibSequential *sequential = state_group(variables, ports[i], &inverted);
    FunctionId own = sequential ? NO_FUNCTION : variables->libs->ports.at[ports[i]].function;
    if (follows && own != NO_FUNCTION && !add_ports(variables, own, dependent)) return false;
    PortId port = follows && sequential && !dependent ? sequential->state : ports[i];
    bool wanted = follows == dependent || (sequential && inverted && !dependent);
    if (!wanted || has_variable(variables, port)) continue;
    if (variables->count == MOST_IN_ALL) return false;
    variables->port[variables->count] = port;
    variables->function[variables->count] = dependent ? own : NO_FUNCTION;
    variables->inverse_of[variables->count] = 0;
    for (uint32_t k = 0; dependent && sequential && k < variables->count; k++)
      if (variables->port[k] == sequential->state) variables->inverse_of[variables->count] = k;
    variables->count++;
  }
  return true;
}

/* Leakage groups of a cell: those of [*from, *to) without a pin. */
static void powers_of(const LibrarySet *libs, CellId cell, uint32_t *from, uint32_t *to)
{
  array_run(&libs->powers, cell, from, to);
}

static bool is_leakage(const LibPower *power) { return power->is_leakage; }

static bool find_variables(Variables *variables, uint32_t from, uint32_t to)
{
  for (int dependent = 0; dependent <= 1; dependent++) {
    for (uint32_t i = from; i < to; i++) {
      const LibPower *power = &variables->libs->powers.at[i];
      if (is_leakage(power) && power->when != NO_FUNCTION
          && !add_ports(variables, power->when, dependent))
        return false;
    }
    if (!dependent) variables->free = variables->count;
  }
  return variables->free <= MOST_FREE;
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
static uint64_t consistent_rows(const Variables *variables, uint32_t block)
{
  uint64_t rows = variables->count < 6 ? (1ull << (1u << variables->count)) - 1 : UINT64_MAX;
  for (uint32_t i = variables->free; i < variables->count; i++) {
    uint64_t follows = variables->function[i] != NO_FUNCTION
                           ? function_rows(variables->libs, variables->function[i], variables->port,
                                           variables->count, block)
                           : ~rows_of_variable(variables->inverse_of[i], block);
    rows &= ~(follows ^ rows_of_variable(i, block));
  }
  return rows;
}

static float value_of(const LibrarySet *libs, const LibPower *power)
{
  return library_table_value(libs, power->power[0], 0, 0);
}

static void add_condition(const Variables *variables, const LibPower *power, float *table,
                          bool *known)
{
  float value = value_of(variables->libs, power);
  for (uint32_t block = 0; block < (variables->count > 6 ? 1u << (variables->count - 6) : 1u);
       block++) {
    uint64_t rows =
        consistent_rows(variables, block)
        & function_rows(variables->libs, power->when, variables->port, variables->count, block);
    for (; rows; rows &= rows - 1) {
      uint32_t row = 64 * block + (uint32_t)__builtin_ctzll(rows);
      uint32_t state = row & ((1u << variables->free) - 1);
      table[state] += value;
      known[state] = true;
    }
  }
}

static void name_variables(const Variables *variables, CellTable *table)
{
  const LibCell *cell = &variables->libs->cells.at[variables->cell];
  table->count = variables->free;
  for (uint32_t i = 0; i < variables->free; i++) {
    bool inverted;
    const LibSequential *sequential = state_group(variables, variables->port[i], &inverted);
    table->pin[i] = sequential ? NO_NAME : variables->libs->ports.at[variables->port[i]].name;
    table->state[i] =
        sequential
            ? (uint8_t)(sequential - &variables->libs->sequentials.at[cell->first_sequential])
            : 0;
  }
}

static float base_of(const LibrarySet *libs, CellId cell, uint32_t from, uint32_t to,
                     bool *conditions)
{
  double sum = 0;
  bool any = false;
  for (uint32_t i = from; i < to; i++) {
    const LibPower *power = &libs->powers.at[i];
    if (!is_leakage(power)) continue;
    if (power->when != NO_FUNCTION) *conditions = true;
    else sum += value_of(libs, power), any = true;
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
    const LibPower *power = &libs->powers.at[i];
    if (is_leakage(power) && power->when != NO_FUNCTION) add_condition(&v, power, t.table, known);
  }
  for (uint32_t i = 0; i < 1u << v.free; i++)
    if (!known[i]) t.table[i] = t.base;
  mem_free(known);
  return t;
}

static const CellTable *table_of(Leakage *leakage, CellId cell)
{
  uint32_t at = map_get(leakage->table_of, cell);
  if (at == MAP_NO_VALUE) {
    at = leakage->tables.len;
    map_put(leakage->table_of, cell, at);
    array_push(
        &leakage->tables,
        make_table(leakage->libs, corner_cell(leakage->libs, leakage->corner, cell, LATE, NULL)));
  }
  return &leakage->tables.at[at];
}

/* --- cells ------------------------------------------------------------------------------------ */
double leakage_with(Leakage *leakage, InstId inst, CellId cell)
{
  const CellTable *table = table_of(leakage, cell);
  float of[MOST_FREE];
  if (table->table == NULL) return table->base;
  for (uint32_t i = 0; i < table->count; i++)
    of[i] = table->pin[i] == NO_NAME
                ? probability_of_state(leakage->probability, inst, table->state[i])
                : probability_of_pin(leakage->probability,
                                     netlist_find_pin_of(leakage->n, inst, table->pin[i]));
  memcpy(leakage->values, table->table, (1u << table->count) * sizeof *table->table);
  return probability_mean(leakage->values, of, table->count);
}

double leakage_of(Leakage *leakage, InstId inst)
{
  return leakage_with(leakage, inst, leakage->n->insts.at[inst].master);
}

Leakage *leakage_new(const Graph *g, const Corner *corner, int threads)
{
  Probability *probability = probability_new(g, threads);
  if (probability == NULL) return NULL;
  Leakage *leakage = mem_alloc_zero(1, sizeof *leakage);
  leakage->libs = g->libs;
  leakage->n = g->netlist;
  leakage->corner = corner;
  leakage->probability = probability;
  leakage->table_of = map_new();
  return leakage;
}

void leakage_free(Leakage *leakage)
{
  if (leakage == NULL) return;
  for (uint32_t i = 0; i < leakage->tables.len; i++) mem_free(leakage->tables.at[i].table);
  array_free(&leakage->tables);
  map_free(leakage->table_of);
  probability_free(leakage->probability);
  mem_free(leakage);
}
