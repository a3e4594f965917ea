/* Fills the chunk that a writer of .wtr files has open, and takes parts of it away again. Arrays
 * have room for the most that a chunk may hold (wtr_columns.h); whoever appends asks wtr_full
 * first. */
#pragma once

#include "trace/wtr_columns.h"

/* Counts of what a chunk holds. */
struct wtr_extent {
    size_t records, lanes, spans, runs, banks, issued;
};

struct wtr_extent wtr_extent_of(const struct wtr_chunk *chunk);
/* Cuts a chunk to an earlier extent. */
void wtr_cut(struct wtr_chunk *chunk, struct wtr_extent extent);
/* Removes what comes before `begin`; with its instructions if they are `known`. */
void wtr_remove_before(struct wtr_chunk *chunk, struct wtr_extent begin, bool known);

/* Whether a chunk may lack room for another instruction and its record, or has much room. */
bool wtr_full(const struct wtr_chunk *chunk);
bool wtr_half_empty(const struct wtr_chunk *chunk);

/* Appends to the last span. Equal records get one form, so that equal streams have equal digests.
 */
void wtr_append_record(struct wtr_chunk *chunk, const struct warp_access *access,
                       const uint64_t *lanes);
/* Returns the place of the instruction in its span. */
uint32_t wtr_append_instruction(struct wtr_chunk *chunk, uint32_t row, uint32_t mask,
                                uint8_t banks);

/* Lengthens a run by one instruction; false if that one does not follow. */
static inline bool wtr_run_extend(struct wtr_run *run, uint32_t row, uint32_t mask)
{
    bool follows = run->count && run->code + run->count == row && run->mask == mask;
    run->count += follows;
    return follows;
}
