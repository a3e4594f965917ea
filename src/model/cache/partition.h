/* Spreads addresses over the slices of an L2. An address belongs to an interleave chunk, and the
 * partition's index function maps the number of the chunk to a slice. Invariant: every byte of a
 * chunk is in one slice, and a chunk is at least a line, so a line never spans two slices. Costs
 * one set_index_map per request.
 *
 * An L2 in halves (l2.halves) has two slices for a chunk: its home, in front of the DRAM channel
 * that holds it, and the twin of that in the other half. An SM reads through the half that is near
 * to it, which keeps copies of what it reads from the far one; stores and atomics are performed at
 * home, and a copy follows its line. That each half caches what the SMs next to it access is from
 * NVIDIA, "A100 Tensor Core GPU Architecture" (2020); docs/VALIDATION.md has what shows of it in
 * measured latencies. */
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

/* The slice of the other half that may keep copies of a slice's lines. */
static inline unsigned partition_twin(const struct cache_config *l2, unsigned slice)
{
    const unsigned half = (unsigned)l2->slices / 2;
    return slice < half ? slice + half : slice - half;
}

/* The slice through which an SM reads lines of the slice `home`. SMs next to each other belong to
 * different halves, which is an assumption: neighbouring blocks start in different GPCs. */
static inline unsigned partition_near(const struct cache_config *l2, unsigned home, unsigned sm)
{
    const bool far_half = home >= l2->slices / 2, far_sm = sm % 2;
    return far_half == far_sm ? home : partition_twin(l2, home);
}

/* Copies requests[i] to out[i] with `instance` set to its slice. Addresses stay whole: the cache of
 * a slice leaves the bits that chose the slice out of its set index (GPGPU-Sim: "channel bits
 * removed"). */
void partition_requests(const struct partition *partition, const struct request *requests,
                        size_t count, struct request *out);
