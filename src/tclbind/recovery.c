/* The failed value, and the guards of catch and try that count how deep a script is inside them. */
#include "tclbind/recovery.h"

#include <stdint.h>
#include <string.h>

#include "base/memory.h"

/* A loop that ends only if the failed command has worked would never end. */
enum { MOST_PASSED = 1000 };

/* --- the value of what failed --------------------------------------------------------------------

   twoPtrValue.ptr1 is the console, which counts such values; ptr2 is line << 32 | file's name. */

_Static_assert(sizeof(void *) == 8, "a line and the name of a file share a pointer");

static const Tcl_ObjType failed_type;

static Console *console_in(const Tcl_Obj *value) { return value->internalRep.twoPtrValue.ptr1; }
static uint64_t file_line_in(const Tcl_Obj *value)
{
  return (uint64_t)(uintptr_t)value->internalRep.twoPtrValue.ptr2;
}
static uint32_t line_in(const Tcl_Obj *value) { return (uint32_t)(file_line_in(value) >> 32); }
static NameId file_in(const Tcl_Obj *value) { return (NameId)file_line_in(value); }

static void set_failed(Tcl_Obj *value, Console *console, uint64_t file_line)
{
  value->typePtr = &failed_type;
  value->internalRep.twoPtrValue.ptr1 = console;
  value->internalRep.twoPtrValue.ptr2 = (void *)(uintptr_t)file_line;
  console->failed_values++;
}

static void free_failed(Tcl_Obj *value) { console_in(value)->failed_values--; }

static void duplicate_failed(Tcl_Obj *from, Tcl_Obj *to)
{
  set_failed(to, console_in(from), file_line_in(from));
}

static const Tcl_ObjType failed_type = { "slfailed", free_failed, duplicate_failed, NULL, NULL };

static RunningScript *script_now(Console *console)
{
  return console->scripts.len ? &console->scripts.at[console->scripts.len - 1] : NULL;
}

static NameId name_of_file(Console *console, const char *file)
{
  return names_add_text(console->session->names, file);
}

Tcl_Obj *recovery_value(Console *console)
{
  const RunningScript *script = script_now(console);
  Tcl_Obj *value = Tcl_NewObj();
  set_failed(value, console, (uint64_t)script->line << 32 | name_of_file(console, script->file));
  return value;
}

static const Tcl_Obj *failed_in(Tcl_Obj *word)
{
  if (word->typePtr == &failed_type) return word;
  if (word->typePtr == NULL || strcmp(word->typePtr->name, "list") != 0) return NULL;
  int count;
  Tcl_Obj **elements;
  Tcl_ListObjGetElements(NULL, word, &count, &elements);
  for (int i = 0; i < count; i++)
    if (elements[i]->typePtr == &failed_type) return elements[i];
  return NULL;
}

/* Returns true for the value of the present statement, whose error has already been reported. */
static bool is_reported(Console *console, const Tcl_Obj *value)
{
  RunningScript *script = script_now(console);
  if (script == NULL || script->catches || script->on_error == ERROR_STOPS) return false;
  if (line_in(value) != script->line || file_in(value) != name_of_file(console, script->file))
    return false;
  return script->passed++ < MOST_PASSED;
}

WordState recovery_words(Console *console, const Command *command, int count,
                         Tcl_Obj *const words[])
{
  const Tcl_Obj *value = NULL;
  if (console->failed_values == 0)
    return WORDS_GOOD; /* large collections are not searched in vain */
  for (int i = 0; i < count && value == NULL; i++) value = failed_in(words[i]);
  if (value == NULL) return WORDS_GOOD;
  if (is_reported(console, value)) return WORDS_SKIPPED;
  log_error(console->session->log, "CMD-111", NOWHERE,
            "%s: a word comes from a command that failed at %s:%u, so this one has no effect",
            command->name, names_text(console->session->names, file_in(value)), line_in(value));
  return WORDS_FAILED;
}

/* --- errors ----------------------------------------------------------------------------------- */

bool recovery_passes(Console *console, const Command *command)
{
  RunningScript *script = script_now(console);
  if (script == NULL || script->catches || script->on_error == ERROR_STOPS
      || command->flags & CMD_RAISES)
    return false;
  return script->passed++ < MOST_PASSED && script_pass_error(console, command->flags & CMD_SDC);
}

int recovery_evaluate_whole(Console *console, Tcl_Obj *script)
{
  uint32_t depth = console->scripts.len;
  if (depth) console->scripts.at[depth - 1].catches++;
  int code = Tcl_EvalObjEx(console->interp, script, 0);
  if (depth) console->scripts.at[depth - 1].catches--;
  return code;
}

/* --- catch and try -------------------------------------------------------------------------------

   Tcl compiles its own into the scripts around them and asks nobody, so they are renamed while
   scripts that go on are read.  Renaming makes Tcl compile again what it has compiled. */

static const char *const names[][2] = {
  { "::catch", "::tcl::own_catch" },
  { "::try", "::tcl::own_try" } };
enum { NAMES = sizeof names / sizeof *names };

static int run_guarded(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
  Console *console = Tcl_GetAssocData(interp, "slackline", NULL);
  const char *const *name = data;
  Tcl_Obj **call = mem_alloc((size_t)count * sizeof *call);
  memcpy(call, words, (size_t)count * sizeof *call);
  call[0] = Tcl_NewStringObj(name[1], -1);
  Tcl_IncrRefCount(call[0]);
  uint32_t depth = console->scripts.len;
  if (depth) console->scripts.at[depth - 1].catches++;
  int code = Tcl_EvalObjv(interp, count, call, 0);
  if (depth) console->scripts.at[depth - 1].catches--;
  Tcl_DecrRefCount(call[0]);
  mem_free(call);
  return code;
}

static void rename_command(Console *console, const char *from, const char *to)
{
  Tcl_Obj *words[] = { Tcl_NewStringObj("::rename", -1), Tcl_NewStringObj(from, -1),
                       Tcl_NewStringObj(to, -1) };
  for (int i = 0; i < 3; i++) Tcl_IncrRefCount(words[i]);
  Tcl_EvalObjv(console->interp, 3, words, TCL_EVAL_GLOBAL);
  for (int i = 0; i < 3; i++) Tcl_DecrRefCount(words[i]);
  Tcl_ResetResult(console->interp);
}

static bool is_guarded(Console *console, const char *name)
{
  Tcl_CmdInfo info;
  return Tcl_GetCommandInfo(console->interp, name, &info) && info.objProc == run_guarded;
}

void recovery_begin(Console *console)
{
  if (console->recovering++) return;
  for (int i = 0; i < NAMES; i++) {
    rename_command(console, names[i][0], names[i][1]);
    Tcl_CreateObjCommand(console->interp, names[i][0], run_guarded, (ClientData)names[i], NULL);
  }
}

/* A script may have put its own in their place. */
void recovery_end(Console *console)
{
  if (--console->recovering) return;
  for (int i = 0; i < NAMES; i++) {
    if (!is_guarded(console, names[i][0])) continue;
    Tcl_DeleteCommand(console->interp, names[i][0]);
    rename_command(console, names[i][1], names[i][0]);
  }
}
