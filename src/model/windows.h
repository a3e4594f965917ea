/* Where a sample of a source is taken: which blocks a window counts, and from which on it runs.
 *
 * The blocks of all launches, in a row, are cut into chunks of some waves; a wave is what all SMs
 * hold at once, and cuts are where waves of a launch end, so that the blocks of a window meet the
 * neighbours that they meet in the whole run. Windows are drawn with a chance proportional to the
 * work that is expected of a chunk (model/gpu/extent.h): most of the work may be in few blocks.
 * What a chunk counted, divided by its chance, estimates the whole without bias, however wrong the
 * expectation is (M. Hansen, W. Hurwitz, "On the theory of sampling from finite populations",
 * Annals of Mathematical Statistics 14(4), 1943). */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "model/gpu/issue.h"
#include "schema/machine.h"
#include "trace/stream.h"

struct chunk { /* blocks of the row */
    uint64_t first, end;
    uint32_t launch; /* of the first */
    uint64_t begin;  /* where that launch begins in the row */
    double chance;   /* all add up to 1 */
};

struct windows {
    const struct machine *machine;
    const struct trace_source *source;
    struct chunk *chunks;
    size_t chunk_count, chunk_capacity;
    uint64_t blocks;   /* of the source */
    double wave;       /* blocks, mean over launches */
    double warm_waves; /* before those that are counted */
    uint64_t count;    /* windows to be drawn */
};

/* Such windows that the source is simulated for about `share` of its blocks. `cancel` may be NULL.
 * STATUS_MEMORY, STATUS_CANCELLED. */
enum status windows_plan(const struct machine *machine, const struct trace_source *source,
                         double share, const atomic_bool *cancel, struct windows *windows);
void windows_free(struct windows *windows);

/* As many windows as `share` allows for with this warm-up; false where they would cover more than
 * half of the source and save nothing. */
bool windows_fit(struct windows *windows, double warm_waves, double share);

/* Whether windows fit a source, before anything is measured. */
bool windows_worthwhile(const struct machine *machine, const struct trace_source *source,
                        double share);

/* One of `count` windows, drawn from its part of the chances by the machine's seed. */
struct window {
    const struct chunk *chunk;
    uint64_t first, length;     /* blocks of the row */
    struct issue_range counted; /* of these, from 0: those of the chunk */
};
struct window windows_draw(const struct windows *windows, uint64_t index, uint64_t count);

/* The share of all work that the windows simulate, as far as it is known. */
double windows_work(const struct windows *windows);
