#include "explore/sweep_limits.h"

#include <stdio.h>
#include <unistd.h>

uint64_t memory_resident(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file)
        return 0;
    if (fscanf(file, "%*u %llu", &pages) != 1)
        pages = 0;
    fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

enum sweep_stop sweep_limits_reached(const struct sweep_options *options, double seconds)
{
    if (options->time_limit > 0 && seconds >= options->time_limit)
        return SWEEP_TIME_LIMIT;
    if (options->memory_limit && memory_resident() > options->memory_limit)
        return SWEEP_MEMORY_LIMIT;
    return SWEEP_RUNS;
}
