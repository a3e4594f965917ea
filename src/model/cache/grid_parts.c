#include "model/cache/grid_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "model/cache/grid_fifo.h"
#include "schema/parameters.h"

enum {
    /* Numbers of sets from this one on are cut by classes of lines: as many threads find a part. */
    CLASSED_SET_BITS = 4,
    /* A part looks at all lines to find its own, which costs about a tenth of a look at a list, and
     * with few sets waits for the list that it has just changed. So there are two parts a thread
     * where that leaves each the work of a list, else one. */
    PARTS_A_THREAD = 2,
    /* Looks at lists for which a thread is woken: they take some 0.1 ms, waking up some 0.01 ms. */
    LOOKS_A_THREAD = 1 << 16
};

struct member { /* a cache */
    size_t cache;
    unsigned line_bits, set_bits;
    uint64_t sets;
    int index;
    bool fifo, classed;
};

/* Caches that may share parts, of `work` altogether. */
struct family {
    const struct member *members;
    size_t count, levels;
    double work;
};

struct cut {
    struct member *members;
    size_t count;
    double work;
    unsigned threads;
    struct grid_parts *parts;
    size_t capacity;
};

static struct member describe(const struct cache_config *configs, size_t cache)
{
    const struct cache_config *config = &configs[cache];
    uint64_t sets = cache_sets(config);
    return (struct member){.cache = cache,
                           .line_bits = log2_floor(config->line),
                           .set_bits = log2_floor(sets),
                           .sets = sets,
                           .index = config->index,
                           .fifo = config->replacement == REPLACEMENT_FIFO,
                           .classed = config->index == INDEX_LINEAR && is_power_of_two(sets) &&
                                      sets >> CLASSED_SET_BITS};
}

static bool same_family(const struct member *a, const struct member *b)
{
    return a->line_bits == b->line_bits && a->fifo == b->fifo && a->classed == b->classed;
}

static bool same_level(const struct member *a, const struct member *b)
{
    return same_family(a, b) && a->index == b->index && a->sets == b->sets;
}

static int compare_members(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    if (a->line_bits != b->line_bits)
        return a->line_bits < b->line_bits ? -1 : 1;
    if (a->fifo != b->fifo)
        return a->fifo ? -1 : 1;
    if (a->classed != b->classed)
        return a->classed ? 1 : -1;
    if (a->index != b->index)
        return a->index < b->index ? -1 : 1;
    if (a->sets != b->sets)
        return a->sets < b->sets ? -1 : 1;
    return a->cache < b->cache ? -1 : 1;
}

/* Of the level of a cache. A FIFO list is several vectors; where there are few lists, an access
 * waits for the one before to leave the same list. */
static double level_work(const struct member *member)
{
    if (member->fifo)
        return GRID_FIFO_VECTORS;
    return member->sets >> CLASSED_SET_BITS ? 1 : 2;
}

/* The caches from `first` on that belong together. */
static struct family find_family(const struct cut *cut, size_t first)
{
    struct family family = {.members = &cut->members[first]};
    const struct member *member = family.members;
    for (; first + family.count < cut->count && same_family(member, family.members); member++) {
        if (!family.count || !same_level(member, member - 1)) {
            family.levels++;
            family.work += level_work(member);
        }
        family.count++;
    }
    return family;
}

static double sum_work(const struct cut *cut)
{
    double work = 0;
    for (size_t first = 0; first < cut->count;) {
        struct family family = find_family(cut, first);
        work += family.work;
        first += family.count;
    }
    return work;
}

/* How many parts a family should be. */
static size_t choose_pieces(const struct cut *cut, const struct family *family)
{
    double share = family->work / cut->work * cut->threads;
    double pieces = PARTS_A_THREAD * share;
    if (pieces > family->work)
        pieces = family->work > share ? family->work : share;
    return pieces > 1 ? (size_t)(pieces + 0.5) : 1;
}

static enum status add_part(struct cut *cut, const struct grid_part *part)
{
    struct grid_parts *parts = cut->parts;
    enum status status = array_reserve(&parts->parts, &cut->capacity, parts->count + 1);
    if (!status)
        parts->parts[parts->count++] = *part;
    return status;
}

/* The part of a class, so that neither neighbours nor every second, fourth, ... class all go to the
 * same: with two parts, the Thue-Morse sequence. */
static size_t deal_class(size_t class, size_t parts)
{
    size_t sum = 0;
    for (; class; class /= parts)
        sum += class % parts;
    return sum % parts;
}

static enum status cut_classes(struct cut *cut, const struct family *family, const size_t *caches,
                               size_t pieces)
{
    const struct member *least = family->members; /* of the fewest sets */
    unsigned bits =
        least->set_bits < GRID_CLASS_BITS_MAX ? least->set_bits : (unsigned)GRID_CLASS_BITS_MAX;
    size_t classes = (size_t)1 << bits;
    enum status status = STATUS_OK;
    pieces = pieces < classes ? pieces : classes;
    for (size_t piece = 0; piece < pieces && !status; piece++) {
        struct grid_part part = {.caches = caches, .count = family->count};
        if (pieces > 1)
            part.classes = (struct grid_classes){.low_bit = least->line_bits, .bits = bits};
        for (size_t class = 0; class < classes && pieces > 1; class ++)
            part.classes.chosen |= (uint32_t)(deal_class(class, pieces) == piece) << class;
        part.work = pieces > 1 ? family->work * bits_count(part.classes.chosen) / (double)classes
                               : family->work;
        status = add_part(cut, &part);
    }
    return status;
}

