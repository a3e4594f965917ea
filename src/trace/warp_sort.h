/* Sorts instructions that arrive in any order of warps into the order of a .wtr file.
 *
 * Traces as a GPU or a simulator emits them interleave their warps. The instructions are kept in
 * memory and then sorted by warp; the order within a warp does not change. Memory: 48 B per
 * instruction (24 B and what qsort may copy), 40 B more per memory access and 8 B per listed
 * address, in arrays that double. WARP_SORT_BYTES limits the total: a trace that needs more is
 * refused as soon as it reaches the limit. */
#pragma once

#include "trace/text.h"
#include "trace/wtr_write.h"

#define WARP_SORT_BYTES ((uint64_t)1 << 30)

struct warp_sort { /* zero-initialize */
    struct sorted_line *lines;
    struct sorted_access *accesses;
    uint64_t *lanes;
    size_t count, capacity, access_count, access_capacity, lane_count, lane_capacity;
    uint64_t limit; /* bytes; 0: WARP_SORT_BYTES */
    bool issues;    /* the instructions are known */
};

enum warp_sort_kind {
    SORT_COUNTED, /* an instruction that accesses no memory */
    SORT_ACCESS,
    SORT_COPY /* an access that a trace writes twice in a row, with the same pc: the second one
               * counts */
};

/* What a writer that knows the instructions is told of one (wtr_put_instruction). */
struct sort_issue {
    uint32_t row, mask;
    uint8_t banks;
};

/* Adds one instruction of warp `warp`, which is block x warps per block + warp in the block.
 * `lanes` are the addresses of the active lanes, or NULL if `access` is affine. `issue` is NULL for
 * all instructions or for none. STATUS_UNSUPPORTED: the limit is reached. */
enum status warp_sort_put(struct warp_sort *sort, uint64_t warp, enum warp_sort_kind kind,
                          const struct warp_access *access, const uint64_t *lanes,
                          const struct sort_issue *issue);

/* The memory that it takes so far. */
uint64_t warp_sort_bytes(const struct warp_sort *sort);

/* Shows every instruction, before they are sorted, to `change`, which may give it another warp and
 * other addresses. `access` is NULL without an access, `lanes` if it is affine. */
void warp_sort_each(struct warp_sort *sort,
                    void (*change)(void *context, uint64_t *warp, struct warp_access *access,
                                   uint64_t *lanes),
                    void *context);

/* Warps of several launches: those of launch n begin with n x `warps`. */
struct sort_launches {
    uint64_t warps;
    /* Begins a launch that has instructions, after those of smaller numbers. */
    enum status (*begin)(void *context, uint64_t launch);
    void *context;
};

/* Sorts and writes everything, and adds the counted instructions to the gaps. Without `launches`
 * the launch has begun. */
void warp_sort_write(struct warp_sort *sort, uint32_t warps_per_block,
                     const struct sort_launches *launches, struct wtr_writer *writer);

/* Reports why warp_sort_put returned STATUS_UNSUPPORTED; `advice` says what to do instead. */
void warp_sort_refuse(const struct warp_sort *sort, struct text_reader *reader, const char *advice);

void warp_sort_free(struct warp_sort *sort);
