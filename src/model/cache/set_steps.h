/* One set of a cache on its own, line by line: for people who want to see a policy at work on a
 * sequence of their own. It is the second of two sets of a cache of model/cache/cache.h, watched
 * (cache_watch.h), so that a policy that duels leads its second side. */
#pragma once

#include "model/cache/cache_watch.h"

struct set_steps;

/* STATUS_INVALID: the policy is not defined for these ways, cannot start so (enum reset_value) or
 * needs the future. */
enum status set_steps_create(int replacement, int reset, uint32_t ways, struct set_steps **steps);
void set_steps_free(struct set_steps *steps);
/* Loads a line below SET_STEPS_LINES. The step holds until the next one. */
#define SET_STEPS_LINES (UINT64_C(1) << 56)
enum status set_steps_access(struct set_steps *steps, uint64_t line, uint32_t pc,
                             const struct set_step **step);
