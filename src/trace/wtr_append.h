/* Fills the chunk that a writer of .wtr files has open, and takes parts of it away again. Arrays
 * have room for the most that a chunk may hold (wtr_columns.h); whoever appends asks wtr_room
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

/* For how many more instructions and their records a chunk has room for certain. */
size_t wtr_room(const struct wtr_chunk *chunk);
/* Whether it has much room. */
bool wtr_half_empty(const struct wtr_chunk *chunk);

/* Appends to the last span. Equal records get one form, so that equal streams have equal digests.
 */
void wtr_append_record(struct wtr_chunk *chunk, const struct warp_access *access,
                       const uint64_t *lanes);
/* As wtr_append_record of an access whose lanes are known to be at other than equal distances. */
void wtr_append_listed(struct wtr_chunk *chunk, const struct warp_access *access,
                       const uint64_t *lanes);

/* Whether an instruction continues a run; none continues an empty one. */
static inline bool wtr_run_followed(const struct wtr_run *run, uint32_t row, uint32_t mask)
{
    return run->count && run->code + run->count == row && run->mask == mask;
}

/* Lengthens a run by one instruction; false if that one does not follow. */
static inline bool wtr_run_extend(struct wtr_run *run, uint32_t row, uint32_t mask)
{
    bool follows = wtr_run_followed(run, row, mask);
    run->count += follows;
    return follows;
}

/* The same, and the lanes are as far from `first` as `offsets` say (wtr_chunk.distances). */
void wtr_append_follows(struct wtr_chunk *chunk, const struct warp_access *access, uint64_t first,
                        const uint64_t *offsets, uint32_t distance);

/* Returns the place of the instruction in its span. */
static inline uint32_t wtr_append_instruction(struct wtr_chunk *chunk, uint32_t row, uint32_t mask,
                                              uint8_t banks)
{
    struct wtr_span *span = &chunk->spans[chunk->span_count - 1];
    if (chunk->run_count == span->run ||
        !wtr_run_extend(&chunk->runs[chunk->run_count - 1], row, mask))
        chunk->runs[chunk->run_count++] = (struct wtr_run){row, mask, 1};
    if (banks)
        chunk->banks[chunk->bank_count++] = (struct wtr_bank){span->issued, banks};
    chunk->issued++;
    return span->issued++;
}
