/* The members of BYPASS_LIST, for bypass.c and nobody else. */
#pragma once

#include "base/bits.h"
#include "model/bypass/bypass.h"
#include "trace/stream.h"

extern const struct bypass_kind bypass_always, bypass_listed, bypass_random, bypass_on_fail,
    bypass_sampled, bypass_tian, bypass_pcal, bypass_pdp, bypass_ccws, bypass_mrpb, bypass_locality,
    bypass_ctrl_c, bypass_dacache;
