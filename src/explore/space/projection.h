/* A part of a design space: some of its axes, numbered in mixed radix on their own.
 *
 * What depends on few axes (a condition, a stage of the machine) is worked out once for each
 * combination of these and looked up for every machine. */
#pragma once

#include <stdbool.h>

#include "explore/space/space.h"

struct projected_axis {
    uint64_t stride; /* of its digit in a machine index */
    uint64_t weight; /* of its digit in a combination */
    uint64_t count;
};

struct projection {
    struct projected_axis *axes; /* the kept ones, slowest first */
    size_t axis_count;
    uint64_t combinations; /* 1 where no axis is kept */
};

/* Keeps the axes a with kept[a]. */
enum status projection_init(const struct space *space, const bool *kept,
                            struct projection *projection);
void projection_free(struct projection *projection);

/* The combination that a machine index belongs to. */
uint64_t projection_index(const struct projection *projection, uint64_t machine);
/* The machine index of a combination with every other digit 0. With a projection of the other axes,
 * machine = base of one + base of the other. */
uint64_t projection_base(const struct projection *projection, uint64_t combination);
