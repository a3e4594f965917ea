/* What makes page walks: a page-walk cache, and the walkers where their time is asked for or
 * decides something. */
#pragma once

#include "model/gpu/request.h"
#include "model/translation/pwc.h"
#include "model/translation/walkers.h"

struct walk_unit;

/* Whether the walkers' time changes what is walked, or in which order, so that they are simulated
 * even where nobody asks for it. */
bool walk_unit_reorders(const struct machine *machine);

/* Where page-table entries are read other than in walker.latency cycles each. */
struct walk_memory {
    uint64_t (*read)(void *argument, uint64_t address); /* the cycles that it takes */
    void *argument;
};

/* `timed`: with walkers in any case. `memory` may be NULL. */
enum status walk_unit_create(const struct machine *machine, bool timed,
                             const struct walk_memory *memory, struct walk_unit **unit);
void walk_unit_free(struct walk_unit *unit); /* NULL is allowed */

/* Walks in the order of the TLBs' misses, as look-ups of pages (model/lru/cache_batch.h). */
enum status walk_unit_run(struct walk_unit *unit, const struct request *pages, size_t count);
/* The instruction of this number is issued (struct request's pc of pages). */
void walk_unit_advance(struct walk_unit *unit, uint32_t instruction);
void walk_unit_finish(struct walk_unit *unit); /* the stream has ended */
void walk_unit_reset_counts(struct walk_unit *unit);

void walk_unit_read_counts(const struct walk_unit *unit, struct pwc_counts *counts);
/* False where there are no walkers. */
bool walk_unit_read_times(const struct walk_unit *unit, struct walkers_counts *counts);
