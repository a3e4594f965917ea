/* The members of BYPASS_LIST, for bypass.c and nobody else. */
#pragma once

#include "base/bits.h"
#include "model/bypass/bypass.h"
#include "trace/stream.h"

extern const struct bypass_kind bypass_always, bypass_listed, bypass_random, bypass_on_fail,
    bypass_sampled, bypass_tian, bypass_pcal, bypass_pdp, bypass_mrpb, bypass_locality,
    bypass_ctrl_c, bypass_dacache;

/* ---- their memories, one of each an SM ---- */

static inline struct memory_array bypass_searched(const char *name, uint64_t entries,
                                                  uint64_t key_bits, uint64_t payload_bits)
{
    struct memory_array array = memory_array_ram(name, entries, payload_bits);
    array.kind = MEMORY_SEARCHED;
    array.key_bits = key_bits;
    return array;
}
