/* Chooses the windows of a sampled evaluation: which blocks of a source are counted, and where the
 * simulation of each window begins.
 *
 * The blocks of all launches form one row, which is cut into chunks of a few waves. A wave is what
 * all SMs hold at once; cuts are at the ends of waves of a launch, so that the blocks of a window
 * run beside the same neighbours as in the whole run. A chunk is drawn with a probability
 * proportional to the work expected of it (model/gpu/extent.h), because most of the work may be in
 * few blocks. The counts of a chunk divided by its probability estimate the whole without bias,
 * however wrong the expectation is (M. Hansen, W. Hurwitz, "On the theory of sampling from finite
 * populations", Annals of Mathematical Statistics 14(4), 1943).
 *
 * Cost: extent_measure reads a bounded part of the source; memory is one struct chunk per two
 * waves. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "model/gpu/issue.h"
#include "schema/machine.h"
#include "trace/stream.h"

/* WARM_WAVES: the warps of a window start in step and need two waves to drift apart. A source of
 * fewer than WINDOWS_WAVES_LEAST waves is not worth sampling. */
enum { WINDOWS_LEAST = 12, WARM_WAVES = 2, COUNTED_WAVES = 2, FOLLOWING_WAVES = 1 };
enum { WINDOWS_WAVES_LEAST = 2 * WINDOWS_LEAST * (WARM_WAVES + COUNTED_WAVES + FOLLOWING_WAVES) };

struct chunk { /* block numbers count along the row */
    uint64_t first, end;
    uint32_t launch; /* launch of the first block */
    uint64_t begin;  /* first block of that launch */
    double chance;   /* probability; those of all chunks add up to 1 */
};

struct windows {
    const struct machine *machine;
    const struct trace_source *source;
    struct chunk *chunks;
    size_t chunk_count, chunk_capacity;
    uint64_t blocks;   /* of the source */
    double wave;       /* blocks, mean over launches */
    double warm_waves; /* simulated before the counted ones */
    uint64_t count;    /* number of windows to draw */
};

/* Plans windows that simulate about `share` of the source's blocks. `cancel` may be NULL.
 * STATUS_MEMORY, STATUS_CANCELLED. Call windows_free in any case. */
enum status windows_plan(const struct machine *machine, const struct trace_source *source,
                         double share, const atomic_bool *cancel, struct windows *windows);
void windows_free(struct windows *windows);

/* Sets the number of windows that `share` allows with this warm-up. Returns false, and changes
 * nothing, if they would cover more than half of the source and so save nothing. */
bool windows_fit(struct windows *windows, double warm_waves, double share);

/* Whether sampling is worthwhile, judged before anything is measured. */
bool windows_worthwhile(const struct machine *machine, const struct trace_source *source,
                        double share);

/* Draws window `index` of `count`. The probabilities are split into `count` equal strata; the
 * machine's seed chooses a point in each. So the windows are spread over the source, and
 * deterministic. */
struct window {
    const struct chunk *chunk;
    uint64_t first, length;     /* blocks of the row */
    struct issue_range counted; /* the blocks of the chunk, counted from `first` */
};
struct window windows_draw(const struct windows *windows, uint64_t index, uint64_t count);

/* The share of the expected work that the windows simulate. */
double windows_work(const struct windows *windows);
