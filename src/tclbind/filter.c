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

static uint32_t fail(Filter *filter, const char *expected)
{
  if (!filter->failed)
    log_error(filter->session->log, "CMD-030", NOWHERE,
              "filter '%.200s%s': expected %s at column %d", filter->text,
              strlen(filter->text) > 200 ? "..." : "", expected,
              (int)(filter->at - filter->text) + 1);
  filter->failed = true;
  return NO_NODE_AT;
}

static void skip_space(Filter *filter)
{
  while (isspace((unsigned char)*filter->at)) filter->at++;
}

static bool take(Filter *filter, const char *token)
{
  skip_space(filter);
  size_t n = strlen(token);
  if (strncmp(filter->at, token, n) != 0) return false;
  filter->at += n;
  return true;
}

static uint32_t add_node(Filter *filter, Node node)
{
  array_push(&filter->nodes, node);
  return filter->nodes.len - 1;
}

/* --- words ------------------------------------------------------------------------------------ */

static char *quoted(Filter *filter, char close)
{
  const char *end = strchr(++filter->at, close);
  if (end == NULL) {
    fail(filter, close == '}' ? "a closing brace" : "a closing quote");
    return NULL;
  }
  char *text = mem_text(filter->at, (size_t)(end - filter->at));
  filter->at = end + 1;
  return text;
}

static bool ends_word(const char *p, bool is_value)
{
  if (*p == '\0' || isspace((unsigned char)*p) || *p == ')' || strncmp(p, "&&", 2) == 0
      || strncmp(p, "||", 2) == 0)
    return true;
  return !is_value && strchr("=!<>(", *p);
}

static char *word(Filter *filter, bool is_value)
{
  skip_space(filter);
  if (is_value && (*filter->at == '"' || *filter->at == '\'')) return quoted(filter, *filter->at);
  if (is_value && *filter->at == '{') return quoted(filter, '}');
  const char *start = filter->at;
  int depth = 0;             /* of the parentheses of a regular expression */
  for (; !ends_word(filter->at, is_value)
         || (is_value && depth && strchr(")&|", *filter->at) && *filter->at);
       filter->at++)
    depth += (*filter->at == '(') - (*filter->at == ')');
  if (filter->at == start) {
    fail(filter, is_value ? "a value" : "a property");
    return NULL;
  }
  return mem_text(start, (size_t)(filter->at - start));
}

/* --- the grammar: or -> and -> unary -> comparison -------------------------------------------- */

static const struct {
  const char *text;
  NodeKind    kind;
} operators[] = { { "==", NODE_EQ },     { "!=", NODE_NE }, { "=~", NODE_LIKE },
                  { "!~", NODE_UNLIKE }, { "<=", NODE_LE }, { ">=", NODE_GE },
                  { "<", NODE_LT },      { ">", NODE_GT },  { "=", NODE_EQ } };

static uint32_t parse_or(Filter *filter, int depth);

static Tcl_RegExp regexp_of(const Filter *filter, Tcl_Obj *pattern)
{
  return Tcl_GetRegExpFromObj(console_of(filter->session)->interp, pattern,
                              TCL_REG_ADVANCED
                                  | (filter->use.flags & FILTER_NOCASE ? TCL_REG_NOCASE : 0));
}

