/* The common head of all page-walk caches. Each organization embeds it as the first member of its
 * own struct, so that the two pointers convert into each other. The functions here are helpers that
 * several organizations share. */
#pragma once

#include "base/arrays.h"
#include "model/translation/pwc.h"

struct pwc {
    const struct pwc_kind *kind;
    unsigned levels; /* page_levels of the page size */
    struct pwc_counts counts;
    /* Fast path for repeated walks: 1 + the address bits down to the deepest level that may be
     * cached, of the last walk if it found everything; else 0. Repeating that walk finds everything
     * again and changes nothing, because what it touches is already the most recent. */
    uint64_t settled;
    struct pwc *tpc; /* the compared TPC of as many bits; or NULL */
    /* Bits of the indices and table addresses that are valid now, and how many of them repeat what
     * others say. Organizations without redundancy leave both 0. */
    uint64_t stored_bits, duplicate_bits;
    struct arrays arrays; /* of the whole organization */
};

/* Size of the text of an entry during a visit; all indices fit. */
enum { PWC_TEXT = 80 };

/* Unpacks a tag: the indices down to `level` are its low bits, the deepest lowest. */
struct page_indices pwc_tag_path(uint32_t tag, enum pwc_hit level);

/* Formats an entry such as "L3[0] 254 458": the place and the indices down to `level`. */
void pwc_entry_text(const char *place, struct page_indices path, enum pwc_hit level,
                    char text[PWC_TEXT]);

/* The cost of searching all levels in parallel: one cycle. */
struct pwc_lookup pwc_lookup_parallel(enum pwc_hit hit, enum pwc_hit depth);

extern const struct pwc_kind pwc_none, pwc_tpc, pwc_stc, pwc_uptc, pwc_cpwc;
