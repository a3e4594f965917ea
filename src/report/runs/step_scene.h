/* A tile cache between two cycles of a scene, for those who step through it
 * (report/runs/step_report.h): what each bank does and waits for, its chains, the rasteriser and
 * the bus, in words and as JSON. Nothing is changed by looking. */
#pragma once

#include <jansson.h>

#include "model/pass/set_stream.h"
#include "model/tile/tile_run.h"
#include "model/timing/run_state.h"

enum { SCENE_TEXT = 480 };

/* "r12 (depth 3,0) waits: it misses, and the queue has no free entry for its line; the data of
 * depth 3,1 come first, in 12 cycles". Returns `text`. */
const char *step_bank_print(const struct tile_run *run, uint32_t bank, char text[SCENE_TEXT]);

/* "pass 0 (shadow map): r15 goes to bank 3 next", why it does not, or what the pass still waits
 * for. Returns `text`. */
const char *step_pass_print(const struct tile_run *run, char text[SCENE_TEXT]);
/* "the bus is taken for 2 more cycles; 3 reads are on their way, the next data come in 12 cycles
 * (bank 1)". Returns `text`. */
const char *step_bus_print(const struct tile_run *run, char text[SCENE_TEXT]);

/* Calls `visit` for the FIFO and the miss queue of each bank. */
void step_scene_queues(const struct tile_run *run,
                       void (*visit)(void *context, const struct queue_state *queue),
                       void *context);

/* ... for the ways of a set of a bank; nothing where there is no such set. They hold whole lines,
 * and when those were used only the policy knows. */
void step_scene_set(const struct tile_run *run, const struct set_place *place,
                    void (*visit)(void *context, const struct way_state *way), void *context);

/* A row for each request that waits in a chain of a bank, under headings unless there were some
 * (*headed). `limit` as of step_report; *more: those that are left out. STATUS_MEMORY. */
enum status step_chains_print(const struct tile_run *run, uint32_t bank, uint64_t limit,
                              bool *headed, uint64_t *more, FILE *out);

/* The chains of a bank, the oldest first; pass, rasteriser and bus. NULL: no memory. */
json_t *step_chains_json(const struct tile_run *run, uint32_t bank);
json_t *step_bus_json(const struct tile_run *run);
