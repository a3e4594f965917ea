/* The addresses that a machine has: those of gpu.address_bits bits. Tags are no wider, so a cache
 * of such a machine could not tell addresses beyond them apart; a stream that has any is refused.
 *
 * Cost: an addition and an OR a request. */
#pragma once

#include "base/diag.h"
#include "model/gpu/request.h"
#include "schema/machine.h"

static inline bool address_fits(const struct machine *machine, uint64_t address)
{
    return machine->gpu.address_bits >= 64 || !(address >> machine->gpu.address_bits);
}

/* Whether all bytes of the requests are addresses of the machine. */
static inline bool addresses_fit(const struct machine *machine, const struct request *requests,
                                 size_t count)
{
    uint64_t seen = 0;
    for (size_t i = 0; i < count; i++)
        seen |= requests[i].address + requests[i].bytes - 1;
    return address_fits(machine, seen);
}

/* STATUS_INVALID; the error names the first of the requests that does not fit. */
enum status addresses_refuse(const struct machine *machine, const struct request *requests,
                             size_t count, struct diagnostics *diagnostics);
