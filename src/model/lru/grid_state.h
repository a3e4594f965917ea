/* What grid.c (setting up, counts) and grid_run.c (the accesses) share. */
#pragma once

#include "model/cache/set_index.h"
#include "model/lru/grid.h"
#include "model/lru/grid_fifo.h"

enum {
    GRID_BLOCK = 1 << 12, /* items between two looks at the next line size: they stay in an L1D */
    GRID_OVERHANG = 16,   /* items that a kernel may write past the last one that it keeps */
    GRID_ALIGNMENT = 64
};

/* All caches of one line size, one number of sets and one index function. */
struct grid_row {
    unsigned line_bits, set_bits; /* set_bits: 0 with a modulo */
    uint64_t sets;
    uint64_t list_count; /* of an instance: of its sets, those of the grid's share of lines */
    bool fifo;           /* queues of all ways, of no lanes; hits[w - 1] are those with w ways */
    bool refines; /* a power of two of sets without a hash: the stream of fewer sets will do */
    struct set_index index;
    struct grid_hash hash; /* what of it does not change */
    unsigned lanes, planes;
    bool full;             /* no list has an empty place: the code 0 is free for a tag */
    bool wrapped;          /* ... and may stand for the tag 65,535 */
    unsigned char *lists;  /* [instances][list_count][planes][lanes] codes, in `memory` */
    void *memory;          /* from calloc: sets that are never used take no memory */
    uint32_t *region_sets; /* what the region adds to the set index, for hashes and modulo */
    uint32_t region_count, region_capacity;
    uint64_t entered, entered_writes; /* lines that runs of the same line were made into, ... */
    uint64_t hits[GRID_WAYS], write_hits[GRID_WAYS]; /* ... without those known to be at place 0 */
};

struct grid_line { /* a line size; its rows are neighbours, those that refine first, by sets */
    unsigned line_bits;
    size_t first_row, row_count;
    uint64_t accesses, writes;
    uint32_t *last; /* line of each instance */
};

struct grid_pending { /* items of one instance */
    uint32_t *items;  /* room for GRID_BLOCK, and for what a kernel writes past the last */
    size_t count;
};

struct grid {
    const struct grid_kernel *kernel;
    struct grid_options options;
    int write; /* enum write_policy of the caches, for cache_passes */
    unsigned granule_bits, region_bits;
    unsigned shared_bits; /* of the sets of every row: a share of the lines is made of these */
    struct line_ids own_ids;
    const struct line_ids *ids;
    uint32_t top; /* the largest item so far */
    struct grid_line *lines;
    size_t line_count;
    struct grid_row *rows;
    size_t row_count;
    struct grid_place { /* of each configuration */
        size_t line, row;
        unsigned ways;
    } * places;
    size_t place_count;
    struct grid_pending *pending;
    uint32_t *scratch;                /* holds the rest */
    uint32_t *collapsed, *streams[2]; /* GRID_BLOCK items each */
    struct grid_fifo_layout fifo[GRID_FIFO_VECTORS];
    uint32_t *offsets[GRID_LOCKSTEP], *codes[GRID_LOCKSTEP][2];
};

/* Gives `row` lists of its lanes and planes, empty. */
enum status grid_row_allocate(const struct grid *grid, struct grid_row *row);

/* struct grid_row, `refines`. */
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
