/* The index at the end of a .wtr file (docs/FORMATS.md): its launches, where its chunks lie and,
 * where some launch has them, the instructions of kernels and the numbers of launches.
 *
 * Invariant: the entries are in the order in which chunks were added, until wtr_index_order. What
 * fails for want of memory changes nothing. Cost: 56 bytes a chunk until the file is written. */
#pragma once

#include "trace/wtr.h"
#include "trace/wtr_code.h"
#include "trace/wtr_digest.h"

/* Appends a launch in the form of the index. */
enum status wtr_put_launch(struct wtr_bytes *bytes, const struct trace_launch *launch);

struct wtr_index {             /* zero-initialized: empty */
    struct wtr_bytes launches; /* as they are written */
    struct wtr_entry *entries;
    size_t entry_count, entry_capacity;
    uint32_t launch_count;
    uint32_t *codes; /* of a launch as trace_launch.code, which its owner sets */
    size_t code_capacity;
    uint32_t *numbers; /* of a launch as trace_launch.number */
    size_t number_capacity;
    bool numbered; /* one of them is not 0 */
};

void wtr_index_free(struct wtr_index *index);
enum status wtr_index_add_launch(struct wtr_index *index, const struct trace_launch *launch);
enum status wtr_index_add_chunk(struct wtr_index *index, const struct wtr_entry *entry);

/* Sorts the chunks by what is in them. STATUS_INVALID: a block is in two. */
enum status wtr_index_order(struct wtr_index *index);

/* What wtr_digest_warp adds up to, of the records and of the instructions. */
struct wtr_sums {
    uint128 records, issues;
};

/* Makes the bytes of the index, and the digest that the trailer has. STATUS_UNSUPPORTED: there are
 * more chunks than can be counted. */
enum status wtr_index_put(const struct wtr_index *index, const struct wtr_codes *codes,
                          const struct wtr_sums *sums, struct wtr_bytes *bytes,
                          uint8_t digest[WTR_DIGEST_BYTES]);
