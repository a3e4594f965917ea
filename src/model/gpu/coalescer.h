/* Coalesces the addresses of a warp instruction into memory requests, as GPGPU-Sim does.
 * - arch 40 and later: one request for each distinct 32 B sector.
 * - arch 20 to 39: 32 B sectors for accesses that bypass the L1D (ACCESS_BYPASS_L1, atomics).
 *   Otherwise segments of 128 B (32 B for 1 B accesses, 64 B for 2 B accesses), each shrunk to the
 *   half or quarter that is used. A cache with 128 B lines still fetches its whole line.
 * - arch 13 to 19: segments, separately for each half-warp.
 *
 * A sector of which a single access (ACCESS_SINGLE) uses one half is cut to 16 B.
 *
 * An access that crosses a segment adds the next one. SPACE_LOCAL accesses are split into 4 B
 * words. Requests are ordered from the highest address down (arch 13 to 19: within each half-warp,
 * upper half-warp first), the order in which GPGPU-Sim serves them; with ORDER_RISING exactly the
 * other way round.
 *
 * Pure function of its arguments. Time is linear in the lanes if addresses rise or fall with the
 * lane. Otherwise neighbours that share segments are merged at once (segments.h), and others are
 * sorted first. */
#pragma once

#include "model/gpu/request.h"
#include "schema/machine.h"

/* a thread's 16 B of local memory are four words */
enum { COALESCED_MAX = 4 * WARP_SIZE };

/* Makes a record what the SMs of a machine issue: where accesses to global memory skip the L1D
 * (l1d.skip) they do so like those whose instruction says it. In its place, as a copy would have to
 * wait for a byte of it. */
static inline void access_issue(const struct machine *machine, struct warp_access *access)
{
    if (machine->l1d.skip && access->space == SPACE_GLOBAL)
        access->flags |= ACCESS_BYPASS_L1;
}

/* Fills out[0..returned) for one record, including instance, pc, op, space and flags. */
unsigned coalesce(const struct coalescer_config *coalescer, const struct warp_access *access,
                  const struct access_window *window, uint16_t instance,
                  struct request out[COALESCED_MAX]);

/* The same as a processor without AVX2 does it, for tests. */
unsigned coalesce_plain(const struct coalescer_config *coalescer, const struct warp_access *access,
                        const struct access_window *window, uint16_t instance,
                        struct request out[COALESCED_MAX]);
