/* Coalescing: a warp instruction's addresses into memory requests, as GPGPU-Sim does it.
 *
 * arch 40 and later: one request for each distinct 32 B sector. arch 20 to 39: 32 B sectors for
 * what bypasses the L1D (ACCESS_BYPASS_L1, atomics); else segments of 128 B (32 B for 1 B and 64 B
 * for 2 B accesses), each shrunk to the half or quarter that is used: a cache with 128 B lines
 * still fetches its line. arch 13 to 19: segments, for each half-warp. An access that crosses a
 * segment adds the next one. SPACE_LOCAL accesses are split into their 4 B words. Requests come
 * highest address first (arch 13 to 19: within each half-warp, the upper half-warp first), the
 * order in which GPGPU-Sim serves them. */
#pragma once

#include "model/gpu/request.h"

/* 16 B a thread of local memory are four words. */
enum { COALESCED_MAX = 4 * WARP_SIZE };

/* Fills out[0..returned) for one record; instance, pc, op, space and flags are set as well. */
unsigned coalesce(uint64_t arch, const struct warp_access *access,
                  const struct access_window *window, uint16_t instance,
                  struct request out[COALESCED_MAX]);
