#include "cmd/filter.h"

#include <ctype.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "cmd/console.h"
#include "cmd/object.h"
#include "cmd/property.h"

typedef enum { NODE_OR, NODE_AND, NODE_NOT, NODE_TRUE, NODE_EQ, NODE_NE, NODE_LIKE, NODE_UNLIKE, NODE_LT, NODE_LE, NODE_GT, NODE_GE,
               NODE_DEFINED, NODE_UNDEFINED } NodeKind;

enum { NO_NODE_AT = UINT32_MAX, DEEPEST = 200 };

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
  unsigned flags;
  const char *text, *at;                     /* while parsing */
  ARRAY(Node) nodes;
  uint32_t root;
  bool     failed;
  PropertyValue value;
};

static uint32_t fail(Filter *f, const char *expected)
{
  if (!f->failed)
    log_error(f->session->log, "CMD-030", NOWHERE, "filter '%.200s%s': expected %s at column %d", f->text,
              strlen(f->text) > 200 ? "..." : "", expected, (int)(f->at - f->text) + 1);
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

/* --- words ---------------------------------------------------------------------------------------------- */

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
  if (*p == '\0' || isspace((unsigned char)*p) || *p == ')' || strncmp(p, "&&", 2) == 0 || strncmp(p, "||", 2) == 0) return true;
  return !is_value && strchr("=!<>(", *p);
}

static char *word(Filter *f, bool is_value)
{
  skip_space(f);
  if (is_value && (*f->at == '"' || *f->at == '\'')) return quoted(f, *f->at);
  if (is_value && *f->at == '{') return quoted(f, '}');
  const char *start = f->at;
  int depth = 0;             /* of the parentheses of a regular expression */
  for (; !ends_word(f->at, is_value) || (is_value && depth && strchr(")&|", *f->at) && *f->at); f->at++)
    depth += (*f->at == '(') - (*f->at == ')');
  if (f->at == start) {
    fail(f, is_value ? "a value" : "a property");
    return NULL;
  }
  return mem_text(start, (size_t)(f->at - start));
}

/* --- the grammar: or -> and -> unary -> comparison ------------------------------------------------------- */

static const struct {
  const char *text;
  NodeKind    kind;
} operators[] = { { "==", NODE_EQ }, { "!=", NODE_NE }, { "=~", NODE_LIKE }, { "!~", NODE_UNLIKE }, { "<=", NODE_LE },
                  { ">=", NODE_GE }, { "<", NODE_LT }, { ">", NODE_GT }, { "=", NODE_EQ } };

static uint32_t parse_or(Filter *f, int depth);

static Tcl_RegExp regexp_of(const Filter *f, Tcl_Obj *pattern)
{
  return Tcl_GetRegExpFromObj(console_of(f->session)->interp, pattern, TCL_REG_ADVANCED | (f->flags & FILTER_NOCASE ? TCL_REG_NOCASE : 0));
}

