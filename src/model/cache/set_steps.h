/* One set of a cache, access by access: which way each access ends in, what it replaced and why,
 * and what the replacement state is then. For people who want to see a policy at work: the command
 * `warpscape replace` and whoever else shows it.
 *
 * Invariant: the set does what a set of a cache does (model/cache/cache.h). It is the second of two
 * sets, so that a policy that duels leads its second side. Cost: linear in the ways. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

enum { SET_STEP_TEXT = 1200 };

struct set_step {
    bool hit, replaced;        /* replaced: a line had to leave */
    uint32_t way;              /* that the access ended in */
    uint64_t left;             /* the line that was replaced */
    char why[SET_STEP_TEXT];   /* it was; "" where the policy does not tell, or none was */
    char state[SET_STEP_TEXT]; /* afterwards; "" where the policy does not print it */
};

struct set_steps;

/* STATUS_INVALID: the policy is not defined for these ways, cannot start so (enum reset_value) or
 * needs the future. */
enum status set_steps_create(int replacement, int reset, uint32_t ways, struct set_steps **steps);
void set_steps_free(struct set_steps *steps);
void set_steps_access(struct set_steps *steps, uint64_t line, uint32_t pc, struct set_step *step);
/* Whether a way holds a line, and which. */
bool set_steps_line(const struct set_steps *steps, uint32_t way, uint64_t *line);
