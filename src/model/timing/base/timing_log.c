#include "model/timing/base/timing_log.h"

#include <stdlib.h>

void timing_log_free(struct timing_log *log)
{
    free(log->launches.items);
    free(log->times.items);
    free(log->warps.items);
    log->launches = log->times = (struct timing_parts){0};
    log->warps = (struct timing_warps){0};
}
