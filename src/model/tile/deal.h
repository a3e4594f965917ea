/* Tile requests as requests of a cache, for the functional depth: packed once, then dealt to the
 * banks of each partition.
 *
 * A request that needs no data of its line (it overwrites it, or finds it cleared) touches all of
 * it, any other only a part, so that tile.write_allocate decides about reads as in every cache.
 * Settled requests (screen.h) are counted and look nothing up. */
#pragma once

#include "model/gpu/request.h"
#include "model/tile/screen.h"

/* What a packed request says besides: its place on the screen is in `pc`, and a settled one has no
 * bytes. */
void deal_pack(const struct tile_surface *surfaces, const struct tile_request *requests,
               size_t count, struct request *packed);

struct dealt {
    uint64_t requests, cleared;
    struct screen_load load;
};

/* Makes requests of the cache whose instances are the banks, its lines numbered as by screen_line,
 * out of packed ones. `out` needs room for `count`; returns how many look the cache up. */
size_t deal(const struct screen *screen, const struct request *packed, size_t count,
            struct dealt *dealt, struct request *out);

/* The cache of one bank, of which there are cache.slices instances. */
struct cache_config deal_config(const struct tile_config *config);
