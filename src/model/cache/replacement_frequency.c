/* Counts of uses: a new line has one, a hit adds one, and the first way with the fewest goes.
 *
 * lfu: counters of 16 bits that stay at their highest value, one a line while it is here.
 * lfu_aging: counters of 4 bits; where one would overflow, all of its set are halved first (J. T.
 *   Robinson and M. V. Devarakonda, "Data cache management using frequency-based replacement",
 *   SIGMETRICS 1990, age by halving as well). So lines that were used much long ago leave.
 *
 * Cost of a victim: linear in the ways. */
#include <stdio.h>

#include "model/cache/replacement.h"

enum { AGING_MOST = 15 };

static size_t frequency_state_bytes(uint32_t ways)
{
    return sizeof(uint16_t) * ways;
}

static void frequency_fill(const struct set_access *at, uint32_t way)
{
    ((uint16_t *)at->state)[way] = 1;
}

static void frequency_hit(const struct set_access *at, uint32_t way)
{
    uint16_t *uses = at->state;
    if (uses[way] < UINT16_MAX)
        uses[way]++;
}

static void aging_hit(const struct set_access *at, uint32_t way)
{
    uint16_t *uses = at->state;
    if (uses[way] == AGING_MOST)
        for (uint32_t other = 0; other < at->ways; other++)
            uses[other] /= 2;
    uses[way]++;
}

static uint32_t frequency_victim(const struct set_access *at)
{
    const uint16_t *uses = at->state;
    uint32_t least = 0;
    for (uint32_t way = 1; way < at->ways; way++)
        if (uses[way] < uses[least])
            least = way;
    return least;
}

static const char *frequency_explain(const struct set_access *at, char *text, size_t size)
{
    snprintf(text, size, "used %u times, the fewest of the set",
             ((const uint16_t *)at->state)[frequency_victim(at)]);
    return text;
}

static const char *frequency_print(const struct set_access *at, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t way = 0; way < at->ways && used + 8 < size; way++)
        used += (size_t)snprintf(text + used, size - used, way ? " %u" : "%u",
                                 ((const uint16_t *)at->state)[way]);
    return text;
}

const struct replacement_policy policy_REPLACEMENT_LFU = {
    .state_bytes = frequency_state_bytes,
    .hit = frequency_hit,
    .fill = frequency_fill,
    .victim = frequency_victim,
    .explain = frequency_explain,
    .print = frequency_print,
};

const struct replacement_policy policy_REPLACEMENT_LFU_AGING = {
    .state_bytes = frequency_state_bytes,
    .hit = aging_hit,
    .fill = frequency_fill,
    .victim = frequency_victim,
    .explain = frequency_explain,
    .print = frequency_print,
};
