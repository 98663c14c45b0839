/* Links a design: finds the top, checks all connections, makes black boxes, then builds the
   netlist. Everything that can fail comes first. */
#include "read/link/link.h"

#include "base/interrupt.h"
#include "read/link/link_private.h"

static void open_linker(Linker *linker)
{
  linker->master_by_name = map_new();
  linker->port_by_name = map_new();
  linker->box_port_by_name = map_new();
  linker->stray_by_name = map_new();
}

static void close_linker(Linker *linker)
{
  for (uint32_t i = 0; i < linker->masters.len; i++) {
    array_free(&linker->masters.at[i].guess);
    array_free(&linker->masters.at[i].connected);
    array_free(&linker->masters.at[i].first_pin);
    array_free(&linker->masters.at[i].stub_pins);
    array_free(&linker->masters.at[i].directions);
  }
  array_free(&linker->masters);
  array_free(&linker->order);
  array_free(&linker->box_ports);
  array_free(&linker->strays);
  array_free(&linker->bits);
  array_free(&linker->master_of);
  array_free(&linker->reversed);
  map_free(linker->master_by_name);
  map_free(linker->port_by_name);
  map_free(linker->box_port_by_name);
  map_free(linker->stray_by_name);
}

Status link_go_on(Linker *linker)
{
  return interrupt_seen() ? log_error(linker->log, "CMD-101", NOWHERE,
                                      "interrupted; the design is as it was before")
                          : OK;
}

/* All that can fail but by an interrupt comes before the libraries get black boxes and the netlist
   is built. */
static Status elaborate(Linker *linker, const char *top_or_null, bool allow_black_boxes)
{
  VerilogModule *top;
  TRY(link_find_top(linker, top_or_null, &top));
  uint32_t master = link_top_master(linker, top);
  TRY(link_collect(linker, master));
  link_find_directions(linker);
  for (uint32_t i = linker->order.len; i-- > 0;) TRY(link_check(linker, linker->order.at[i]));
  TRY(link_black_boxes(linker, allow_black_boxes));
  linker->n = netlist_new(linker->names, linker->libs, top->name);
  TRY(link_size(linker, master));
  link_tell(linker);
  link_build(linker, master);
  TRY(link_go_on(linker));
  link_warn_drivers(linker);
  link_warn_names(linker);
  return link_go_on(linker);
}

Status link_design(VerilogFiles *files, LibrarySet *libs, const char *top_or_null,
                   bool allow_black_boxes, Log *log, Netlist **made)
{
  Linker k = { .files = files, .libs = libs, .names = files->names, .log = log };
  *made = NULL;
  open_linker(&k);
  Status status = elaborate(&k, top_or_null, allow_black_boxes);
  close_linker(&k);
  if (status == OK) *made = k.n;
  else netlist_free(k.n);
  return status;
}
