/* A typed reference to an object of the design. Collections and constraints contain such
   references. */
#ifndef SL_DB_OBJECT_H
#define SL_DB_OBJECT_H

#include <stdint.h>

typedef enum {
  OBJ_NONE,
  OBJ_DESIGN,      /* id 0 */
  OBJ_PORT,        /* PinId of a top port */
  OBJ_PIN,         /* PinId, leaf or hierarchical */
  OBJ_CELL,        /* InstId */
  OBJ_NET,         /* SegId: a net by one of its names */
  OBJ_CLOCK,       /* ClockId */
  OBJ_LIB,         /* LibraryId */
  OBJ_LIB_CELL,    /* CellId */
  OBJ_LIB_PIN,     /* PortId */
  OBJ_ARC,         /* ArcId of the timing graph */
  OBJ_PATH,        /* index of a path held by the session */
  OBJ_MODE,        /* ModeId */
  OBJ_CORNER,      /* CornerId */
  OBJ_SCENARIO,    /* ScenarioId */
  OBJ_TYPE_COUNT
} ObjectType;

typedef struct {
  uint32_t type;   /* ObjectType */
  uint32_t id;
} Object;

/* Returns the object with the type OBJ_PIN if it is a port; the ids of both types are PinIds. */
static inline Object object_as_pin(Object o)
{
  if (o.type == OBJ_PORT) o.type = OBJ_PIN;
  return o;
}

/* Sets of types, for options that take objects of several types. */
#define OBJ_BIT(type) (1u << (type))
enum {
  OBJS_PORT_PIN = 1u << OBJ_PORT | 1u << OBJ_PIN,
  OBJS_PATH_END = 1u << OBJ_CLOCK | 1u << OBJ_PORT | 1u << OBJ_PIN | 1u << OBJ_CELL,
  OBJS_THROUGH  = 1u << OBJ_PORT | 1u << OBJ_PIN | 1u << OBJ_CELL | 1u << OBJ_NET
};

#endif
