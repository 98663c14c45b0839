/* How far parasitics cover the design. */
#ifndef SL_QUERY_PARASITIC_COVERAGE_H
#define SL_QUERY_PARASITIC_COVERAGE_H

#include "timing/timing.h"

typedef enum { ANNOTATED, ANNOTATED_PARTLY, NOT_ANNOTATED, ANNOTATION_COUNT } Annotation;

/* What one driver's net has; *loads and *reached: the loads that parasitics should reach and do. */
typedef struct AnnotationQuery AnnotationQuery;
/* p NULL: none were read */
AnnotationQuery *annotation_query_new(const Graph *g, const Parasitics *p);
void             annotation_query_free(AnnotationQuery *q);
Annotation annotation_of_driver(AnnotationQuery *q, Slot driver, uint32_t *loads,
                                uint32_t *reached);

#endif
