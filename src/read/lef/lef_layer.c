/* Reads the layers, sites and vias of a LEF file. */
#include <math.h>

#include "read/lef/lef_private.h"

/* --- layers ----------------------------------------------------------------------------------- */

typedef struct {
  LayerId id;
  bool    table;             /* within a table of currents, whose WIDTHs are no wire's */
} LayerBlock;

static Layer *layer_of(LefReader *r, void *block)
{
  return &r->p->layers.at[((LayerBlock *)block)->id];
}

static Status layer_type(LefReader *r, void *block)
{
  static const char *const words[] = { "ROUTING", "CUT", "MASTERSLICE", "OVERLAP", "IMPLANT" };
  Layer *l = layer_of(r, block);
  l->kind = LAYER_OTHER;
  for (int i = 0; i < LAYER_OTHER; i++)
    if (words_is(&r->w, words[i])) l->kind = (uint8_t)i;
  return words_skip(&r->w);
}

static Status layer_direction(LefReader *r, void *block)
{
  layer_of(r, block)->way = words_is(&r->w, "HORIZONTAL") ? WAY_HORIZONTAL
                            : words_is(&r->w, "VERTICAL") ? WAY_VERTICAL
                                                          : WAY_ANY;
  return words_skip(&r->w);
}

/* One number for both axes, or one for each. */
static Status one_or_two(LefReader *r, int32_t *x, int32_t *y)
{
  if (lef_length(r, x) != OK) return FAILED;
  *y = *x;
  if (!words_is_char(&r->w, ';') && lef_length(r, y) != OK) return FAILED;
  return lef_end(r);
}

static Status layer_pitch(LefReader *r, void *block)
{
  Layer *l = layer_of(r, block);
  return one_or_two(r, &l->pitch_x, &l->pitch_y);
}

static Status layer_offset(LefReader *r, void *block)
{
  Layer *l = layer_of(r, block);
  return one_or_two(r, &l->offset_x, &l->offset_y);
}

static Status layer_width(LefReader *r, void *block)
{
  if (((LayerBlock *)block)->table) return words_skip(&r->w);
  Where where = words_where(&r->w);
  if (lef_length(r, &layer_of(r, block)->width) != OK) return FAILED;
  if (layer_of(r, block)->width < 0)
    return log_error(r->w.log, "LEF-015", where, "a layer of negative width");
  return words_skip(&r->w);
}

/* The first is the rule for all; others have conditions behind them. */
static Status layer_spacing(LefReader *r, void *block)
{
  int32_t spacing;
  if (lef_length(r, &spacing) != OK) return FAILED;
  Layer *l = layer_of(r, block);
  if (l->spacing == 0) l->spacing = spacing;
  return words_skip(&r->w);
}

/* "RESISTANCE RPERSQ 0.38" of a wire, "RESISTANCE 5" of a cut: Ohm.  RPERSQ PWL (...) depends on
   the width, and is read over. */
static Status layer_resistance(LefReader *r, void *block)
{
  double ohm;
  bool square = words_is(&r->w, "RPERSQ");
  if (square) words_next(&r->w);
  if (words_is(&r->w, "PWL")) return words_skip(&r->w);
  if (lef_amount(r, &ohm, "a resistance in Ohm") != OK) return FAILED;
  Layer *l = layer_of(r, block);
  *(square ? &l->square_resistance : &l->cut_resistance) = ohm / 1000;
  return words_skip(&r->w);
}

static Status layer_cap(LefReader *r, void *block)
{
  double pf;
  if (words_is(&r->w, "CPERSQDIST")) words_next(&r->w);
  if (words_is(&r->w, "PWL")) return words_skip(&r->w);
  if (lef_amount(r, &pf, "a capacitance in pF") != OK) return FAILED;
  layer_of(r, block)->area_cap = pf * 1000;
  return words_skip(&r->w);
}

static Status layer_edge_cap(LefReader *r, void *block)
{
  double pf;
  if (lef_amount(r, &pf, "a capacitance in pF") != OK) return FAILED;
  layer_of(r, block)->edge_cap = pf * 1000;
  return words_skip(&r->w);
}

static Status layer_thickness(LefReader *r, void *block)
{
  if (words_number(&r->w, &layer_of(r, block)->thickness, "a length in microns") != OK)
    return FAILED;
  return words_skip(&r->w);
}

static Status layer_height(LefReader *r, void *block)
{
  if (words_number(&r->w, &layer_of(r, block)->height, "a length in microns") != OK) return FAILED;
  return words_skip(&r->w);
}

