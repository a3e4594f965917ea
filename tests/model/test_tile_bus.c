/* What is between a tile cache and memory, with an L2 and without, against a list of lines that is
 * searched from end to end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/tile/bus.h"
#include "support/roll_tiles.h"

enum { LINES = 24, CALLS = 300 };

struct slow_line {
    uint64_t line, ready;
    bool dirty;
};

struct slow_bus {
    const struct tile_config *config;
    struct slow_line lines[LINES]; /* of all sets, the one used last first */
    uint64_t count, loaded, stored;
    double bus_free, port_free; /* cycles */
};

static double pass(double *free, uint64_t bandwidth, double now)
{
    *free = (*free > now ? *free : now) + (double)TILE_BYTES / (double)bandwidth;
    return *free;
}

static uint64_t up(double cycles)
{
    const uint64_t whole = (uint64_t)cycles;
    return whole + (cycles - (double)whole > 1e-6);
}

static uint64_t slow_load(struct slow_bus *bus, uint64_t now)
{
    bus->loaded++;
    return up(pass(&bus->bus_free, bus->config->bandwidth, (double)now)) + bus->config->latency;
}

static void slow_store(struct slow_bus *bus, uint64_t now)
{
    bus->stored++;
    pass(&bus->bus_free, bus->config->bandwidth, (double)now);
}

static void move_to_front(struct slow_bus *bus, uint64_t at)
{
    const struct slow_line line = bus->lines[at];
    for (; at; at--)
        bus->lines[at] = bus->lines[at - 1];
    bus->lines[0] = line;
}

/* Makes room for a line in its set; then it is the first. */
static void enter(struct slow_bus *bus, uint64_t line, uint64_t now)
{
    const struct cache_config *l2 = &bus->config->l2;
    const uint64_t sets = l2->size / TILE_BYTES / l2->ways;
    uint64_t of_set = 0, last = 0;
    for (uint64_t i = 0; i < bus->count; i++)
        if (bus->lines[i].line % sets == line % sets) {
            of_set++;
            last = i;
        }
    if (of_set < l2->ways)
        last = bus->count++;
    else if (bus->lines[last].dirty)
        slow_store(bus, now);
    bus->lines[last] = (struct slow_line){.line = line};
    move_to_front(bus, last);
}

static uint64_t slow_call(struct slow_bus *bus, uint64_t line, bool writes, uint64_t now)
{
    const struct cache_config *l2 = &bus->config->l2;
    if (!l2->size) {
        if (!writes)
            return slow_load(bus, now);
        slow_store(bus, now);
        return 0;
    }
    const uint64_t looked = up(pass(&bus->port_free, l2->port, (double)now)) + l2->latency;
    uint64_t at = 0;
    while (at < bus->count && bus->lines[at].line != line)
        at++;
    if (at < bus->count) {
        move_to_front(bus, at);
    } else {
        enter(bus, line, looked);
        bus->lines[0].ready = writes ? looked : slow_load(bus, looked);
    }
    bus->lines[0].dirty |= writes;
    if (writes)
        bus->lines[0].ready = looked;
    return looked > bus->lines[0].ready ? looked : bus->lines[0].ready;
}

static void equals_a_list(void **state)
{
    (void)state;
    uint64_t hits = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        static const uint64_t powers[] = {1, 2, 4, 8, 16, 32, 64, 128};
        struct dice dice = {.seed = seed};
        struct machine machine = tile_machine(TILE_LINKED, 4);
        machine.tile.bandwidth = powers[roll(&dice, 8)];
        machine.tile.latency = roll(&dice, 100);
        machine.tile.l2.ways = 1 + roll(&dice, 4);
        machine.tile.l2.size = roll(&dice, 6) * machine.tile.l2.ways * TILE_BYTES;
        machine.tile.l2.latency = roll(&dice, 40);
        machine.tile.l2.port = powers[roll(&dice, 8)];
        struct bus bus;
        struct slow_bus slow = {.config = &machine.tile};
        assert_int_equal(bus_init(&bus, &machine, NULL, 0), STATUS_OK);
        uint64_t now = 0;
        for (unsigned call = 0; call < CALLS; call++) {
            const uint64_t line = 1000 + roll(&dice, 1 + roll(&dice, 30));
            now += roll(&dice, 3) ? 0 : roll(&dice, 200);
            if (roll(&dice, 3) == 0) {
                bus_write(&bus, line * TILE_BYTES, now);
                slow_call(&slow, line, true, now);
            } else {
                const uint64_t loaded = bus.loaded;
                assert_int_equal(bus_read(&bus, line * TILE_BYTES, now),
                                 slow_call(&slow, line, false, now));
                hits += bus.loaded == loaded;
            }
            assert_int_equal(bus.loaded, slow.loaded);
            assert_int_equal(bus.stored, slow.stored);
        }
        const uint64_t end = bus_finish(&bus, now);
        for (uint64_t i = 0; i < slow.count; i++)
            if (slow.lines[i].dirty)
                slow_store(&slow, now);
        const uint64_t busy = up(slow.bus_free > slow.port_free ? slow.bus_free : slow.port_free);
        assert_int_equal(end, busy > now ? busy : now);
        assert_int_equal(bus.stored, slow.stored);
        assert_int_equal(bus.reads + bus.writes, CALLS);
        bus_free(&bus);
    }
    assert_in_range(hits, 1000, 400 * CALLS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_a_list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
