#include "cmd/session.h"

#include <unistd.h>

#include "cmd/object.h"
#include "cmd/paths.h"
#include "cmd/property.h"
#include "db/variation.h"
#include "engine/timer.h"
#include "read/liberty.h"
#include "read/link.h"
#include "read/verilog.h"

Session *session_new(LogSink sink, void *data)
{
  Session *s = mem_alloc_zero(1, sizeof *s);
  s->log = log_new(sink, data);
  s->names = names_new();
  s->libs = library_set_new(s->names);
  s->liberty_unused = mem_alloc_zero(1, sizeof *s->liberty_unused);
  s->units = units_default();
  s->separator = '/';
  s->digits = 3;
  s->library_ref = object_ref_new(s);
  s->design_ref = object_ref_new(s);
  return s;
}

void session_drop_timer(Session *s)
{
  path_store_forget(s);
  if (s->timer) timer_free(s->timer);
  s->timer = NULL;
}

static void drop_parasitics(Session *s)
{
  if (s->parasitics[LATE] != s->parasitics[EARLY]) parasitics_free(s->parasitics[LATE]);
  parasitics_free(s->parasitics[EARLY]);
  s->parasitics[EARLY] = s->parasitics[LATE] = NULL;
  annotations_free(s->annotations);
  s->annotations = NULL;
  if (s->variation) variation_remove(s->variation, 1u << OCV_DERATE | 1u << OCV_COEFFICIENT);
}

void session_set_netlist(Session *s, Netlist *netlist)
{
  session_drop_timer(s);
  drop_parasitics(s);
  if (s->constraints) constraints_free(s->constraints);
  constraints_free(s->constraints_before);
  s->constraints_before = NULL;
  if (s->netlist) netlist_free(s->netlist);
  object_ref_end(s->design_ref);
  user_properties_forget_design(s->user_properties);
  s->design_ref = object_ref_new(s);
  s->netlist = netlist;
  s->constraints = netlist ? constraints_new(netlist) : NULL;
  s->current_instance = TOP_INST;
}

void session_free(Session *s)
{
  if (s == NULL) return;
  session_set_netlist(s, NULL);
  object_ref_end(s->design_ref);
  object_ref_end(s->library_ref);
  user_properties_free(s->user_properties);
  path_store_free(s);
  if (s->verilog) verilog_files_free(s->verilog);
  variation_free(s->variation);
  library_set_free(s->libs);
  liberty_tally_free(s->liberty_unused);
  mem_free(s->liberty_unused);
  names_free(s->names);
  log_free(s->log);
  mem_free(s);
}

void session_engine_text(const Session *s, Text *t)
{
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  int threads = s->threads > 0 ? s->threads : cores > 0 ? (int)cores : 1;
  text_printf(t, "cpu, %d thread%s", threads, threads == 1 ? "" : "s");
  /* -engine: 0 auto, 1 cpu, 2 cuda; there is no other engine than the CPU's to choose yet */
  if (s->engine == 2) text_put(t, " (cuda was asked for: this version has no CUDA engine)");
  else if (s->engine == 0) text_put(t, " (auto: this version has no other engine)");
}
