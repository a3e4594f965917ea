/* A heap whose pages do not lie one behind the other but all over a range of addresses, as those of
 * structures do that are allocated piece by piece among others that are there already. */
#pragma once

#include "trace/stream.h"

/* What one entry of the last but one level of a page table covers: a large page. */
#define REGION_BYTES (UINT64_C(2) << 20)

enum { SPREAD_REGIONS_MAX = 65536 };

struct spread {
    uint64_t first_page, pages; /* of the heap, 4 KiB each */
    uint64_t first_place;       /* number of the page that place 0 is */
    uint32_t *places;           /* [pages], each place once */
};

/* Deals the pages of the heap [begin, end) to `regions` of REGION_BYTES from begin on: in rounds,
 * of which each gives every region one page, in an order of its own that `seed` decides. So `pages`
 * pages are in min(pages, regions) regions, as evenly as can be. STATUS_INVALID where they do not
 * fit. */
enum status spread_create(uint64_t begin, uint64_t end, uint64_t regions, uint64_t seed,
                          struct spread *spread);
void spread_free(struct spread *spread);

/* Where an address lies then; addresses outside of the heap stay. */
uint64_t spread_address(const struct spread *spread, uint64_t address);

/* The same for all accesses of a window. An access lies where its first byte does. */
void spread_window(const struct spread *spread, struct access_window *window);
