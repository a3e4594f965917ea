/* The loads of a list bypass: what a compiler or a programmer would mark in the code. The
 * list is a mask over the loads of a kernel in order of their pcs, so that all sets of loads are
 * points of a sweep and the best of them is found by trying all. Loads beyond the 53rd are never in
 * it. */
#include "model/bypass/bypass_member.h"

enum { LOADS_MOST = 53 };

static enum bypass_verdict listed_ask(struct bypass *bypass, const struct bypass_access *access,
                                      struct bypass_choice *choice)
{
    for (size_t i = 0; i < bypass->load_count && i < LOADS_MOST; i++)
        if (bypass->loads[i] == access->pc)
            return bypass->config->loads >> i & 1 ? BYPASS_PASS : bypass_take(choice);
    return bypass_take(choice);
}

const struct bypass_kind bypass_listed = {
    .name = "list", .size = sizeof(struct bypass), .ask = listed_ask};
