#include "model/evaluate.h"

#include <string.h>

#include "model/pass.h"

unsigned metric_needs(const struct metric *metric)
{
    static const struct {
        const char *prefix;
        unsigned need;
    } table[] = {{"l1d.miss.", NEED_CLASSES_L1D},
                 {"l2.miss.", NEED_CLASSES_L2},
                 {"l1d.opt.", NEED_OPT_L1D},
                 {"l2.opt.", NEED_OPT_L2}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strncmp(metric->path, table[i].prefix, strlen(table[i].prefix)))
            return table[i].need;
    return 0;
}

bool metric_is_lookup(const struct metric *metric)
{
    static const char *const names[] = {"accesses", "misses",      "miss_rate", "hit_rate",
                                        "reads",    "read_misses", "writes",    "write_misses"};
    if (!(metric->stage & (STAGE_L1D | STAGE_L2 | STAGE_TLB)))
        return false;
    const char *name = strchr(metric->path, '.') + 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

enum status evaluate_many(const struct machine *const *machines, size_t count,
                          const struct trace_source *source, const struct evaluate_options *options,
                          struct metrics *metrics, struct diagnostics *diagnostics)
{
    double counted;
    return pass_run(machines, count, source, options, 0, metrics, &counted, diagnostics);
}

enum status evaluate(const struct machine *machine, const struct trace_source *source,
                     const struct evaluate_options *options, struct metrics *metrics,
                     struct diagnostics *diagnostics)
{
    return evaluate_many(&machine, 1, source, options, metrics, diagnostics);
}

size_t evaluate_notes(const struct machine *machine, const char *notes[], size_t max)
{
    const char *all[4];
    size_t count = 0;
    if (machine->scheduler.policy != SCHEDULER_LRR)
        all[count++] = "warps issue loose round robin: the functional depth has no stalls that "
                       "scheduler.policy could react to";
    if (machine->l1d.enabled && machine->l1d.replacement == REPLACEMENT_OPT)
        all[count++] = "l1d.replacement opt is a limit: it knows the future, and no L2 can be "
                       "simulated behind it";
    if (machine->l2.enabled && machine->l2.replacement == REPLACEMENT_OPT)
        all[count++] = "l2.replacement opt is a limit: it knows the future";
    if (machine->l1d.enabled && machine->l1d.unified)
        all[count++] = "the L1D takes what the shared-memory carve-out of each launch leaves of "
                       "l1d.unified; l1d.size is not its simulated size";
    if (count > max)
        count = max;
    memcpy(notes, all, count * sizeof *notes);
    return count;
}
