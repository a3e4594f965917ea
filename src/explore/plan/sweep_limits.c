#include "explore/plan/sweep_limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

uint64_t memory_resident(void)
{
    char text[128] = "", *resident;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file)
        return 0;
    (void)!fgets(text, sizeof text, file); /* pages in all, pages resident, ... */
    fclose(file);
    (void)strtoull(text, &resident, 10);
    return strtoull(resident, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

enum sweep_stop sweep_limits_reached(const struct sweep_options *options, double seconds)
{
    if (options->time_limit > 0 && seconds >= options->time_limit)
        return SWEEP_TIME_LIMIT;
    if (options->memory_limit && memory_resident() > options->memory_limit)
        return SWEEP_MEMORY_LIMIT;
    return SWEEP_RUNS;
}
