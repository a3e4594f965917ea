/* What happens to the lines of a cache unit: they are replaced, reserved, written, filled and
 * dropped. Shared by cache_unit.c, which decides that it happens, and cache_lines.c, and nobody
 * else.
 *
 * Invariants: `holds` says of each line what its sectors do, so every change of them ends with
 * unit_note_line; the policies of replacement, bypass and throttling hear of every line that is
 * replaced. */
#pragma once

#include "model/timing/cache/cache_lookup.h"

/* A request as the bypass policy sees it. */
static inline struct bypass_access unit_bypass_access(const struct probe *probe,
                                                      const struct packet *request, uint64_t now)
{
    return (struct bypass_access){.line = probe->number,
                                  .now = now,
                                  .pc = request->pc,
                                  .set = probe->set,
                                  .warp = request->warp,
                                  .parts = request->parts};
}

static inline void unit_send_miss(struct cache_unit *unit, const struct packet *miss, uint64_t now)
{
    unit->failed |= !packet_queue_push(&unit->packets, &unit->misses, miss);
    gauge_enter(&unit->queued, now, unit->misses.count);
}

/* Tells whoever watches that bytes came or went; `kind` is that of an L1D. */
void unit_tell_line(const struct cache_unit *unit, enum event_kind kind, uint64_t address,
                    uint64_t bytes);
/* A line's sectors changed: what searches read follows. */
void unit_note_line(struct cache_unit *unit, uint32_t at);
/* Tells the replacement policy of a hit, or of a fill. */
void unit_policy_use(struct cache_unit *unit, const struct probe *probe, uint32_t pc, bool filled);
/* What GPGPU-Sim's tag_array::access does with the outcome of a probe. A write-back that it causes
 * follows the request in the miss queue, so the caller sends that first. */
void unit_touch_line(struct cache_unit *unit, struct probe *probe, const struct packet *request,
                     uint64_t now, struct unit_effect *effect);
/* A store or an atomic wrote to the sector of a probe; not dirty: the next level has it, too. */
void unit_mark_written(struct cache_unit *unit, const struct probe *probe,
                       const struct packet *request, bool dirty);
/* A sector can be read once all of its bytes were written. */
void unit_update_readable(struct cache_unit *unit, const struct probe *probe);
/* A store that goes on invalidates the sector of a probe (without sectors: its line). */
void unit_drop_sector(struct cache_unit *unit, const struct probe *probe,
                      const struct packet *request, uint64_t now, struct unit_effect *effect);
/* The data of an MSHR arrived: its line gets them if it still has a place for them. */
void unit_fill_line(struct cache_unit *unit, const struct mshr *mshr, uint64_t now);
