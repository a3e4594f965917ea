/* What an L1D sends on, as a byte for each request that it got: which of its sectors were missing.
 * That is all that there is to know where no line is ever dirty, and an eighth of the log that
 * would say the same; it is of use together with the log of the requests. */
#pragma once

#include "model/lru/lru_filter.h"
#include "model/pass/request_log.h"
#include "schema/machine.h"

struct miss_mask {
    const struct request_log *stream; /* must outlive it */
    uint64_t sector;                  /* bytes: of the L1D */
    size_t *starts;                   /* of each instance's bytes, and their end */
    uint64_t count;                   /* requests that go on, in whole or in part */
    /* Of each item of each section, as from lru_filter_run, with sectors for lines. */
    uint8_t *sent;
};

/* True where a miss mask says all that this machine's L1D sends on, and its L2 takes it in the
 * order of the requests: no line is dirty, no store fetches, and what a request becomes stays in
 * one slice and is not less than a sector there. */
bool miss_mask_applies(const struct machine *machine, const struct request_log *stream);

/* Nothing is sent yet. NULL: no memory. */
struct miss_mask *miss_mask_create(const struct machine *machine, const struct request_log *stream);
void miss_mask_free(struct miss_mask *mask); /* NULL is allowed */
uint64_t miss_mask_bytes(const struct miss_mask *mask);
/* The bytes of one instance, in the order of its section. */
static inline uint8_t *miss_mask_of(const struct miss_mask *mask, unsigned instance)
{
    return mask->sent + mask->starts[instance];
}
/* How many of its requests go on. */
uint64_t miss_mask_count(const struct miss_mask *mask, unsigned instance);

/* What a request does at an L1D with this write policy. */
static inline enum lru_filter_act miss_mask_act(int write, const struct request *request)
{
    if (cache_passes(write, CACHE_L1, request))
        return LRU_FILTER_PASS;
    return request_writes(request) ? LRU_FILTER_STORE : LRU_FILTER_LOAD;
}
