/* Reads the layers, sites and vias of a LEF file. */
#include <math.h>

#include "read/lef/lef_private.h"

/* --- layers ----------------------------------------------------------------------------------- */

typedef struct {
  LayerId id;
  bool    table;             /* within a table of currents, whose WIDTHs are no wire's */
} LayerBlock;

static Layer *layer_of(LefReader *reader, void *block)
{
  return &reader->physical->layers.at[((LayerBlock *)block)->id];
}

static Status layer_type(LefReader *reader, void *block)
{
  static const char *const words[] = { "ROUTING", "CUT", "MASTERSLICE", "OVERLAP", "IMPLANT" };
  Layer *layer = layer_of(reader, block);
  layer->kind = LAYER_OTHER;
  for (int i = 0; i < LAYER_OTHER; i++)
    if (words_is(&reader->w, words[i])) layer->kind = (uint8_t)i;
  return words_skip(&reader->w);
}

static Status layer_direction(LefReader *reader, void *block)
{
  layer_of(reader, block)->way = words_is(&reader->w, "HORIZONTAL") ? WAY_HORIZONTAL
                                 : words_is(&reader->w, "VERTICAL") ? WAY_VERTICAL
                                                                    : WAY_ANY;
  return words_skip(&reader->w);
}

/* One number for both axes, or one for each. */
static Status one_or_two(LefReader *reader, int32_t *x, int32_t *y)
{
  if (lef_length(reader, x) != OK) return FAILED;
  *y = *x;
  if (!words_is_char(&reader->w, ';') && lef_length(reader, y) != OK) return FAILED;
  return lef_end(reader);
}

static Status layer_pitch(LefReader *reader, void *block)
{
  Layer *layer = layer_of(reader, block);
  return one_or_two(reader, &layer->pitch_x, &layer->pitch_y);
}

static Status layer_offset(LefReader *reader, void *block)
{
  Layer *layer = layer_of(reader, block);
  return one_or_two(reader, &layer->offset_x, &layer->offset_y);
}

static Status layer_width(LefReader *reader, void *block)
{
  if (((LayerBlock *)block)->table) return words_skip(&reader->w);
  Where where = words_where(&reader->w);
  if (lef_length(reader, &layer_of(reader, block)->width) != OK) return FAILED;
  if (layer_of(reader, block)->width < 0)
    return log_error(reader->w.log, "LEF-015", where, "a layer of negative width");
  return words_skip(&reader->w);
}

/* The first is the rule for all; others have conditions behind them. */
static Status layer_spacing(LefReader *reader, void *block)
{
  int32_t spacing;
  if (lef_length(reader, &spacing) != OK) return FAILED;
  Layer *layer = layer_of(reader, block);
  if (layer->spacing == 0) layer->spacing = spacing;
  return words_skip(&reader->w);
}

/* "RESISTANCE RPERSQ 0.38" of a wire, "RESISTANCE 5" of a cut: Ohm.  RPERSQ PWL (...) depends on
   the width, and is read over. */
static Status layer_resistance(LefReader *reader, void *block)
{
  double ohm;
  bool square = words_is(&reader->w, "RPERSQ");
  if (square) words_next(&reader->w);
  if (words_is(&reader->w, "PWL")) return words_skip(&reader->w);
  if (lef_amount(reader, &ohm, "a resistance in Ohm") != OK) return FAILED;
  Layer *layer = layer_of(reader, block);
  *(square ? &layer->square_resistance : &layer->cut_resistance) = ohm / 1000;
  return words_skip(&reader->w);
}

static Status layer_cap(LefReader *reader, void *block)
{
  double pf;
  if (words_is(&reader->w, "CPERSQDIST")) words_next(&reader->w);
  if (words_is(&reader->w, "PWL")) return words_skip(&reader->w);
  if (lef_amount(reader, &pf, "a capacitance in pF") != OK) return FAILED;
  layer_of(reader, block)->area_cap = pf * 1000;
  return words_skip(&reader->w);
}

static Status layer_edge_cap(LefReader *reader, void *block)
{
  double pf;
  if (lef_amount(reader, &pf, "a capacitance in pF") != OK) return FAILED;
  layer_of(reader, block)->edge_cap = pf * 1000;
  return words_skip(&reader->w);
}

static Status layer_thickness(LefReader *reader, void *block)
{
  if (words_number(&reader->w, &layer_of(reader, block)->thickness, "a length in microns") != OK)
    return FAILED;
  return words_skip(&reader->w);
}

static Status layer_height(LefReader *reader, void *block)
{
  if (words_number(&reader->w, &layer_of(reader, block)->height, "a length in microns") != OK)
    return FAILED;
  return words_skip(&reader->w);
}

static Status layer_table(LefReader *reader, void *block)
{
  ((LayerBlock *)block)->table = true;
  return words_skip(&reader->w);
}

