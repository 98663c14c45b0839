/* Waveforms of generated clocks. */
#ifndef SL_GRAPH_WAVEFORM_H
#define SL_GRAPH_WAVEFORM_H

#include "db/constraints.h"

/* The waveform of a clock at a pin: edges in ps, rising first, an even number, for one period. */
typedef struct {
  double period;
  ARRAY(double) edges;
} Waveform;

/* The master's waveform where it arrives inverted: the falling edges rise. */
void waveform_at(const Clock *master, bool inverted, Waveform *out);
/* What the master's waveform at the master pin becomes; NULL, or what is wrong with it. */
const char *waveform_generate(const Clock *generated, const Waveform *master, Waveform *out);

/* Which transitions of the master at its pin make an edge of the generated clock: mask of
   EDGE_RISE, EDGE_FALL. */
unsigned waveform_made_by(const Clock *generated, int edge);

#endif
