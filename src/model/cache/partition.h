/* How addresses are spread over the slices of an L2. */
#pragma once

#include "model/cache/set_index.h"
#include "model/gpu/request.h"
#include "schema/machine.h"

struct partition {
    struct set_index index; /* of the interleave chunk's number, over the slices */
    unsigned interleave_bits;
};

enum status partition_init(struct partition *partition, const struct cache_config *l2);

static inline unsigned partition_slice(const struct partition *partition, uint64_t address)
{
    return (unsigned)set_index_map(&partition->index, partition->index.function,
                                   address >> partition->interleave_bits);
}

/* out[i] is requests[i] with `instance` = its slice. Addresses stay whole: the slice's cache leaves
 * the bits that chose it out of its set index (GPGPU-Sim: "channel bits removed"). */
void partition_requests(const struct partition *partition, const struct request *requests,
                        size_t count, struct request *out);
