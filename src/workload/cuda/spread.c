#include "workload/cuda/spread.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/rng.h"

enum { PAGE_SHIFT = 12, REGION_PAGES = 512 };

static void shuffle(uint32_t *items, uint64_t count, uint64_t seed, uint64_t *draws)
{
    for (uint64_t i = count; i > 1; i--) {
        uint64_t other = random_below(random_at(seed, (*draws)++), i);
        uint32_t item = items[i - 1];
        items[i - 1] = items[other];
        items[other] = item;
    }
}

enum status spread_create(uint64_t begin, uint64_t end, uint64_t regions, uint64_t seed,
                          struct spread *spread)
{
    const uint64_t first = begin >> PAGE_SHIFT;
    const uint64_t pages = (end + (1 << PAGE_SHIFT) - 1) / (1 << PAGE_SHIFT) - first;
    *spread =
        (struct spread){.first_page = first,
                        .pages = pages,
                        .first_place = (begin + REGION_BYTES - 1) / REGION_BYTES * REGION_PAGES};
    if (!regions || regions > SPREAD_REGIONS_MAX || pages > regions * REGION_PAGES)
        return STATUS_INVALID;
    uint32_t *order = malloc(regions * sizeof *order);
    spread->places = malloc((pages + 1) * sizeof *spread->places); /* never 0 bytes */
    if (!order || !spread->places) {
        free(order);
        spread_free(spread);
        return STATUS_MEMORY;
    }
    for (uint64_t i = 0; i < regions; i++)
        order[i] = (uint32_t)i;
    uint64_t draws = 0;
    for (uint64_t i = 0; i < pages; i++) {
        if (i % regions == 0)
            shuffle(order, regions, seed, &draws);
        spread->places[i] = (uint32_t)(order[i % regions] * REGION_PAGES + i / regions);
    }
    free(order);
    return STATUS_OK;
}

void spread_free(struct spread *spread)
{
    free(spread->places);
    *spread = (struct spread){0};
}

uint64_t spread_address(const struct spread *spread, uint64_t address)
{
    uint64_t page = (address >> PAGE_SHIFT) - spread->first_page;
    if (page >= spread->pages)
        return address;
    return ((spread->first_place + spread->places[page]) << PAGE_SHIFT) +
           address % (1 << PAGE_SHIFT);
}

/* Lanes of one page move together, and the access stays affine. */
static bool move_affine(const struct spread *spread, struct warp_access *access)
{
    uint64_t stride = (uint64_t)(int64_t)access->stride;
    uint64_t first = access->base + stride * (unsigned)__builtin_ctz(access->mask);
    uint64_t last = access->base + stride * log2_floor(access->mask);
    if (first >> PAGE_SHIFT != last >> PAGE_SHIFT)
        return false;
    access->base += spread_address(spread, first) - first;
    return true;
}

void spread_window(const struct spread *spread, struct access_window *window)
{
    for (uint32_t i = 0; i < window->count; i++) {
        struct warp_access *access = &window->items[i];
        bool listed = access->flags & ACCESS_LISTED;
        if (access->space == SPACE_LOCAL || (!listed && move_affine(spread, access)))
            continue;
        uint64_t addresses[WARP_SIZE];
        unsigned count = access_addresses(access, window, addresses);
        uint64_t *moved = window->lanes + (listed ? access->base : window->lane_count);
        for (unsigned k = 0; k < count; k++)
            moved[k] = spread_address(spread, addresses[k]);
        if (listed)
            continue;
        access->flags |= ACCESS_LISTED;
        access->base = window->lane_count;
        access->stride = 0;
        window->lane_count += count;
    }
}
