#include "model/gpu/address_space.h"

#include <inttypes.h>

enum status addresses_refuse(const struct machine *machine, const struct request *requests,
                             size_t count, struct diagnostics *diagnostics)
{
    size_t i = 0;
    while (i + 1 < count && addresses_fit(machine, &requests[i], 1))
        i++;
    return diagnostics_error(diagnostics, STATUS_INVALID,
                             "the instruction at 0x%" PRIx32 " %s 0x%" PRIx64
                             ", but addresses of this machine have %" PRIu64
                             " bits (gpu.address_bits)",
                             requests[i].pc, requests[i].op == OP_FETCH ? "lies at" : "accesses",
                             requests[i].address, machine->gpu.address_bits);
}
