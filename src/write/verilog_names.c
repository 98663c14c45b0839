/* Writes names as Verilog, and finds nets that form buses. */
#include <stdlib.h>

#include "base/interrupt.h"
#include "read/verilog/verilog_lex.h"
#include "write/verilog_private.h"

static const char *const keywords[] = {
#define KEYWORD_TEXT(id, text) text,
  VERILOG_KEYWORDS(KEYWORD_TEXT)
#undef KEYWORD_TEXT
  /* reserved, though no reader of structure meets them */
  "default",
  "edge",
  "endcase",
  "endfunction",
  "endtask",
  "endgenerate",
  "endprimitive",
  "endtable",
  "endconfig",
  "assert",
  "automatic",
  "casex",
  "casez",
  "cell",
  "design",
  "highz0",
  "highz1",
  "ifnone",
  "incdir",
  "include",
  "instance",
  "join",
  "large",
  "liblist",
  "localparam",
  "medium",
  "noshowcancelled",
  "pulsestyle_onevent",
  "pulsestyle_ondetect",
  "pull0",
  "pull1",
  "showcancelled",
  "small",
  "strong0",
  "strong1",
  "use",
  "weak0",
  "weak1",
  "bit",
  "byte",
  "const",
  "do",
  "enum",
  "final",
  "int",
  "new",
  "null",
  "packed",
  "ref",
  "return",
  "static",
  "string",
  "struct",
  "super",
  "this",
  "type",
  "union",
  "unique",
  "var",
  "virtual",
  "void",
  "with",
  NULL
};

void write_keywords(Writer *writer)
{
  writer->keywords = map_new();
  for (uint32_t k = 0; keywords[k]; k++)
    map_put(writer->keywords, names_add_text(writer->n->names, keywords[k]), k + 1);
}

bool write_is_gate(const Writer *writer, NameId master)
{
  uint32_t k = map_get(writer->keywords, master);      /* the first are in the order of Keyword */
  return k >= KEY_AND && k <= KEY_PULLDOWN;
}

static bool is_plain(const Writer *writer, const char *text, size_t length)
{
  if (length == 0 || !(lex_class[(uint8_t)*text] & LEX_NAME) || *text == '$') return false;
  for (size_t i = 1; i < length; i++)
    if (!(lex_class[(uint8_t)text[i]] & (LEX_NAME | LEX_DIGIT))) return false;
  if (length > 20 || *text < 'a') return true;
  NameId id = names_find(writer->n->names, text, length);
  return id == NO_NAME || map_get(writer->keywords, id) == MAP_NO_VALUE;
}

void write_name(Writer *writer, const char *text, size_t length)
{
  bool plain = is_plain(writer, text, length);
  if (!plain) text_char(&writer->out, '\\');
  text_add(&writer->out, text, length);
  if (!plain) text_char(&writer->out, ' ');
}

void write_name_id(Writer *writer, NameId name)
{
  write_name(writer, names_text(writer->n->names, name), names_length(writer->n->names, name));
}

NameId write_new_name(Writer *writer, InstId scope, const char *stem)
{
  char text[64];
  NameId name;
  do {
    snprintf(text, sizeof text, "%s_%u_", stem, ++writer->made_count);
    name = names_add_text(writer->n->names, text);
  } while (map_get(writer->n->seg_by_name, hash_pair(scope, name)) != MAP_NO_VALUE);
  return name;
}

bool write_split_bit(const char *text, size_t *base, int32_t *index)
{
  const char *open = strrchr(text, '[');
  if (open == NULL || open == text) return false;
  char *end;
  long v = strtol(open + 1, &end, 10);
  if (end == open + 1 || strcmp(end, "]") != 0 || v < -1000000000 || v > 1000000000) return false;
  char again[32];
  snprintf(again, sizeof again, "[%ld]", v);
  if (strcmp(again, open) != 0) return false;      /* a[03] is no bit */
  *base = (size_t)(open - text);
  *index = (int32_t)v;
  return true;
}

void write_seg(Writer *writer, SegId seg)
{
  NameId name = writer->n->segs.at[seg].name;
  const char *text = names_text(writer->n->names, name);
  size_t base;
  int32_t index;
  if (writer->seg_flags[seg] & SEG_IN_BUS && write_split_bit(text, &base, &index)) {
    write_name(writer, text, base);
    text_put(&writer->out, text + base);
  } else {
    write_name_id(writer, name);
  }
}

