/* The private state of a grid, shared by grid.c (setup and counts) and grid_run.c (accesses). A
 * grid has line sizes, a line size has rows, and a row has one list per set and instance.
 * Invariant: the rows of a line size that refine come first, by their number of sets, so that each
 * of them passes its stream on to the next. */
#pragma once

#include "model/cache/set_index.h"
#include "model/lru/grid.h"
#include "model/lru/grid_fifo.h"

enum {
    GRID_BLOCK = 1 << 12, /* items per block: a block stays in the first-level cache */
    GRID_OVERHANG = 16,   /* items that a kernel may write beyond the last one it keeps */
    GRID_ALIGNMENT = 64
};

/* A row: all caches with one line size, one number of sets and one index function. */
struct grid_row {
    unsigned line_bits, set_bits; /* set_bits: 0 for a remainder */
    uint64_t sets;
    /* Lists of an instance: those of its sets that the grid's share of lines uses. */
    uint64_t list_count;
    bool fifo; /* queues of all ways, not lists; hits[w - 1] are those with w ways */
    /* A power of two of sets without a hash: it needs only the stream that fewer sets pass on. */
    bool refines;
    struct set_index index;
    struct grid_hash hash; /* its constant fields */
    unsigned lanes, planes;
    bool full;             /* no list has an empty place, so code 0 is free for a tag */
    bool wrapped;          /* ... and may stand for tag 65,535 */
    unsigned char *lists;  /* [instances][list_count][planes][lanes] codes, in `memory` */
    void *memory;          /* from calloc: unused sets take no memory */
    uint32_t *region_sets; /* [region]: contribution to the set index, for hashes and remainders */
    uint32_t region_count, region_capacity;
    uint64_t entered, entered_writes; /* accesses after runs of one line were collapsed, ... */
    /* ... and hits by place; those filtered out earlier are at place 0 */
    uint64_t hits[GRID_WAYS], write_hits[GRID_WAYS];
};

struct grid_line { /* a line size; its rows are adjacent, those that refine first, by sets */
    unsigned line_bits;
    size_t first_row, row_count;
    uint64_t accesses, writes;
    uint32_t *last; /* [instance]: last line */
};

struct grid_pending { /* buffered items of one instance */
    uint32_t *items;  /* room for GRID_BLOCK, plus GRID_OVERHANG */
    size_t count;
};

struct grid {
    const struct grid_kernel *kernel;
    struct grid_options options;
    int write; /* enum write_policy of the caches; decides which requests pass (cache_passes) */
    unsigned granule_bits, region_bits;
    unsigned shared_bits; /* set bits common to all rows, from which shares of the lines are made */
    struct line_ids own_ids;
    const struct line_ids *ids;
    uint32_t top; /* the largest item so far */
    struct grid_line *lines;
    size_t line_count;
    struct grid_row *rows;
    size_t row_count;
    struct grid_place { /* for each configuration */
        size_t line, row;
        unsigned ways;
    } * places;
    size_t place_count;
    struct grid_pending *pending;
    uint32_t *scratch;                /* memory of the arrays below */
    uint32_t *collapsed, *streams[2]; /* GRID_BLOCK items each */
    struct grid_fifo_layout fifo[GRID_FIFO_VECTORS];
    uint32_t *offsets[GRID_LOCKSTEP], *codes[GRID_LOCKSTEP][2];
};

/* Allocates empty lists for `row`. STATUS_MEMORY: the row is unchanged. */
enum status grid_row_allocate(const struct grid *grid, struct grid_row *row);

/* Computes struct grid_row's `refines`. */
static inline bool grid_refines(int function, uint64_t sets)
{
    return index_facts[function].traits & INDEX_NESTS && is_power_of_two(sets);
}

static inline size_t grid_list_bytes(const struct grid_row *row)
{
    if (row->fifo)
        return (size_t)GRID_FIFO_PLANE * row->planes;
    return (size_t)row->lanes * row->planes * sizeof(uint16_t);
}
