/* The modules of Verilog files: expands expressions to bits, replaces modules that are read again,
   and reports what was ignored. */
#include "read/verilog/verilog.h"

#include <stdio.h>

#include "read/verilog/verilog_parse.h"

/* --- modules ---------------------------------------------------------------------------------- */
VerilogModule *verilog_module_new(void)
{
  VerilogModule *module = mem_alloc_zero(1, sizeof *module);
  module->zero_bit = module->one_bit = REF_NONE;
  return module;
}

void verilog_module_free(VerilogModule *module)
{
  array_free(&module->ports);
  array_free(&module->bits);
  array_free(&module->buses);
  array_free(&module->words);
  array_free(&module->lists);
  array_free(&module->joins);
  array_free(&module->ties);
  array_free(&module->places);
  mem_free(module);
}

#define ARRAY_BYTES(a) ((size_t)(a).cap * sizeof *(a).at)

size_t verilog_module_bytes(const VerilogModule *module)
{
  return sizeof *module + ARRAY_BYTES(module->ports) + ARRAY_BYTES(module->bits)
         + ARRAY_BYTES(module->buses) + ARRAY_BYTES(module->words) + ARRAY_BYTES(module->lists)
         + ARRAY_BYTES(module->joins) + ARRAY_BYTES(module->ties) + ARRAY_BYTES(module->places);
}

uint32_t verilog_width(const VerilogModule *module, uint32_t ref)
{
  if (ref == REF_NONE || !(ref & REF_LIST)) return 1;
  const uint32_t *w = module->lists.at + (ref & ~REF_LIST);
  uint32_t width = 0;
  for (uint32_t i = 0; i < w[0]; i++) width += w[2 + 2 * i] & ~RUN_SAME;
  return width;
}

void verilog_expand(const VerilogModule *module, uint32_t ref, VerilogBits *bits)
{
  array_clear(bits);
  if (ref == REF_NONE || !(ref & REF_LIST)) {
    array_push(bits, ref);
    return;
  }
  const uint32_t *w = module->lists.at + (ref & ~REF_LIST);
  for (uint32_t i = 0; i < w[0]; i++) {
    uint32_t first = w[1 + 2 * i], length = w[2 + 2 * i];
    uint32_t step = length & RUN_SAME ? 0 : 1;
    length &= ~RUN_SAME;
    for (uint32_t k = 0; k < length; k++) array_push(bits, first + k * step);
  }
}

void verilog_name_bits(VerilogModule *module, Names *names)
{
  for (uint32_t b = 0; b < module->buses.len; b++) {
    const VerilogBus *bus = &module->buses.at[b];
    if (module->bits.at[bus->first] != NO_NAME) return;      /* named all at once, before */
    Text t = { 0 };
    text_printf(&t, "%s[", names_text(names, bus->name));
    size_t base = t.len;
    int32_t step = bus->from > bus->to ? -1 : 1;
    for (uint32_t k = 0; k < verilog_bus_width(bus->from, bus->to); k++) {
      t.len = base;
      text_printf(&t, "%d]", bus->from + (int32_t)k * step);
      module->bits.at[bus->first + k] = names_add(names, t.at, t.len);
    }
    text_free(&t);
  }
}

Where verilog_where(const VerilogModule *module, const Names *names, uint32_t word, uint32_t line)
{
  NameId file = module->file;
  for (uint32_t i = 0; i < module->places.len && module->places.at[i].word <= word; i++)
    file = module->places.at[i].file;
  return (Where){ names_text(names, file), line, 0 };
}

/* --- files ------------------------------------------------------------------------------------ */
static const char *const keyword_text[KEY_COUNT] = {
#define KEYWORD_TEXT(id, text) [KEY_##id] = text,
  VERILOG_KEYWORDS(KEYWORD_TEXT)
#undef KEYWORD_TEXT
};

static void enter_keywords(VerilogFiles *files)
{
  NameId ids[KEY_COUNT], most = 0;
  for (int k = 1; k < KEY_COUNT; k++) {
    ids[k] = names_add_text(files->names, keyword_text[k]);
    if (ids[k] > most) most = ids[k];
  }
  files->keyword_count = most + 1;
  files->keyword = mem_alloc_zero(files->keyword_count, 1);
  for (int k = 1; k < KEY_COUNT; k++) files->keyword[ids[k]] = (uint8_t)k;
}

