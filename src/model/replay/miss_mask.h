/* What an L1D sends on, as one byte per request: the mask of its sectors that missed. If no line is
 * ever dirty, this and the log of the requests describe the L1D's output completely, in an eighth
 * of the space of a log of that output. */
#pragma once

#include "model/lru/lru_filter.h"
#include "model/pass/request_log.h"
#include "schema/machine.h"

struct miss_mask {
    const struct request_log *stream; /* must outlive the mask */
    uint64_t sector;                  /* sector of the L1D in bytes */
    size_t *starts; /* [instances + 1]: first byte of each instance, and the total */
    uint64_t count; /* requests that go on, wholly or in part */
    /* For each item of each section, as from lru_filter_run, with sectors instead of lines. */
    uint8_t *sent;
};

/* True if a miss mask describes all that this machine's L1D sends on, and the L2 can take it in the
 * order of the requests: no line is dirty, no store fetches, and each piece of a request stays in
 * one slice and is at least an L2 sector. */
bool miss_mask_applies(const struct machine *machine, const struct request_log *stream);

/* Creates a mask for `stream`; the caller fills in what is sent. NULL: no memory. */
struct miss_mask *miss_mask_create(const struct machine *machine, const struct request_log *stream);
void miss_mask_free(struct miss_mask *mask); /* NULL is allowed */
uint64_t miss_mask_bytes(const struct miss_mask *mask);
/* The bytes of one instance, in the order of its section of the log. */
static inline uint8_t *miss_mask_of(const struct miss_mask *mask, unsigned instance)
{
    return mask->sent + mask->starts[instance];
}
/* The number of requests of an instance that go on. */
uint64_t miss_mask_count(const struct miss_mask *mask, unsigned instance);

/* What an L1D with this write policy does with a request. */
static inline enum lru_filter_act miss_mask_act(int write, const struct request *request)
{
    if (cache_passes(write, CACHE_L1, request))
        return LRU_FILTER_PASS;
    return request_writes(request) ? LRU_FILTER_STORE : LRU_FILTER_LOAD;
}
