#include "explore/explain/array_gains.h"

#include <math.h>

#include "model/pass/blame.h"

const char *const array_change_words[ARRAY_CHANGES] = {
#define ARRAY_CHANGE_WORD(id, word, help) word,
    ARRAY_CHANGE_LIST(ARRAY_CHANGE_WORD)
#undef ARRAY_CHANGE_WORD
};

/* Loads that always hit. */
static struct access_change make_hits(const struct question *question)
{
    const bool timed = depth_can(question->depth, DEPTH_TIMED);
    return (struct access_change){.end = UINT64_MAX, .hits = timed, .leave_out = !timed};
}

/* A range that holds an array alone, or with all that lies after it. */
static struct access_change make_change(const struct question *question,
                                        const struct trace_array *array, enum array_change kind)
{
    const struct machine *machine = question->machine;
    struct access_change change = make_hits(question);
    if (kind == ARRAY_HITS) {
        change.base = array->base;
        change.end = array->base + array->bytes;
        return change;
    }
    const int64_t shifts[ARRAY_CHANGES] = {[ARRAY_SECTOR] = (int64_t)machine->l2.sector,
                                           [ARRAY_LINE] = (int64_t)machine->l1d.line,
                                           [ARRAY_PAGE] = (int64_t)machine->page.size};
    return (struct access_change){.base = array->base,
                                  .end = shifts[kind] ? UINT64_MAX : array->base + array->bytes,
                                  .shift = shifts[kind],
                                  .bypass = kind == ARRAY_BYPASS};
}

/* Runs the machine on a changed source. */
/* Where loads are left out, shares of them mean something else. */
static bool hits_compare(const struct question *question)
{
    return depth_can(question->depth, DEPTH_TIMED) || question->metric->unit != UNIT_PERCENT;
}

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
                make_change(question, &arrays[i], (enum array_change)kind);
            if (kind == ARRAY_HITS && !hits_compare(question))
                continue;
            status = run_changed(how, question, &change, &gains[i].gains[kind], diagnostics);
        }
    return status;
}

enum status pc_gains_find(const struct trials_options *how, const struct question *question,
                          struct pc_gain *gains, size_t count, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count; i++)
        gains[i].gain = NAN;
    for (size_t i = 0; i < count && !status && hits_compare(question); i++) {
        const struct blame_pc at = blame_pc_of(gains[i].key);
        struct access_change change = make_hits(question);
        change.one_pc = true;
        change.pc = at.pc;
        change.kernel = at.launch;
        if (at.op == OP_LOAD)
            status = run_changed(how, question, &change, &gains[i].gain, diagnostics);
    }
    return status;
}
