#include "model/cache/replacement.h"

static const struct replacement_policy replacement_opt = {
    .name = "opt",
    .flags = REPLACEMENT_STACK | REPLACEMENT_REPEAT_IDLE | REPLACEMENT_FUTURE,
};

const struct replacement_policy *const replacement_policies[REPLACEMENT_COUNT] = {
    [REPLACEMENT_LRU] = &replacement_lru,       [REPLACEMENT_FIFO] = &replacement_fifo,
    [REPLACEMENT_RANDOM] = &replacement_random, [REPLACEMENT_PLRU] = &replacement_plru,
    [REPLACEMENT_RR] = &replacement_rr,         [REPLACEMENT_OPT] = &replacement_opt,
};
