/* Spreads the pages of a heap over a range of addresses, as happens to data structures that are
 * allocated piece by piece among older allocations. */
#pragma once

#include "trace/stream.h"

/* The range that one entry of the second-to-last level of a page table covers: a large page. */
#define REGION_BYTES (UINT64_C(2) << 20)

enum { SPREAD_REGIONS_MAX = 65536 };

struct spread {
    uint64_t first_page, pages; /* of the heap, 4 KiB each */
    uint64_t first_place;       /* the page number of place 0 */
    uint32_t *places;           /* [pages]; no place occurs twice */
};

/* Assigns the pages of the heap [begin, end) to `regions` of REGION_BYTES from `begin` on. Each
 * round gives every region one page, in an order that `seed` decides. So the pages occupy
 * min(pages, regions) regions as evenly as possible. STATUS_INVALID if they do not fit. */
enum status spread_create(uint64_t begin, uint64_t end, uint64_t regions, uint64_t seed,
                          struct spread *spread);
void spread_free(struct spread *spread);

/* The new address of `address`; addresses outside of the heap do not change. */
uint64_t spread_address(const struct spread *spread, uint64_t address);

/* Moves all accesses of a window. An access goes where its first byte goes. */
void spread_window(const struct spread *spread, struct access_window *window);
