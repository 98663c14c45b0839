/* The modules of Verilog files: expands expressions to bits, replaces modules that are read again,
   and reports what was ignored. */
#include "read/verilog/verilog.h"

#include <stdio.h>

#include "read/verilog/verilog_parse.h"

/* --- modules ---------------------------------------------------------------------------------- */
VerilogModule *verilog_module_new(void)
{
  VerilogModule *m = mem_alloc_zero(1, sizeof *m);
  m->zero_bit = m->one_bit = REF_NONE;
  return m;
}

void verilog_module_free(VerilogModule *m)
{
  array_free(&m->ports);
  array_free(&m->bits);
  array_free(&m->buses);
  array_free(&m->words);
  array_free(&m->lists);
  array_free(&m->joins);
  array_free(&m->ties);
  array_free(&m->places);
  mem_free(m);
}

#define ARRAY_BYTES(a) ((size_t)(a).cap * sizeof *(a).at)

size_t verilog_module_bytes(const VerilogModule *m)
{
  return sizeof *m + ARRAY_BYTES(m->ports) + ARRAY_BYTES(m->bits) + ARRAY_BYTES(m->buses)
         + ARRAY_BYTES(m->words) + ARRAY_BYTES(m->lists) + ARRAY_BYTES(m->joins)
         + ARRAY_BYTES(m->ties) + ARRAY_BYTES(m->places);
}

uint32_t verilog_width(const VerilogModule *m, uint32_t ref)
{
  if (ref == REF_NONE || !(ref & REF_LIST)) return 1;
  const uint32_t *w = m->lists.at + (ref & ~REF_LIST);
  uint32_t width = 0;
  for (uint32_t i = 0; i < w[0]; i++) width += w[2 + 2 * i] & ~RUN_SAME;
  return width;
}

void verilog_expand(const VerilogModule *m, uint32_t ref, VerilogBits *bits)
{
  array_clear(bits);
  if (ref == REF_NONE || !(ref & REF_LIST)) {
    array_push(bits, ref);
    return;
  }
  const uint32_t *w = m->lists.at + (ref & ~REF_LIST);
  for (uint32_t i = 0; i < w[0]; i++) {
    uint32_t first = w[1 + 2 * i], length = w[2 + 2 * i];
    uint32_t step = length & RUN_SAME ? 0 : 1;
    length &= ~RUN_SAME;
    for (uint32_t k = 0; k < length; k++) array_push(bits, first + k * step);
  }
}

void verilog_name_bits(VerilogModule *m, Names *names)
{
  for (uint32_t b = 0; b < m->buses.len; b++) {
    const VerilogBus *bus = &m->buses.at[b];
    if (m->bits.at[bus->first] != NO_NAME) return;      /* named all at once, before */
    Text t = { 0 };
    text_printf(&t, "%s[", names_text(names, bus->name));
    size_t base = t.len;
    int32_t step = bus->from > bus->to ? -1 : 1;
    for (uint32_t k = 0; k < verilog_bus_width(bus->from, bus->to); k++) {
      t.len = base;
      text_printf(&t, "%d]", bus->from + (int32_t)k * step);
      m->bits.at[bus->first + k] = names_add(names, t.at, t.len);
    }
    text_free(&t);
  }
}

Where verilog_where(const VerilogModule *m, const Names *names, uint32_t word, uint32_t line)
{
  NameId file = m->file;
  for (uint32_t i = 0; i < m->places.len && m->places.at[i].word <= word; i++)
    file = m->places.at[i].file;
  return (Where){ names_text(names, file), line, 0 };
}

/* --- files ------------------------------------------------------------------------------------ */
static const char *const keyword_text[KEY_COUNT] = {
#define KEYWORD_TEXT(id, text) [KEY_##id] = text,
  VERILOG_KEYWORDS(KEYWORD_TEXT)
#undef KEYWORD_TEXT
};

