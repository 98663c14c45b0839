/* Items on their way into the fronts of one slot's nodes.  Private to cpu_common.c (launches) and cpu_common_required.c
   (captures). */
#ifndef SL_ENGINE_CPU_COMMON_H
#define SL_ENGINE_CPU_COMMON_H

#include "base/memory.h"
#include "math/common_path.h"

#define NO_ITEM UINT32_MAX

/* By key, 4 * local node + condition: chains of items. */
typedef struct {
  ARRAY(CommonItem) items;
  ARRAY(uint32_t) next;
  ARRAY(uint32_t) head;           /* by key */
  ARRAY(CommonItem) list;         /* of the key that was taken */
  ARRAY(CommonStep) steps;
} Gather;

void     gather_begin(Gather *w, uint32_t nodes);
void     gather_add(Gather *w, uint32_t key, CommonItem item);
/* The key's fronts, in list; returns how many items. */
uint32_t gather_take(Gather *w, const CommonView *v, uint32_t key);
void     gather_free(Gather *w);

#endif
