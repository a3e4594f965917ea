/* Performs page walks: a page-walk cache, plus the walkers of model/translation/walkers.h if their
 * timing is asked for or changes the result. Without walkers, walks are done at once in the order
 * of arrival, which gives the same counts in constant time per walk. */
#pragma once

#include "model/gpu/request.h"
#include "model/translation/pwc.h"
#include "model/translation/walkers.h"

struct walk_unit;

/* Whether the timing of the walkers changes which walks are done or in which order, so that they
 * must be simulated even if nobody asks for times. */
bool walk_unit_reorders(const struct machine *machine);

/* Reads page-table entries through an L2 instead of in walker.latency cycles each. */
struct walk_memory {
    uint64_t (*read)(void *argument, uint64_t address); /* returns the cycles that it takes */
    void *argument;
};

/* `timed`: simulate walkers in any case. `memory` may be NULL. */
enum status walk_unit_create(const struct machine *machine, bool timed,
                             const struct walk_memory *memory, struct walk_unit **unit);
void walk_unit_free(struct walk_unit *unit); /* NULL is allowed */

/* Performs walks in the order of the TLBs' misses; `pages` are look-ups of pages
 * (model/lru/cache_batch.h). */
enum status walk_unit_run(struct walk_unit *unit, const struct request *pages, size_t count);
/* Tells that the instruction of this number was issued (the pc of page requests). */
void walk_unit_advance(struct walk_unit *unit, uint32_t instruction);
void walk_unit_finish(struct walk_unit *unit); /* call at the end of the stream */
/* Switches counting on or off for the walks of instructions issued from now on; it starts on. */
void walk_unit_count(struct walk_unit *unit, bool counted);

void walk_unit_read_counts(const struct walk_unit *unit, struct pwc_counts *counts);
/* Returns false if there are no walkers. */
bool walk_unit_read_times(const struct walk_unit *unit, struct walkers_counts *counts);
