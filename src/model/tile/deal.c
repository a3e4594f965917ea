#include "model/tile/deal.h"

/* Columns and rows of lines are below TILE_SIDE_MAX / 2. */
enum { PLACE_BITS = 12, PLACE_MASK = (1 << PLACE_BITS) - 1 };
_Static_assert(TILE_SIDE_MAX / 2 <= PLACE_MASK + 1 &&
                   TILE_SURFACES_MAX <= 1 << (32 - 2 * PLACE_BITS),
               "a place on the screen fits a pc");

/* A request that needs the old data of its line is a store of a part (`touched` 1), any other
 * covers the line: so fetch_on_write fetches exactly where the rasteriser has to read. What the
 * clear bits answer has no bytes and looks nothing up. */
void deal_pack(const struct tile_surface *surfaces, const struct tile_request *requests,
               size_t count, struct request *packed)
{
    for (size_t i = 0; i < count; i++) {
        const struct tile_request *from = &requests[i];
        const bool needs = tile_needs_line(from) && !(from->flags & TILE_CLEARED);
        packed[i] = (struct request){.address = from->address,
                                     .pc = (uint32_t)from->surface << 2 * PLACE_BITS |
                                           (uint32_t)from->y << PLACE_BITS | from->x,
                                     .touched = needs ? 1 : UINT32_MAX,
                                     .bytes = tile_is_settled(from) ? 0 : TILE_BYTES,
                                     .op = tile_changes_line(from) ? OP_STORE : OP_LOAD,
                                     .space = surfaces[from->surface].kind == TILE_DEPTH
                                                  ? SPACE_DEPTH_TILE
                                                  : SPACE_COLOUR_TILE,
                                     .flags = REQUEST_FIRST};
    }
}

size_t deal(const struct screen *screen, const struct request *packed, size_t count,
            struct dealt *dealt, struct request *out)
{
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        const struct request *from = &packed[i];
        const struct tile_request place = {.surface = (uint8_t)(from->pc >> 2 * PLACE_BITS),
                                           .y = (uint16_t)(from->pc >> PLACE_BITS & PLACE_MASK),
                                           .x = (uint16_t)(from->pc & PLACE_MASK)};
        const uint32_t bank = screen_bank(screen, &place);
        screen_load_add(&dealt->load, screen->banks, bank);
        if (!from->bytes)
            continue;
        out[made] = *from;
        out[made].address = screen_line(screen, &place) * TILE_BYTES;
        out[made].instance = (uint16_t)bank;
        out[made++].pc = 0;
    }
    dealt->requests += count;
    dealt->cleared += count - made;
    return made;
}

struct cache_config deal_config(const struct tile_config *config)
{
    struct cache_config bank = config->cache;
    bank.size /= bank.slices;
    bank.slices = 1;
    return bank;
}
