/* The functions of the depths (schema/depths.h), one row each: what everything above the models
 * calls without knowing which depth it is. */
#pragma once

#include "model/evaluate.h"

struct depth_model {
    /* As evaluate_many, of machines whose kind was applied. */
    enum status (*evaluate)(const struct machine *const *machines, size_t count,
                            const struct trace_source *source,
                            const struct evaluate_options *options, struct metrics *metrics,
                            struct diagnostics *diagnostics);
    /* Sets what the depth reads but does not care about in this machine to one value, so that equal
     * questions look equal; NULL: it cares about everything. */
    void (*reduce)(struct machine *machine);
    /* Leaves of a machine what decides the work that it shares with others in a pass besides the
     * stream; NULL where only the stream is shared, or where the depth is DEPTH_GROUPED and
     * model/lru/cache_batch.h knows. */
    void (*shared)(struct machine *machine);
    /* As evaluate_notes; `notes` has room for NOTES_MAX. */
    size_t (*notes)(const struct machine *machine, const char *notes[]);
};

enum { NOTES_MAX = 12 };

extern const struct depth_model depth_models[DEPTH_COUNT];
