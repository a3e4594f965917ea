/* Latencies of the reuse-distance model: base + |N(0, sigma^2)|, rounded half away from zero.
 *
 * The numbers are those of std::normal_distribution over std::mt19937 in libstdc++ (Marsaglia's
 * polar method on 64-bit uniforms made of two outputs), bit for bit, because the published program
 * draws from these. Runs of one evaluation all start from the same generator state, so they share
 * the first draws through one table. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct half_normal {
    uint32_t state[624]; /* of the Mersenne twister */
    uint32_t next;       /* in state */
    bool has_saved;      /* the polar method makes numbers in pairs */
    double saved;
};

void half_normal_seed(struct half_normal *generator, uint32_t seed);
double half_normal_standard(struct half_normal *generator); /* N(0, 1), signed */

/* No standard number is farther from 0 than this (2^-53 is the smallest step of a uniform). */
enum { HALF_NORMAL_SIGMAS = 13 };

/* The common begin of the sequences of several runs. */
struct latency_table {
    uint32_t base; /* cycles */
    double sigma;
    struct half_normal generator; /* stands behind values[count) */
    uint32_t *values;
    size_t count;
};

enum status latency_table_init(struct latency_table *table, uint64_t base, double sigma,
                               uint64_t seed);
void latency_table_free(struct latency_table *table);

/* The largest latency that can be drawn. */
uint64_t latency_table_most(const struct latency_table *table);

/* One run's place in the sequence. */
struct latency_cursor {
    struct latency_table *table;
    size_t next;
    struct half_normal *own; /* behind the table's capacity; NULL before */
    bool failed;             /* no memory for it: numbers repeat, the run must end */
};

uint32_t latency_draw_slow(struct latency_cursor *cursor);
void latency_cursor_free(struct latency_cursor *cursor);

static inline uint32_t latency_draw(struct latency_cursor *cursor)
{
    const struct latency_table *table = cursor->table;
    if (table->sigma == 0)
        return table->base;
    if (cursor->next < table->count)
        return table->values[cursor->next++];
    return latency_draw_slow(cursor);
}
