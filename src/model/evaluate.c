#include "model/evaluate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "model/area/area.h"
#include "model/cache/cache.h"
#include "model/depth_models.h"
#include "model/ideal_machine.h"
#include "model/launch_parts.h"
#include "model/tile/tile.h"
#include "model/timing/timing_check.h"
#include "trace/tile_stream.h"

static bool kinds_lack_nothing(const struct machine *const *machines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (machines[i]->kind != KIND_COMPUTE)
            return false;
    return true;
}

/* Energies of what was counted follow from the machine as it is, not as its ideals make it. */
static void put_area(const struct machine *machine, struct metrics *metrics)
{
    area_evaluate(machine, metrics);
    metrics_derive(metrics);
}

/* An optimum is known at the end of the stream, when walks that read through the L2 have long
 * needed its hits. */
static enum status check_built(const struct machine *built, struct diagnostics *diagnostics)
{
    const bool offline = (machine_has(built, STAGE_L1D) && cache_is_offline(&built->l1d)) ||
                         cache_is_offline(&built->l2);
    if (!machine_couples(built) || !offline)
        return STATUS_OK;
    return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                             "this machine has no such ideal: its walks read through the L2 "
                             "(walker.l2), and the optimum is known at the end only");
}

/* Makes of a source what ideals take out of its stream: the depth with time packs lanes itself, as
 * it issues. *made is NULL where nothing changes. */
static enum status ideal_source(const struct trace_source *source,
                                const struct evaluate_options *options, struct trace_source **made)
{
    const struct access_change change = {.end = UINT64_MAX,
                                         .pack = ideal_has(options->ideals, IDEAL_COALESCE) &&
                                                 options->depth == DEPTH_FUNCTIONAL,
                                         .split = ideal_has(options->ideals, IDEAL_IMBALANCE)};
    *made = NULL;
    return (change.pack || change.split) && !source->tiles
               ? trace_source_change(source, &change, made)
               : STATUS_OK;
}

/* Evaluates copies of the machines, as their ideals make them and with the stages removed that
 * their kinds never have. */
static enum status evaluate_built(const struct machine *const *machines, size_t count,
                                  const struct trace_source *source,
                                  const struct evaluate_options *options, struct metrics *metrics,
                                  struct diagnostics *diagnostics)
{
    struct machine *built = calloc(count, sizeof *built);
    const struct machine **pointers =
        calloc(count, sizeof *pointers); /* NOLINT(bugprone-sizeof-expression): pointers */
    struct trace_source *made = NULL;
    enum status status = built && pointers ? ideal_source(source, options, &made) : STATUS_MEMORY;
    for (size_t i = 0; i < count && !status; i++) {
        built[i] = *machines[i];
        ideal_machine(&built[i], options->ideals);
        status = check_built(&built[i], diagnostics);
        machine_apply_kind(&built[i]);
        pointers[i] = &built[i];
    }
    if (!status)
        status = depth_models[options->depth].evaluate(pointers, count, made ? made : source,
                                                       options, metrics, diagnostics);
    trace_source_free(made);
    for (size_t i = 0; i < count && !status && !ideal_none(options->ideals); i++)
        put_area(machines[i], &metrics[i]);
    free(built);
    free(pointers);
    return status;
}

static enum status evaluate_any(const struct machine *const *machines, size_t count,
                                const struct trace_source *source,
                                const struct evaluate_options *options, struct metrics *metrics,
                                struct diagnostics *diagnostics)
{
    if (!ideal_none(options->ideals) || !kinds_lack_nothing(machines, count))
        return evaluate_built(machines, count, source, options, metrics, diagnostics);
    return depth_models[options->depth].evaluate(machines, count, source, options, metrics,
                                                 diagnostics);
}

