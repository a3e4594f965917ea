#include "model/cache/replacement.h"

#define REPLACEMENT_ADDRESS(constant, ...) &policy_##constant,

const struct replacement_policy policy_REPLACEMENT_OPT = {0};
const struct replacement_policy policy_REPLACEMENT_OPT_BYPASS = {0};

const struct replacement_policy *const replacement_policies[REPLACEMENT_COUNT] = {
    REPLACEMENT_LIST(REPLACEMENT_ADDRESS)};
