/* How much of a study the points of a store show. A cell is a value of an axis on a workload that
 * some legal machine has; it is covered once a point shows it.
 *
 * Cost: opening looks for one legal machine of every cell, which takes long only where a cell has
 * none; adding a point takes a division for each axis until everything is covered, nothing from
 * then on. */
#pragma once

#include "explore/space/space.h"

struct coverage {
    const struct space *space;
    uint8_t *cells; /* bitmap: [workload][value of all axes] */
    size_t values;  /* of all axes */
    uint64_t cell_count, covered;
    uint64_t legal; /* points; UINT64_MAX if nobody knows */
    uint64_t points;
};

/* `census` may have no bitmap: then every value counts as legal. */
enum status coverage_open(const struct space *space, const struct census *census,
                          struct coverage *coverage);
/* The same with a census of its own, if the space is not too large for one. */
enum status coverage_of(const struct space *space, struct coverage *coverage);
void coverage_close(struct coverage *coverage);

/* Adds a point that was not there before. */
void coverage_add(struct coverage *coverage, uint64_t point);

/* Marks values of an axis on a workload that `count` points have, of which nobody kept the rows. */
void coverage_add_value(struct coverage *coverage, size_t workload, size_t axis, size_t value,
                        uint64_t count);

/* "69 120 of 2 903 040 points (2.4 %), 6 of 84 cells (a value of an axis on a workload)". Returns
 * `text`. */
enum { COVERAGE_TEXT = 160 };
const char *coverage_print(const struct coverage *coverage, char text[COVERAGE_TEXT]);
