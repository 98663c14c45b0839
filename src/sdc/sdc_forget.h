/* Shared by the unset_... commands, which stand beside their set_... commands in cmd_sdc_*.c. */
#ifndef SL_SDC_SDC_FORGET_H
#define SL_SDC_SDC_FORGET_H

#include "sdc/sdc_command.h"

/* Removes what a command sets for one object. */
typedef void (*SdcForget)(Sdc *sdc, Object o);

/* Calls the function for each object of the option. */
Status sdc_forget_each(Session *s, Args *a, const char *command, const char *option,
                       SdcForget forget_one);
/* Does the same for the option "objects", or for the design if no objects are given. */
Status sdc_forget_each_or_design(Session *s, Args *a, const char *command, SdcForget forget_one);

/* These define run_unset_NAME. */
#define UNSET(name_, option_, forget_)                 \
  static Status run_unset_##name_(Session *s, Args *a) \
      { return sdc_forget_each(s, a, "unset_" #name_, option_, forget_); }
#define UNSET_OR_DESIGN(name_, forget_)                \
  static Status run_unset_##name_(Session *s, Args *a) \
      { return sdc_forget_each_or_design(s, a, "unset_" #name_, forget_); }
/* The same for a function that removes values of several kinds, and for one of its kinds. */
#define UNSET_KIND(name_, option_, forget_, kind_)                               \
  static void forget_one_##name_(Sdc *sdc, Object o) { forget_(sdc, o, kind_); } \
  UNSET(name_, option_, forget_one_##name_)
#define UNSET_KIND_OR_DESIGN(name_, forget_, kind_)                              \
  static void forget_one_##name_(Sdc *sdc, Object o) { forget_(sdc, o, kind_); } \
  UNSET_OR_DESIGN(name_, forget_one_##name_)

/* Removes the limit of an object. */
void sdc_forget_limit(Sdc *sdc, Object o, LimitKind kind);

#endif
