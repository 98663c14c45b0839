/* A family of kernels for tests alone (device/family.h): how many of an array's values, or of a
   design's slews, are in each of some bins. */
#ifndef SL_TESTS_DEVICE_HISTOGRAM_H
#define SL_TESTS_DEVICE_HISTOGRAM_H

#include "device/family.h"
#include "math/host_device.h"

/* PUT takes HistogramValues, and COUNT, HISTOGRAM_SLEWS a HistogramCall: of the values put, and of
   the late slews of a design's slots. */
enum { HISTOGRAM_PUT, HISTOGRAM_COUNT, HISTOGRAM_SLEWS };

typedef struct {
  const float *values;
  uint32_t count;
} HistogramValues;

typedef struct {
  float    low, width;             /* of the first bin; the last one has all that is above, too */
  uint32_t bins;
  uint32_t *counts;                /* [bins] */
} HistogramCall;

SL_HD uint32_t histogram_bin(float x, float low, float width, uint32_t bins)
{
  float place = (x - low) / width;
  return place < 1 ? 0 : place < (float)bins ? (uint32_t)place : bins - 1;
}

extern const FamilyHost histogram_host;

#endif