/* --- buses: names base[i] of a scope without a gap -------------------------------------------- */
typedef struct {
  const char *text;
  size_t   base;
  int32_t  index;
  SegId    seg;
} Bit;

typedef ARRAY(Bit) Bits;

static int compare_bits(const void *a, const void *b)
{
  const Bit *x = a, *y = b;
  size_t n = x->base < y->base ? x->base : y->base;
  int c = memcmp(x->text, y->text, n);
  if (c) return c;
  if (x->base != y->base) return x->base < y->base ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

static bool same_base(const Bit *x, const Bit *y)
{
  return x->base == y->base && memcmp(x->text, y->text, x->base) == 0;
}

static bool is_supply(const Netlist *n, SegId seg)
{
  return (n->nets.at[n->segs.at[seg].net].flags & (NET_POWER | NET_GROUND)) != 0;
}

/* Bits whose base name nothing else in the scope has. */
static void collect_bits(Writer *writer, uint32_t s, Bits *bits)
{
  const Netlist *n = writer->n;
  for (uint32_t i = writer->segs.first[s]; i < writer->segs.first[s + 1] && !interrupt_seen();
       i++) {
    Bit b = { .seg = writer->segs.at[i] };
    b.text = names_text(n->names, n->segs.at[b.seg].name);
    if (writer->seg_flags[b.seg] || !seg_is_live(n, b.seg) || is_supply(n, b.seg)) continue;
    if (!write_split_bit(b.text, &b.base, &b.index) || !is_plain(writer, b.text, b.base)) continue;
    NameId base = names_find(n->names, b.text, b.base);
    if (base != NO_NAME
        && map_get(n->seg_by_name, hash_pair(writer->scopes.at[s], base)) != MAP_NO_VALUE)
      continue;
    array_push(bits, b);
  }
}

/* A bus port has this base name, but its bits are not all among the present ones. */
static bool is_port_bus(const Writer *writer, uint32_t s, const Bit *bit)
{
  const Netlist *n = writer->n;
  const Module *module = &n->modules.at[n->insts.at[writer->scopes.at[s]].master];
  NameId base = names_find(n->names, bit->text, bit->base);
  for (uint32_t i = 0; base != NO_NAME && i < module->bus_count; i++)
    if (n->module_buses.at[module->first_bus + i].name == base) return true;
  return false;
}

static void declare_bus(Writer *writer, const Bit *first, const Bit *last)
{
  text_printf(&writer->out, "  wire [%d:%d] ", last->index, first->index);
  write_name(writer, first->text, first->base);
  text_put(&writer->out, ";\n");
  for (const Bit *bit = first; bit <= last; bit++)
    writer->seg_flags[bit->seg] |= SEG_IN_BUS | SEG_DECLARED;
}

static void declare_buses(Writer *writer, uint32_t s)
{
  Bits bits = { 0 };
  collect_bits(writer, s, &bits);
  if (bits.len) qsort(bits.at, bits.len, sizeof *bits.at, compare_bits);
  for (uint32_t i = 0, next; i < bits.len; i = next) {
    for (next = i + 1; next < bits.len && same_base(&bits.at[i], &bits.at[next]); next++) {}
    const Bit *first = &bits.at[i], *last = &bits.at[next - 1];
    bool whole = (uint32_t)last->index - (uint32_t)first->index == next - i - 1;
    if (whole && !is_port_bus(writer, s, first)) declare_bus(writer, first, last);
  }
  array_free(&bits);
}

void write_nets(Writer *writer, uint32_t s)
{
  const Netlist *n = writer->n;
  for (uint32_t i = writer->ties.first[s]; i < writer->ties.first[s + 1]; i++) {
    const SegTie *tie = &n->ties.at[writer->ties.at[i]];
    if (!(tie->flags & (NET_POWER | NET_GROUND))) continue;
    text_put(&writer->out, tie->flags & NET_POWER ? "  supply1 " : "  supply0 ");
    write_seg(writer, tie->seg);
    text_put(&writer->out, ";\n");
    writer->seg_flags[tie->seg] |= SEG_DECLARED;
  }
  declare_buses(writer, s);
  for (uint32_t i = writer->segs.first[s]; i < writer->segs.first[s + 1] && !interrupt_seen();
       i++) {
    SegId seg = writer->segs.at[i];
    if (writer->seg_flags[seg] & SEG_DECLARED || !seg_is_live(n, seg)) continue;
    text_put(&writer->out, "  wire ");
    write_seg(writer, seg);
    text_put(&writer->out, ";\n");
    writer->seg_flags[seg] |= SEG_DECLARED;
  }
}
