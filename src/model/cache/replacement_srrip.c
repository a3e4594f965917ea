/* Static re-reference interval prediction with 2 bits per way and hit priority (A. Jaleel, K. B.
 * Theobald, S. C. Steely and J. Emer, "High performance cache replacement using re-reference
 * interval prediction (RRIP)", ISCA 2010). The value of a way predicts how far away its next use
 * is: far for a new line, at once for a line that was hit. The victim is the first way with the
 * farthest prediction; if there is none, all predictions of the set are increased first. So lines
 * that are used once leave before lines that were hit, and a scan does not flush the set.
 *
 * A line that is hit right after its fill is predicted at once, so repeated touches matter. Finding
 * a victim takes time linear in the ways, in vectors. */
#include <string.h>

#include "model/cache/replacement.h"

enum { EXPECTED_AT_ONCE = 0, EXPECTED_FAR = 2, EXPECTED_FARTHEST = 3 };

static size_t state_bytes(uint32_t ways)
{
    return ways;
}

static void hit(void *state, uint32_t ways, uint32_t way)
{
    (void)ways;
    ((uint8_t *)state)[way] = EXPECTED_AT_ONCE;
}

static void fill(void *state, uint32_t ways, uint32_t way)
{
    (void)ways;
    ((uint8_t *)state)[way] = EXPECTED_FAR;
}

static uint32_t victim(void *state, uint32_t ways, uint64_t seed)
{
    (void)seed;
    uint8_t *expected = state;
    const uint8_t *first;
    while (!(first = memchr(expected, EXPECTED_FARTHEST, ways)))
        for (uint32_t way = 0; way < ways; way++)
            expected[way]++;
    return (uint32_t)(first - expected);
}

const struct replacement_policy policy_REPLACEMENT_SRRIP = {
    .state_bytes = state_bytes,
    .hit = hit,
    .fill = fill,
    .victim = victim,
};
