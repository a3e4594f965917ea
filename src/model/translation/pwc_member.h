/* What every page-walk cache starts with; each member embeds it first. */
#pragma once

#include "model/translation/pwc.h"

struct pwc {
    const struct pwc_kind *kind;
    unsigned levels; /* page_levels */
    struct pwc_counts counts;
    /* The path, 1 + address bits from the deepest level that may be cached on, of the last walk
     * where that found all of it; else 0. The same walk again finds all of it again and moves
     * nothing: what it touches is the most recent already. */
    uint64_t settled;
    struct pwc *tpc; /* of as many bits, on the same walks; NULL: not compared */
    /* Now valid: bits of indices and table addresses, and those of them that say again what others
     * say. Members that store nothing twice leave both 0. */
    uint64_t stored_bits, duplicate_bits;
};

/* Of the visits: a text of indices fits. */
enum { PWC_TEXT = 80 };

/* The path whose indices down to `level` are the low bits of `tag`, the deepest lowest. */
struct page_indices pwc_tag_path(uint32_t tag, enum pwc_hit level);

/* "L3[0] 254 458": the place and the indices down to `level`. */
void pwc_entry_text(const char *place, struct page_indices path, enum pwc_hit level,
                    char text[PWC_TEXT]);

/* All levels at once, in one cycle. */
struct pwc_lookup pwc_lookup_parallel(enum pwc_hit hit, enum pwc_hit depth);

extern const struct pwc_kind pwc_none, pwc_tpc, pwc_stc, pwc_uptc, pwc_cpwc;
