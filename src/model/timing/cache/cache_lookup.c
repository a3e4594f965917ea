#include "model/timing/cache/cache_lookup.h"

#include <string.h>

#include "model/cache/replacement.h"

enum { NONE = UINT32_MAX };

/* ---- sixteen bytes at once: a register of every 64-bit machine ---- */

enum { BYTES = 16 };
typedef uint8_t byte_vector __attribute__((vector_size(BYTES)));
struct byte_set { /* each byte of the words is 0 or 0xff */
    uint64_t low, high;
};

/* Which of 16 bytes have a value. */
static inline struct byte_set bytes_equal(const uint8_t *bytes, uint8_t value)
{
    byte_vector loaded;
    struct byte_set equal;
    memcpy(&loaded, bytes, sizeof loaded);
    const byte_vector same = (byte_vector)(loaded == value);
    memcpy(&equal, &same, sizeof equal);
    return equal;
}

/* The last way without data; NONE if there is none. */
static inline uint32_t last_empty(const uint8_t *holds, uint32_t ways)
{
    for (; ways >= BYTES; ways -= BYTES) {
        const struct byte_set empty = bytes_equal(holds + ways - BYTES, 0);
        if (empty.low | empty.high)
            break;
    }
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

/* The first of up to eight ways from `way` on, those whose byte in `marked` is not 0, that has a
 * tag; NONE if none has. */
static inline uint32_t marked_way(const uint64_t *tags, uint64_t tag, uint32_t way, uint64_t marked)
{
    while (marked) {
        const uint32_t byte = (uint32_t)__builtin_ctzll(marked) / 8;
        if (tags[way + byte] == tag)
            return way + byte;
        marked &= ~(UINT64_C(0xff) << 8 * byte);
    }
    return NONE;
}

/* The way with a tag; NONE if there is none. Caches of many ways look at the marks first. */
static uint32_t find_way(const struct cache_unit *unit, uint64_t row, uint64_t tag)
{
    const uint64_t *tags = unit->tags + row;
    const uint32_t ways = unit->ways;
    uint32_t way = 0;
    if (ways >= BYTES) {
        const uint8_t *marks = unit->marks + row, mark = unit_mark(tag);
        for (; way + BYTES <= ways; way += BYTES) {
            const struct byte_set same = bytes_equal(marks + way, mark);
            if (!(same.low | same.high))
                continue;
            const uint32_t low = marked_way(tags, tag, way, same.low);
            const uint32_t found = low != NONE ? low : marked_way(tags, tag, way + 8, same.high);
            if (found != NONE)
                return found;
        }
    }
    for (; way < ways; way++)
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
    else if (line->valid & bit &&
             (store || !((line->dirty | unit->clean_parts) & ~line->readable & bit)))
        probe.outcome = UNIT_HIT;
    else
        probe.outcome = UNIT_SECTOR_MISS;
    return probe;
}