static void enter_keywords(VerilogFiles *f)
{
  NameId ids[KEY_COUNT], most = 0;
  for (int k = 1; k < KEY_COUNT; k++) {
    ids[k] = names_add_text(f->names, keyword_text[k]);
    if (ids[k] > most) most = ids[k];
  }
  f->keyword_count = most + 1;
  f->keyword = mem_alloc_zero(f->keyword_count, 1);
  for (int k = 1; k < KEY_COUNT; k++) f->keyword[ids[k]] = (uint8_t)k;
}

VerilogFiles *verilog_files_new(Names *names)
{
  VerilogFiles *f = mem_alloc_zero(1, sizeof *f);
  f->names = names;
  f->by_name = map_new();
  enter_keywords(f);
  return f;
}

void verilog_files_free(VerilogFiles *f)
{
  if (f == NULL) return;
  for (uint32_t i = 0; i < f->modules.len; i++) verilog_module_free(f->modules.at[i]);
  array_free(&f->modules);
  map_free(f->by_name);
  mem_free(f->keyword);
  mem_free(f);
}

size_t verilog_files_bytes(const VerilogFiles *f)
{
  size_t bytes = sizeof *f + ARRAY_BYTES(f->modules) + map_bytes(f->by_name) + f->keyword_count;
  for (uint32_t i = 0; i < f->modules.len; i++) bytes += verilog_module_bytes(f->modules.at[i]);
  return bytes;
}

uint32_t verilog_module_count(const VerilogFiles *f) { return f->modules.len; }

VerilogModule *verilog_find_module(const VerilogFiles *f, NameId name)
{
  uint32_t i = map_get(f->by_name, name);
  return i == MAP_NO_VALUE ? NULL : f->modules.at[i];
}

/* --- reading ---------------------------------------------------------------------------------- */
static void replace(VerilogFiles *f, uint32_t i, VerilogModule *m, Log *log)
{
  const VerilogModule *old = f->modules.at[i];
  log_warning(log, "VLOG-035", (Where){ names_text(f->names, m->file), m->line, 0 },
              "module '%.60s' replaces the one read from %s:%u", names_text(f->names, m->name),
              names_text(f->names, old->file), old->line);
  verilog_module_free(f->modules.at[i]);
  f->modules.at[i] = m;
}

static void keep_modules(Parser *p)
{
  VerilogFiles *f = p->files;
  for (uint32_t k = 0; k < p->done.len; k++) {
    VerilogModule *m = p->done.at[k];
    uint32_t i = map_get(f->by_name, m->name);
    if (i != MAP_NO_VALUE) {
      replace(f, i, m, p->log);
      continue;
    }
    map_put(f->by_name, m->name, f->modules.len);
    array_push(&f->modules, m);
  }
  array_clear(&p->done);
}

/* Counts of skipped constructs.  Attributes and directives do not change the netlist, so no message
   reports them. */
static const struct { const char *code, *text, *unused;
} tally_rows[TALLY_COUNT] = {
  [TALLY_UNKNOWN] = { "VLOG-030",
                      "%u constants with x or z bits, here the first: such bits are left "
                      "unconnected",
                      "constants with x or z bits" },
  [TALLY_PARAMETER] = { "VLOG-031",
                        "%u parameters or parameter overrides, here the first: they are ignored",
                        "parameters and parameter overrides" },
  [TALLY_DELAY] = { "VLOG-032", "%u delays or drive strengths, here the first: they are ignored",
                    "delays and drive strengths" },
  [TALLY_ESCAPED] = { "VLOG-033",
                      "%u escaped names spell a bit of a bus, here the first: they are taken for "
                      "that bit",
                      NULL },
  [TALLY_WIDTH] = { "VLOG-036",
                    "%u assigns with sides of different widths, here the first: matched from the "
                    "right",
                    "assigns with sides of different widths" },
  [TALLY_WIRED] = { "VLOG-037",
                    "%u declarations of wired or pulled nets, here the first: they are taken for "
                    "plain wires",
                    "kinds of wired and pulled nets" },
  [TALLY_SPECIFY] = { "VLOG-042", "%u specify blocks, here the first: they are passed over",
                      "specify blocks" },
  [TALLY_IGNORED] = { "VLOG-058",
                      "%u `unconnected_drive or `uselib directives, here the first: they are "
                      "ignored",
                      "`unconnected_drive and `uselib" },
  [TALLY_CUT] = { "VLOG-060",
                  "%u constants with more bits than their size, here the first: those on the left "
                  "are dropped",
                  "constants with more bits than their size" },
  [TALLY_VECTORED] = { NULL, NULL, "vectored and scalared" },
  [TALLY_ATTRIBUTE] = { NULL, NULL, "attributes (* *)" },
  [TALLY_DIRECTIVE] = { NULL, NULL, "directives without bearing on the netlist (`timescale ...)" },
};

