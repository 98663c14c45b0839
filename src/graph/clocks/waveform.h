/* Derives the waveforms of generated clocks. */
#ifndef SL_GRAPH_CLOCKS_WAVEFORM_H
#define SL_GRAPH_CLOCKS_WAVEFORM_H

#include "db/constraints.h"

/* The waveform of a clock at a pin: edges in ps, rising first, an even number, for one period. */
typedef struct {
  double period;
  ARRAY(double) edges;
} Waveform;

/* Writes the master's waveform; if it arrives inverted, its falling edges become rising edges. */
void waveform_at(const Clock *master, bool inverted, Waveform *out);
/* Derives the generated clock's waveform from the master's waveform at the master pin. Returns
   NULL, or a text that says what is wrong. */
const char *waveform_generate(const Clock *generated, const Waveform *master, Waveform *out);

/* Returns which transitions of the master at its pin cause an edge of the generated clock: a mask
   of EDGE_RISE and EDGE_FALL. */
unsigned waveform_made_by(const Clock *generated, int edge);

#endif
