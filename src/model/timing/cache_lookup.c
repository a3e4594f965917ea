#include "model/timing/cache_lookup.h"

#include <string.h>

#include "model/cache/replacement.h"

enum { NONE = UINT32_MAX };

/* ---- eight bytes at once ---- */

enum { BYTES = 8 };
#define EACH_BYTE UINT64_C(0x0101010101010101)

static inline uint64_t load_bytes(const uint8_t *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* The top bit of each byte that is 0, and perhaps of one above it; none if no byte is 0. */
static inline uint64_t zero_bytes(uint64_t word)
{
    return (word - EACH_BYTE) & ~word & EACH_BYTE << 7;
}

/* The last way without data; NONE if there is none. */
static inline uint32_t last_empty(const uint8_t *holds, uint32_t ways)
{
    while (ways >= BYTES && !zero_bytes(load_bytes(holds + ways - BYTES)))
        ways -= BYTES;
    while (ways-- > 0)
        if (!holds[ways])
            return ways;
    return NONE;
}

static inline uint32_t first_empty(const uint8_t *holds, uint32_t ways)
{
    uint32_t way = 0;
    while (way < ways && holds[way])
        way++;
    return way < ways ? way : NONE;
}

/* GPGPU-Sim: the last way without data, or else the one whose last access (fifo: allocation) is
 * longest ago, the lowest of several. Policies that GPGPU-Sim does not have get the first way
 * without data, as at the functional depth, or choose even then. */
static void choose_victim(const struct cache_unit *unit, struct probe *probe)
{
    const uint64_t row = (uint64_t)probe->set * unit->ways_max;
    const uint8_t *holds = unit->holds + row, kept = unit_kept(unit);
    const uint64_t *used = unit->used + row;
    uint32_t way = unit->any_way  ? NONE
                   : unit->policy ? first_empty(holds, unit->ways)
                                  : last_empty(holds, unit->ways);
    const bool empty = way != NONE;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; !empty && i < unit->ways; i++)
        if (!(holds[i] & kept) && used[i] < least) {
            least = used[i];
            way = i;
        }
    probe->outcome = way == NONE ? UNIT_FAIL_LINE : UNIT_MISS;
    probe->open = way != NONE && !empty && unit->policy;
    probe->line = way == NONE ? NONE : (uint32_t)(row + way);
}

/* The way that another policy than lru and fifo replaces: its choice, or the next one after it that
 * may be replaced. */
void unit_choose(const struct cache_unit *unit, struct probe *probe, uint32_t pc)
{
    if (!probe->open)
        return;
    const uint32_t row = probe->set * unit->ways_max;
    const struct set_access access = unit_set_access(unit, probe->set, probe->number, pc);
    uint32_t way = unit->policy->victim(&access);
    while (unit->holds[row + way] & unit_kept(unit))
        way = (way + 1) % unit->ways;
    probe->line = row + way;
    probe->open = false;
}

/* The way with a tag; NONE if there is none. Caches of many ways look at the marks first. */
static uint32_t find_way(const struct cache_unit *unit, uint64_t row, uint64_t tag)
{
    const uint64_t *tags = unit->tags + row, pattern = EACH_BYTE * unit_mark(tag);
    uint32_t way = 0;
    for (; way + BYTES <= unit->ways && unit->ways > BYTES; way += BYTES) {
        uint64_t same = zero_bytes(load_bytes(unit->marks + row + way) ^ pattern);
        for (; same; same &= same - 1) {
            const uint32_t found = way + (uint32_t)__builtin_ctzll(same) / 8;
            if (tags[found] == tag)
                return found;
        }
    }
    for (; way < unit->ways; way++)
        if (tags[way] == tag)
            return way;
    return NONE;
}

struct probe unit_probe(const struct cache_unit *unit, const struct packet *request, uint64_t index,
                        bool store)
{
    const struct geometry *geometry = &unit->geometry;
    const uint64_t first = request->address >> geometry->sector_bits;
    struct probe probe = {
        .number = geometry_line(geometry, first),
        .index = index,
        .set = (uint32_t)set_index_map(&geometry->index, geometry->index.function, index),
        .place = geometry_place(geometry, first),
    };
    const uint64_t row = (uint64_t)probe.set * unit->ways_max;
    const uint32_t way = find_way(unit, row, probe.number);
    if (way == NONE) {
        choose_victim(unit, &probe);
        return probe;
    }
    const struct unit_line *line = &unit->lines[row + way];
    const uint32_t bit = UINT32_C(1) << probe.place;
    probe.line = (uint32_t)(row + way);
    if (line->reserved & bit)
        probe.outcome = UNIT_PENDING;
    else if (line->valid & bit && (store || !(line->dirty & ~line->readable & bit)))
        probe.outcome = UNIT_HIT;
    else
        probe.outcome = UNIT_SECTOR_MISS;
    return probe;
}
