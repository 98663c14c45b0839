/* Does what the unset_... commands share. */
#include "sdc/sdc_forget.h"

#include <math.h>

#include "base/interrupt.h"

Status sdc_forget_each(Session *s, Args *a, const char *command, const char *option,
                       SdcForget forget_one)
{
  Sdc x = sdc_begin(s, a, command);
  uint32_t count;
  const Object *objects = sdc_objects(&x, option, &count);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) forget_one(&x, objects[i]);
  return OK;
}

Status sdc_forget_each_or_design(Session *s, Args *a, const char *command, SdcForget forget_one)
{
  if (args_given(a, "objects")) return sdc_forget_each(s, a, command, "objects", forget_one);
  Sdc x = sdc_begin(s, a, command);
  forget_one(&x, (Object){ OBJ_DESIGN, 0 });
  return OK;
}

void sdc_forget_limit(Sdc *sdc, Object o, LimitKind kind)
{
  if (!isnan(constraints_find_limit(sdc->c, kind, o))) constraints_set_limit(sdc->c, kind, o, NAN);
}
