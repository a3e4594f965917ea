/* A synthetic stream of 32 B sector accesses like those of a GPU: the workload for the published
 * cache counts and for the speed of the cache models. Warps of 32 lanes are coalesced to distinct
 * sectors in first-lane order, and 16 warps take turns. Five phases of equal length: saxpy, a naive
 * 2048 x 2048 transpose, a 512 x 512 matrix product without shared memory, power-of-two strides, a
 * random gather with hot and cold addresses. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/gpu/request.h"

enum { GPU_MIX_LENGTH = 20000000 };

struct gpu_mix {
    uint32_t *items; /* address (a multiple of 32); bit 0: store */
    size_t count;
};

/* Generates `count` accesses; the published counts are for 20,000,000. STATUS_MEMORY. */
enum status gpu_mix_create(size_t count, struct gpu_mix *mix);
void gpu_mix_free(struct gpu_mix *mix);

/* Writes accesses [first, first + count) as requests of 32 B from instance 0. */
void gpu_mix_requests(const struct gpu_mix *mix, size_t first, size_t count, struct request *out);
