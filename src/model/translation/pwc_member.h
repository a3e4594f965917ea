/* What every page-walk cache starts with; each member embeds it first. */
#pragma once

#include "model/translation/pwc.h"

struct pwc {
    const struct pwc_kind *kind;
    unsigned levels; /* page_levels */
    struct pwc_counts counts;
    struct pwc *tpc; /* of as many bits, on the same walks; NULL: not compared */
    /* Now valid: bits of indices and table addresses, and those of them that say again what others
     * say. Members that store nothing twice leave both 0. */
    uint64_t stored_bits, duplicate_bits;
};

/* All levels at once, in one cycle. */
struct pwc_lookup pwc_lookup_parallel(enum pwc_hit hit, enum pwc_hit depth);

extern const struct pwc_kind pwc_none, pwc_tpc, pwc_stc, pwc_uptc, pwc_cpwc;
