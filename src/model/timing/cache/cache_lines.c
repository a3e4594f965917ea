#include "model/timing/cache/cache_lines.h"

#include <string.h>

#include "model/cache/replacement.h"

enum { NONE = UINT32_MAX };

void unit_note_line(struct cache_unit *unit, uint32_t at)
{
    const struct unit_line *line = &unit->lines[at];
    unit->holds[at] =
        (uint8_t)((line->valid | line->reserved ? HOLD_DATA : 0) |
                  (line->reserved ? HOLD_RESERVED : 0) | (line->dirty ? HOLD_DIRTY : 0));
    if (!unit->holds[at]) {
        if (unit->policy && unit->policy->drop && unit->tags[at] != NO_TAG)
            unit_drop(unit, at);
        unit->evicts |= unit->tags[at] != NO_TAG;
        unit->tags[at] = NO_TAG;
    }
}

void unit_policy_use(struct cache_unit *unit, const struct probe *probe, uint32_t pc, bool filled)
{
    if (!unit->policy || (unit->repeats && !filled))
        return;
    void (*told)(const struct set_access *, uint32_t) =
        filled ? unit->policy->fill : unit->policy->hit;
    const struct set_access access = unit_set_access(unit, probe->set, probe->number, pc);
    if (told)
        told(&access, probe->line % unit->ways_max);
}

/* A line that is there is used, whether it has the sector or not. */
static void use_line(struct cache_unit *unit, const struct probe *probe, uint32_t pc, uint64_t now)
{
    if (!unit->fifo)
        unit->used[probe->line] = now;
    unit_policy_use(unit, probe, pc, false);
}

static inline uint32_t *written_of(const struct cache_unit *unit, uint32_t line)
{
    return &unit->written[(uint64_t)line * unit->geometry.sectors];
}

static void write_back(struct cache_unit *unit, uint64_t address, unsigned sectors,
                       const struct packet *request, uint64_t now, struct unit_effect *effect)
{
    const struct packet back = {
        .address = address,
        .kind = PACKET_WRITEBACK,
        .bytes = (uint16_t)(sectors << unit->geometry.sector_bits),
        .touched = UINT32_MAX,
        .sm = request->sm,
        .slice = request->slice,
    };
    effect->evicted = back.bytes;
    unit->counts.writebacks++;
    unit->counts.write_bytes += back.bytes;
    unit_send_miss(unit, &back, now);
}

void unit_tell_line(const struct cache_unit *unit, enum event_kind kind, uint64_t address,
                    uint64_t bytes)
{
    const struct timing_event event = {.cycle = *unit->event_cycle,
                                       .address = address,
                                       .place = unit->event_place,
                                       .slot = NO_SLOT,
                                       .bytes = (uint16_t)bytes,
                                       .kind = (uint8_t)(unit->event_first + kind - EVENT_l1d_hit),
                                       .detail = EVENT_NO_DETAIL};
    event_log_put(unit->events, &event);
}

/* Takes a line for another address; a dirty one is written back unless stores went on already. */
static void replace_line(struct cache_unit *unit, const struct probe *probe,
                         const struct packet *request, uint64_t now, struct unit_effect *effect)
{
    struct unit_line *line = &unit->lines[probe->line];
    unit->evicts |= unit->tags[probe->line] != NO_TAG;
    if (unit->events && unit->tags[probe->line] != NO_TAG)
        unit_tell_line(unit, EVENT_l1d_eviction,
                       unit->tags[probe->line] << unit->geometry.line_bits,
                       UINT64_C(1) << unit->geometry.line_bits);
    if (line->dirty) {
        unit->dirty_lines--;
        if (!unit->through)
            write_back(unit, unit->tags[probe->line] << unit->geometry.line_bits,
                       bits_count(line->dirty), request, now, effect);
    }
    memset(written_of(unit, probe->line), 0, unit->geometry.sectors * sizeof *unit->written);
    *line = (struct unit_line){.readable = UINT32_MAX};
    if (unit->bypass) {
        const struct bypass_access access = unit_bypass_access(probe, request, now);
        bypass_replace(unit->bypass, &access, probe->line, unit->tags[probe->line] == NO_TAG);
    }
    if (unit->throttle)
        throttle_replace(unit->throttle, probe->line, unit->tags[probe->line] == NO_TAG,
                         &(struct throttle_line){probe->number, request->warp});
    unit->tags[probe->line] = probe->number;
    unit->marks[probe->line] = unit_mark(probe->number);
    unit->used[probe->line] = now;
    unit->empty = false;
}

/* Reserves the sector that a miss fetches. */
static void reserve_sector(struct cache_unit *unit, const struct probe *probe)
{
    struct unit_line *line = &unit->lines[probe->line];
    const uint32_t bit = UINT32_C(1) << probe->place;
    if (line->dirty & bit) {
        line->fill_dirty |= bit;
        line->dirty &= ~bit;
        if (!line->dirty)
            unit->dirty_lines--;
    } else {
        line->fill_dirty &= ~bit;
    }
    line->fill_readable &= ~bit;
    line->valid &= ~bit;
    line->reserved |= bit;
    line->readable |= bit;
    unit_note_line(unit, probe->line);
}

