/* Parses a filter to a tree, checks its properties against the kinds of the objects, and evaluates
   it in three values. */
#include "tclbind/filter.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "tclbind/console.h"
#include "tclbind/handle.h"
#include "tclbind/object_value.h"
#include "tclbind/property.h"

typedef enum {
  NODE_OR,
  NODE_AND,
  NODE_NOT,
  NODE_TRUE,
  NODE_EQ,
  NODE_NE,
  NODE_LIKE,
  NODE_UNLIKE,
  NODE_LT,
  NODE_LE,
  NODE_GT,
  NODE_GE,
  NODE_DEFINED,
  NODE_UNDEFINED
} NodeKind;

enum { NO_NODE_AT = UINT32_MAX, DEEPEST = 200 };

typedef enum { NO, YES, UNKNOWN } Answer;

typedef struct {
  NodeKind kind;
  uint32_t left, right;                      /* NODE_OR, NODE_AND; NODE_NOT: left */
  char    *property, *value;
  bool     is_number;
  double   number;
  Tcl_Obj *regexp;                           /* of =~ and !~, anchored; NULL: a glob pattern */
  const Property *rows[OBJ_TYPE_COUNT];      /* looked up once a type */
} Node;

struct Filter {
  Session *session;
  FilterUse use;
  const char *text, *at;                     /* while parsing */
  ARRAY(Node) nodes;
  uint32_t root;
  bool     failed;
  PropertyValue value;
};

static uint32_t fail(Filter *f, const char *expected)
{
  if (!f->failed)
    log_error(f->session->log, "CMD-030", NOWHERE, "filter '%.200s%s': expected %s at column %d",
              f->text, strlen(f->text) > 200 ? "..." : "", expected, (int)(f->at - f->text) + 1);
  f->failed = true;
  return NO_NODE_AT;
}

static void skip_space(Filter *f)
{
  while (isspace((unsigned char)*f->at)) f->at++;
}

static bool take(Filter *f, const char *token)
{
  skip_space(f);
  size_t n = strlen(token);
  if (strncmp(f->at, token, n) != 0) return false;
  f->at += n;
  return true;
}

static uint32_t add_node(Filter *f, Node node)
{
  array_push(&f->nodes, node);
  return f->nodes.len - 1;
}

/* --- words ------------------------------------------------------------------------------------ */

static char *quoted(Filter *f, char close)
{
  const char *end = strchr(++f->at, close);
  if (end == NULL) {
    fail(f, close == '}' ? "a closing brace" : "a closing quote");
    return NULL;
  }
  char *text = mem_text(f->at, (size_t)(end - f->at));
  f->at = end + 1;
  return text;
}

static bool ends_word(const char *p, bool is_value)
{
  if (*p == '\0' || isspace((unsigned char)*p) || *p == ')' || strncmp(p, "&&", 2) == 0
      || strncmp(p, "||", 2) == 0)
    return true;
  return !is_value && strchr("=!<>(", *p);
}

static char *word(Filter *f, bool is_value)
{
  skip_space(f);
  if (is_value && (*f->at == '"' || *f->at == '\'')) return quoted(f, *f->at);
  if (is_value && *f->at == '{') return quoted(f, '}');
  const char *start = f->at;
  int depth = 0;             /* of the parentheses of a regular expression */
  for (; !ends_word(f->at, is_value) || (is_value && depth && strchr(")&|", *f->at) && *f->at);
       f->at++)
    depth += (*f->at == '(') - (*f->at == ')');
  if (f->at == start) {
    fail(f, is_value ? "a value" : "a property");
    return NULL;
  }
  return mem_text(start, (size_t)(f->at - start));
}

/* --- the grammar: or -> and -> unary -> comparison -------------------------------------------- */

static const struct {
  const char *text;
  NodeKind    kind;
} operators[] = { { "==", NODE_EQ },     { "!=", NODE_NE }, { "=~", NODE_LIKE },
                  { "!~", NODE_UNLIKE }, { "<=", NODE_LE }, { ">=", NODE_GE },
                  { "<", NODE_LT },      { ">", NODE_GT },  { "=", NODE_EQ } };

