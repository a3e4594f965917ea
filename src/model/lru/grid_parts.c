#include "model/lru/grid_parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "model/lru/grid_fifo.h"
#include "model/lru/grid_state.h"
#include "schema/parameters.h"

enum {
    /* With fewer sets and one row at a time, an access waits until the previous one has finished
     * with the same list. Rows in lockstep use that time, so these rows stay together and keep all
     * lines. */
    FEW_SET_BITS = 4,
    /* More parts than threads when rows are cut, because their work differs. */
    PARTS_A_THREAD = 2,
    /* A span of the stream is a part only if its lists should be full after a small piece of it.
     * Spans in which more accesses hit are less work, so there are more spans than threads. */
    ACCESSES_A_LINE = 256,
    SPANS_A_THREAD = 4,
    /* List look-ups that justify waking a thread: they take about 0.1 ms, waking takes about 0.01
     * ms. */
    LOOKS_A_THREAD = 1 << 16
};

struct member { /* one cache */
    size_t cache;
    unsigned line_bits, set_bits;
    uint64_t sets;
    unsigned lanes;
    int index;
    bool fifo, refines; /* as in struct grid_row */
};

/* Caches that may share parts, ordered by their number of sets. */
struct family {
    const struct member *members;
    size_t count, rows;
    double work;
    bool few;     /* few sets */
    size_t lines; /* lines that fill all lists */
};

struct cut {
    struct member *members; /* ordered by family */
    size_t count;
    double work;
    uint64_t accesses;
    unsigned threads;
    struct grid_parts *parts;
    size_t capacity;
};

static struct member grid_member(const struct cache_config *configs, size_t cache)
{
    const struct cache_config *config = &configs[cache];
    uint64_t sets = cache_sets(config);
    return (struct member){.cache = cache,
                           .line_bits = log2_floor(config->line),
                           .set_bits = log2_floor(sets),
                           .sets = sets,
                           .lanes = grid_lanes(config->ways),
                           .index = config->index,
                           .fifo =
                               replacement_facts[config->replacement].traits & REPLACEMENT_QUEUE,
                           .refines = grid_refines(config->index, sets)};
}

static bool are_related(const struct member *a, const struct member *b)
{
    return a->line_bits == b->line_bits && a->fifo == b->fifo && a->refines == b->refines;
}

static bool same_row(const struct member *a, const struct member *b)
{
    return are_related(a, b) && a->index == b->index && a->sets == b->sets;
}

static int compare_members(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    if (a->line_bits != b->line_bits)
        return a->line_bits < b->line_bits ? -1 : 1;
    if (a->fifo != b->fifo)
        return a->fifo ? -1 : 1;
    if (a->refines != b->refines)
        return a->refines ? -1 : 1;
    if (a->index != b->index)
        return a->index < b->index ? -1 : 1;
    if (a->sets != b->sets)
        return a->sets < b->sets ? -1 : 1;
    return a->cache < b->cache ? -1 : 1;
}

static bool has_few_sets(const struct member *member)
{
    return member->refines && member->set_bits < FEW_SET_BITS;
}

/* The work of a cache's row: a FIFO list takes several vectors. */
static double row_work(const struct member *member)
{
    return (member->fifo ? GRID_FIFO_VECTORS : 1) * (has_few_sets(member) ? 2 : 1);
}

