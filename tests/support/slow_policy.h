/* The slow, obvious twins of the replacement policies (model/cache/replacement.h), written from
 * their papers and the heads of their sources: every order is a time stamp, every bit a bool, every
 * list is searched, and watched sets keep everything that ever happened. One object is the policy
 * of all sets of all instances of a cache. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct slow_policy;

struct slow_access {
    unsigned instance;
    uint64_t set, line; /* the set counts within its instance */
    uint32_t pc;
};

struct slow_policy *slow_policy_create(int replacement, int reset, uint64_t ways, uint64_t sets,
                                       unsigned instances, uint64_t seed);
void slow_policy_free(struct slow_policy *policy);
void slow_policy_hit(struct slow_policy *policy, const struct slow_access *access, uint64_t way);
void slow_policy_fill(struct slow_policy *policy, const struct slow_access *access, uint64_t way);
void slow_policy_drop(struct slow_policy *policy, const struct slow_access *access, uint64_t way);
uint64_t slow_policy_victim(struct slow_policy *policy, const struct slow_access *access);
/* The way for a new line: an invalid one, unless the policy chooses among all. */
uint64_t slow_policy_place(struct slow_policy *policy, const struct slow_access *access);