static uint32_t parse_or(Filter *f, int depth);

static Tcl_RegExp regexp_of(const Filter *f, Tcl_Obj *pattern)
{
  return Tcl_GetRegExpFromObj(console_of(f->session)->interp, pattern,
                              TCL_REG_ADVANCED |
                                (f->use.flags & FILTER_NOCASE ? TCL_REG_NOCASE : 0));
}

/* True when the node's value is fit for its operator. */
static bool compile(Filter *f, Node *node)
{
  if (!(f->use.flags & FILTER_REGEXP) || (node->kind != NODE_LIKE && node->kind != NODE_UNLIKE))
    return true;
  Tcl_Interp *interp = console_of(f->session)->interp;
  node->regexp = Tcl_ObjPrintf("^(?:%s)$", node->value);
  Tcl_IncrRefCount(node->regexp);
  if (regexp_of(f, node->regexp)) return true;
  log_error(f->session->log, "CMD-027", NOWHERE, "filter: bad regular expression: %s",
            Tcl_GetString(Tcl_GetObjResult(interp)));
  Tcl_ResetResult(interp);
  f->failed = true;
  return false;
}

static void free_node(Node *node)
{
  mem_free(node->property);
  mem_free(node->value);
  if (node->regexp) Tcl_DecrRefCount(node->regexp);
}

/* A value that was put together with an object has the object's text: properties are compared by
   names. */
static char *plain_name(const Filter *f, char *value)
{
  Object o;
  Text t = { 0 };
  if (value == NULL || handle_object(f->session, value, &o) != VALUE_OBJECT) return value;
  object_name(f->session, o, &t);
  mem_free(value);
  value = mem_text(text_get(&t), t.len);
  text_free(&t);
  return value;
}

/* defined(name): true when the words were that. */
static bool parse_defined(Filter *f, Node *node)
{
  bool is = strcmp(node->property, "defined") == 0,
       is_not = strcmp(node->property, "undefined") == 0;
  if (!(is || is_not) || !take(f, "(")) return false;
  node->kind = is ? NODE_DEFINED : NODE_UNDEFINED;
  mem_free(node->property);
  take(f, "@");
  node->property = word(f, false);
  if (node->property && !take(f, ")")) fail(f, "a closing parenthesis");
  return true;
}

/* Slacks without an end are INF. */
static void read_number(Node *node)
{
  const char *end, *word = node->value + (*node->value == '-');
  node->number = text_number(node->value, &end);
  node->is_number = end != node->value && *end == '\0';
  if (strcasecmp(word, "inf") != 0) return;
  node->number = word == node->value ? INFINITY : -INFINITY;
  node->is_number = true;
}

static uint32_t parse_comparison(Filter *f)
{
  Node node = { .kind = NODE_TRUE };
  take(f, "@");
  node.property = word(f, false);
  if (node.property == NULL) return NO_NODE_AT;
  if (parse_defined(f, &node)) {
    if (!f->failed) return add_node(f, node);
    free_node(&node);
    return NO_NODE_AT;
  }
  for (size_t i = 0; i < sizeof operators / sizeof *operators && node.kind == NODE_TRUE; i++)
    if (take(f, operators[i].text)) node.kind = operators[i].kind;
  if (node.kind != NODE_TRUE) {
    node.value = plain_name(f, word(f, true));
    if (node.value == NULL) {
      free_node(&node);
      return NO_NODE_AT;
    }
    read_number(&node);
    if (!compile(f, &node)) {
      free_node(&node);
      return NO_NODE_AT;
    }
  }
  return add_node(f, node);
}

