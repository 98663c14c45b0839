/* Interned names: each distinct text is stored once and has a 32-bit id. Ids count from 1 in the
   order of first appearance; NO_NAME is the empty name. The table owns the texts, and they stay
   until names_free. */
#ifndef SL_BASE_NAMES_H
#define SL_BASE_NAMES_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t NameId;
enum { NO_NAME = 0 };

typedef struct Names Names;

Names      *names_new(void);
void        names_free(Names *names);
/* makes room for count names */
void        names_reserve(Names *names, uint32_t count);
NameId      names_add(Names *names, const char *text, size_t length);
NameId      names_add_text(Names *names, const char *text);
/* NO_NAME when absent */
NameId      names_find(const Names *names, const char *text, size_t length);
/* valid until names_free */
const char *names_text(const Names *names, NameId id);
uint32_t    names_length(const Names *names, NameId id);
uint32_t    names_count(const Names *names);
size_t      names_bytes(const Names *names);

#endif