/* The launches of the first machine one by one, at a depth that does not keep a log itself. */
static enum status evaluate_launches(const struct machine *const *machines, size_t count,
                                     const struct trace_source *source,
                                     const struct evaluate_options *options,
                                     struct metrics *metrics, struct diagnostics *diagnostics)
{
    const struct machine *machine = machines[0];
    struct launch_parts parts = {.parts = &options->log->launches};
    struct evaluate_options how = *options;
    if ((machine->l1d.enabled && cache_is_offline(&machine->l1d)) ||
        (machine->l2.enabled && cache_is_offline(&machine->l2)))
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "replacement opt knows its misses when the run ends, so launches "
                                 "cannot be told apart");
    how.launched = launch_parts_add;
    how.launched_context = &parts;
    metrics_clear(&parts.before);
    const enum status status = evaluate_any(machines, count, source, &how, metrics, diagnostics);
    return status ? status : parts.status;
}

/* The surfaces of a scene lie where a kernel's arrays would. */
static enum status check_surfaces(const struct machine *machine, const struct tile_stream *scene,
                                  const char *name, struct diagnostics *diagnostics)
{
    const uint64_t bits = machine->gpu.address_bits;
    for (uint32_t i = 0; i < scene->surface_count; i++) {
        const struct tile_surface *surface = &scene->surfaces[i];
        const uint64_t last = surface->base + TILE_BYTES * tile_lines(surface) - 1;
        if (bits < 64 && last >> bits)
            return diagnostics_error(diagnostics, STATUS_INVALID,
                                     "%s: the surface '%s' ends at 0x%" PRIx64
                                     ", but addresses of this machine have %" PRIu64
                                     " bits (gpu.address_bits)",
                                     name, surface->name, last, bits);
    }
    return STATUS_OK;
}

enum status evaluate_check_machine(const struct machine *machine, const struct trace_source *source,
                                   struct diagnostics *diagnostics)
{
    if (source->tiles)
        return check_surfaces(machine, source->tiles, source->name, diagnostics);
    if (machine_runs_kernels(machine))
        return STATUS_OK;
    return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                             "%s is no scene, and a machine of kind graphics runs no kernels: name "
                             "a scene (warpscape workloads), or a machine of another kind",
                             source->name);
}

enum status evaluate_many(const struct machine *const *machines, size_t count,
                          const struct trace_source *source, const struct evaluate_options *options,
                          struct metrics *metrics, struct diagnostics *diagnostics)
{
    static const struct evaluate_options nothing;
    if (!options)
        options = &nothing;
    enum status status = evaluate_check(source, options->depth, diagnostics);
    if (!status)
        status = ideal_check(options->ideals, options->depth, diagnostics);
    for (size_t i = 0; i < count && !status; i++)
        status = evaluate_check_machine(machines[i], source, diagnostics);
    if (status)
        return status;
    const bool launches =
        options->log && options->log->by_launch && !depth_can(options->depth, DEPTH_TIMED);
    return (launches ? evaluate_launches : evaluate_any)(machines, count, source, options, metrics,
                                                         diagnostics);
}

enum status evaluate(const struct machine *machine, const struct trace_source *source,
                     const struct evaluate_options *options, struct metrics *metrics,
                     struct diagnostics *diagnostics)
{
    return evaluate_many(&machine, 1, source, options, metrics, diagnostics);
}

bool evaluate_samples(const struct machine *machine, const struct trace_source *source,
                      enum depth depth, double share)
{
    struct machine built = *machine;
    machine_apply_kind(&built);
    return depth_can(depth, DEPTH_SAMPLED) && depth_models[depth].samples(&built, source, share);
}

