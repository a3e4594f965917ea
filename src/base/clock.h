/* A monotonic clock for durations, which setting the system's time does not move, and dates. */
#pragma once

#include <time.h>

/* Of any clock of POSIX: CLOCK_PROCESS_CPUTIME_ID is what all threads have computed. */
static inline double clock_read(clockid_t which)
{
    struct timespec now;
    clock_gettime(which, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds since an arbitrary moment; only differences mean anything. */
static inline double clock_seconds(void)
{
    return clock_read(CLOCK_MONOTONIC);
}

/* Seconds since 1970. */
static inline double clock_date(void)
{
    return clock_read(CLOCK_REALTIME);
}

/* What the calling thread has computed: other programs on the machine do not count. */
static inline double clock_processor_seconds(void)
{
    return clock_read(CLOCK_THREAD_CPUTIME_ID);
}
