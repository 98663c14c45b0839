/* Reduces nets for a delay model that is not the design's. */
#include "query/model_view.h"

#include <string.h>

#include "base/memory.h"
#include "update/region.h"

Timing *model_view_new(const Timing *t, DelayModel model)
{
  Timing *view = mem_alloc(sizeof *view);
  *view = *t;
  view->delay_model = model;
  view->kept = NULL;
  memset(view->owned, 0, sizeof view->owned);
  view->nets = (TimingNets){ .estimate = t->nets.estimate };
  view->wires.impulse_sq = view->extra.impulse_sq = NULL;
  timing_nets_new(view);
  return view;
}

void model_view_free(Timing *view)
{
  if (view == NULL) return;
  for (int i = OWNER_COUNT; i-- > 0;)
    if (view->owned[i].data) view->owned[i].free(view->owned[i].data);
  timing_nets_free(view);
  mem_free(view);
}

void model_view_reduce(Timing *view, const Slot *drivers, uint32_t count)
{
  region_nets(view, drivers, count);
}

ModelViews model_views_new(const Timing *t, Slot driver)
{
  ModelViews views;
  for (int m = 0; m < DELAY_MODEL_COUNT; m++) {
    views.of[m] = model_view_new(t, (DelayModel)m);
    model_view_reduce(views.of[m], &driver, 1);
  }
  return views;
}

void model_views_free(ModelViews *views)
{
  for (int m = 0; m < DELAY_MODEL_COUNT; m++) model_view_free(views->of[m]);
}
