/* The members of BYPASS_LIST, for bypass.c and nobody else. */
#pragma once

#include "model/bypass/bypass.h"

extern const struct bypass_kind bypass_always, bypass_listed, bypass_random, bypass_on_fail,
    bypass_sampled;
