/* Spreads addresses over the slices of an L2. An address belongs to an interleave chunk, and the
 * partition's index function maps the number of the chunk to a slice. Invariant: every byte of a
 * chunk is in one slice, and a chunk is at least a line, so a line never spans two slices. Costs
 * one set_index_map per request. */
#pragma once

#include "model/cache/set_index.h"
#include "model/gpu/request.h"
#include "schema/machine.h"

struct partition {
    struct set_index index; /* maps a chunk's number to a slice */
    unsigned interleave_bits;
};

enum status partition_init(struct partition *partition, const struct cache_config *l2);

static inline unsigned partition_slice(const struct partition *partition, uint64_t address)
{
    return (unsigned)set_index_map(&partition->index, partition->index.function,
                                   address >> partition->interleave_bits);
}

/* Copies requests[i] to out[i] with `instance` set to its slice. Addresses stay whole: the cache of
 * a slice leaves the bits that chose the slice out of its set index (GPGPU-Sim: "channel bits
 * removed"). */
void partition_requests(const struct partition *partition, const struct request *requests,
                        size_t count, struct request *out);
