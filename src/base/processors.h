/* How many processors the process may use. */
#ifndef SL_BASE_PROCESSORS_H
#define SL_BASE_PROCESSORS_H

/* Returns the default number of threads, from 1 to POOL_MOST_THREADS (base/pool.h). It is
   OMP_NUM_THREADS if that is a number above 0. Otherwise it is the number of processors in the
   process's affinity mask, limited by the quota of its control groups. */
int processors_usable(void);

/* Returns the smallest quota among the process's control group and all groups around it, rounded up
   to whole processors; 0 if there is no quota. Reads ROOT/proc/self/cgroup and the files below
   ROOT/sys/fs/cgroup; root is "" except in tests. */
int processors_quota(const char *root);

/* Opens ROOT/proc/loadavg, which says how many threads want a processor. Returns -1 if the system
   does not have it. The file may stay open: to open it anew takes longer than to read it. */
int processors_open_load(const char *root);
/* Returns the number of threads in the whole system that run or could run now, the calling one
   included; 0 if the system does not say. Takes some 2 us. file: of processors_open_load. */
int processors_wanted(int file);
/* Returns the number of processors that the system uses; 1 if it does not say. Takes some 6 us. */
int processors_online(void);

#endif
