/* Interned names: each distinct text once, known by a 32-bit id.
   Ids count from 1 in order of first appearance; NO_NAME is the empty name. */
#ifndef SL_BASE_NAMES_H
#define SL_BASE_NAMES_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t NameId;
enum { NO_NAME = 0 };

typedef struct Names Names;

Names      *names_new(void);
void        names_free(Names *names);
NameId      names_add(Names *names, const char *text, size_t length);
NameId      names_add_text(Names *names, const char *text);
/* NO_NAME when absent */
NameId      names_find(const Names *names, const char *text, size_t length);
/* valid as long as names */
const char *names_text(const Names *names, NameId id);
uint32_t    names_length(const Names *names, NameId id);
uint32_t    names_count(const Names *names);
size_t      names_bytes(const Names *names);

#endif