VerilogFiles *verilog_files_new(Names *names)
{
  VerilogFiles *files = mem_alloc_zero(1, sizeof *files);
  files->names = names;
  files->by_name = map_new();
  enter_keywords(files);
  return files;
}

void verilog_files_free(VerilogFiles *files)
{
  if (files == NULL) return;
  for (uint32_t i = 0; i < files->modules.len; i++) verilog_module_free(files->modules.at[i]);
  array_free(&files->modules);
  map_free(files->by_name);
  mem_free(files->keyword);
  mem_free(files);
}

size_t verilog_files_bytes(const VerilogFiles *files)
{
  size_t bytes = sizeof *files + ARRAY_BYTES(files->modules) + map_bytes(files->by_name)
                 + files->keyword_count;
  for (uint32_t i = 0; i < files->modules.len; i++)
    bytes += verilog_module_bytes(files->modules.at[i]);
  return bytes;
}

uint32_t verilog_module_count(const VerilogFiles *files) { return files->modules.len; }

VerilogModule *verilog_find_module(const VerilogFiles *files, NameId name)
{
  uint32_t i = map_get(files->by_name, name);
  return i == MAP_NO_VALUE ? NULL : files->modules.at[i];
}

/* --- reading ---------------------------------------------------------------------------------- */
static void replace(VerilogFiles *files, uint32_t i, VerilogModule *module, Log *log)
{
  const VerilogModule *old = files->modules.at[i];
  log_warning(log, "VLOG-035", (Where){ names_text(files->names, module->file), module->line, 0 },
              "module '%.60s' replaces the one read from %s:%u",
              names_text(files->names, module->name), names_text(files->names, old->file),
              old->line);
  verilog_module_free(files->modules.at[i]);
  files->modules.at[i] = module;
}

static void keep_modules(Parser *parser)
{
  VerilogFiles *files = parser->files;
  for (uint32_t k = 0; k < parser->done.len; k++) {
    VerilogModule *module = parser->done.at[k];
    uint32_t i = map_get(files->by_name, module->name);
    if (i != MAP_NO_VALUE) {
      replace(files, i, module, parser->log);
      continue;
    }
    map_put(files->by_name, module->name, files->modules.len);
    array_push(&files->modules, module);
  }
  array_clear(&parser->done);
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

static void tell_tally(Parser *parser, int kind)
{
  const char *text = tally_rows[kind].text, *at = strstr(text, "%u");
  Text t = { 0 };
  text_add(&t, text, (size_t)(at - text));
  text_printf(&t, "%u%s", parser->tallies[kind].count, at + 2);
  log_warning(parser->log, tally_rows[kind].code, parser->tallies[kind].where, "%s", t.at);
  text_free(&t);
}

/* One message each, and the sum over all files. */
static void tell_tallies(Parser *parser)
{
  parser->tallies[TALLY_ATTRIBUTE].count = parser->lex.attributes;
  parser->tallies[TALLY_DIRECTIVE].count = parser->lex.directives;
  for (int i = 0; i < TALLY_COUNT; i++) {
    if (parser->tallies[i].count && tally_rows[i].code) tell_tally(parser, i);
    parser->files->tally[i] += parser->tallies[i].count;
  }
}

const char *verilog_unused(const VerilogFiles *files, uint32_t *i, uint32_t *count)
{
  for (; *i < TALLY_COUNT; ++*i) {
    if (files->tally[*i] == 0 || tally_rows[*i].unused == NULL) continue;
    *count = files->tally[*i];
    return tally_rows[(*i)++].unused;
  }
  return NULL;
}

static void free_parser(Parser *parser)
{
  for (uint32_t i = 0; i < parser->done.len; i++) verilog_module_free(parser->done.at[i]);
  array_free(&parser->done);
  array_free(&parser->locals);
  array_free(&parser->head_ports);
  array_free(&parser->head_items);
  array_free(&parser->directed);
  array_free(&parser->escaped);
  array_free(&parser->runs);
  array_free(&parser->left);
  array_free(&parser->right);
  map_free(parser->directed_by_name);
  map_free(parser->kinds);
  lex_close(&parser->lex);
}

static Status finish(Parser *parser, const char *path)
{
  if (parser->done.len == 0)
    log_warning(parser->log, "VLOG-038", (Where){ path, 0, 0 }, "the file has no module");
  tell_tallies(parser);
  keep_modules(parser);
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
