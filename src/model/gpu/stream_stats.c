#include "model/gpu/stream_stats.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/rng.h"
#include "model/gpu/coalescer.h"

enum { LINE_BITS = 7, PAGE_BITS = 12, LEVEL_BITS = 9, SET_SLOTS_MIN = 1 << 10 };

#define ROW(key, field, brief, help)                                                               \
    {                                                                                              \
        key, help, offsetof(struct stream_stats, field), brief                                     \
    }
const struct stream_statistic stream_statistics[] = {
    ROW("blocks", blocks, true, "thread blocks of the grids"),
    ROW("warps", warps, false, "warps of the grids"),
    ROW("warp_instructions", warp_instructions, true,
        "instructions that warps issue, of all kinds"),
    ROW("memory_instructions", memory_instructions, true, "those that are records of the stream"),
    ROW("loads", loads, false, "memory instructions that load"),
    ROW("stores", stores, false, "memory instructions that store"),
    ROW("atomics", atomics, false, "memory instructions that are atomic"),
#define SPACE_ROW(X, constant, name, record, data, help)                                           \
    ROW(#name "_records", spaces[constant], false, "memory instructions on " help),
    SPACE_LIST(SPACE_ROW, )
#undef SPACE_ROW
        ROW("thread_accesses", thread_accesses, false, "accesses of single threads"),
    ROW("sectors_32", sectors_32, true,
        "distinct 32 B sectors of each global instruction, summed: L1D transactions from Maxwell "
        "on"),
    ROW("segments_128", segments_128, true,
        "distinct 128 B segments of each global instruction, summed"),
    ROW("lines", lines, true, "distinct 128 B lines of everything: the footprint"),
    ROW("distinct_l4", distinct[0], false, "distinct page-table paths down to level 4 (512 GiB)"),
    ROW("distinct_l3", distinct[1], false, "distinct page-table paths down to level 3 (1 GiB)"),
    ROW("distinct_l2", distinct[2], false, "distinct page-table paths down to level 2 (2 MiB)"),
    ROW("distinct_l1", distinct[3], true,
        "distinct page-table paths down to level 1 (4 KiB pages)"),
    {0},
};
#undef ROW

/* A set of numbers other than UINT64_MAX, with open addressing. The hash is seeded with the
 * capacity: otherwise numbers that arrive in the slot order of a larger set would fill a smaller
 * one from its start and make long runs. */
struct number_set {
    uint64_t *slots; /* UINT64_MAX = free */
    size_t count, capacity;
};

static void set_place(struct number_set *set, uint64_t number)
{
    size_t at = random_below(random_at(set->capacity, number), set->capacity);
    while (set->slots[at] != UINT64_MAX && set->slots[at] != number)
        at = at + 1 == set->capacity ? 0 : at + 1;
    set->count += set->slots[at] == UINT64_MAX;
    set->slots[at] = number;
}

static enum status set_add(struct number_set *set, uint64_t number)
{
    if (set->count >= set->capacity / 2) {
        struct number_set grown = {.capacity = set->capacity ? 2 * set->capacity : SET_SLOTS_MIN};
        grown.slots = malloc(grown.capacity * sizeof *grown.slots);
        if (!grown.slots)
            return STATUS_MEMORY;
        memset(grown.slots, 0xff, grown.capacity * sizeof *grown.slots);
        for (size_t i = 0; i < set->capacity; i++)
            if (set->slots[i] != UINT64_MAX)
                set_place(&grown, set->slots[i]);
        free(set->slots);
        *set = grown;
    }
    set_place(set, number);
    return STATUS_OK;
}

static void set_clear(struct number_set *set)
{
    if (set->count)
        memset(set->slots, 0xff, set->capacity * sizeof *set->slots);
    set->count = 0;
}

/* Adds every number of `from`, without its lowest `shift` bits. */
static enum status set_add_shifted(struct number_set *to, const struct number_set *from,
                                   unsigned shift)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; !status && i < from->capacity; i++)
        if (from->slots[i] != UINT64_MAX)
            status = set_add(to, from->slots[i] >> shift);
    return status;
}

/* Counts pages from lines, page directories from pages and so on: each level needs only the numbers
 * of the level below. */
static enum status count_levels(const struct number_set *lines, struct stream_stats *stats)
{
    struct number_set below = *lines, level = {0};
    enum status status = STATUS_OK;
    stats->lines = lines->count;
    for (int i = 3; !status && i >= 0; i--) {
        level = (struct number_set){0};
        status = set_add_shifted(&level, &below, i == 3 ? PAGE_BITS - LINE_BITS : LEVEL_BITS);
        stats->distinct[i] = level.count;
        if (below.slots != lines->slots)
            free(below.slots);
        below = level;
    }
    if (below.slots != lines->slots)
        free(below.slots);
    return status;
}

