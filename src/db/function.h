/* Boolean functions for those who build libraries: parsing with names looked up by the caller. */
#ifndef SL_DB_FUNCTION_H
#define SL_DB_FUNCTION_H

#include "db/library.h"

/* Programs need at most so many values on the evaluation stack and have at most so many operations;
   the parser refuses others. */
enum { FUNCTION_DEPTH = 64, FUNCTION_OPS = 8192 };

/* The port of a name (without escapes), or NO_PORT. */
typedef PortId (*FunctionResolve)(void *data, const char *name, size_t length);

/* As library_parse_function, with names looked up by resolve. */
FunctionId function_parse(LibrarySet *set, const char *text, FunctionResolve resolve, void *data,
                          const char **bad);

/* The distinct ports of a function in order of appearance; false when there are more than max. */
bool function_ports(const LibrarySet *set, FunctionId f, PortId *ports, uint32_t *count,
                    uint32_t max);

/* 64 rows of the truth table: bit j of the result is the value for assignment 64*block + j, whose
   bit i is the value of ports[i].  All ports of f must be among them. */
uint64_t function_rows(const LibrarySet *set, FunctionId f, const PortId *ports, uint32_t count,
                       uint32_t block);

#endif
