/* Families of kernels, as the host calls them. A family is work that a device can do beside an
   update of timing. C and C++.

   A family is a set of operations. They exist up to three times: as functions for the CPU, as CUDA
   kernels, and as the same kernels compiled as C (the emulation). All three give the same bits. An
   operation takes a record that the family's header defines (`call`): the host's arrays that go in
   and come out.  What the family keeps between two operations is its state.

   There are two ways to run an operation.  family_open needs no design: the family gets a device of
   its own, or works on the CPU.  BackendResidency.run (update/backend.h) runs an operation on the
   device that has the numbers of a design.

   doc/device.md says how to add a family; device/families.h is the table of all. */
#ifndef SL_DEVICE_FAMILY_H
#define SL_DEVICE_FAMILY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "timing/options.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Device Device;

/* The first error, and where it happened. */
typedef struct {
  const char *file;                /* NULL: no error */
  int         line;
  char        text[240];
} DeviceError;

/* An operation on a device consists of copies and kernels (cuda/device_state.h, cuda/kernel.h).
   After an error they do nothing, so an operation need not test each of them. */
typedef struct {
  const char *name;                /* used in messages, and by tests that make the operation fail */
  void (*run)(Device *d, void *state, void *call);
  unsigned reads;                  /* groups of numbers of a design (NUMBERS_...) that must be on
                                      the device; 0: it needs no design */
} FamilyOperation;

typedef struct {
  size_t state_bytes;              /* the state is zeroed before the first operation. Device memory
                                      that it points to is freed with the device. The state must not
                                      own memory of the host */
  const FamilyOperation *operations;
} FamilyKernels;

/* The functions for the CPU. They cannot fail. */
typedef void (*FamilyFunction)(void *state, void *call, int threads);
typedef struct {
  size_t state_bytes;
  const FamilyFunction *operations;
  void (*release)(void *state);    /* frees what the state owns; NULL: it owns nothing */
} FamilyHost;

typedef struct Family {
  const char *name;
  const FamilyHost *host;          /* NULL: the CPU runs the emulation */
  const FamilyKernels *emulated;
  const FamilyKernels *cuda;       /* NULL: built without CUDA */
} Family;

/* FAMILY_KERNELS declares the kernels of cuda/NAME.cu. FAMILY_ROW initialises a Family; include
   config.h before it is used. */
#define FAMILY_KERNELS(name) extern const FamilyKernels emulated_##name, cuda_##name
#ifdef HAVE_CUDA
#define FAMILY_ROW(name, host) { #name, host, &emulated_##name, &cuda_##name }
#else
#define FAMILY_ROW(name, host) { #name, host, &emulated_##name, NULL }
#endif

/* --- without a design (family.c) -------------------------------------------------------------- */
struct DeviceOps;
typedef struct FamilyRun FamilyRun;

typedef struct {
  const char *engine;              /* "cpu", "emulated", "cuda" */
  size_t bytes;                    /* allocated on the device */
  double seconds;                  /* time of the last operation, copies included */
  double kernel_seconds;           /* part of it between device_mark and device_lap */
} FamilyUse;

/* Opens a family on a device of its own, or on the CPU with `threads` threads if `on` is NULL. The
   first operation sets the device up; if the device cannot be used, that operation fails. The
   caller closes the run. */
FamilyRun *family_open(const Family *family, const struct DeviceOps *on,
                       const EngineOptions *options, int threads);
void       family_close(FamilyRun *run);
/* Runs an operation. Returns false if the device failed; family_error says why. Everything on the
   device is lost then, and the run continues on the CPU as if just opened: begin again with the
   first operation, or close the run. */
bool       family_run(FamilyRun *run, int operation, void *call);
const DeviceError *family_error(const FamilyRun *run);
FamilyUse  family_use(const FamilyRun *run);

#ifdef __cplusplus
}
#endif

#endif
