/* Remembers what the patterns of a trace coalesce to, and lanes at equal distances.
 *
 * The lanes of a pattern (ACCESS_PATTERN of trace/stream.h) stay as far from each other wherever
 * the warp moves, and so do those of an affine record. So their requests depend on the base only by
 * its place in a segment, and otherwise move with it. Loops come back to few patterns and distances
 * at few places.
 *
 * Invariant: coalesce_remembered returns what coalesce does. A memo serves one source: another
 * one's patterns may lie where this one's did. Cost: 8 KiB; what is known takes a look-up and a
 * copy of its requests. */
#pragma once

#include "model/gpu/coalescer.h"

enum { MEMO_ENTRIES = 64, MEMO_REQUESTS = 4 };

struct coalesce_memo { /* zero-initialize for each source */
    struct memo_entry {
        uint64_t form; /* where the offsets of the pattern are; or the distance of lanes */
        uint64_t rest; /* what else the requests depend on; 0: nothing is remembered here */
        uint64_t count;
        struct request requests[MEMO_REQUESTS]; /* addresses: from the base */
    } entries[MEMO_ENTRIES];
};

/* As coalesce(), always with the same `coalescer`. */
unsigned coalesce_remembered(struct coalesce_memo *memo, const struct coalescer_config *coalescer,
                             const struct warp_access *access, const struct access_window *window,
                             uint16_t instance, struct request out[COALESCED_MAX]);
