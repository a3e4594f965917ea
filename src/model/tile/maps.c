#include "model/tile/maps.h"

#include <stdlib.h>
#include <string.h>

enum status tile_maps_init(struct tile_maps *maps, const struct tile_stream *stream)
{
    *maps = (struct tile_maps){0};
    for (uint32_t i = 0; i < stream->surface_count; i++) {
        maps->first[i] = maps->lines;
        maps->columns[i] = tile_columns(&stream->surfaces[i]);
        maps->lines += tile_lines(&stream->surfaces[i]);
    }
    uint32_t *all = calloc(maps->lines * TILE_COUNTS + 1, sizeof *all);
    for (unsigned i = 0; all && i < TILE_COUNTS; i++)
        maps->counts[i] = all + i * maps->lines;
    return all ? STATUS_OK : STATUS_MEMORY;
}

void tile_maps_free(struct tile_maps *maps)
{
    free(maps->counts[0]);
    *maps = (struct tile_maps){0};
}

void tile_part_add(struct tile_part *to, const struct tile_part *from)
{
    for (unsigned i = 0; i < SCREEN_BANKS_MAX; i++)
        to->requests[i] += from->requests[i];
    for (unsigned i = 0; i < BANK_STALLS; i++)
        to->stalls[i] += from->stalls[i];
    to->input_stalls += from->input_stalls;
    to->bank_stalls += from->bank_stalls;
    to->queued += from->queued;
}

static void halve(struct tile_parts *parts)
{
    for (unsigned i = 0; i < TILE_PARTS_MAX / 2; i++) {
        struct tile_part sum = parts->items[2 * i];
        tile_part_add(&sum, &parts->items[2 * i + 1]);
        parts->items[i] = sum;
    }
    memset(&parts->items[TILE_PARTS_MAX / 2], 0, TILE_PARTS_MAX / 2 * sizeof *parts->items);
    parts->cycles *= 2;
}

struct tile_part *tile_parts_at(struct tile_parts *parts, uint64_t cycle)
{
    if (!parts->cycles)
        parts->cycles = 1;
    while (cycle / parts->cycles >= TILE_PARTS_MAX)
        halve(parts);
    return &parts->items[cycle / parts->cycles];
}
