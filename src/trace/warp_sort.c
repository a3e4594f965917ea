#include "trace/warp_sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"

/* Indices have 31 bits, whatever the limit in bytes. */
enum { LINES_MAX = INT32_MAX, NOT_MEMORY = -1, DROPPED = -2 };

/* Rows fit 26 bits (WTR_ROWS_MAX), and cycles of banks, at most 32, 6 bits. */
enum { ROWS_MASK = (1 << 26) - 1, BANKS_MASK = (1 << 6) - 1 };

struct sorted_line {
    uint64_t warp;
    uint32_t order;
    int32_t access; /* index, or one of the above */
    uint32_t row : 26, banks : 6, mask;
};

struct sorted_access {
    struct warp_access access;
    uint32_t lane; /* index of its first address, if listed */
    bool listed, copy;
};

static int compare_lines(const void *left, const void *right)
{
    const struct sorted_line *a = left, *b = right;
    if (a->warp != b->warp)
        return a->warp < b->warp ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static uint64_t sort_limit(const struct warp_sort *sort)
{
    return sort->limit ? sort->limit : WARP_SORT_BYTES;
}

/* The bytes of an array with room for `more` elements. It doubles; large arrays move without a
 * copy. */
static uint64_t grown_bytes(size_t count, size_t capacity, size_t more, size_t size)
{
    return (count + more > capacity ? 2 * (uint64_t)capacity : capacity) * size;
}

static bool sort_fits(const struct warp_sort *sort, bool access)
{
    uint64_t bytes = sort->count * sizeof *sort->lines; /* qsort may copy these */
    bytes += grown_bytes(sort->count, sort->capacity, 1, sizeof *sort->lines);
    bytes += grown_bytes(sort->access_count, sort->access_capacity, access, sizeof *sort->accesses);
    bytes += grown_bytes(sort->lane_count, sort->lane_capacity, access ? WARP_SIZE : 0,
                         sizeof *sort->lanes);
    return bytes <= sort_limit(sort) && sort->count < LINES_MAX &&
           sort->lane_count < UINT32_MAX - WARP_SIZE;
}

static enum status keep_access(struct warp_sort *sort, const struct warp_access *access,
                               const uint64_t *lanes, bool copy)
{
    unsigned count = (unsigned)__builtin_popcount(access->mask);
    if (array_reserve(&sort->accesses, &sort->access_capacity, sort->access_count + 1) ||
        array_reserve(&sort->lanes, &sort->lane_capacity, sort->lane_count + WARP_SIZE))
        return STATUS_MEMORY;
    sort->accesses[sort->access_count++] =
        (struct sorted_access){.access = *access,
                               .lane = (uint32_t)sort->lane_count,
                               .listed = lanes != NULL,
                               .copy = copy};
    if (lanes) {
        memcpy(sort->lanes + sort->lane_count, lanes, count * sizeof *lanes);
        sort->lane_count += count;
    }
    return STATUS_OK;
}

enum status warp_sort_put(struct warp_sort *sort, uint64_t warp, enum warp_sort_kind kind,
                          const struct warp_access *access, const uint64_t *lanes,
                          const struct sort_issue *issue)
{
    bool accesses = kind != SORT_COUNTED;
    if (!sort_fits(sort, accesses))
        return STATUS_UNSUPPORTED;
    if (array_reserve(&sort->lines, &sort->capacity, sort->count + 1))
        return STATUS_MEMORY;
    struct sorted_line line = {.warp = warp, .order = (uint32_t)sort->count, .access = NOT_MEMORY};
    if (issue) {
        sort->issues = true;
        line.row = issue->row & ROWS_MASK;
        line.banks = issue->banks & BANKS_MASK;
        line.mask = issue->mask;
    }
    if (accesses) {
        line.access = (int32_t)sort->access_count;
        if (keep_access(sort, access, lanes, kind == SORT_COPY))
            return STATUS_MEMORY;
    }
    sort->lines[sort->count++] = line;
    return STATUS_OK;
}

uint64_t warp_sort_bytes(const struct warp_sort *sort)
{
    return (sort->count + sort->capacity) * sizeof *sort->lines +
           sort->access_capacity * sizeof *sort->accesses +
           sort->lane_capacity * sizeof *sort->lanes;
}

void warp_sort_each(struct warp_sort *sort,
                    void (*change)(void *context, uint64_t *warp, struct warp_access *access,
                                   uint64_t *lanes),
                    void *context)
{
    for (size_t i = 0; i < sort->count; i++) {
        struct sorted_line *line = &sort->lines[i];
        struct sorted_access *kept = line->access < 0 ? NULL : &sort->accesses[line->access];
        change(context, &line->warp, kept ? &kept->access : NULL,
               kept && kept->listed ? sort->lanes + kept->lane : NULL);
    }
}

/* Writes the lines [begin, end), which belong to one warp. The writer remembers its first failure,
 * which wtr_finish returns. */
static void write_warp(const struct warp_sort *sort, size_t begin, size_t end, uint32_t warp,
                       struct wtr_writer *writer)
{
    uint32_t gap = 0;
    (void)wtr_begin_warp(writer, warp);
    for (size_t i = begin; i < end; i++) {
        const struct sorted_line *line = &sort->lines[i];
        int32_t index = line->access;
        if (index < 0) {
            gap += index == NOT_MEMORY;
            if (index == NOT_MEMORY && sort->issues)
                (void)wtr_put_instruction(writer, line->row, line->mask, line->banks);
            continue;
        }
        struct sorted_access kept = sort->accesses[index];
        kept.access.gap += gap;
        gap = 0;
        const uint64_t *lanes = kept.listed ? sort->lanes + kept.lane : NULL;
        if (sort->issues)
            (void)wtr_put_issued(writer, line->row, &kept.access, lanes);
        else
            (void)wtr_put(writer, &kept.access, lanes);
    }
    (void)wtr_end_warp(writer, gap);
}

/* Of two neighbouring copies with one pc, drops the first (SORT_COPY). */
static void drop_copies(struct warp_sort *sort)
{
    for (size_t i = 1; i < sort->count; i++) {
        struct sorted_line *first = &sort->lines[i - 1], *second = &sort->lines[i];
        if (first->warp != second->warp || first->access < 0 || second->access < 0)
            continue;
        const struct sorted_access *a = &sort->accesses[first->access];
        const struct sorted_access *b = &sort->accesses[second->access];
        if (a->copy && b->copy && a->access.pc == b->access.pc)
            first->access = DROPPED;
    }
}

/* Writes the lines [begin, end) of a launch, whose warps begin with number `first`. */
static void write_launch(const struct warp_sort *sort, size_t begin, size_t end, uint64_t first,
                         uint32_t warps_per_block, struct wtr_writer *writer)
{
    uint64_t block = UINT64_MAX;
    for (size_t next; begin < end; begin = next) {
        const uint64_t warp = sort->lines[begin].warp - first;
        for (next = begin; next < end && sort->lines[next].warp == first + warp; next++)
            continue;
        if (warp / warps_per_block != block) {
            if (block != UINT64_MAX)
                (void)wtr_end_block(writer);
            block = warp / warps_per_block;
            (void)wtr_begin_block(writer, block);
        }
        write_warp(sort, begin, next, (uint32_t)(warp % warps_per_block), writer);
    }
    if (block != UINT64_MAX)
        (void)wtr_end_block(writer);
}

void warp_sort_write(struct warp_sort *sort, uint32_t warps_per_block,
                     const struct sort_launches *launches, struct wtr_writer *writer)
{
    if (sort->count)
        qsort(sort->lines, sort->count, sizeof *sort->lines, compare_lines);
    drop_copies(sort);
    if (!launches) {
        write_launch(sort, 0, sort->count, 0, warps_per_block, writer);
        return;
    }
    for (size_t begin = 0, end; begin < sort->count; begin = end) {
        const uint64_t launch = sort->lines[begin].warp / launches->warps;
        for (end = begin; end < sort->count && sort->lines[end].warp / launches->warps == launch;)
            end++;
        if (launches->begin(launches->context, launch))
            return; /* the writer keeps the failure */
        write_launch(sort, begin, end, launch * launches->warps, warps_per_block, writer);
    }
}

void warp_sort_refuse(const struct warp_sort *sort, struct text_reader *reader, const char *advice)
{
    char limit[QUANTITY_TEXT];
    text_problem(reader, SEVERITY_ERROR, NULL,
                 "sorting this trace by warp takes more than %s of memory; %s",
                 quantity_print_short((double)sort_limit(sort), UNIT_BYTES, 4, limit), advice);
}

void warp_sort_free(struct warp_sort *sort)
{
    free(sort->lines);
    free(sort->accesses);
    free(sort->lanes);
    *sort = (struct warp_sort){0};
}