static void tell_tally(Parser *p, int kind)
{
  const char *text = tally_rows[kind].text, *at = strstr(text, "%u");
  Text t = { 0 };
  text_add(&t, text, (size_t)(at - text));
  text_printf(&t, "%u%s", p->tallies[kind].count, at + 2);
  log_warning(p->log, tally_rows[kind].code, p->tallies[kind].where, "%s", t.at);
  text_free(&t);
}

/* One message each, and the sum over all files. */
static void tell_tallies(Parser *p)
{
  p->tallies[TALLY_ATTRIBUTE].count = p->lex.attributes;
  p->tallies[TALLY_DIRECTIVE].count = p->lex.directives;
  for (int i = 0; i < TALLY_COUNT; i++) {
    if (p->tallies[i].count && tally_rows[i].code) tell_tally(p, i);
    p->files->tally[i] += p->tallies[i].count;
  }
}

const char *verilog_unused(const VerilogFiles *f, uint32_t *i, uint32_t *count)
{
  for (; *i < TALLY_COUNT; ++*i) {
    if (f->tally[*i] == 0 || tally_rows[*i].unused == NULL) continue;
    *count = f->tally[*i];
    return tally_rows[(*i)++].unused;
  }
  return NULL;
}

static void free_parser(Parser *p)
{
  for (uint32_t i = 0; i < p->done.len; i++) verilog_module_free(p->done.at[i]);
  array_free(&p->done);
  array_free(&p->locals);
  array_free(&p->head_ports);
  array_free(&p->head_items);
  array_free(&p->directed);
  array_free(&p->escaped);
  array_free(&p->runs);
  array_free(&p->left);
  array_free(&p->right);
  map_free(p->directed_by_name);
  map_free(p->kinds);
  lex_close(&p->lex);
}

static Status finish(Parser *p, const char *path)
{
  if (p->done.len == 0)
    log_warning(p->log, "VLOG-038", (Where){ path, 0, 0 }, "the file has no module");
  tell_tallies(p);
  keep_modules(p);
  return OK;
}

static Status read_source(VerilogFiles *files, const char *path, const char *text, Log *log)
{
  Parser p = { .files = files, .names = files->names, .log = log };
  p.lex.names = files->names;
  p.lex.keywords = files->keyword;
  p.lex.keyword_count = files->keyword_count;
  p.lex.wired = &p.tallies[TALLY_WIRED];
  p.lex.cut = &p.tallies[TALLY_CUT];
  p.lex.ignored = &p.tallies[TALLY_IGNORED];
  Status status = lex_open(&p.lex, path, text, log);
  if (status == OK) status = verilog_parse(&p);
  if (status == OK) status = finish(&p, path);
  free_parser(&p);
  return status;
}

Status read_verilog(VerilogFiles *files, const char *path, Log *log)
{
  return read_source(files, path, NULL, log);
}

Status read_verilog_text(VerilogFiles *files, const char *path, const char *text, Log *log)
{
  return read_source(files, path, text, log);
}