/* True when the node's value is fit for its operator. */
static bool compile(Filter *f, Node *node)
{
  if (!(f->flags & FILTER_REGEXP) || (node->kind != NODE_LIKE && node->kind != NODE_UNLIKE)) return true;
  Tcl_Interp *interp = console_of(f->session)->interp;
  node->regexp = Tcl_ObjPrintf("^(?:%s)$", node->value);
  Tcl_IncrRefCount(node->regexp);
  if (regexp_of(f, node->regexp)) return true;
  log_error(f->session->log, "CMD-027", NOWHERE, "filter: bad regular expression: %s", Tcl_GetString(Tcl_GetObjResult(interp)));
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

/* defined(name): true when the words were that. */
static bool parse_defined(Filter *f, Node *node)
{
  bool is = strcmp(node->property, "defined") == 0, is_not = strcmp(node->property, "undefined") == 0;
  if (!(is || is_not) || !take(f, "(")) return false;
  node->kind = is ? NODE_DEFINED : NODE_UNDEFINED;
  mem_free(node->property);
  take(f, "@");
  node->property = word(f, false);
  if (node->property && !take(f, ")")) fail(f, "a closing parenthesis");
  return true;
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
    node.value = word(f, true);
    if (node.value == NULL) {
      free_node(&node);
      return NO_NODE_AT;
    }
    const char *end;
    node.number = text_number(node.value, &end);
    node.is_number = end != node.value && *end == '\0';
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

Filter *filter_new(Session *s, const char *text, unsigned flags)
{
  Filter *f = mem_alloc_zero(1, sizeof *f);
  f->session = s;
  f->flags = flags;
  f->text = f->at = text;
  f->root = parse_or(f, 0);
  skip_space(f);
  if (!f->failed && *f->at) fail(f, "&& or ||");
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

/* --- evaluation -------------------------------------------------------------------------------------------- */

static bool is_numeric(PropertyKind kind) { return kind == PROP_BOOL || kind == PROP_INT || kind == PROP_NUMBER; }

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
  if (node->regexp == NULL) return text_glob(node->value, text, f->flags & FILTER_NOCASE, true);
  return Tcl_RegExpExec(console_of(f->session)->interp, regexp_of(f, node->regexp), text, text) > 0;
}

static bool compare_text(Filter *f, const Node *node)
{
  Text t = { 0 };
  property_text(f->session, &f->value, &t);
  const char *have = text_get(&t);
  bool is;
  if (node->kind == NODE_LIKE || node->kind == NODE_UNLIKE)
    is = matches(f, node, have) == (node->kind == NODE_LIKE);
  else if (node->kind == NODE_EQ || node->kind == NODE_NE)
    is = (strcmp(have, node->value) == 0) == (node->kind == NODE_EQ);
  else
    is = decide(node->kind, text_compare_natural(have, node->value));
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

static bool compare_value(Filter *f, const Node *node)
{
  int truth;
  if (node->kind == NODE_TRUE) return is_true(f->session, &f->value);
  if (node->kind >= NODE_DEFINED) return has_value(f) == (node->kind == NODE_DEFINED);
  if (node->kind == NODE_LIKE || node->kind == NODE_UNLIKE) return compare_text(f, node);
  if (f->value.missing) return node->kind == NODE_NE ? *node->value != '\0' : node->kind == NODE_EQ && *node->value == '\0';
  if (f->value.kind == PROP_BOOL && Tcl_GetBoolean(NULL, node->value, &truth) == TCL_OK)
    return decide(node->kind, compare_numbers(f->value.number, truth));
  if (is_numeric(f->value.kind) && node->is_number) return decide(node->kind, compare_numbers(f->value.number, node->number));
  return compare_text(f, node);
}

static Status evaluate(Filter *f, uint32_t at, Object o, bool *result)
{
  Node *node = &f->nodes.at[at];
  if (node->kind == NODE_NOT) {
    if (evaluate(f, node->left, o, result) != OK) return FAILED;
    *result = !*result;
    return OK;
  }
  if (node->kind == NODE_AND || node->kind == NODE_OR) {
    if (evaluate(f, node->left, o, result) != OK) return FAILED;
    return *result == (node->kind == NODE_OR) ? OK : evaluate(f, node->right, o, result);
  }
  if (node->rows[o.type] == NULL) node->rows[o.type] = property_find(f->session, o.type, node->property);
  if (node->rows[o.type] == NULL) return property_unknown(f->session, o.type, node->property, NOWHERE);
  if (property_get(f->session, node->rows[o.type], o, &f->value) != OK) return FAILED;
  *result = compare_value(f, node);
  return OK;
}

Status filter_keeps(Filter *f, Object o, bool *keep) { return evaluate(f, f->root, o, keep); }

Status filter_objects(Filter *f, ObjectArray *objects)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < objects->len; i++) {
    bool keep;
    if (filter_keeps(f, objects->at[i], &keep) != OK) return FAILED;
    if (keep) objects->at[kept++] = objects->at[i];
    if ((i & 0xffff) == 0 && interrupt_seen()) return FAILED;
  }
  objects->len = kept;
  return OK;
}
