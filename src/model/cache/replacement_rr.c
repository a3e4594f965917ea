/* Round robin: a counter per set names the victim and then advances by one, as in the caches of the
 * SIMT processor of X. Xu, T. Li, Z. Sun and L. Xing (Computer Applications and Software 36(7),
 * 2019). It ignores valid bits; that is how it differs from FIFO after a line was dropped.
 */
#include <stdio.h>

#include "model/cache/cache_access.h"

static size_t rr_state_bytes(uint32_t ways)
{
    (void)ways;
    return sizeof(uint64_t);
}

static uint32_t rr_victim(const struct set_access *at)
{
    return (uint32_t) * (const uint64_t *)at->state;
}

static void rr_fill(const struct set_access *at, uint32_t way)
{
    *(uint64_t *)at->state = way + 1 < at->ways ? way + 1 : 0;
}

static void rr_reset(void *state, uint32_t ways, int value)
{
    *(uint64_t *)state = value == RESET_ONES ? ways - 1 : 0;
}

static const char *rr_explain(const struct set_access *at, char *text, size_t size)
{
    snprintf(text, size, "the counter stands at %u", (unsigned)*(const uint64_t *)at->state);
    return text;
}

static const char *rr_print(const struct set_access *at, char *text, size_t size)
{
    snprintf(text, size, "%u", (unsigned)*(const uint64_t *)at->state);
    return text;
}

VECTORS_INLINED static enum status run(struct cache *cache, const struct request *requests,
                                       size_t count, const uint32_t *lost, struct flow *flow)
{
    return access_run_policy(cache, requests, count, lost, flow, &policy_REPLACEMENT_RR,
                             TRAITS_REPLACEMENT_RR);
}

const struct replacement_policy policy_REPLACEMENT_RR = {
    .state_bytes = rr_state_bytes,
    .fill = rr_fill,
    .victim = rr_victim,
    .reset = rr_reset,
    .explain = rr_explain,
    .print = rr_print,
    .run = run,
};
