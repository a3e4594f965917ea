/* Remembers what the patterns of a trace coalesce to.
 *
 * The lanes of a pattern (ACCESS_PATTERN of trace/stream.h) stay as far from each other wherever
 * the warp moves, so its requests depend on the address of its first lane only by the place of that
 * in a segment, and otherwise move with it. Loops come back to few patterns at few places.
 *
 * Invariant: coalesce_remembered returns what coalesce does. A memo serves one source: another
 * one's patterns may lie where this one's did. Cost: 8 KiB; a known pattern takes a look-up and a
 * copy of its requests. */
#pragma once

#include "model/gpu/coalescer.h"

enum { MEMO_ENTRIES = 64, MEMO_REQUESTS = 4 };

struct coalesce_memo { /* zero-initialize for each source */
    struct memo_entry {
        const uint64_t *offsets; /* of the pattern; NULL: nothing is remembered here */
        uint64_t rest;           /* what else the requests depend on */
        uint64_t count;
        struct request requests[MEMO_REQUESTS]; /* addresses: from that of the first lane */
    } entries[MEMO_ENTRIES];
};

/* As coalesce(), always with the same `arch`. */
unsigned coalesce_remembered(struct coalesce_memo *memo, uint64_t arch,
                             const struct warp_access *access, const struct access_window *window,
                             uint16_t instance, struct request out[COALESCED_MAX]);
