/* Static re-reference interval prediction, with 2 bits a way and hit priority (A. Jaleel, K. B.
 * Theobald, S. C. Steely and J. Emer, "High performance cache replacement using re-reference
 * interval prediction (RRIP)", ISCA 2010). A way's value says how far off its next use is expected:
 * far for a new line, at once for one that was hit. The victim is the first way whose next use is
 * expected farthest off; while there is none, all of the set move farther off. So lines that are
 * used once leave before those that were hit, and a scan does not sweep the set.
 *
 * A line that is hit right after it came is expected at once from then on: repeats count. A victim
 * takes time linear in the ways, in vectors. */
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
