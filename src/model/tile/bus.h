/* What is between the banks of a tile cache and memory: a bus, and an L2 in front of it if there is
 * one.
 *
 * Lines follow each other on the bus, `bandwidth` bytes per cycle, reads and writes alike, in the
 * order in which banks ask for them. The data of a read come `latency` cycles after its line's
 * share of the bus, and a drawn number of cycles more (tile.jitter), so reads may return in another
 * order. What is written is in memory at once for every later read. Invariant: the n-th read from
 * memory of a run always draws the same number.
 *
 * The L2 (tile.l2) is that of a GPU which all its units share: it keeps its lines from pass to
 * pass. A line has its share of the L2's port, is looked up `latency` cycles long, and asks for the
 * bus only then. A line that is written takes a place without being read, since banks write whole
 * lines; one that it replaces goes to memory where it was changed, and the others do at the end of
 * the run. It holds no data of its own: values are in memory at once (tile_memory). Cost: a set. */
#pragma once

#include <stdbool.h>

#include "model/tile/tags.h"
#include "schema/machine.h"
#include "trace/tile_stream.h"

struct bus {
    const struct tile_config *config;
    uint64_t seed;
    const uint64_t *delays; /* instead of latency and jitter: of the first, second, ... read from
                             * memory, over again; or NULL */
    uint32_t delay_count;
    uint64_t free;           /* when its last line has passed: cycles x bandwidth */
    uint64_t reads, writes;  /* of the banks */
    uint64_t loaded, stored; /* lines from and to memory; without an L2 these are the same */
    bool has_l2;
    struct tags l2;
    uint64_t *ready;  /* [l2.slots]: when the data of a line are there */
    uint64_t l2_free; /* as `free`, of its port */
};

/* `delays` may be NULL. STATUS_MEMORY leaves nothing to free. */
enum status bus_init(struct bus *bus, const struct machine *machine, const uint64_t *delays,
                     uint32_t delay_count);
void bus_free(struct bus *bus);

/* Another one that stands where `from` does. STATUS_MEMORY leaves something to free. */
enum status bus_copy(struct bus *bus, const struct bus *from);
size_t bus_bytes(const struct bus *bus);
void bus_mix(const struct bus *bus, uint64_t *hash);

/* Reads a line; returns the cycle in which its data are there. */
uint64_t bus_read(struct bus *bus, uint64_t address, uint64_t now);
void bus_write(struct bus *bus, uint64_t address, uint64_t now);

/* The cycle in which everything so far has passed, not before `now`. */
uint64_t bus_idle(const struct bus *bus, uint64_t now);
/* Writes what the L2 alone has to memory, as at the end of a run; returns when it has passed. */
uint64_t bus_finish(struct bus *bus, uint64_t now);
