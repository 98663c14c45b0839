/* How many processors the process may use. */
#ifndef SL_BASE_PROCESSORS_H
#define SL_BASE_PROCESSORS_H

/* The number of threads unless told otherwise: OMP_NUM_THREADS where that is set to a number above
   0; else the processors that the process may run on (its affinity), at most the quota of its
   control groups.  At least 1. */
int processors_usable(void);

/* The quota of the process's control group and of all groups around it: the least of the levels,
   rounded up to processors; 0: none.  Reads ROOT/proc/self/cgroup and the files below
   ROOT/sys/fs/cgroup; the system's root is "". */
int processors_quota(const char *root);

#endif
