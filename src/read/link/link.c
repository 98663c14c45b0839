/* Links a design: finds the top, checks all connections, makes black boxes, then builds the
   netlist. Everything that can fail comes first. */
#include "read/link/link.h"

#include "base/interrupt.h"
#include "read/link/link_private.h"

static void open_linker(Linker *k)
{
  k->master_by_name = map_new();
  k->port_by_name = map_new();
  k->box_port_by_name = map_new();
  k->stray_by_name = map_new();
}

static void close_linker(Linker *k)
{
  for (uint32_t i = 0; i < k->masters.len; i++) {
    array_free(&k->masters.at[i].guess);
    array_free(&k->masters.at[i].connected);
    array_free(&k->masters.at[i].first_pin);
    array_free(&k->masters.at[i].stub_pins);
    array_free(&k->masters.at[i].directions);
  }
  array_free(&k->masters);
  array_free(&k->order);
  array_free(&k->box_ports);
  array_free(&k->strays);
  array_free(&k->bits);
  array_free(&k->master_of);
  array_free(&k->reversed);
  map_free(k->master_by_name);
  map_free(k->port_by_name);
  map_free(k->box_port_by_name);
  map_free(k->stray_by_name);
}

Status link_go_on(Linker *k)
{
  return interrupt_seen()
             ? log_error(k->log, "CMD-101", NOWHERE, "interrupted; the design is as it was before")
             : OK;
}

/* All that can fail but by an interrupt comes before the libraries get black boxes and the netlist
   is built. */
static Status elaborate(Linker *k, const char *top_or_null, bool allow_black_boxes)
{
  VerilogModule *top;
  TRY(link_find_top(k, top_or_null, &top));
  uint32_t master = link_top_master(k, top);
  TRY(link_collect(k, master));
  link_find_directions(k);
  for (uint32_t i = k->order.len; i-- > 0;) TRY(link_check(k, k->order.at[i]));
  TRY(link_black_boxes(k, allow_black_boxes));
  k->n = netlist_new(k->names, k->libs, top->name);
  TRY(link_size(k, master));
  link_tell(k);
  link_build(k, master);
  TRY(link_go_on(k));
  link_warn_drivers(k);
  link_warn_names(k);
  return link_go_on(k);
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
