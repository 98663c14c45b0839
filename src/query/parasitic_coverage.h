/* Tells how far parasitics cover the nets of the design. */
#ifndef SL_QUERY_PARASITIC_COVERAGE_H
#define SL_QUERY_PARASITIC_COVERAGE_H

#include "timing/timing.h"

typedef enum { ANNOTATED, ANNOTATED_PARTLY, NOT_ANNOTATED, ANNOTATION_COUNT } Annotation;

/* annotation_of_driver classifies the net of a driver. *loads is the number of loads that
   parasitics should reach, *reached the number that they reach. */
typedef struct AnnotationQuery AnnotationQuery;
/* parasitics may be NULL */
AnnotationQuery *annotation_query_new(const Graph *g, const Parasitics *parasitics);
void             annotation_query_free(AnnotationQuery *query);
Annotation annotation_of_driver(AnnotationQuery *query, Slot driver, uint32_t *loads,
                                uint32_t *reached);

#endif