static Status layer_table(LefReader *r, void *block)
{
  ((LayerBlock *)block)->table = true;
  return words_skip(&r->w);
}

static Status layer_table_end(LefReader *r, void *block)
{
  ((LayerBlock *)block)->table = false;
  return words_skip(&r->w);
}

static const LefStatement layer_rows[] = {
  { "TYPE", layer_type }, { "DIRECTION", layer_direction }, { "PITCH", layer_pitch },
  { "OFFSET", layer_offset }, { "WIDTH", layer_width }, { "SPACING", layer_spacing },
  { "RESISTANCE", layer_resistance }, { "CAPACITANCE", layer_cap },
  { "EDGECAPACITANCE", layer_edge_cap }, { "THICKNESS", layer_thickness },
  { "HEIGHT", layer_height }, { "ACCURRENTDENSITY", layer_table },
  { "DCCURRENTDENSITY", layer_table }, { "TABLEENTRIES", layer_table_end }, { "CUTAREA", NULL },
  { "FREQUENCY", NULL }, { "PROPERTY", NULL }, { "SPACINGTABLE", NULL }, { "AREA", NULL },
  { "MINWIDTH", NULL }, { "MAXWIDTH", NULL }, { "MINSTEP", NULL }, { "MINENCLOSEDAREA", NULL },
  { "MINIMUMCUT", NULL }, { "MINSIZE", NULL }, { "PROTRUSIONWIDTH", NULL }, { "MASK", NULL },
  { "DIAGPITCH", NULL }, { "DIAGWIDTH", NULL }, { "DIAGSPACING", NULL },
  { "DIAGMINEDGELENGTH", NULL }, { "WIREEXTENSION", NULL }, { "SHRINKAGE", NULL },
  { "CAPMULTIPLIER", NULL }, { "ENCLOSURE", NULL }, { "PREFERENCLOSURE", NULL },
  { "ARRAYSPACING", NULL }, { "RESISTANCEPERCUT", NULL }, { "MINIMUMDENSITY", NULL },
  { "MAXIMUMDENSITY", NULL }, { "DENSITYCHECKWINDOW", NULL }, { "DENSITYCHECKSTEP", NULL },
  { "FILLACTIVESPACING", NULL }, { "SLOTWIREWIDTH", NULL }, { "SLOTWIRELENGTH", NULL },
  { "SLOTWIDTH", NULL }, { "SLOTLENGTH", NULL }, { "MAXADJACENTSLOTSPACING", NULL },
  { "MAXCOAXIALSLOTSPACING", NULL }, { "MAXEDGESLOTSPACING", NULL }, { "SPLITWIREWIDTH", NULL },
  { "ANTENNAMODEL", NULL }, { "ANTENNAAREARATIO", NULL }, { "ANTENNADIFFAREARATIO", NULL },
  { "ANTENNACUMAREARATIO", NULL }, { "ANTENNACUMDIFFAREARATIO", NULL },
  { "ANTENNAAREAFACTOR", NULL }, { "ANTENNASIDEAREARATIO", NULL },
  { "ANTENNADIFFSIDEAREARATIO", NULL }, { "ANTENNACUMSIDEAREARATIO", NULL },
  { "ANTENNACUMDIFFSIDEAREARATIO", NULL }, { "ANTENNASIDEAREAFACTOR", NULL },
  { "ANTENNACUMROUTINGPLUSCUT", NULL }, { "ANTENNAGATEPLUSDIFF", NULL },
  { "ANTENNAAREAMINUSDIFF", NULL }, { "ANTENNAAREADIFFREDUCEPWL", NULL },
  { "ANTENNALENGTHFACTOR", NULL }, { NULL, NULL }
};

/* The name at hand, as text that stays while the block is read. */
static Status block_name(LefReader *r, const char *within, NameId *name)
{
  Words *w = &r->w;
  w->within = within;
  text_clear(&w->name);
  text_add(&w->name, w->word, w->length);
  return lef_name(r, name, "a name");
}

Status lef_layer(LefReader *r, void *none)
{
  NameId name;
  (void)none;
  if (block_name(r, "LAYER", &name) != OK) return FAILED;
  LayerBlock block = { physical_layer(r->p, name), false };
  r->p->layers.at[block.id].declared = true;
  r->result.layers++;
  return lef_block(r, layer_rows, &block, names_text(r->p->names, name));
}

/* --- sites ------------------------------------------------------------------------------------ */