static uint32_t parse_unary(Filter *f, int depth)
{
  if (depth > DEEPEST) return fail(f, "less nesting");
  if (take(f, "!")) {
    uint32_t inner = parse_unary(f, depth + 1);
    return f->failed ? NO_NODE_AT : add_node(f, (Node){ .kind = NODE_NOT, .left = inner });
  }
  if (!take(f, "(")) return parse_comparison(f);
  uint32_t inner = parse_or(f, depth + 1);
  if (!f->failed && !take(f, ")")) return fail(f, "a closing parenthesis");
  return inner;
}

static uint32_t parse_and(Filter *f, int depth)
{
  uint32_t left = parse_unary(f, depth);
  while (!f->failed && take(f, "&&")) {
    uint32_t right = parse_unary(f, depth);
    if (!f->failed) left = add_node(f, (Node){ .kind = NODE_AND, .left = left, .right = right });
  }
  return left;
}

static uint32_t parse_or(Filter *f, int depth)
{
  uint32_t left = parse_and(f, depth);
  while (!f->failed && take(f, "||")) {
    uint32_t right = parse_and(f, depth);
    if (!f->failed) left = add_node(f, (Node){ .kind = NODE_OR, .left = left, .right = right });
  }
  return left;
}

/* --- what can never be ------------------------------------------------------------------------ */

static uint32_t first_kind(unsigned kinds)
{
  uint32_t type = OBJ_DESIGN;
  while (type + 1 < OBJ_TYPE_COUNT && !(kinds >> type & 1)) type++;
  return type;
}

/* Was the property in an earlier node?  One message for each name. */
static bool is_repeated(const Filter *f, uint32_t at)
{
  for (uint32_t i = 0; i < at; i++)
    if (f->nodes.at[i].property && strcmp(f->nodes.at[i].property, f->nodes.at[at].property) == 0)
      return true;
  return false;
}

static void warn_unknown(const Filter *f, const char *property)
{
  Session *s = f->session;
  uint32_t type = first_kind(f->use.kinds);
  bool one = (f->use.kinds & (f->use.kinds - 1)) == 0;
  Text more = { 0 };
  property_nearest(s, type, property, &more);
  log_warning(s->log, "CMD-064", f->use.where, "%s: filter: no %s has a property %s%s",
              f->use.command,
              one ? object_type_name(type) : "object", property, text_get(&more));
  text_free(&more);
}

static bool word_is(const PropertyWord *w, const char *text)
{
  return strcmp(w->word, text) == 0 || (w->other && strcmp(w->other, text) == 0);
}

/* A word that the property never has, compared with ==, finds nothing, and with != everything. */
static void check_word(const Filter *f, const Node *node, const Property *row)
{
  const PropertyWord *words = property_words(row);
  if (words == NULL || (node->kind != NODE_EQ && node->kind != NODE_NE) || *node->value == '\0')
    return;
  Text all = { 0 };
  for (const PropertyWord *w = words; w->word; w++) {
    if (word_is(w, node->value)) {
      text_free(&all);
      return;
    }
    text_printf(&all, "%s%s", all.len ? ", " : "", w->word);
  }
  log_warning(f->session->log, "CMD-065", f->use.where,
              "%s: filter: %s is never '%s'; it is one of %s", f->use.command, node->property,
              node->value, text_get(&all));
  text_free(&all);
}

static bool is_order(NodeKind kind)
{
  return kind == NODE_LT || kind == NODE_LE || kind == NODE_GT || kind == NODE_GE;
}

static bool is_numeric(PropertyKind kind)
{
  return kind == PROP_BOOL || kind == PROP_INT || kind == PROP_NUMBER;
}

/* Returns true if the value is a number or, for a truth property, a truth value.  An empty value
   equals a missing one. */
static bool suits(const Node *node, PropertyKind kind)
{
  int truth;
  if (node->is_number || (*node->value == '\0' && !is_order(node->kind))) return true;
  return kind == PROP_BOOL && Tcl_GetBoolean(NULL, node->value, &truth) == TCL_OK;
}

