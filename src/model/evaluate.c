#include "model/evaluate.h"

#include <string.h>

#include "model/cache/set_index.h"
#include "model/pass/pass.h"
#include "model/reuse/reuse.h"

/* The published reuse-distance program alone hashes to any number of sets (machine_check). */
static bool index_legal(const struct cache_config *cache)
{
    return !cache->enabled || set_index_functions[cache->index].legal(cache_sets(cache));
}

enum status evaluate_many(const struct machine *const *machines, size_t count,
                          const struct trace_source *source, const struct evaluate_options *options,
                          struct metrics *metrics, struct diagnostics *diagnostics)
{
    if (options && options->depth == DEPTH_REUSE)
        return reuse_evaluate(machines, count, source, options, metrics, diagnostics);
    for (size_t i = 0; i < count; i++)
        if (!index_legal(&machines[i]->l1d))
            return diagnostics_error(diagnostics, STATUS_INVALID,
                                     "l1d.index: the fermi hash needs 32 or 64 sets, except for "
                                     "l1d.reuse.mode published at depth reuse");
    double counted;
    return pass_run(machines, count, source, options, 0, metrics, &counted, diagnostics);
}

enum status evaluate(const struct machine *machine, const struct trace_source *source,
                     const struct evaluate_options *options, struct metrics *metrics,
                     struct diagnostics *diagnostics)
{
    return evaluate_many(&machine, 1, source, options, metrics, diagnostics);
}

static size_t reuse_notes(const struct machine *machine, const char *notes[])
{
    size_t count = 0;
    if (machine->l1d.reuse.mode == REUSE_PUBLISHED) {
        notes[count++] = "published: the rules of the authors' program: one core, its own "
                         "coalescing, fermi hash, distance = ways reported as a hit; the classes "
                         "are differences of runs and need not add up to the misses";
    } else {
        notes[count++] =
            "textbook: each miss has one class, that of the first ideal (MSHRs without "
            "end, no latency, full associativity) that makes it a hit";
        if (machine->l1d.sector < machine->l1d.line)
            notes[count++] = "the reuse depth counts lines: l1d.sector has no effect";
        if (machine->l1d.replacement != REPLACEMENT_LRU)
            notes[count++] = "reuse distances are those of LRU whatever l1d.replacement says";
    }
    notes[count++] = "the reuse depth models the loads of the L1D; the L2 and translation are not "
                     "simulated";
    return count;
}

static size_t functional_notes(const struct machine *machine, const char *notes[])
{
    size_t count = 0;
    if (machine->scheduler.policy != SCHEDULER_LRR)
        notes[count++] = "warps issue loose round robin: the functional depth has no stalls that "
                         "scheduler.policy could react to";
    if (machine->l1d.enabled && machine->l1d.replacement == REPLACEMENT_OPT)
        notes[count++] = "l1d.replacement opt is a limit: it knows the future, and no L2 can be "
                         "simulated behind it";
    if (machine->l2.enabled && machine->l2.replacement == REPLACEMENT_OPT)
        notes[count++] = "l2.replacement opt is a limit: it knows the future";
    if (machine->l1d.enabled && machine->l1d.unified)
        notes[count++] = "the L1D takes what the shared-memory carve-out of each launch leaves of "
                         "l1d.unified; l1d.size is not its simulated size";
    return count;
}

size_t evaluate_notes(const struct machine *machine, enum depth depth, const char *notes[],
                      size_t max)
{
    const char *all[8];
    size_t count =
        depth == DEPTH_REUSE ? reuse_notes(machine, all) : functional_notes(machine, all);
    if (count > max)
        count = max;
    memcpy(notes, all, count * sizeof *notes);
    return count;
}