static Site *site_of(LefReader *r, void *block) { return &r->p->sites.at[*(SiteId *)block]; }

static Status site_class(LefReader *r, void *block)
{
  NameId class;
  if (lef_name(r, &class, "PAD or CORE") != OK) return FAILED;
  site_of(r, block)->class = class;
  return lef_end(r);
}

static Status site_size(LefReader *r, void *block)
{
  Site *s = site_of(r, block);
  Where where = words_where(&r->w);
  if (lef_length(r, &s->width) != OK || words_expect(&r->w, "BY") != OK
      || lef_length(r, &s->height) != OK)
    return FAILED;
  if (s->width <= 0 || s->height <= 0)
    return log_error(r->w.log, "LEF-008", where, "a site of no area");
  return lef_end(r);
}

static Status site_symmetry(LefReader *r, void *block)
{
  Site *s = site_of(r, block);
  for (; r->w.kind == WORDS_PLAIN && !words_is_char(&r->w, ';'); words_next(&r->w))
    s->symmetry |= (uint8_t)(words_is(&r->w, "X") * SYMMETRY_X | words_is(&r->w, "Y") * SYMMETRY_Y
                             | words_is(&r->w, "R90") * SYMMETRY_R90);
  return lef_end(r);
}

static const LefStatement site_rows[] = { { "CLASS", site_class }, { "SIZE", site_size },
                                          { "SYMMETRY", site_symmetry }, { "ROWPATTERN", NULL },
                                          { NULL, NULL } };

Status lef_site(LefReader *r, void *none)
{
  NameId name;
  (void)none;
  if (block_name(r, "SITE", &name) != OK) return FAILED;
  SiteId id = physical_site(r->p, name);
  r->result.sites++;
  return lef_block(r, site_rows, &id, names_text(r->p->names, name));
}

/* --- vias ------------------------------------------------------------------------------------- */

typedef struct {
  Via     via;
  LayerId layer;
} ViaBlock;

static Status via_resistance(LefReader *r, void *block)
{
  double ohm;
  if (lef_amount(r, &ohm, "a resistance in Ohm") != OK) return FAILED;
  ((ViaBlock *)block)->via.resistance = ohm / 1000;
  return lef_end(r);
}

static Status via_layer(LefReader *r, void *block)
{
  NameId name;
  if (lef_name(r, &name, "a layer") != OK) return FAILED;
  ((ViaBlock *)block)->layer = physical_layer(r->p, name);
  return lef_end(r);
}

static Status via_rect(LefReader *r, void *block)
{
  Point a, b;
  if (words_is(&r->w, "MASK")) {
    words_next(&r->w);
    words_next(&r->w);
  }
  if (lef_point(r, &a) != OK || lef_point(r, &b) != OK) return FAILED;
  Box box = { a.x, a.y, a.x, a.y };
  box_take(&box, b);
  array_push(&r->p->shapes, (Shape){ ((ViaBlock *)block)->layer, box });
  return lef_end(r);
}

static const LefStatement via_rows[] = {
  { "RESISTANCE", via_resistance }, { "LAYER", via_layer }, { "RECT", via_rect },
  { "POLYGON", NULL }, { "VIARULE", NULL }, { "CUTSIZE", NULL }, { "LAYERS", NULL },
  { "CUTSPACING", NULL }, { "ENCLOSURE", NULL }, { "ROWCOL", NULL }, { "ORIGIN", NULL },
  { "OFFSET", NULL }, { "PATTERN", NULL }, { "PROPERTY", NULL }, { "FOREIGN", NULL },
  { "TOPOFSTACKONLY", NULL }, { NULL, NULL }
};

Status lef_via(LefReader *r, void *none)
{
  ViaBlock block = { .via = { .resistance = NAN, .first_shape = r->p->shapes.len },
                     .layer = NO_LAYER };
  (void)none;
  if (block_name(r, "VIA", &block.via.name) != OK) return FAILED;
  for (; words_is(&r->w, "DEFAULT") || words_is(&r->w, "GENERATED")
         || words_is(&r->w, "TOPOFSTACKONLY");
       words_next(&r->w))
    block.via.is_default |= words_is(&r->w, "DEFAULT");
  if (lef_block(r, via_rows, &block, names_text(r->p->names, block.via.name)) != OK) return FAILED;
  block.via.shape_count = r->p->shapes.len - block.via.first_shape;
  array_push(&r->p->vias, block.via);
  r->result.vias++;
  return OK;
}
