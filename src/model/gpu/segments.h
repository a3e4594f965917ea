/* The segments of memory that the threads of a warp access, found for all threads at once: one look
 * at their addresses for each segment, in whatever order they are. It takes AVX2. Where a warp
 * accesses more segments than SEGMENTS_MAX, sorting the addresses is faster.
 *
 * Cost: about 25 cycles, and 12 for each segment. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "trace/stream.h"

enum { SEGMENTS_MAX = 8 };

struct segment {
    uint64_t number;  /* address >> bits */
    uint32_t touched; /* which 32nds of it are accessed */
};

/* Whether this processor can. */
bool segments_possible(void);

/* Fills `segments`, the highest first, from the addresses of all lanes (inactive ones have that of
 * an active one), each of which lies in one segment of 2^bits bytes; bits >= 5. `one` is what an
 * access to the first bytes of a segment touches. Returns their number; 0: too many, or too far
 * apart. */
unsigned segments_find(const uint64_t addresses[WARP_SIZE], unsigned bits, uint32_t one,
                       struct segment segments[SEGMENTS_MAX]);
