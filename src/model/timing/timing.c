#include "model/timing/timing.h"

enum status timing_evaluate(const struct machine *const *machines, size_t count,
                            const struct trace_source *source,
                            const struct evaluate_options *options, struct metrics *metrics,
                            struct diagnostics *diagnostics)
{
    (void)machines, (void)count, (void)source, (void)options, (void)metrics;
    return diagnostics_error(diagnostics, STATUS_UNSUPPORTED, "not yet");
}

size_t timing_notes(const struct machine *machine, const char *notes[])
{
    (void)machine, (void)notes;
    return 0;
}
