/* The bus between the banks of a tile cache and memory.
 *
 * Lines follow each other on it, `bandwidth` bytes per cycle, reads and writes alike, in the order
 * in which banks ask for them. The data of a read come `latency` cycles after its line's share of
 * the bus, and a drawn number of cycles more (tile.jitter), so reads may return in another order.
 * What is written is in memory at once for every later read. Invariant: the n-th read of a run
 * always draws the same number. */
#pragma once

#include "base/rng.h"
#include "schema/machine.h"
#include "trace/tile_stream.h"

struct bus {
    const struct tile_config *config;
    uint64_t seed;
    const uint64_t *delays; /* instead of latency and jitter: of the first, second, ... read, over
                             * again; or NULL */
    uint32_t delay_count;
    uint64_t free; /* when its last line has passed: cycles x bandwidth */
    uint64_t reads, writes;
};

/* Gives a line its share of the bus; returns the cycle in which it has passed. */
static inline uint64_t bus_pass(struct bus *bus, uint64_t now)
{
    const uint64_t bandwidth = bus->config->bandwidth, from = now * bandwidth;
    bus->free = (bus->free > from ? bus->free : from) + TILE_BYTES;
    return (bus->free + bandwidth - 1) / bandwidth;
}

/* Reads a line; returns the cycle in which its data are there. */
static inline uint64_t bus_read(struct bus *bus, uint64_t now)
{
    const uint64_t number = bus->reads++, passed = bus_pass(bus, now);
    if (bus->delays)
        return now + bus->delays[number % bus->delay_count];
    const uint64_t more = random_below(random_at(bus->seed, number), bus->config->jitter + 1);
    return passed + bus->config->latency + more;
}

static inline void bus_write(struct bus *bus, uint64_t now)
{
    bus->writes++;
    bus_pass(bus, now);
}

/* The cycle in which everything so far has passed, not before `now`. */
static inline uint64_t bus_idle(const struct bus *bus, uint64_t now)
{
    const uint64_t end = (bus->free + bus->config->bandwidth - 1) / bus->config->bandwidth;
    return end > now ? end : now;
}