static enum status cut_levels(struct cut *cut, const struct family *family, const size_t *caches,
                              size_t pieces)
{
    size_t member = 0, level = 0;
    enum status status = STATUS_OK;
    pieces = pieces < family->levels ? pieces : family->levels;
    for (size_t piece = 0; piece < pieces && !status; piece++) {
        struct grid_part part = {.caches = caches + member};
        size_t end = family->levels * (piece + 1) / pieces;
        for (; member < family->count; member++) {
            bool begins =
                !member || !same_level(&family->members[member], &family->members[member - 1]);
            if (begins && level == end)
                break;
            level += begins;
            part.work += begins ? level_work(&family->members[member]) : 0;
            part.count++;
        }
        status = add_part(cut, &part);
    }
    return status;
}

static int compare_parts(const void *left, const void *right)
{
    const struct grid_part *a = left, *b = right;
    if (a->work != b->work)
        return a->work > b->work ? -1 : 1;
    return (a->caches > b->caches) - (a->caches < b->caches);
}

/* Everything for one thread: a grid does best with all numbers of sets and all line sizes. */
static enum status cut_nothing(struct cut *cut)
{
    const struct grid_part all = {
        .caches = cut->parts->caches, .count = cut->count, .work = cut->work};
    return add_part(cut, &all);
}

static enum status cut_families(struct cut *cut)
{
    enum status status = STATUS_OK;
    for (size_t first = 0; first < cut->count && !status;) {
        const struct family family = find_family(cut, first);
        const size_t *caches = cut->parts->caches + first, pieces = choose_pieces(cut, &family);
        status = family.members->classed ? cut_classes(cut, &family, caches, pieces)
                                         : cut_levels(cut, &family, caches, pieces);
        first += family.count;
    }
    return status;
}

static enum status cut_all(struct cut *cut, uint64_t accesses, unsigned threads)
{
    qsort(cut->members, cut->count, sizeof *cut->members, compare_members);
    for (size_t i = 0; i < cut->count; i++)
        cut->parts->caches[i] = cut->members[i].cache;
    cut->work = sum_work(cut);
    double worth = 1 + (double)accesses * cut->work / LOOKS_A_THREAD;
    cut->threads = worth < threads ? (unsigned)worth : threads;
    enum status status = cut->threads > 1 ? cut_families(cut) : cut_nothing(cut);
    if (status)
        return status;
    struct grid_parts *parts = cut->parts;
    qsort(parts->parts, parts->count, sizeof *parts->parts, compare_parts);
    parts->threads = cut->threads < parts->count ? cut->threads : (unsigned)parts->count;
    return STATUS_OK;
}

enum status grid_parts_cut(const struct cache_config *configs, size_t count, uint64_t accesses,
                           unsigned threads, struct grid_parts *parts)
{
    *parts = (struct grid_parts){.cache_count = count};
    if (!count || !threads)
        return STATUS_INVALID;
    struct cut cut = {
        .members = malloc(count * sizeof *cut.members), .count = count, .parts = parts};
    parts->caches = malloc(count * sizeof *parts->caches);
    enum status status = STATUS_MEMORY;
    if (cut.members && parts->caches) {
        for (size_t i = 0; i < count; i++)
            cut.members[i] = describe(configs, i);
        status = cut_all(&cut, accesses, threads);
    }
    free(cut.members);
    if (status)
        grid_parts_free(parts);
    return status;
}

void grid_parts_free(struct grid_parts *parts)
{
    free(parts->parts);
    free(parts->caches);
    *parts = (struct grid_parts){0};
}

/* What all parts look at. */
struct stream {
    const struct grid_options *options;
    const struct line_ids *ids;
    const uint32_t *items;
    size_t count;
};

static enum status open_part(const struct grid_part *part, const struct cache_config *configs,
                             const struct stream *stream, struct grid **grid)
{
    struct cache_config *own = malloc(part->count * sizeof *own);
    *grid = NULL;
    if (!own)
        return STATUS_MEMORY;
    for (size_t i = 0; i < part->count; i++)
        own[i] = configs[part->caches[i]];
    enum status status = grid_create(own, part->count, stream->options, grid);
    free(own);
    if (!status)
        status = grid_use_ids(*grid, stream->ids);
    if (!status && part->classes.bits)
        status = grid_use_classes(*grid, &part->classes);
    return status;
}

static enum status run_part(const struct grid_part *part, const struct cache_config *configs,
                            const struct stream *stream, struct cache_counts *counts)
{
    struct grid *grid;
    enum status status = open_part(part, configs, stream, &grid);
    if (!status)
        status = grid_run_items(grid, 0, stream->items, stream->count);
    if (!status)
        status = grid_drain(grid);
#pragma omp critical(grid_parts_counts)
    for (size_t i = 0; i < part->count && !status; i++) {
        struct cache_counts own;
        grid_read_counts(grid, i, &own);
        cache_add_counts(&counts[part->caches[i]], &own);
    }
    grid_free(grid);
    return status;
}

enum status grid_parts_run(const struct grid_parts *parts, const struct cache_config *configs,
                           const struct grid_options *options, const struct line_ids *ids,
                           const uint32_t *items, size_t count, struct cache_counts *counts)
{
    const struct stream stream = {options, ids, items, count};
    enum status result = STATUS_OK;
    memset(counts, 0, parts->cache_count * sizeof *counts);
#pragma omp parallel for schedule(dynamic) num_threads((int)parts->threads) reduction(max : result)
    for (size_t i = 0; i < parts->count; i++) {
        enum status status = run_part(&parts->parts[i], configs, &stream, counts);
        result = status > result ? status : result;
    }
    return result;
}
