#include "workload/raster/traversal.h"

#include "base/rng.h"

const char *const traversal_names[TRAVERSAL_COUNT + 1] = {
#define TRAVERSAL_NAME(constant, name) [constant] = name,
    TRAVERSAL_LIST(TRAVERSAL_NAME)
#undef TRAVERSAL_NAME
};

static unsigned bits_for(uint32_t count) /* so that 2^bits >= count */
{
    unsigned bits = 0;
    while (UINT32_C(1) << bits < count)
        bits++;
    return bits;
}

/* The smallest square of 2^bits lines at a multiple of 2^bits that holds the extent. */
static void start_curve(struct walk *walk, const struct triangle *triangle)
{
    while (triangle->left >> walk->bits != triangle->right >> walk->bits ||
           triangle->top >> walk->bits != triangle->bottom >> walk->bits)
        walk->bits++;
    walk->x = triangle->left >> walk->bits << walk->bits;
    walk->y = triangle->top >> walk->bits << walk->bits;
    walk->end = UINT64_C(1) << (2 * walk->bits);
}

static uint32_t columns_of(const struct triangle *triangle)
{
    return triangle->right - triangle->left + 1;
}

void walk_start(struct walk *walk, enum traversal order, uint64_t seed,
                const struct triangle *triangle)
{
    *walk = (struct walk){.order = order, .seed = seed};
    if (order == TRAVERSAL_SCANLINE) {
        walk->row = triangle->top;
        walk->column = 1; /* after the last: no row is begun */
    } else if (order == TRAVERSAL_RANDOM) {
        walk->end = (uint64_t)columns_of(triangle) * (triangle->bottom - triangle->top + 1);
        walk->bits = (bits_for((uint32_t)walk->end) + 1) / 2;
    } else {
        start_curve(walk, triangle);
    }
}

static bool next_in_rows(struct walk *walk, const struct triangle *triangle,
                         const struct raster_target *target, uint32_t *column, uint32_t *row)
{
    const bool narrow = triangle->right - triangle->left < 3; /* a span costs three divisions */
    while (walk->column > walk->last) {
        if (walk->row > triangle->bottom)
            return false;
        if (narrow) {
            walk->column = triangle->left;
            walk->last = triangle->right;
        } else if (!triangle_span(triangle, target, walk->row, &walk->column, &walk->last)) {
            walk->column = 1;
            walk->last = 0;
        }
        walk->row++;
    }
    *column = walk->column++;
    *row = walk->row - 1;
    return true;
}

/* The place of number `index` on the Z curve: even bits are x, odd ones y. */
static void z_place(uint64_t index, unsigned bits, uint32_t *x, uint32_t *y)
{
    *x = *y = 0;
    for (unsigned i = 0; i < bits; i++) {
        *x |= (uint32_t)(index >> (2 * i) & 1) << i;
        *y |= (uint32_t)(index >> (2 * i + 1) & 1) << i;
    }
}

/* On Hilbert's curve: from the smallest square to the largest, each turned as its quarter is. */
static void hilbert_place(uint64_t index, unsigned bits, uint32_t *x, uint32_t *y)
{
    *x = *y = 0;
    for (unsigned i = 0; i < bits; i++) {
        const uint32_t side = UINT32_C(1) << i;
        const uint32_t right = index >> (2 * i + 1) & 1;
        const uint32_t down = (index >> (2 * i) & 1) ^ right;
        if (!down) {
            const uint32_t old = *x;
            *x = right ? side - 1 - *y : *y;
            *y = right ? side - 1 - old : old;
        }
        *x += right ? side : 0;
        *y += down ? side : 0;
    }
}

/* Numbers that are a multiple of 4^level begin an aligned square of 2^level lines a side; squares
 * that the triangle does not touch are skipped, the largest first. */
static bool next_on_curve(struct walk *walk, const struct triangle *triangle,
                          const struct raster_target *target, uint32_t *column, uint32_t *row)
{
    while (walk->next < walk->end) {
        uint32_t x, y;
        unsigned level = walk->next ? (unsigned)__builtin_ctzll(walk->next) / 2 : walk->bits;
        (walk->order == TRAVERSAL_Z ? z_place : hilbert_place)(walk->next, walk->bits, &x, &y);
        x += walk->x;
        y += walk->y;
        while (level && triangle_touches(triangle, target, x >> level << level, y >> level << level,
                                         UINT32_C(1) << level))
            level--;
        walk->next += UINT64_C(1) << (2 * level);
        if (!level && triangle_touches(triangle, target, x, y, 1)) {
            *column = x;
            *row = y;
            return true;
        }
    }
    return false;
}

/* A permutation of 2 * bits bits: a Feistel network of four rounds. */
static uint64_t permute(uint64_t index, unsigned bits, uint64_t seed)
{
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    uint64_t left = index >> bits, right = index & mask;
    for (uint64_t round = 0; round < 4; round++) {
        const uint64_t old = right;
        right = left ^ (random_at(seed + round, right) & mask);
        left = old;
    }
    return left << bits | right;
}

static bool next_at_random(struct walk *walk, const struct triangle *triangle, uint32_t *column,
                           uint32_t *row)
{
    const uint64_t all = UINT64_C(1) << (2 * walk->bits);
    while (walk->next < all) {
        const uint64_t place = permute(walk->next++, walk->bits, walk->seed);
        if (place >= walk->end)
            continue;
        *column = triangle->left + (uint32_t)(place % columns_of(triangle));
        *row = triangle->top + (uint32_t)(place / columns_of(triangle));
        return true;
    }
    return false;
}

bool walk_next(struct walk *walk, const struct triangle *triangle,
               const struct raster_target *target, uint32_t *column, uint32_t *row)
{
    if (walk->order == TRAVERSAL_SCANLINE)
        return next_in_rows(walk, triangle, target, column, row);
    if (walk->order == TRAVERSAL_RANDOM)
        return next_at_random(walk, triangle, column, row);
    return next_on_curve(walk, triangle, target, column, row);
}
