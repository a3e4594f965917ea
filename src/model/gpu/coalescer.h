/* Coalescing: a warp instruction's addresses into memory requests.
 *
 * arch 40 and later: one request for each distinct 32 B sector. arch 20 to 38: 128 B segments (32 B
 * for 1 B and 64 B for 2 B accesses), shrunk to the half or quarter that is used when they bypass
 * the L1D. arch 13 to 19: as 20, for half-warps. An access that crosses a segment adds the next
 * one. Requests come highest address first, the order in which GPGPU-Sim serves them. */
#pragma once

#include "model/gpu/request.h"

enum { COALESCED_MAX = 2 * WARP_SIZE };

/* Fills out[0..returned) for one record; unit, pc, op, space and flags are set as well. */
unsigned coalesce(uint64_t arch, const struct warp_access *access,
                  const struct access_window *window, uint16_t unit,
                  struct request out[COALESCED_MAX]);
