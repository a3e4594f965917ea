/* Draws the latencies of the reuse-distance model: base + |N(0, sigma^2)|, rounded half away from
 * zero.
 *
 * The numbers equal those of std::normal_distribution over std::mt19937 in libstdc++ bit for bit
 * (Marsaglia's polar method on 64-bit uniforms made of two outputs), because the published program
 * uses these. All runs of an evaluation start from the same generator state, so the first 2^20
 * draws are made once and shared in a table that grows to 4 MiB at most. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct half_normal {
    uint32_t state[624]; /* state of the Mersenne Twister */
    uint32_t next;       /* next word of state */
    bool has_saved;      /* the polar method makes two numbers at a time */
    double saved;
};

void half_normal_seed(struct half_normal *generator, uint32_t seed);
double half_normal_standard(struct half_normal *generator); /* N(0, 1), signed */

/* No drawn standard number exceeds this, because the smallest step of a uniform is 2^-53. */
enum { HALF_NORMAL_SIGMAS = 13 };

/* The common beginning of the sequences of several runs, filled on demand. */
struct latency_table {
    uint32_t base; /* cycles */
    double sigma;
    struct half_normal generator; /* its next draw is values[count] */
    uint32_t *values;
    size_t count, capacity;
};

void latency_table_init(struct latency_table *table, uint64_t base, double sigma, uint64_t seed);
void latency_table_free(struct latency_table *table);

/* The largest latency that can be drawn. */
uint64_t latency_table_most(const struct latency_table *table);

/* The position of one run in the sequence. */
struct latency_cursor {
    struct latency_table *table;
    size_t next;
    struct half_normal *own; /* used beyond the table; NULL before */
    bool failed;             /* no memory for the next draw: the run must end */
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