void unit_touch_line(struct cache_unit *unit, struct probe *probe, const struct packet *request,
                     uint64_t now, struct unit_effect *effect)
{
    if (probe->outcome == UNIT_HIT || probe->outcome == UNIT_PENDING) {
        use_line(unit, probe, request->pc, now);
    } else if (!unit->on_fill) {
        if (probe->outcome == UNIT_MISS) {
            unit_choose(unit, probe, request->pc);
            replace_line(unit, probe, request, now, effect);
            unit_policy_use(unit, probe, request->pc, true);
        } else {
            use_line(unit, probe, request->pc, now);
        }
        reserve_sector(unit, probe);
    }
}

void unit_mark_written(struct cache_unit *unit, const struct probe *probe,
                       const struct packet *request, bool dirty)
{
    struct unit_line *line = &unit->lines[probe->line];
    const struct geometry *geometry = &unit->geometry;
    const uint32_t bit = UINT32_C(1) << probe->place;
    if (dirty) {
        unit->dirty_lines += !line->dirty;
        line->dirty |= bit;
    }
    line->valid |= bit;
    line->reserved &= ~bit;
    unit_note_line(unit, probe->line);
    const struct request part = {
        .address = request->address, .bytes = request->bytes, .touched = request->touched};
    written_of(unit, probe->line)[probe->place] |=
        request_covers(geometry, &part, request->address >> geometry->sector_bits);
}

/* What the sector holds that was not written on yet (of local memory, or by atomics) is written
 * back: GPGPU-Sim forgets it, but its traces have no such bytes. */
void unit_drop_sector(struct cache_unit *unit, const struct probe *probe,
                      const struct packet *request, uint64_t now, struct unit_effect *effect)
{
    struct unit_line *line = &unit->lines[probe->line];
    const uint32_t bit = UINT32_C(1) << probe->place;
    const bool dirty = line->dirty;
    if (line->dirty & bit)
        write_back(unit,
                   geometry_sector(&unit->geometry, probe->number, probe->place)
                       << unit->geometry.sector_bits,
                   1, request, now, effect);
    line->valid &= ~(unit->sectored ? bit : UINT32_MAX);
    line->dirty &= line->valid;
    unit->dirty_lines -= dirty && !line->dirty;
    written_of(unit, probe->line)[probe->place] = 0; /* GPGPU-Sim remembers what is gone */
    unit_note_line(unit, probe->line);
}

void unit_update_readable(struct cache_unit *unit, const struct probe *probe)
{
    if (written_of(unit, probe->line)[probe->place] == UINT32_MAX)
        unit->lines[probe->line].readable |= UINT32_C(1) << probe->place;
}

/* The line that data go to: the reserved one, or with `on_fill` the one that is replaced now. NONE:
 * the data find no place, because the cache was emptied in the meantime, or because a store made
 * the line replaceable. In the latter case GPGPU-Sim does not look what the line holds (`strays`).
 */
static uint32_t fill_target(struct cache_unit *unit, const struct mshr *mshr, uint64_t now)
{
    const uint64_t number = mshr->block << unit->geometry.sector_bits >> unit->geometry.line_bits;
    if (!unit->on_fill) {
        const uint64_t held = unit->tags[mshr->line];
        return held == number || (unit->strays && held != NO_TAG) ? mshr->line : NONE;
    }
    const struct packet data = {.address = mshr->block << unit->geometry.sector_bits,
                                .bytes = (uint16_t)unit->block_bytes,
                                .pc = unit->targets[mshr->first].pc,
                                .warp = unit->targets[mshr->first].warp};
    struct unit_effect effect = {0};
    struct probe probe = unit_probe(unit, &data, mshr->index, false);
    if (probe.outcome == UNIT_MISS) {
        unit_choose(unit, &probe, data.pc);
        replace_line(unit, &probe, &data, now, &effect);
        unit_policy_use(unit, &probe, data.pc, true);
    } else if (probe.outcome == UNIT_SECTOR_MISS) {
        use_line(unit, &probe, data.pc, now);
    }
    return probe.outcome == UNIT_FAIL_LINE ? NONE : probe.line;
}

void unit_fill_line(struct cache_unit *unit, const struct mshr *mshr, uint64_t now)
{
    const struct geometry *geometry = &unit->geometry;
    const uint64_t sector = mshr->block;
    const uint32_t bit = UINT32_C(1) << geometry_place(geometry, sector);
    const uint32_t at = fill_target(unit, mshr, now);
    if (at == NONE)
        return;
    struct unit_line *line = &unit->lines[at];
    line->reserved &= ~bit;
    line->valid |= bit;
    if (unit->strays && !(line->fill_dirty & bit))
        line->dirty &= ~bit; /* of a line that came there meanwhile; it stays counted as dirty */
    if (line->fill_dirty & bit) {
        unit->dirty_lines += !line->dirty;
        line->dirty |= bit;
    }
    line->readable |= line->fill_readable & bit;
    line->fill_readable &= ~bit;
    unit_note_line(unit, at);
}
