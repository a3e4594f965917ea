#include "model/reuse/half_normal.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* The table is bounded so that memory does not grow with the length of a run; each run makes the
 * draws beyond it itself. */
enum { TABLE_DRAWS = 1 << 20, TABLE_STEP = 1 << 10 };

enum { TWISTER_SIZE = 624, TWISTER_SHIFT = 397 };

void half_normal_seed(struct half_normal *generator, uint32_t seed)
{
    uint32_t *state = generator->state;
    state[0] = seed;
    for (uint32_t i = 1; i < TWISTER_SIZE; i++)
        state[i] = 1812433253u * (state[i - 1] ^ state[i - 1] >> 30) + i;
    generator->next = TWISTER_SIZE;
    generator->has_saved = false;
}

static inline uint32_t twist(uint32_t upper, uint32_t lower, uint32_t shifted)
{
    uint32_t mixed = (upper & 0x80000000u) | (lower & 0x7fffffffu);
    return shifted ^ mixed >> 1 ^ (0x9908b0dfu & -(mixed & 1));
}

static void regenerate(struct half_normal *generator)
{
    uint32_t *state = generator->state;
    uint32_t i = 0;
    for (; i < TWISTER_SIZE - TWISTER_SHIFT; i++)
        state[i] = twist(state[i], state[i + 1], state[i + TWISTER_SHIFT]);
    for (; i < TWISTER_SIZE - 1; i++)
        state[i] = twist(state[i], state[i + 1], state[i + TWISTER_SHIFT - TWISTER_SIZE]);
    state[i] = twist(state[i], state[0], state[TWISTER_SHIFT - 1]);
    generator->next = 0;
}

static inline uint32_t next_word(struct half_normal *generator)
{
    if (generator->next == TWISTER_SIZE)
        regenerate(generator);
    uint32_t word = generator->state[generator->next++];
    word ^= word >> 11;
    word ^= word << 7 & 0x9d2c5680u;
    word ^= word << 15 & 0xefc60000u;
    return word ^ word >> 18;
}

/* Equals std::generate_canonical: a uniform in [0, 1). */
static inline double next_uniform(struct half_normal *generator)
{
    double low = next_word(generator), high = next_word(generator);
    double uniform = (low + high * 0x1p32) * 0x1p-64;
    return uniform < 1 ? uniform : nextafter(1, 0);
}

double half_normal_standard(struct half_normal *generator)
{
    if (generator->has_saved) {
        generator->has_saved = false;
        return generator->saved;
    }
    double x, y, square;
    do {
        x = 2 * next_uniform(generator) - 1;
        y = 2 * next_uniform(generator) - 1;
        square = x * x + y * y;
    } while (square > 1 || square == 0);
    double scale = sqrt(-2 * log(square) / square);
    generator->saved = x * scale;
    generator->has_saved = true;
    return y * scale;
}

static uint32_t half_normal_draw(struct half_normal *generator, const struct latency_table *table)
{
    return table->base + (uint32_t)fabs(round(half_normal_standard(generator) * table->sigma));
}

void latency_table_init(struct latency_table *table, uint64_t base, double sigma, uint64_t seed)
{
    *table = (struct latency_table){.base = (uint32_t)base, .sigma = sigma};
    half_normal_seed(&table->generator, (uint32_t)seed);
}

void latency_table_free(struct latency_table *table)
{
    free(table->values);
    table->values = NULL;
}

uint64_t latency_table_most(const struct latency_table *table)
{
    return table->base + (uint64_t)ceil(HALF_NORMAL_SIGMAS * table->sigma);
}

uint32_t latency_draw_slow(struct latency_cursor *cursor)
{
    struct latency_table *table = cursor->table;
    if (cursor->next < TABLE_DRAWS) {
        if (array_reserve(&table->values, &table->capacity, table->count + TABLE_STEP)) {
            cursor->failed = true;
            return table->base;
        }
        for (int i = 0; i < TABLE_STEP; i++)
            table->values[table->count++] = half_normal_draw(&table->generator, table);
        return table->values[cursor->next++];
    }
    if (!cursor->own) {
        cursor->own = malloc(sizeof *cursor->own);
        if (!cursor->own) {
            cursor->failed = true;
            return table->base;
        }
        *cursor->own = table->generator;
    }
    return half_normal_draw(cursor->own, table);
}

void latency_cursor_free(struct latency_cursor *cursor)
{
    free(cursor->own);
    cursor->own = NULL;
}