enum status evaluate_sampled(const struct machine *machine, const struct trace_source *source,
                             double share, const struct evaluate_options *options,
                             struct metrics *metrics, struct metrics *error, bool *exact,
                             struct diagnostics *diagnostics)
{
    static const struct evaluate_options nothing;
    struct machine built = *machine;
    machine_apply_kind(&built);
    if (!options)
        options = &nothing;
    enum status status = evaluate_check(source, options->depth, diagnostics);
    if (!status)
        status = evaluate_check_machine(machine, source, diagnostics);
    if (!status)
        status = ideal_check(options->ideals, options->depth, diagnostics);
    if (!status && (options->placement || options->record_placement))
        status = diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                   "an estimate runs some of the blocks: it has no placement of "
                                   "them");
    struct trace_source *made = NULL;
    ideal_machine(&built, options->ideals);
    if (!status)
        status = check_built(&built, diagnostics);
    if (!status)
        status = ideal_source(source, options, &made);
    *exact = !evaluate_samples(&built, source, options->depth, share);
    if (!status && !*exact)
        status = depth_models[options->depth].sample(&built, made ? made : source, share, options,
                                                     metrics, error, exact, diagnostics);
    trace_source_free(made);
    if (!status && !*exact && !ideal_none(options->ideals))
        put_area(machine, metrics);
    if (status || !*exact)
        return status;
    for (size_t i = 0; i < METRIC_COUNT; i++)
        metric_set(&metric_table[i], error, 0);
    return evaluate(machine, source, options, metrics, diagnostics);
}

enum status evaluate_check(const struct trace_source *source, enum depth depth,
                           struct diagnostics *diagnostics)
{
    if (!depth_can(depth, DEPTH_TIMED) || trace_source_timed(source) || source->tiles)
        return STATUS_OK;
    return diagnostics_error(
        diagnostics, STATUS_UNSUPPORTED,
        "%s does not say which instructions wait for which, so it can be counted (depth "
        "functional) but not timed: depth "
        "%s needs a program, an Accel-Sim trace, or an assumption (assume: serial or independent)",
        source->name, depth_name(depth));
}

enum status evaluate_check_events(const struct machine *machine, const struct trace_source *source,
                                  const char *scenes, struct diagnostics *diagnostics)
{
    enum status status = evaluate_check(source, DEPTH_TIMING, diagnostics);
    if (!status && source->tiles && scenes)
        status = diagnostics_error(diagnostics, STATUS_UNSUPPORTED, "%s is a scene%s", source->name,
                                   scenes);
    if (!status)
        status = evaluate_check_machine(machine, source, diagnostics);
    if (status)
        return status;
    return source->tiles ? tile_check_cache(machine, diagnostics)
                         : timing_check(machine, diagnostics);
}

const char *evaluate_whole_identity(const struct trace_source *source, char text[SOURCE_IDENTITY])
{
    const bool code = *source->code_digest;
    snprintf(text, SOURCE_IDENTITY, "%s%s%s", source->digest, code ? "+" : "",
             code ? source->code_digest : "");
    return text;
}

