/* Replaces a file by renaming a temporary file in the same folder. See replace.h for files that are
   overwritten in place. */
#include "base/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"

/* A new file is made as fopen does; else the file's own permissions count. */
static bool make_beside(const char *beside, const struct stat *old)
{
  int file = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return false;
  bool made = old == NULL || fchmod(file, old->st_mode & 07777) == 0;
  close(file);
  if (!made) unlink(beside);
  return made;
}

/* Another owner's file would become ours, and one of several names be parted from them. */
static bool may_replace(const char *path, const struct stat *old)
{
  return S_ISREG(old->st_mode) && old->st_nlink == 1 && old->st_uid == geteuid()
         && access(path, W_OK) == 0;
}

/* One that is nowhere yet stands for itself, but for a link to nowhere, which is left to the
   system. */
static char *real_path(const char *path)
{
  char *real = realpath(path, NULL);
  char *file = mem_text(real ? real : path, strlen(real ? real : path));
  free(real);
  return file;
}

const char *replace_begin(Replacement *replacement, const char *path)
{
  struct stat old;
  bool there = stat(path, &old) == 0, link = !there && lstat(path, &old) == 0;
  *replacement = (Replacement){ .path = real_path(path) };
  if (link || (there && !may_replace(replacement->path, &old))) return path;
  Text name = { 0 };
  text_printf(&name, "%s.%ld.part", replacement->path, (long)getpid());
  if (make_beside(text_get(&name), there ? &old : NULL))
    replacement->beside = mem_text(text_get(&name), name.len);
  text_free(&name);
  return replacement->beside ? replacement->beside : path;
}

bool replace_end(Replacement *replacement, bool whole)
{
  bool done = true;
  if (replacement->beside && whole) done = rename(replacement->beside, replacement->path) == 0;
  int error = errno;
  if (replacement->beside && (!whole || !done)) unlink(replacement->beside);
  mem_free(replacement->beside);
  mem_free(replacement->path);
  *replacement = (Replacement){ 0 };
  errno = error;
  return done;
}
