/* What ends a sweep before it is complete, besides its caller. */
#pragma once

#include "explore/plan/sweep_options.h"

/* The limit that is reached after so many seconds, or SWEEP_RUNS. */
enum sweep_stop sweep_limits_reached(const struct sweep_options *options, double seconds);

/* Bytes of this process in memory; 0 where the system does not tell. */
uint64_t memory_resident(void);