const char *evaluate_identity(const struct trace_source *source, enum depth depth,
                              char text[SOURCE_IDENTITY])
{
    if (depth_can(depth, DEPTH_TIMED))
        return evaluate_whole_identity(source, text);
    snprintf(text, SOURCE_IDENTITY, "%s", source->digest);
    return text;
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

/* What happened to the accesses of a cache; `joined`: to lines in flight. */
struct outcome {
    const char *name;
    double accesses, fetched, stored, joined;
    bool late; /* lines are taken when their data come: most that join one count as misses */
    bool code; /* accesses include what an L1I misses */
};

/* Stores that fetch nothing are misses as well, of which few readers think. */
static struct outcome outcome_of(const char *name, const struct cache_config *cache,
                                 double accesses, double misses, double write_misses,
                                 double pending)
{
    const unsigned traits = write_allocate_traits[cache->write_allocate];
    const bool fetches = traits & WRITE_ALLOCATE_BRINGS && !(traits & WRITE_ALLOCATE_LATE);
    const double stored = fetches || !(write_misses >= 0) ? 0 : write_misses;
    const bool late = cache->allocate != ALLOCATE_ON_MISS;
    return (struct outcome){name, accesses, misses - stored, stored, pending, late, false};
}

static size_t put_outcome(const struct outcome *outcome, enum depth depth,
                          char note[COUNTED_NOTE_TEXT])
{
    const double all = outcome->accesses / 100;
    size_t used = 0;
    if (!(outcome->accesses > 0 && outcome->fetched + outcome->stored + outcome->joined > 0))
        return 0; /* also for NaN */
#define ADD(...) used += (size_t)snprintf(note + used, COUNTED_NOTE_TEXT - used, __VA_ARGS__)
    ADD("%s: %.1f %% of accesses fetched", outcome->name, outcome->fetched / all);
    if (depth_can(depth, DEPTH_TIMED) && outcome->late)
        ADD(", or joined one under way (class conflict)");
    if (outcome->stored > 0)
        ADD(", %.1f %% were stores that missed and fetch nothing", outcome->stored / all);
    if (depth_can(depth, DEPTH_FACTORED))
        ADD("; at depth %s nothing is in flight", depth_name(depth));
    else
        ADD(", %.1f %% joined a line in flight", outcome->joined / all);
    if (outcome->code)
        ADD("; accesses include the L1I's misses");
#undef ADD
    return 1;
}

static size_t put_outcomes(const struct machine *machine, enum depth depth,
                           const struct metrics *metrics, char (*notes)[COUNTED_NOTE_TEXT])
{
    struct outcome l1d =
        outcome_of("l1d", &machine->l1d, metrics->l1d_accesses, metrics->l1d_misses,
                   metrics->l1d_write_misses, metrics->l1d_pending_hits);
    struct outcome l2 = outcome_of("l2", &machine->l2, metrics->l2_accesses, metrics->l2_misses,
                                   metrics->l2_write_misses, metrics->l2_pending_hits);
    if (metrics->l1d_reuse_joined >= 0) { /* depth reuse counts these among its misses */
        l1d.joined = metrics->l1d_reuse_joined;
        l1d.fetched -= l1d.joined;
    }
    l2.code = depth_can(depth, DEPTH_TIMED) && metrics->l1i_misses > 0;
    size_t made = put_outcome(&l1d, depth, notes[0]);
    return made + put_outcome(&l2, depth, notes[made]);
}

static size_t put_spaces(const struct machine *machine, enum depth depth,
                         const struct metrics *metrics, char (*notes)[COUNTED_NOTE_TEXT])
{
    /* Where time passes, what no cache serves asks for no translation either. */
    const bool translates = metrics->tlb_accesses >= 0 && !depth_can(depth, DEPTH_TIMED);
    unsigned cached = machine_cached_spaces(machine);
    size_t made = 0;
    if (metrics->tile_requests >= 0) /* a scene met a tile cache; false for NaN */
        cached |= space_bit(SPACE_COLOUR_TILE) | space_bit(SPACE_DEPTH_TILE);
    for (unsigned i = 0; i < SPACE_COUNT; i++) {
        double count = metrics_space(metrics, (enum memory_space)i);
        if (cached & space_bit(i) || !(count >= 0.5)) /* also true for NaN */
            continue;
        char counted[COUNT_TEXT];
        snprintf(notes[made++], COUNTED_NOTE_TEXT,
                 "%s: this machine has no cache for them, so they are counted and go no further%s",
                 counted_print((uint64_t)(count + 0.5), space_table[i].record, counted),
                 translates && tlb_spaces() & space_bit(i) ? " than the TLB" : "");
    }
    return made;
}

/* Whose cycles those of page walks are, where no time passes. */
static size_t put_clock(enum depth depth, const struct metrics *metrics,
                        char note[COUNTED_NOTE_TEXT])
{
    if (depth_can(depth, DEPTH_TIMED) || !(metrics->walk_latency_mean >= 0)) /* also for NaN */
        return 0;
    snprintf(note, COUNTED_NOTE_TEXT, "%s", ISSUE_CLOCK);
    return 1;
}

size_t evaluate_counted_notes(const struct machine *machine, enum depth depth,
                              const struct metrics *metrics,
                              char notes[COUNTED_NOTES][COUNTED_NOTE_TEXT])
{
    const size_t spaces = put_spaces(machine, depth, metrics, notes);
    const size_t made = spaces + put_outcomes(machine, depth, metrics, notes + spaces);
    return made + put_clock(depth, metrics, notes[made]);
}
