#include "explore/explain/array_gains.h"

#include <math.h>

const char *const array_change_words[ARRAY_CHANGES] = {
#define ARRAY_CHANGE_WORD(id, word, help) word,
    ARRAY_CHANGE_LIST(ARRAY_CHANGE_WORD)
#undef ARRAY_CHANGE_WORD
};

/* A range that holds an array alone, or with all that lies after it. */
static struct access_change make_change(const struct machine *machine,
                                        const struct trace_array *array, enum array_change kind)
{
    const int64_t shifts[ARRAY_CHANGES] = {[ARRAY_SECTOR] = (int64_t)machine->l2.sector,
                                           [ARRAY_LINE] = (int64_t)machine->l1d.line,
                                           [ARRAY_PAGE] = (int64_t)machine->page.size};
    return (struct access_change){.base = array->base,
                                  .end = shifts[kind] ? UINT64_MAX : array->base + array->bytes,
                                  .shift = shifts[kind],
                                  .bypass = kind == ARRAY_BYPASS};
}

/* Runs the machine on a changed source. */
static enum status run_changed(const struct trials_options *how, const struct question *question,
                               const struct access_change *change, double *gain,
                               struct diagnostics *diagnostics)
{
    const struct trial trial = {.machine = *question->machine};
    struct trial_result result = {.state = TRIAL_SKIPPED};
    struct trials_options options = *how;
    struct trace_source *changed = NULL;
    struct trials *trials = NULL;
    enum status status = trace_source_change(how->source, change, &changed);
    options.source = changed;
    if (!status)
        status = (trials = trials_open(&options)) ? STATUS_OK : STATUS_MEMORY;
    if (!status)
        status = trials_run(trials, &trial, 1, &result, diagnostics);
    if (result.state == TRIAL_RAN)
        *gain = question_gain(question, metric_get(question->metric, &result.metrics));
    trials_free(trials);
    trace_source_free(changed);
    return status;
}

enum status array_gains_find(const struct trials_options *how, const struct question *question,
                             const struct trace_array *arrays, size_t count,
                             struct array_gains *gains, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count; i++)
        for (int kind = 0; kind < ARRAY_CHANGES; kind++)
            gains[i].gains[kind] = NAN;
    for (size_t i = 0; i < count && !status; i++)
        for (int kind = 0; kind < ARRAY_CHANGES && !status; kind++) {
            const struct access_change change =
                make_change(question->machine, &arrays[i], (enum array_change)kind);
            status = run_changed(how, question, &change, &gains[i].gains[kind], diagnostics);
        }
    return status;
}
