/* Densities of cells and nets. */
#include <math.h>

#include "tclbind/densities.h"
#include "tclbind/property.h"

static Status get_density(Session *s, Object o, const Property *row, PropertyValue *value)
{
  double density;
  (void)row;
  if (session_density(s, o, &density) != OK) return FAILED;
  value->missing = isnan(density);
  value->number = value->missing ? 0 : density;
  value->exact = true;
  value->why = session_placement_missing(s);
  return OK;
}

const Property properties_density[] = {
  { OBJ_CELL, "density", PROP_NUMBER, get_density,
    .help = "average density of cells over its area; empty where it has no place" },
  { OBJ_NET, "density", PROP_NUMBER, get_density,
    .help = "average demand for wires over the box around its pins, microns per square micron; "
            "empty where fewer than two have a place" },
  { 0 }
};
