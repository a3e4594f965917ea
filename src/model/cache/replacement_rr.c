/* Round robin: a counter per set names the victim and then advances by one, as in the caches of the
 * SIMT processor. It ignores valid bits; that is how it differs from FIFO after a line was dropped.
 */
#include "model/cache/replacement.h"

static size_t state_bytes(uint32_t ways)
{
    (void)ways;
    return sizeof(uint64_t);
}

static uint32_t victim(void *state, uint32_t ways, uint64_t seed)
{
    (void)seed;
    uint64_t *next = state;
    uint32_t way = (uint32_t)*next;
    *next = way + 1 < ways ? way + 1 : 0;
    return way;
}

const struct replacement_policy policy_REPLACEMENT_RR = {
    .state_bytes = state_bytes,
    .victim = victim,
};
