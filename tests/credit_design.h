/* Random small designs with much of their clock paths in common, late and early derates, for the
   tests of common path credit. */
#ifndef SL_TESTS_CREDIT_DESIGN_H
#define SL_TESTS_CREDIT_DESIGN_H

#include "tests/small.h"

/* Clock cells c0.. form a tree, with gates where branches meet again; registers f0.., gates g0...
   Below the register div a divided clock has buffers of its own, b0...  With latches some of the
   gates are such, and the clock is too fast for many. */
typedef enum { CREDIT_PLAIN, CREDIT_DIVIDED, CREDIT_LATCHES, CREDIT_DATA_CHECKS } CreditKind;

/* times: as many of everything; 1: a few cells. */
Small *credit_design(unsigned *seed, CreditKind kind, uint32_t times);

#endif
