/* The nets of a design as another delay model sees them, beside the numbers of the design's own
   model, which stay as they are.

   A view is a copy of the design's Timing with another delay model. It has its own reduced nets;
   everything else (slews, libraries, constraints) is that of the design, to be read only. So the
   functions of update/stage.h compute a stage under the view's model. A view lives no longer than
   the Timing that it is made of. */
#ifndef SL_QUERY_MODEL_VIEW_H
#define SL_QUERY_MODEL_VIEW_H

#include "timing/timing.h"

/* The caller frees it with model_view_free.  No net is reduced yet. */
Timing *model_view_new(const Timing *t, DelayModel model);
void    model_view_free(Timing *view);
/* Reduces the nets of these drivers; stages of other drivers cannot be computed. */
void    model_view_reduce(Timing *view, const Slot *drivers, uint32_t count);

/* A view for each model, for one driver. */
typedef struct { Timing *of[DELAY_MODEL_COUNT]; } ModelViews;
ModelViews model_views_new(const Timing *t, Slot driver);
void       model_views_free(ModelViews *views);

#endif
