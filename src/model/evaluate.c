#include "model/evaluate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "model/depths.h"

static bool kinds_lack_nothing(const struct machine *const *machines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (machines[i]->kind != KIND_COMPUTE)
            return false;
    return true;
}

/* Evaluates copies of the machines with the stages removed that their kinds never have. */
static enum status evaluate_kinds(const struct machine *const *machines, size_t count,
                                  const struct trace_source *source,
                                  const struct evaluate_options *options, struct metrics *metrics,
                                  struct diagnostics *diagnostics)
{
    struct machine *built = calloc(count, sizeof *built);
    const struct machine **pointers =
        calloc(count, sizeof *pointers); /* NOLINT(bugprone-sizeof-expression): pointers */
    enum status status = built && pointers ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; i < count && !status; i++) {
        built[i] = *machines[i];
        machine_apply_kind(&built[i]);
        pointers[i] = &built[i];
    }
    if (!status)
        status = depth_models[options->depth].evaluate(pointers, count, source, options, metrics,
                                                       diagnostics);
    free(built);
    free(pointers);
    return status;
}

enum status evaluate_many(const struct machine *const *machines, size_t count,
                          const struct trace_source *source, const struct evaluate_options *options,
                          struct metrics *metrics, struct diagnostics *diagnostics)
{
    static const struct evaluate_options nothing;
    if (!options)
        options = &nothing;
    if (!kinds_lack_nothing(machines, count))
        return evaluate_kinds(machines, count, source, options, metrics, diagnostics);
    return depth_models[options->depth].evaluate(machines, count, source, options, metrics,
                                                 diagnostics);
}

enum status evaluate(const struct machine *machine, const struct trace_source *source,
                     const struct evaluate_options *options, struct metrics *metrics,
                     struct diagnostics *diagnostics)
{
    return evaluate_many(&machine, 1, source, options, metrics, diagnostics);
}

size_t evaluate_notes(const struct machine *machine, enum depth depth, const char *notes[],
                      size_t max)
{
    const char *all[NOTES_MAX];
    size_t count = depth_models[depth].notes(machine, all);
    if (count > max)
        count = max;
    memcpy(notes, all, count * sizeof *notes);
    return count;
}

size_t evaluate_space_notes(const struct machine *machine, const struct metrics *metrics,
                            char notes[SPACE_COUNT][SPACE_NOTE_TEXT])
{
    const unsigned cached = machine_cached_spaces(machine);
    size_t made = 0;
    for (unsigned i = 0; i < SPACE_COUNT; i++) {
        double count = metrics_space(metrics, (enum memory_space)i);
        if (cached & space_bit(i) || !(count >= 0.5)) /* also true for NaN */
            continue;
        char counted[COUNT_TEXT];
        snprintf(notes[made++], SPACE_NOTE_TEXT,
                 "%s: this machine has no cache for them, so they are counted and go no further%s",
                 counted_print((uint64_t)(count + 0.5), space_table[i].record, counted),
                 metrics->tlb_accesses >= 0 && tlb_spaces() & space_bit(i) ? " than the TLB" : "");
    }
    return made;
}
