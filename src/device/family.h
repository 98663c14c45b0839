/* Families of kernels, as the host calls them: what a device can do beside an update of timing.
   C and C++.

   A family is a few operations.  It has them up to three times: as functions for the CPU, as CUDA
   kernels, and as the same kernels compiled as C (the emulation).  All three give the same bits.
   An operation takes a record that the family's header defines (`call`): the host's arrays that go
   in and come out.  What the family keeps between two operations is its state.

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

/* What went wrong first, and where. */
typedef struct {
  const char *file;                /* NULL: nothing */
  int         line;
  char        text[240];
} DeviceError;

/* On a device: copies and launches (cuda/device_state.h, cuda/kernel.h).  None of them does
   anything after an error, so an operation need not test each. */
typedef struct {
  const char *name;                /* for messages, and for tests that make it fail */
  void (*run)(Device *d, void *state, void *call);
  unsigned reads;                  /* groups of numbers of a design (NUMBERS_...) that must be on
                                      the device; 0: it needs no design */
} FamilyOperation;

typedef struct {
  size_t state_bytes;              /* zero before the first operation.  Device memory that the state
                                      names goes with the device; it may own none of the host's */
  const FamilyOperation *operations;
} FamilyKernels;

/* On the CPU; these cannot fail. */
typedef void (*FamilyFunction)(void *state, void *call, int threads);
typedef struct {
  size_t state_bytes;
  const FamilyFunction *operations;
  void (*release)(void *state);    /* what it owns; NULL: nothing */
} FamilyHost;

typedef struct Family {
  const char *name;
  const FamilyHost *host;          /* NULL: the CPU runs the emulation */
  const FamilyKernels *emulated;
  const FamilyKernels *cuda;       /* NULL: built without CUDA */
} Family;

/* The kernels of cuda/NAME.cu, and the row of a table of families (after config.h). */
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
  size_t bytes;                    /* that it has on the device */
  double seconds;                  /* of the last operation, with copies */
  double launches;                 /* of them, between device_mark and device_lap */
} FamilyUse;

/* On a device of its own; NULL: on the CPU, with some threads.  The first operation sets the device
   up, and whatever is wrong with it fails there.  To be closed. */
FamilyRun *family_open(const Family *f, const struct DeviceOps *on, const EngineOptions *options,
                       int threads);
void       family_close(FamilyRun *r);
/* False: the device failed, and all that it had is lost; family_error says why.  From here on the
   run is the CPU's, as if just opened: begin again from the first operation, or close it. */
bool       family_run(FamilyRun *r, int operation, void *call);
const DeviceError *family_error(const FamilyRun *r);
FamilyUse  family_use(const FamilyRun *r);

#ifdef __cplusplus
}
#endif

#endif