static struct family find_family(const struct cut *cut, size_t first)
{
    const struct member *begin = &cut->members[first], *end = cut->members + cut->count;
    struct family family = {.members = begin, .few = has_few_sets(begin)};
    unsigned lanes = 0; /* lanes of the current row */
    for (const struct member *member = begin; member < end && are_related(member, begin);
         member++) {
        if (member == begin || !same_row(member, member - 1)) {
            if (family.few && family.rows == GRID_LOCKSTEP)
                break;
            family.rows++;
            family.work += row_work(member);
            lanes = 0;
        }
        if (member->lanes > lanes)
            family.lines += member->sets * (member->lanes - lanes);
        lanes = member->lanes > lanes ? member->lanes : lanes;
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

/* The number of threads that a family should occupy. */
static double share_threads(const struct cut *cut, const struct family *family)
{
    return cut->threads * family->work / cut->work;
}

/* log2 of the number of parts into which the lines of a family are cut. It is as small as possible,
 * because each part spends about a tenth of a list's work on finding its own lines. If the parts do
 * not divide evenly among the threads, there are twice as many so that fewer threads wait for the
 * last one, provided each part keeps at least the work of one list; otherwise half as many. */
static unsigned choose_share_bits(const struct cut *cut, const struct family *family)
{
    const double threads = share_threads(cut, family);
    unsigned bits = 0;
    while (1 << bits < threads)
        bits++;
    if (bits && 1 << bits != threads)
        bits = family->work >= 2 << bits ? bits + 1 : bits - 1;
    return bits < family->members->set_bits ? bits : family->members->set_bits;
}

static enum status add_part(struct cut *cut, const struct grid_part *part)
{
    struct grid_parts *parts = cut->parts;
    enum status status = array_reserve(&parts->parts, &cut->capacity, parts->count + 1);
    if (!status)
        parts->parts[parts->count++] = *part;
    return status;
}

static enum status cut_lines(struct cut *cut, const struct family *family, const size_t *caches)
{
    const unsigned bits = choose_share_bits(cut, family);
    enum status status = STATUS_OK;
    for (uint32_t number = 0; number < UINT32_C(1) << bits && !status; number++) {
        const struct grid_part part = {.caches = caches,
                                       .count = family->count,
                                       .share = {bits, number},
                                       .spans = 1,
                                       .work = family->work / (1 << bits)};
        status = add_part(cut, &part);
    }
    return status;
}

static enum status cut_rows(struct cut *cut, const struct family *family, const size_t *caches)
{
    const double parts = PARTS_A_THREAD * share_threads(cut, family);
    const size_t each = parts > 1 ? (size_t)((double)family->rows / parts + 0.5) : family->rows;
    struct grid_part part = {.caches = caches, .spans = 1};
    enum status status = STATUS_OK;
    for (size_t i = 0, rows = 0; i < family->count && !status; i++) {
        const struct member *member = &family->members[i];
        if (!i || !same_row(member, member - 1)) {
            if (rows++ == (each ? each : 1)) {
                status = add_part(cut, &part);
                part = (struct grid_part){.caches = caches + i, .spans = 1};
                rows = 1;
            }
            part.work += row_work(member);
        }
        part.count++;
    }
    return status ? status : add_part(cut, &part);
}

/* Whether a family is cut into spans: caches that have too few shares of the lines, or none, and
 * whose lists settle fast. With a stride and no hash, some sets stay unused for long. FIFO lists
 * never settle, because they depend on the whole past. */
static bool has_spans(const struct cut *cut, const struct family *family)
{
    const struct member *member = family->members;
    return !member->fifo && (!member->refines || family->few) &&
           family->lines <= cut->accesses / cut->threads / ACCESSES_A_LINE;
}

static enum status cut_spans(struct cut *cut, const struct family *family, const size_t *caches)
{
    assert(family->lines > 0);
    const double wanted = SPANS_A_THREAD * share_threads(cut, family) + 0.5;
    const uint64_t most = cut->accesses / ACCESSES_A_LINE / family->lines;
    const unsigned spans = wanted < 1              ? 1
                           : wanted < (double)most ? (unsigned)wanted
                                                   : (unsigned)most;
    enum status status = STATUS_OK;
    for (unsigned span = 0; span < spans && !status; span++) {
        const struct grid_part part = {.caches = caches,
                                       .count = family->count,
                                       .span = span,
                                       .spans = spans,
                                       .lines = family->lines,
                                       .work = family->work / spans};
        status = add_part(cut, &part);
    }
    return status;
}

static enum status cut_family(struct cut *cut, const struct family *family, const size_t *caches)
{
    const struct grid_part whole = {
        .caches = caches, .count = family->count, .work = family->work, .spans = 1};
    if (has_spans(cut, family))
        return cut_spans(cut, family, caches);
    if (family->few)
        return add_part(cut, &whole);
    return family->members->refines ? cut_lines(cut, family, caches)
                                    : cut_rows(cut, family, caches);
}

static int compare_parts(const void *left, const void *right)
{
    const struct grid_part *a = left, *b = right;
    if (a->work != b->work)
        return a->work > b->work ? -1 : 1;
    return (a->caches > b->caches) - (a->caches < b->caches);
}

/* One part for a single thread: a grid works best with all numbers of sets and all line sizes. */
static enum status cut_nothing(struct cut *cut)
{
    const struct grid_part all = {
        .caches = cut->parts->caches, .count = cut->count, .work = cut->work, .spans = 1};
    return add_part(cut, &all);
}

static enum status cut_families(struct cut *cut)
{
    enum status status = STATUS_OK;
    for (size_t first = 0; first < cut->count && !status;) {
        const struct family family = find_family(cut, first);
        status = cut_family(cut, &family, cut->parts->caches + first);
        first += family.count;
    }
    return status;
}

static enum status cut_all(struct cut *cut, unsigned threads)
{
    qsort(cut->members, cut->count, sizeof *cut->members, compare_members);
    for (size_t i = 0; i < cut->count; i++)
        cut->parts->caches[i] = cut->members[i].cache;
    cut->work = sum_work(cut);
    double worth = 1 + (double)cut->accesses * cut->work / LOOKS_A_THREAD;
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
    struct cut cut = {.members = malloc(count * sizeof *cut.members),
                      .count = count,
                      .accesses = accesses,
                      .parts = parts};
    parts->caches = malloc(count * sizeof *parts->caches);
    enum status status = STATUS_MEMORY;
    if (cut.members && parts->caches) {
        for (size_t i = 0; i < count; i++)
            cut.members[i] = grid_member(configs, i);
        status = cut_all(&cut, threads);
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

/* The input of all parts. */
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
    struct grid_options options = *stream->options;
    options.share = part->share;
    enum status status = grid_create(own, part->count, &options, grid);
    free(own);
    return status ? status : grid_use_ids(*grid, stream->ids);
}

/* Opens a grid whose lists are those that the stream leaves up to item number `begin`, with counts
 * of zero. It tries longer and longer pieces of the stream before `begin` until the lists settle;
 * the whole of it always suffices. */
static enum status open_span(const struct grid_part *part, const struct cache_config *configs,
                             const struct stream *stream, size_t begin, struct grid **grid)
{
    enum { FIRST_TRY = 4, NEXT_TRY = 8 };
    for (size_t back = FIRST_TRY * part->lines;; back *= NEXT_TRY) {
        const size_t from = back < begin ? begin - back : 0;
        enum status status = open_part(part, configs, stream, grid);
        if (!status)
            status = grid_run_items(*grid, 0, stream->items + from, begin - from);
        if (!status)
            status = grid_reset_counts(*grid); /* also drains it */
        if (status || !from || grid_is_settled(*grid))
            return status;
        grid_free(*grid);
    }
}

static enum status run_part(const struct grid_part *part, const struct cache_config *configs,
                            const struct stream *stream, struct cache_counts *counts)
{
    const size_t begin = (size_t)((uint64_t)stream->count * part->span / part->spans);
    const size_t end = (size_t)((uint64_t)stream->count * (part->span + 1) / part->spans);
    struct grid *grid;
    enum status status = open_span(part, configs, stream, begin, &grid);
    if (!status)
        status = grid_run_items(grid, 0, stream->items + begin, end - begin);
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
