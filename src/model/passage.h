/* What an L1D sends on, as a byte for each request that it got: which of its sectors were missing.
 * That is all that there is to know where no line is ever dirty, and an eighth of the tape that
 * would say the same; it is of use together with the tape of the requests. */
#pragma once

#include "model/cache/sieve.h"
#include "model/tape.h"
#include "schema/machine.h"

struct passage {
    const struct tape *stream; /* must outlive it */
    uint64_t sector;           /* bytes: of the L1D */
    size_t *starts;            /* of each unit's bytes, and their end */
    uint64_t count;            /* requests that go on, in whole or in part */
    uint8_t *sent; /* of each item of each track, as from sieve_run, with sectors for lines */
};

/* True where a passage says all that this machine's L1D sends on, and its L2 takes it in the order
 * of the requests: no line is dirty, no store fetches, and what a request becomes stays in one
 * slice and is not less than a sector there. */
bool passage_applies(const struct machine *machine, const struct tape *stream);

/* Nothing is sent yet. NULL: no memory. */
struct passage *passage_create(const struct machine *machine, const struct tape *stream);
void passage_free(struct passage *passage); /* NULL is allowed */
uint64_t passage_bytes(const struct passage *passage);
/* The bytes of one unit, in the order of its track. */
static inline uint8_t *passage_of(const struct passage *passage, unsigned unit)
{
    return passage->sent + passage->starts[unit];
}
/* How many of its requests go on. */
uint64_t passage_count(const struct passage *passage, unsigned unit);

/* What a request does at an L1D with this write policy. */
static inline enum sieve_act passage_act(int write, const struct request *request)
{
    if (cache_passes(write, CACHE_L1, request))
        return SIEVE_PASS;
    return request_writes(request) ? SIEVE_STORE : SIEVE_LOAD;
}
