/* The addresses of a warp as Accel-Sim's traces most often give them: that of the first active
 * lane, and the delta from each to the next (docs/FORMATS.md).
 *
 * In a loop the deltas of an instruction are the same text over and over, only the first address
 * moves. So the text is kept with what it says, and most lists of deltas are compared, not parsed.
 * Deltas of one digit, the next most frequent, are parsed four at a time. */
#pragma once

#include "trace/stream.h"

enum { DELTAS_TEXT = 192 };

struct accelsim_deltas {    /* zero-initialize */
    char text[DELTAS_TEXT]; /* what follows the first address */
    uint32_t length;        /* from the blank before the first delta to what follows the last; 0:
                             * none is kept */
    uint32_t mask;          /* of the lanes that they are for */
    uint64_t offsets[WARP_SIZE]; /* of each active lane from the first one */
    /* Of a line that is kept (trace/accelsim_quick.h): */
    uint32_t line;   /* the length of its text, with the newline; 0: none is kept */
    uint32_t number; /* of its kernel's that were kept; never 0 */
    bool affine;     /* offsets are not needed */
    int32_t stride;
};

/* Parses the deltas after the first address, which addresses[0] is; `mask` is not 0 and `end` is
 * the zero byte of the line. `kept` holds deltas that this function has put there, and gets new
 * ones. False if the text is malformed; then *at is at what is wrong. */
bool scan_deltas(const char **at, const char *end, uint32_t mask, struct accelsim_deltas *kept,
                 uint64_t addresses[WARP_SIZE]);