static enum status add_record(const struct warp_access *access, const struct access_window *window,
                              struct number_set *lines, struct stream_stats *stats)
{
    struct request requests[COALESCED_MAX];
    const struct coalescer_config sectors = {.arch = 70}; /* of 32 B, as any from 40 on */
    unsigned count = coalesce(&sectors, access, window, 0, requests), segments = 0;
    uint64_t last = UINT64_MAX;
    for (unsigned i = 0; i < count; i++) { /* addresses descend, so equal lines are neighbours */
        uint64_t line = requests[i].address >> LINE_BITS;
        if (line == last)
            continue;
        last = line;
        segments++;
        if (set_add(lines, line))
            return STATUS_MEMORY;
    }
    if (access->space == SPACE_GLOBAL) {
        stats->sectors_32 += count;
        stats->segments_128 += segments;
    }
    stats->memory_instructions++;
    stats->spaces[access->space]++;
    stats->warp_instructions += 1 + (uint64_t)access->gap;
    stats->thread_accesses += bits_count(access->mask);
    stats->loads += access->op == OP_LOAD;
    stats->stores += access->op == OP_STORE;
    stats->atomics += access->op == OP_ATOMIC;
    return STATUS_OK;
}

static enum status add_warp(const struct trace_source *source, struct block_reader *reader,
                            uint32_t warp, struct access_window *window, struct number_set *lines,
                            struct stream_stats *stats, struct diagnostics *diagnostics)
{
    do {
        enum status status = source->ops->read(reader, warp, window, diagnostics);
        for (uint32_t i = 0; !status && i < window->count; i++)
            status = add_record(&window->items[i], window, lines, stats);
        if (status)
            return status;
    } while (!window->end);
    stats->warp_instructions += window->tail;
    return STATUS_OK;
}

static enum status add_launch(const struct trace_source *source, uint32_t launch,
                              struct access_window *window, struct number_set *lines,
                              struct stream_stats *stats, struct diagnostics *diagnostics)
{
    uint32_t warps = launch_warps(&source->launches[launch]);
    uint64_t blocks = launch_blocks(&source->launches[launch]);
    stats->blocks = blocks;
    stats->warps = blocks * warps;
    for (uint64_t block = 0; block < blocks; block++) {
        struct block_reader *reader;
        enum status status = source->ops->open_block(source, launch, block, &reader, diagnostics);
        if (status)
            return status;
        for (uint32_t warp = 0; !status && warp < warps; warp++)
            status = add_warp(source, reader, warp, window, lines, stats, diagnostics);
        source->ops->close_block(reader);
        if (status)
            return status;
    }
    return STATUS_OK;
}

/* Adds all fields except the footprint (lines, distinct), which is not a sum. */
static void add_counts(struct stream_stats *total, const struct stream_stats *launch)
{
    total->blocks += launch->blocks;
    total->warps += launch->warps;
    total->warp_instructions += launch->warp_instructions;
    total->memory_instructions += launch->memory_instructions;
    total->thread_accesses += launch->thread_accesses;
    total->sectors_32 += launch->sectors_32;
    total->segments_128 += launch->segments_128;
    total->loads += launch->loads;
    total->stores += launch->stores;
    total->atomics += launch->atomics;
    for (size_t i = 0; i < SPACE_COUNT; i++)
        total->spaces[i] += launch->spaces[i];
}

enum status stream_stats(const struct trace_source *source, struct stream_stats *total,
                         struct stream_stats *launches, struct diagnostics *diagnostics)
{
    struct access_window window = {0};
    struct number_set lines = {0}, all = {0};
    enum status status = window_init(&window, WINDOW_RECORDS);
    *total = (struct stream_stats){0};
    for (uint32_t i = 0; !status && i < source->launch_count; i++) {
        struct stream_stats launch = {0};
        set_clear(&lines);
        status = add_launch(source, i, &window, &lines, &launch, diagnostics);
        if (!status)
            status = count_levels(&lines, &launch);
        if (!status)
            status = set_add_shifted(&all, &lines, 0);
        add_counts(total, &launch);
        if (launches)
            launches[i] = launch;
    }
    if (!status)
        status = count_levels(&all, total);
    free(lines.slots);
    free(all.slots);
    window_free(&window);
    return status;
}