static Status layer_table_end(LefReader *reader, void *block)
{
  ((LayerBlock *)block)->table = false;
  return words_skip(&reader->w);
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
static Status block_name(LefReader *reader, const char *within, NameId *name)
{
  Words *words = &reader->w;
  words->within = within;
  text_clear(&words->name);
  text_add(&words->name, words->word, words->length);
  return lef_name(reader, name, "a name");
}

Status lef_layer(LefReader *reader, void *none)
{
  NameId name;
  (void)none;
  if (block_name(reader, "LAYER", &name) != OK) return FAILED;
  LayerBlock block = { physical_layer(reader->physical, name), false };
  reader->physical->layers.at[block.id].declared = true;
  reader->result.layers++;
  return lef_block(reader, layer_rows, &block, names_text(reader->physical->names, name));
}

/* --- sites ------------------------------------------------------------------------------------ */

static Site *site_of(LefReader *reader, void *block)
{
  return &reader->physical->sites.at[*(SiteId *)block];
}

static Status site_class(LefReader *reader, void *block)
{
  NameId class;
  if (lef_name(reader, &class, "PAD or CORE") != OK) return FAILED;
  site_of(reader, block)->class = class;
  return lef_end(reader);
}

static Status site_size(LefReader *reader, void *block)
{
  Site *site = site_of(reader, block);
  Where where = words_where(&reader->w);
  if (lef_length(reader, &site->width) != OK || words_expect(&reader->w, "BY") != OK
      || lef_length(reader, &site->height) != OK)
    return FAILED;
  if (site->width <= 0 || site->height <= 0)
    return log_error(reader->w.log, "LEF-008", where, "a site of no area");
  return lef_end(reader);
}

static Status site_symmetry(LefReader *reader, void *block)
{
  Site *site = site_of(reader, block);
  for (; reader->w.kind == WORDS_PLAIN && !words_is_char(&reader->w, ';'); words_next(&reader->w))
    site->symmetry |=
        (uint8_t)(words_is(&reader->w, "X") * SYMMETRY_X | words_is(&reader->w, "Y") * SYMMETRY_Y
                  | words_is(&reader->w, "R90") * SYMMETRY_R90);
  return lef_end(reader);
}

static const LefStatement site_rows[] = { { "CLASS", site_class }, { "SIZE", site_size },
                                          { "SYMMETRY", site_symmetry }, { "ROWPATTERN", NULL },
                                          { NULL, NULL } };

Status lef_site(LefReader *reader, void *none)
{
  NameId name;
  (void)none;
  if (block_name(reader, "SITE", &name) != OK) return FAILED;
  SiteId id = physical_site(reader->physical, name);
  reader->result.sites++;
  return lef_block(reader, site_rows, &id, names_text(reader->physical->names, name));
}

/* --- vias ------------------------------------------------------------------------------------- */

typedef struct {
  Via     via;
  LayerId layer;
} ViaBlock;

static Status via_resistance(LefReader *reader, void *block)
{
  double ohm;
  if (lef_amount(reader, &ohm, "a resistance in Ohm") != OK) return FAILED;
  ((ViaBlock *)block)->via.resistance = ohm / 1000;
  return lef_end(reader);
}

static Status via_layer(LefReader *reader, void *block)
{
  NameId name;
  if (lef_name(reader, &name, "a layer") != OK) return FAILED;
  ((ViaBlock *)block)->layer = physical_layer(reader->physical, name);
  return lef_end(reader);
}

static Status via_rect(LefReader *reader, void *block)
{
  Point a, b;
  if (words_is(&reader->w, "MASK")) {
    words_next(&reader->w);
    words_next(&reader->w);
  }
  if (lef_point(reader, &a) != OK || lef_point(reader, &b) != OK) return FAILED;
  Box box = { a.x, a.y, a.x, a.y };
  box_take(&box, b);
  array_push(&reader->physical->shapes, (Shape){ ((ViaBlock *)block)->layer, box });
  return lef_end(reader);
}

static const LefStatement via_rows[] = {
  { "RESISTANCE", via_resistance }, { "LAYER", via_layer }, { "RECT", via_rect },
  { "POLYGON", NULL }, { "VIARULE", NULL }, { "CUTSIZE", NULL }, { "LAYERS", NULL },
  { "CUTSPACING", NULL }, { "ENCLOSURE", NULL }, { "ROWCOL", NULL }, { "ORIGIN", NULL },
  { "OFFSET", NULL }, { "PATTERN", NULL }, { "PROPERTY", NULL }, { "FOREIGN", NULL },
  { "TOPOFSTACKONLY", NULL }, { NULL, NULL }
};

Status lef_via(LefReader *reader, void *none)
{
  ViaBlock block = { .via = { .resistance = NAN, .first_shape = reader->physical->shapes.len },
                     .layer = NO_LAYER };
  (void)none;
  if (block_name(reader, "VIA", &block.via.name) != OK) return FAILED;
  for (; words_is(&reader->w, "DEFAULT") || words_is(&reader->w, "GENERATED")
         || words_is(&reader->w, "TOPOFSTACKONLY");
       words_next(&reader->w))
    block.via.is_default |= words_is(&reader->w, "DEFAULT");
  if (lef_block(reader, via_rows, &block, names_text(reader->physical->names, block.via.name))
      != OK)
    return FAILED;
  block.via.shape_count = reader->physical->shapes.len - block.via.first_shape;
  array_push(&reader->physical->vias, block.via);
  reader->result.vias++;
  return OK;
}