/* True when the node's value is fit for its operator. */
static bool compile(Filter *filter, Node *node)
{
  if (!(filter->use.flags & FILTER_REGEXP)
      || (node->kind != NODE_LIKE && node->kind != NODE_UNLIKE))
    return true;
  Tcl_Interp *interp = console_of(filter->session)->interp;
  node->regexp = Tcl_ObjPrintf("^(?:%s)$", node->value);
  Tcl_IncrRefCount(node->regexp);
  if (regexp_of(filter, node->regexp)) return true;
  log_error(filter->session->log, "CMD-027", NOWHERE, "filter: bad regular expression: %s",
            Tcl_GetString(Tcl_GetObjResult(interp)));
  Tcl_ResetResult(interp);
  filter->failed = true;
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
static char *plain_name(const Filter *filter, char *value)
{
  Object o;
  Text t = { 0 };
  if (value == NULL || handle_object(filter->session, value, &o) != VALUE_OBJECT) return value;
  object_name(filter->session, o, &t);
  mem_free(value);
  value = mem_text(text_get(&t), t.len);
  text_free(&t);
  return value;
}

/* defined(name): true when the words were that. */
static bool parse_defined(Filter *filter, Node *node)
{
  bool is = strcmp(node->property, "defined") == 0,
       is_not = strcmp(node->property, "undefined") == 0;
  if (!(is || is_not) || !take(filter, "(")) return false;
  node->kind = is ? NODE_DEFINED : NODE_UNDEFINED;
  mem_free(node->property);
  take(filter, "@");
  node->property = word(filter, false);
  if (node->property && !take(filter, ")")) fail(filter, "a closing parenthesis");
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

static uint32_t parse_comparison(Filter *filter)
{
  Node node = { .kind = NODE_TRUE };
  take(filter, "@");
  node.property = word(filter, false);
  if (node.property == NULL) return NO_NODE_AT;
  if (parse_defined(filter, &node)) {
    if (!filter->failed) return add_node(filter, node);
    free_node(&node);
    return NO_NODE_AT;
  }
  for (size_t i = 0; i < sizeof operators / sizeof *operators && node.kind == NODE_TRUE; i++)
    if (take(filter, operators[i].text)) node.kind = operators[i].kind;
  if (node.kind != NODE_TRUE) {
    node.value = plain_name(filter, word(filter, true));
    if (node.value == NULL) {
      free_node(&node);
      return NO_NODE_AT;
    }
    read_number(&node);
    if (!compile(filter, &node)) {
      free_node(&node);
      return NO_NODE_AT;
    }
  }
  return add_node(filter, node);
}

static uint32_t parse_unary(Filter *filter, int depth)
{
  if (depth > DEEPEST) return fail(filter, "less nesting");
  if (take(filter, "!")) {
    uint32_t inner = parse_unary(filter, depth + 1);
    return filter->failed ? NO_NODE_AT
                          : add_node(filter, (Node){ .kind = NODE_NOT, .left = inner });
  }
  if (!take(filter, "(")) return parse_comparison(filter);
  uint32_t inner = parse_or(filter, depth + 1);
  if (!filter->failed && !take(filter, ")")) return fail(filter, "a closing parenthesis");
  return inner;
}

static uint32_t parse_and(Filter *filter, int depth)
{
  uint32_t left = parse_unary(filter, depth);
  while (!filter->failed && take(filter, "&&")) {
    uint32_t right = parse_unary(filter, depth);
    if (!filter->failed)
      left = add_node(filter, (Node){ .kind = NODE_AND, .left = left, .right = right });
  }
  return left;
}

static uint32_t parse_or(Filter *filter, int depth)
{
  uint32_t left = parse_and(filter, depth);
  while (!filter->failed && take(filter, "||")) {
    uint32_t right = parse_and(filter, depth);
    if (!filter->failed)
      left = add_node(filter, (Node){ .kind = NODE_OR, .left = left, .right = right });
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
static bool is_repeated(const Filter *filter, uint32_t at)
{
  for (uint32_t i = 0; i < at; i++)
    if (filter->nodes.at[i].property
        && strcmp(filter->nodes.at[i].property, filter->nodes.at[at].property) == 0)
      return true;
  return false;
}

static void warn_unknown(const Filter *filter, const char *property)
{
  Session *s = filter->session;
  uint32_t type = first_kind(filter->use.kinds);
  bool one = (filter->use.kinds & (filter->use.kinds - 1)) == 0;
  Text more = { 0 };
  property_nearest(s, type, property, &more);
  log_warning(s->log, "CMD-064", filter->use.where, "%s: filter: no %s has a property %s%s",
              filter->use.command, one ? object_type_name(type) : "object", property,
              text_get(&more));
  text_free(&more);
}

static bool word_is(const PropertyWord *word, const char *text)
{
  return strcmp(word->word, text) == 0 || (word->other && strcmp(word->other, text) == 0);
}

/* A word that the property never has, compared with ==, finds nothing, and with != everything. */
static void check_word(const Filter *filter, const Node *node, const Property *row)
{
  const PropertyWord *words = property_words(row);
  if (words == NULL || (node->kind != NODE_EQ && node->kind != NODE_NE) || *node->value == '\0')
    return;
  Text all = { 0 };
  for (const PropertyWord *word = words; word->word; word++) {
    if (word_is(word, node->value)) {
      text_free(&all);
      return;
    }
    text_printf(&all, "%s%s", all.len ? ", " : "", word->word);
  }
  log_warning(filter->session->log, "CMD-065", filter->use.where,
              "%s: filter: %s is never '%s'; it is one of %s", filter->use.command, node->property,
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

static void check_number(const Filter *filter, const Node *node, PropertyKind kind)
{
  bool compares = node->kind == NODE_EQ || node->kind == NODE_NE || is_order(node->kind);
  if (!compares || suits(node, kind)) return;
  log_warning(filter->session->log, "CMD-065", filter->use.where,
              "%s: filter: %s is never '%s'; it is %s", filter->use.command, node->property,
              node->value, kind == PROP_BOOL ? "true or false" : "a number");
}

static void check_node(const Filter *filter, uint32_t at)
{
  const Node *node = &filter->nodes.at[at];
  const Property *row = NULL;
  if (node->property == NULL) return;
  for (uint32_t type = OBJ_DESIGN; type < OBJ_TYPE_COUNT && row == NULL; type++)
    if (filter->use.kinds >> type & 1) row = property_find(filter->session, type, node->property);
  if (row && is_numeric(row->kind)) check_number(filter, node, row->kind);
  else if (row) check_word(filter, node, row);
  else if (!is_repeated(filter, at)) warn_unknown(filter, node->property);
}

Filter *filter_new(Session *s, const char *text, const FilterUse *use)
{
  Filter *filter = mem_alloc_zero(1, sizeof *filter);
  filter->session = s;
  filter->use = *use;
  filter->text = filter->at = text;
  filter->root = parse_or(filter, 0);
  skip_space(filter);
  if (!filter->failed && *filter->at) fail(filter, "&& or ||");
  for (uint32_t i = 0; !filter->failed && i < filter->nodes.len; i++) check_node(filter, i);
  if (!filter->failed) return filter;
  filter_free(filter);
  return NULL;
}

void filter_free(Filter *filter)
{
  if (filter == NULL) return;
  for (uint32_t i = 0; i < filter->nodes.len; i++) free_node(&filter->nodes.at[i]);
  array_free(&filter->nodes);
  property_value_free(&filter->value);
  mem_free(filter);
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

static bool is_true(Session *s, const PropertyValue *value)
{
  if (value->missing) return false;
  if (is_numeric(value->kind)) return value->number != 0;
  Text t = { 0 };
  property_text(s, value, &t);
  bool is = t.len > 0 && strcmp(text_get(&t), "0") != 0 && strcmp(text_get(&t), "false") != 0;
  text_free(&t);
  return is;
}

static bool matches(const Filter *filter, const Node *node, const char *text)
{
  if (node->regexp == NULL)
    return text_glob(node->value, text, filter->use.flags & FILTER_NOCASE, true);
  return Tcl_RegExpExec(console_of(filter->session)->interp, regexp_of(filter, node->regexp), text,
                        text)
         > 0;
}

static bool equals(const Filter *filter, const Node *node, const char *text)
{
  return node->kind == NODE_LIKE || node->kind == NODE_UNLIKE ? matches(filter, node, text)
                                                              : strcmp(text, node->value) == 0;
}

/* NULL: the text has no other name. */
static const char *other_name(const Property *row, const char *text)
{
  for (const PropertyWord *word = property_words(row); word && word->word; word++)
    if (strcmp(word->word, text) == 0) return word->other;
  return NULL;
}

static bool compare_text(Filter *filter, const Node *node, const Property *row)
{
  Text t = { 0 };
  property_text(filter->session, &filter->value, &t);
  const char *have = text_get(&t);
  bool is, negated = node->kind == NODE_UNLIKE || node->kind == NODE_NE;
  if (negated || node->kind == NODE_LIKE || node->kind == NODE_EQ) {
    const char *other = other_name(row, have);
    is = (equals(filter, node, have) || (other && equals(filter, node, other))) != negated;
  } else {
    is = decide(node->kind, text_compare_natural(have, node->value));
  }
  text_free(&t);
  return is;
}

/* Lists of no objects and empty texts are none. */
static bool has_value(const Filter *filter)
{
  if (filter->value.missing) return false;
  if (filter->value.kind == PROP_OBJECTS) return filter->value.objects.len > 0;
  return filter->value.kind != PROP_TEXT || filter->value.text.len > 0;
}

static bool compare_value(Filter *filter, const Node *node, const Property *row)
{
  int truth;
  if (node->kind == NODE_TRUE) return is_true(filter->session, &filter->value);
  if (node->kind >= NODE_DEFINED) return has_value(filter) == (node->kind == NODE_DEFINED);
  if (node->kind == NODE_LIKE || node->kind == NODE_UNLIKE) return compare_text(filter, node, row);
  if (filter->value.missing)
    return node->kind == NODE_NE ? *node->value != '\0'
                                 : node->kind == NODE_EQ && *node->value == '\0';
  if (filter->value.kind == PROP_BOOL && Tcl_GetBoolean(NULL, node->value, &truth) == TCL_OK)
    return decide(node->kind, compare_numbers(filter->value.number, truth));
  if (is_numeric(filter->value.kind) && node->is_number)
    return decide(node->kind, compare_numbers(filter->value.number, node->number));
  if (is_numeric(filter->value.kind)) return node->kind == NODE_NE;
  return compare_text(filter, node, row);
}

/* The values are not ordered, like those of a property that no object has. */
static bool has_no_order(const Filter *filter, const Node *node)
{
  return is_order(node->kind) && is_numeric(filter->value.kind) && !suits(node, filter->value.kind);
}

static Answer negation(Answer a) { return a == UNKNOWN ? UNKNOWN : a == NO ? YES : NO; }

/* Yes decides an `or`, no decides an `and`.  The result is unknown if neither side decides. */
static Answer join(Answer a, Answer b, Answer decides)
{
  if (a == decides || b == decides) return decides;
  return a == UNKNOWN || b == UNKNOWN ? UNKNOWN : negation(decides);
}

static Status ask_property(Filter *filter, Node *node, Object o, Answer *answer)
{
  const Property **row = &node->rows[o.type];
  if (*row == NULL) *row = property_find(filter->session, o.type, node->property);
  if (*row == NULL) {
    *answer = node->kind == NODE_DEFINED ? NO : node->kind == NODE_UNDEFINED ? YES : UNKNOWN;
    return OK;
  }
  if (property_get(filter->session, *row, o, &filter->value) != OK) return FAILED;
  if (filter->value.missing && filter->value.why && node->kind < NODE_DEFINED)
    return filter->value.why(filter->session, *row);
  if (has_no_order(filter, node)) *answer = UNKNOWN;
  else *answer = compare_value(filter, node, *row) ? YES : NO;
  return OK;
}

static Status evaluate(Filter *filter, uint32_t at, Object o, Answer *answer)
{
  Node *node = &filter->nodes.at[at];
  Answer right, decides = node->kind == NODE_OR ? YES : NO;
  if (node->kind == NODE_NOT) {
    if (evaluate(filter, node->left, o, answer) != OK) return FAILED;
    *answer = negation(*answer);
    return OK;
  }
  if (node->kind != NODE_AND && node->kind != NODE_OR) return ask_property(filter, node, o, answer);
  if (evaluate(filter, node->left, o, answer) != OK) return FAILED;
  if (*answer == decides) return OK;
  if (evaluate(filter, node->right, o, &right) != OK) return FAILED;
  *answer = join(*answer, right, decides);
  return OK;
}

Status filter_objects(Filter *filter, ObjectArray *objects)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < objects->len; i++) {
    Answer keep = NO;
    if (evaluate(filter, filter->root, objects->at[i], &keep) != OK) return FAILED;
    if (keep == YES) objects->at[kept++] = objects->at[i];
    if ((i & 0xffff) == 0 && interrupt_seen()) return FAILED;
  }
  objects->len = kept;
  return OK;
}
