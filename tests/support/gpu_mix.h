/* A synthetic stream of 32 B sector accesses as a GPU makes them, the yardstick of all cache counts
 * and speeds here: warps of 32 lanes coalesced to distinct sectors in first-lane order, 16 warps in
 * turn, five phases of equal length: saxpy, a naive 2048 x 2048 transpose, a 512 x 512 matrix
 * product without shared memory, power-of-two strides, a hot and cold random gather. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/gpu/request.h"

enum { GPU_MIX_LENGTH = 20000000 };

struct gpu_mix {
    uint32_t *items; /* address (a multiple of 32), bit 0 = store */
    size_t count;
};

/* Makes `count` accesses (20,000,000 for the published counts). STATUS_MEMORY. */
enum status gpu_mix_create(size_t count, struct gpu_mix *mix);
void gpu_mix_free(struct gpu_mix *mix);

/* Writes accesses [first, first + count) as requests of 32 B by instance 0. */
void gpu_mix_requests(const struct gpu_mix *mix, size_t first, size_t count, struct request *out);
