/* Does what the unset_... commands share. */
#include "sdc/sdc_forget.h"

#include <math.h>

#include "base/interrupt.h"

Status sdc_forget_each(Session *s, Args *a, const char *command, const char *option,
                       SdcForget forget_one, int what)
{
  Sdc x = sdc_begin(s, a, command);
  uint32_t count;
  const Object *objects = sdc_objects(&x, option, &count);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) forget_one(&x, objects[i], what);
  return OK;
}

Status sdc_forget_each_or_design(Session *s, Args *a, const char *command, SdcForget forget_one,
                                 int what)
{
  if (args_given(a, "objects")) return sdc_forget_each(s, a, command, "objects", forget_one, what);
  Sdc x = sdc_begin(s, a, command);
  forget_one(&x, (Object){ OBJ_DESIGN, 0 }, what);
  return OK;
}

void sdc_forget_limit(Sdc *sdc, Object o, int kind)
{
  if (!isnan(constraints_find_limit(sdc->c, (LimitKind)kind, o)))
    constraints_set_limit(sdc->c, (LimitKind)kind, o, NAN);
}