static void check_number(const Filter *f, const Node *node, PropertyKind kind)
{
  bool compares = node->kind == NODE_EQ || node->kind == NODE_NE || is_order(node->kind);
  if (!compares || suits(node, kind)) return;
  log_warning(f->session->log, "CMD-065", f->use.where, "%s: filter: %s is never '%s'; it is %s",
              f->use.command, node->property, node->value,
              kind == PROP_BOOL ? "true or false" : "a number");
}

static void check_node(const Filter *f, uint32_t at)
{
  const Node *node = &f->nodes.at[at];
  const Property *row = NULL;
  if (node->property == NULL) return;
  for (uint32_t type = OBJ_DESIGN; type < OBJ_TYPE_COUNT && row == NULL; type++)
    if (f->use.kinds >> type & 1) row = property_find(f->session, type, node->property);
  if (row && is_numeric(row->kind)) check_number(f, node, row->kind);
  else if (row) check_word(f, node, row);
  else if (!is_repeated(f, at)) warn_unknown(f, node->property);
}

Filter *filter_new(Session *s, const char *text, const FilterUse *use)
{
  Filter *f = mem_alloc_zero(1, sizeof *f);
  f->session = s;
  f->use = *use;
  f->text = f->at = text;
  f->root = parse_or(f, 0);
  skip_space(f);
  if (!f->failed && *f->at) fail(f, "&& or ||");
  for (uint32_t i = 0; !f->failed && i < f->nodes.len; i++) check_node(f, i);
  if (!f->failed) return f;
  filter_free(f);
  return NULL;
}

void filter_free(Filter *f)
{
  if (f == NULL) return;
  for (uint32_t i = 0; i < f->nodes.len; i++) free_node(&f->nodes.at[i]);
  array_free(&f->nodes);
  property_value_free(&f->value);
  mem_free(f);
}

/* --- evaluation ------------------------------------------------------------------------------- */

static bool decide(NodeKind kind, int order)
{
  switch (kind) {
    case NODE_EQ: return order == 0;
    case NODE_NE: return order != 0;
    case NODE_LT: return order < 0;
    case NODE_LE: return order <= 0;
    case NODE_GT: return order > 0;
    default: return order >= 0;
  }
}

/* Numbers hold what a float holds: 0.1 given is 0.1 found. */
static int compare_numbers(double a, double b)
{
  float x = (float)a, y = (float)b;
  return x < y ? -1 : x > y;
}

static bool is_true(Session *s, const PropertyValue *v)
{
  if (v->missing) return false;
  if (is_numeric(v->kind)) return v->number != 0;
  Text t = { 0 };
  property_text(s, v, &t);
  bool is = t.len > 0 && strcmp(text_get(&t), "0") != 0 && strcmp(text_get(&t), "false") != 0;
  text_free(&t);
  return is;
}

static bool matches(const Filter *f, const Node *node, const char *text)
{
  if (node->regexp == NULL) return text_glob(node->value, text, f->use.flags & FILTER_NOCASE, true);
  return Tcl_RegExpExec(console_of(f->session)->interp, regexp_of(f, node->regexp), text, text) > 0;
}

static bool equals(const Filter *f, const Node *node, const char *text)
{
  return node->kind == NODE_LIKE || node->kind == NODE_UNLIKE ? matches(f, node, text)
    : strcmp(text, node->value) == 0;
}

/* NULL: the text has no other name. */
static const char *other_name(const Property *row, const char *text)
{
  for (const PropertyWord *w = property_words(row); w && w->word; w++)
    if (strcmp(w->word, text) == 0) return w->other;
  return NULL;
}

static bool compare_text(Filter *f, const Node *node, const Property *row)
{
  Text t = { 0 };
  property_text(f->session, &f->value, &t);
  const char *have = text_get(&t);
  bool is, negated = node->kind == NODE_UNLIKE || node->kind == NODE_NE;
  if (negated || node->kind == NODE_LIKE || node->kind == NODE_EQ) {
    const char *other = other_name(row, have);
    is = (equals(f, node, have) || (other && equals(f, node, other))) != negated;
  } else {
    is = decide(node->kind, text_compare_natural(have, node->value));
  }
  text_free(&t);
  return is;
}

