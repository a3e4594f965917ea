/* Puts instructions that come in any order of warps into the order of a .wtr file.
 *
 * Traces as a GPU or a simulator emits them interleave their warps. They are kept in memory, 32 B
 * an instruction and 40 B a memory access besides, then sorted by warp; within a warp their order
 * stays. Memory is bounded by WARP_SORT_BYTES: a trace that needs more is refused as soon as that
 * is known, with the limit in the message. */
#pragma once

#include "trace/text.h"
#include "trace/wtr_write.h"

#define WARP_SORT_BYTES ((uint64_t)1 << 30)

struct warp_sort { /* starts zeroed */
    struct sorted_line *lines;
    struct sorted_access *accesses;
    uint64_t *lanes;
    size_t count, capacity, access_count, access_capacity, lane_count, lane_capacity;
    uint64_t limit; /* bytes; 0: WARP_SORT_BYTES */
};

enum warp_sort_kind {
    SORT_COUNTED, /* an instruction that accesses no memory */
    SORT_ACCESS,
    SORT_COPY /* an access that stands twice in its warp: of two neighbours of one pc, the second is
               * meant */
};

/* One instruction of warp number `warp`: block x warps of a block + warp. `lanes`: the addresses of
 * the active lanes, or NULL where `access` is affine. STATUS_UNSUPPORTED: the limit. */
enum status warp_sort_put(struct warp_sort *sort, uint64_t warp, enum warp_sort_kind kind,
                          const struct warp_access *access, const uint64_t *lanes);

/* Writes everything, with the gaps that follow from it. The launch has begun. */
void warp_sort_write(struct warp_sort *sort, uint32_t warps_per_block, struct wtr_writer *writer);

/* Says what STATUS_UNSUPPORTED means, and what to do instead. */
void warp_sort_refuse(const struct warp_sort *sort, struct text_reader *reader, const char *advice);

void warp_sort_free(struct warp_sort *sort);
