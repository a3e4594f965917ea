/* The slow twins of replacement policies that were made for whole caches and keep lists of lines:
 * lirs, arc, 2q, s3fifo and sieve. */
#pragma once

#include "slow_sets.h"

/* Puts a way on top of the stack; `close` makes it one of the close ones. */
void slow_lirs_hit(struct slow_policy *policy, struct slow_set *set, uint64_t way, bool close);
void slow_lirs_drop(const struct slow_policy *policy, struct slow_set *set, uint64_t way);
void slow_lirs_fill(struct slow_policy *policy, struct slow_set *set, uint64_t line, uint64_t way);

uint64_t slow_arc_victim(const struct slow_policy *policy, struct slow_set *set, uint64_t line);
void slow_arc_fill(struct slow_policy *policy, struct slow_set *set, uint64_t line, uint64_t way);

/* A new line of 2q or s3fifo, which remember `most` of the lines that left the trial. */
void slow_trial_fill(struct slow_policy *policy, const struct slow_access *access, uint64_t way,
                     uint64_t most);
uint64_t slow_s3_victim(struct slow_policy *policy, struct slow_set *set);

uint64_t slow_sieve_victim(const struct slow_policy *policy, struct slow_set *set);
void slow_sieve_leave(const struct slow_policy *policy, struct slow_set *set, uint64_t way);