/* Lists of no objects and empty texts are none. */
static bool has_value(const Filter *f)
{
  if (f->value.missing) return false;
  if (f->value.kind == PROP_OBJECTS) return f->value.objects.len > 0;
  return f->value.kind != PROP_TEXT || f->value.text.len > 0;
}

static bool compare_value(Filter *f, const Node *node, const Property *row)
{
  int truth;
  if (node->kind == NODE_TRUE) return is_true(f->session, &f->value);
  if (node->kind >= NODE_DEFINED) return has_value(f) == (node->kind == NODE_DEFINED);
  if (node->kind == NODE_LIKE || node->kind == NODE_UNLIKE) return compare_text(f, node, row);
  if (f->value.missing)
    return node->kind == NODE_NE ? *node->value != '\0'
                                 : node->kind == NODE_EQ && *node->value == '\0';
  if (f->value.kind == PROP_BOOL && Tcl_GetBoolean(NULL, node->value, &truth) == TCL_OK)
    return decide(node->kind, compare_numbers(f->value.number, truth));
  if (is_numeric(f->value.kind) && node->is_number)
    return decide(node->kind, compare_numbers(f->value.number, node->number));
  if (is_numeric(f->value.kind)) return node->kind == NODE_NE;
  return compare_text(f, node, row);
}

/* The values are not ordered, like those of a property that no object has. */
static bool has_no_order(const Filter *f, const Node *node)
{
  return is_order(node->kind) && is_numeric(f->value.kind) && !suits(node, f->value.kind);
}

static Answer negation(Answer a) { return a == UNKNOWN ? UNKNOWN : a == NO ? YES : NO; }

/* Yes decides an `or`, no decides an `and`.  The result is unknown if neither side decides. */
static Answer join(Answer a, Answer b, Answer decides)
{
  if (a == decides || b == decides) return decides;
  return a == UNKNOWN || b == UNKNOWN ? UNKNOWN : negation(decides);
}

static Status ask_property(Filter *f, Node *node, Object o, Answer *answer)
{
  const Property **row = &node->rows[o.type];
  if (*row == NULL) *row = property_find(f->session, o.type, node->property);
  if (*row == NULL) {
    *answer = node->kind == NODE_DEFINED ? NO : node->kind == NODE_UNDEFINED ? YES : UNKNOWN;
    return OK;
  }
  if (property_get(f->session, *row, o, &f->value) != OK) return FAILED;
  if (f->value.missing && f->value.why && node->kind < NODE_DEFINED)
    return f->value.why(f->session, *row);
  if (has_no_order(f, node)) *answer = UNKNOWN;
  else *answer = compare_value(f, node, *row) ? YES : NO;
  return OK;
}

static Status evaluate(Filter *f, uint32_t at, Object o, Answer *answer)
{
  Node *node = &f->nodes.at[at];
  Answer right, decides = node->kind == NODE_OR ? YES : NO;
  if (node->kind == NODE_NOT) {
    if (evaluate(f, node->left, o, answer) != OK) return FAILED;
    *answer = negation(*answer);
    return OK;
  }
  if (node->kind != NODE_AND && node->kind != NODE_OR) return ask_property(f, node, o, answer);
  if (evaluate(f, node->left, o, answer) != OK) return FAILED;
  if (*answer == decides) return OK;
  if (evaluate(f, node->right, o, &right) != OK) return FAILED;
  *answer = join(*answer, right, decides);
  return OK;
}

Status filter_objects(Filter *f, ObjectArray *objects)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < objects->len; i++) {
    Answer keep = NO;
    if (evaluate(f, f->root, objects->at[i], &keep) != OK) return FAILED;
    if (keep == YES) objects->at[kept++] = objects->at[i];
    if ((i & 0xffff) == 0 && interrupt_seen()) return FAILED;
  }
  objects->len = kept;
  return OK;
}
