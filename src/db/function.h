/* Boolean functions for code that builds libraries. The caller looks up the names of ports. */
#ifndef SL_DB_FUNCTION_H
#define SL_DB_FUNCTION_H

#include "db/library.h"

/* The largest depth of the evaluation stack and the largest number of operations of a function. The
   parser refuses functions that need more. */
enum { FUNCTION_DEPTH = 64, FUNCTION_OPS = 8192 };

/* Returns the port of a name (without escapes), or NO_PORT. */
typedef PortId (*FunctionResolve)(void *data, const char *name, size_t length);

/* Like library_parse_function, but `resolve` looks up the names. */
FunctionId function_parse(LibrarySet *set, const char *text, FunctionResolve resolve, void *data,
                          const char **bad);

/* Lists the distinct ports of a function in order of appearance. Returns false if there are more
   than max. */
bool function_ports(const LibrarySet *set, FunctionId f, PortId *ports, uint32_t *count,
                    uint32_t max);

/* Returns 64 rows of the truth table. Bit j of the result is the value for the assignment 64*block
   + j, and bit i of an assignment is the value of ports[i]. `ports` must contain all ports of f. */
uint64_t function_rows(const LibrarySet *set, FunctionId f, const PortId *ports, uint32_t count,
                       uint32_t block);

#endif
