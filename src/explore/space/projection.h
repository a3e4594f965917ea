/* A projection of a design space onto some of its axes, numbered in mixed radix like the space.
 *
 * Whatever depends on few axes (a condition, a stage of the machine) is computed once for each
 * combination of those and looked up for every machine. Mapping an index takes one division and one
 * remainder per kept axis, mapping neighbours an addition. */
#pragma once

#include <stdbool.h>

#include "explore/space/space.h"

struct projected_axis {
    uint64_t stride; /* of its digit in a machine index */
    uint64_t weight; /* of its digit in a combination */
    uint64_t count;  /* values */
};

struct projection {
    struct projected_axis *axes; /* those kept, slowest first */
    size_t axis_count;
    uint64_t combinations; /* 1 if no axis is kept */
};

/* Keeps each axis a for which kept[a] is true. */
enum status projection_init(const struct space *space, const bool *kept,
                            struct projection *projection);
/* Keeps the axes that any of `stages` depends on; with `inverse`, the others. */
enum status projection_init_stages(const struct space *space, unsigned stages, bool inverse,
                                   struct projection *projection);
void projection_free(struct projection *projection);

/* The combination of machine index `machine`. */
uint64_t projection_index(const struct projection *projection, uint64_t machine);
/* The combinations of `count` machines from `first` on; the projection must have fewer than 2^32.
 */
enum { PROJECTION_CHUNK = 4096 }; /* machines at a time stay in a processor's first cache */
void projection_indices(const struct projection *projection, uint64_t first, size_t count,
                        uint32_t *combinations);
/* The machine index of a combination with all other digits 0. With a second projection onto the
 * other axes, a machine index is the sum of one base of each. */
uint64_t projection_base(const struct projection *projection, uint64_t combination);
