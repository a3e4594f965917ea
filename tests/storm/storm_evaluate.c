#include "storm/storm_evaluate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/embedded.h"
#include "config/machine_file.h"
#include "model/evaluate.h"
#include "model/timing/run_causes.h"
#include "storm/storm_workload.h"
#include "support/failing_allocations.h"
#include "support/gpu_trial.h"
#include "support/roll_machine.h"
#include "support/same_metrics.h"
#include "support/shared_pass.h"

enum { MACHINES_MAX = 4 };

struct trial {
    uint64_t seed;
    struct dice dice;
    struct storm_workload workload;
    struct machine machine;
    struct evaluate_options options;
    struct metrics metrics;
};

static const struct trial *storm_running; /* for storm_evaluate_says */

static void storm_says(const struct trial *trial)
{
    print_machine(trial->seed, &trial->machine);
    for (int i = 0; i < IDEAL_COUNT; i++)
        if (ideal_has(trial->options.ideals, (enum ideal)i))
            print_message("  without %s\n", ideal_table[i].name);
    print_message("%s at depth %s\n", trial->workload.text, depth_name(trial->options.depth));
}

void storm_evaluate_says(void)
{
    if (storm_running)
        storm_says(storm_running);
}

/* ---- drawing ---- */

/* A built-in machine or the defaults, of few SMs, with some parameters changed. */
static void storm_machine(struct trial *trial)
{
    struct dice *dice = &trial->dice;
    struct machine *machine = &trial->machine;
    size_t count = 0;
    while (embedded_machines[count].name)
        count++;
    const size_t which = roll(dice, count + 4); /* the defaults are four times as likely */
    machine_defaults(machine);
    if (which < count)
        assert_int_equal(machine_load(embedded_machines[which].name, NULL, machine, NULL, NULL),
                         STATUS_OK);
    if (trial->workload.source->tiles) {
        machine->kind = KIND_GRAPHICS;
        machine->tile.cache.enabled = 1;
    }
    roll_sms(dice, machine);
    if (!machine_can_run(machine, trial->options.depth))
        machine_defaults(machine);
    roll_machine_at(trial->options.depth, dice, machine, 2 + (unsigned)roll(dice, 30),
                    roll(dice, 2));
    machine->gpu.sms = machine->gpu.sms > 8 ? machine->gpu.cluster : machine->gpu.sms;
}

/* Some of the limits that can be taken out of the machine, seldom. */
static struct ideal_set storm_ideals(struct trial *trial)
{
    const struct ideal_set all = ideal_all_of(&trial->machine, trial->options.depth);
    struct ideal_set set = {{0}};
    const bool any = roll(&trial->dice, 4) == 0;
    for (int i = 0; any && i < IDEAL_COUNT; i++)
        if (ideal_has(all, (enum ideal)i) && roll(&trial->dice, 3) == 0)
            ideal_add(&set, (enum ideal)i);
    return set;
}

static unsigned storm_needs(struct dice *dice, enum depth depth)
{
    static const unsigned needs[] = {0, NEED_REPORT, NEED_ALL};
    return needs[roll(dice, depth_can(depth, DEPTH_FACTORED) ? 3 : 2)];
}

/* ---- what holds ---- */

static double storm_value(const struct trial *trial, const char *path)
{
    const struct metric *metric = metric_find(path);
    return metric ? metric_get(metric, &trial->metrics) : NAN;
}

/* Whether it may be negative: a page-walk cache may cost more accesses than the one that it is
 * compared with, and so may what was meant to save some. */
static bool is_difference(const struct metric *metric)
{
    struct derivation derivation;
    return !strcmp(metric->path, "walk.reduction") ||
           (metric_derivation(metric, &derivation) && derivation.kind == DERIVE_DIFFERENCE);
}

/* Every number is one: shares are between 0 and 1, counts are not negative. */
static void check_ranges(const struct trial *trial)
{
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        const double value = metric_get(metric, &trial->metrics);
        if (isnan(value))
            continue;
        if ((!(value >= 0) && !is_difference(metric)) ||
            (metric->unit == UNIT_PERCENT && value > 1 + 1e-9) || isinf(value))
            fail_msg("%s is %.17g", metric->path, value);
    }
}

/* The rows of a stack, which add up to `whole` unless that is NaN or nothing was counted. */
static void check_stack(const char *name, double whole, const double *parts, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += parts[i];
    if (whole > 0 && !isnan(sum) && fabs(sum - whole) > 1e-9 * whole)
        fail_msg("%s adds up to %.17g, not to %.17g", name, sum, whole);
}

static void check_cycles(const struct trial *trial)
{
    const struct metrics *metrics = &trial->metrics;
#define SLOT_VALUE(X, field, ...)        metrics->core_slots_##field,
#define MEMORY_SLOT_VALUE(X, field, ...) metrics->core_memory_##field,
    const double slots[] = {SLOT_LIST(SLOT_VALUE, )};
    const double memory[] = {MEMORY_SLOT_LIST(MEMORY_SLOT_VALUE, )};
#undef SLOT_VALUE
#undef MEMORY_SLOT_VALUE
    if (metrics->core_cycles > 0)
        check_stack("the cycle stack", 1, slots, SLOT_COUNT);
    if (metrics->core_slots_memory > 0)
        check_stack("the stack of memory", metrics->core_slots_memory, memory, MEMORY_SLOT_COUNT);
}

/* The classes of a cache's misses. */
static void check_classes(const struct trial *trial, const char *cache)
{
    char path[64];
    double parts[8];
    size_t count = 0;
    snprintf(path, sizeof path, "%s.misses", cache);
    const double misses = storm_value(trial, path);
    const size_t prefix = (size_t)snprintf(path, sizeof path, "%s.miss.", cache);
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const double value = metric_get(&metric_table[i], &trial->metrics);
        if (!strncmp(metric_table[i].path, path, prefix) && !isnan(value) && count < 8)
            parts[count++] = value;
    }
    if (count)
        check_stack(path, misses, parts, count);
}

static void check_misses(const struct trial *trial)
{
    static const char *const caches[] = {"l1d", "l2"};
    for (size_t i = 0; i < sizeof caches / sizeof *caches; i++) {
        char path[64];
        check_classes(trial, caches[i]);
        snprintf(path, sizeof path, "%s.accesses", caches[i]);
        const double accesses = storm_value(trial, path);
        snprintf(path, sizeof path, "%s.misses", caches[i]);
        if (storm_value(trial, path) > accesses)
            fail_msg("%s exceeds %g", path, accesses);
    }
}

static void check_equal(const struct trial *trial, const struct metrics *other, const char *how)
{
    const struct metric *metric = metrics_differ(&trial->metrics, other, ~0u);
    if (metric)
        fail_msg("%s is %.17g, and %.17g %s", metric->path, metric_get(metric, &trial->metrics),
                 metric_get(metric, other), how);
}

/* ---- the same again, another way ---- */

static enum status storm_run(const struct trial *trial, struct metrics *metrics,
                             struct diagnostics *diagnostics)
{
    memset(metrics, 0, sizeof *metrics);
    return evaluate(&trial->machine, trial->workload.source, &trial->options, metrics, diagnostics);
}

/* Any number of threads. */
static void check_threads_of(struct trial *trial)
{
    struct metrics other;
    trial->options.threads = 2 + (int)roll(&trial->dice, 4);
    assert_int_equal(storm_run(trial, &other, NULL), STATUS_OK);
    trial->options.threads = 0;
    check_equal(trial, &other, "with other threads");
}

/* Draws another machine of the same stream that answers; false if it is none. With an L1I warps
 * issue instruction by instruction, and a block follows another after its last instruction, not
 * after its last record: that is another order of issue. */
static bool storm_companion(struct trial *trial, struct machine *machine, struct metrics *alone)
{
    *machine = trial->machine;
    roll_machine_at(trial->options.depth, &trial->dice, machine,
                    4 + (unsigned)roll(&trial->dice, 20), roll(&trial->dice, 2));
    return machine_same(machine, &trial->machine, STAGE_STREAM) &&
           machine_has(machine, STAGE_L1I) == machine_has(&trial->machine, STAGE_L1I) &&
           !evaluate(machine, trial->workload.source, &trial->options, alone, NULL);
}

/* Beside other machines of one stream, in groups that threads share: each is what it is alone. */
static void check_company(struct trial *trial)
{
    struct machine machines[MACHINES_MAX] = {trial->machine};
    const struct machine *list[MACHINES_MAX];
    struct metrics alone[MACHINES_MAX] = {trial->metrics}, together[MACHINES_MAX];
    struct evaluate_options options = trial->options;
    size_t count = 1;
    if (!depth_can(options.depth, DEPTH_GROUPED))
        return;
    for (unsigned i = 1; i < MACHINES_MAX; i++)
        count += storm_companion(trial, &machines[count], &alone[count]);
    for (size_t i = 0; i < count; i++)
        list[i] = &machines[i];
    options.pool = pass_pool_create();
    options.groups = 1 + roll(&trial->dice, 5);
    struct shared_pass pass = {list,  count,    trial->workload.source, &options, together,
                               false, STATUS_OK};
    shared_pass_run(&pass, 1 + (unsigned)roll(&trial->dice, 4));
    pass_pool_free(options.pool);
    for (size_t i = 0; i < count; i++) {
        trial->machine = machines[i];
        trial->metrics = alone[i];
        check_equal(trial, &together[i], "beside others");
    }
    trial->machine = machines[0];
    trial->metrics = alone[0];
}

/* Whatever allocation fails, it says that there is no memory, or the answer is the same. */
static void check_memory(struct trial *trial)
{
    enum { TRIES = 6 };
    struct metrics other;
    allocation_fails(0);
    const enum status before = storm_run(trial, &other, NULL);
    allocation_fails(0);
    const uint64_t count = allocations_made();
    for (unsigned i = 0; i < TRIES && !before && count; i++) {
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        const uint64_t k = 1 + roll(&trial->dice, count);
        allocation_fails(k);
        const enum status status = storm_run(trial, &other, &diagnostics);
        allocation_fails(0);
        const char *blame = status ? allocation_blame(&diagnostics) : NULL;
        if ((status && status != STATUS_MEMORY) || blame)
            fail_msg("allocation %llu of %llu: %s (%s)", (unsigned long long)k,
                     (unsigned long long)count, status_text(status), blame ? blame : "");
        if (!status)
            check_equal(trial, &other, "where an allocation fails");
        diagnostics_free(&diagnostics);
    }
}

/* The cycles of the critical paths are those of the launches, by use and by instruction. */
static void check_causes(const struct trial *trial)
{
    enum { MEMORY = 256 << 20 };
    const struct causes_wish wish = {.launch = CAUSES_ALL, .memory = MEMORY};
    struct machine machine = trial->machine;
    struct run_causes run;
    if (!depth_can(trial->options.depth, DEPTH_TIMED) || trial->workload.source->tiles ||
        !ideal_none(trial->options.ideals))
        return;
    machine_apply_kind(&machine);
    const enum status status =
        run_causes_find(&machine, trial->workload.source, &trial->options, &wish, &run, NULL);
    uint64_t uses = 0, codes = 0;
    for (unsigned i = 0; i < CAUSE_USES; i++)
        uses += run.uses[i];
    for (size_t i = 0; i < run.code_count; i++)
        codes += run.codes[i].cycles;
    run_causes_free(&run);
    if (status == STATUS_UNSUPPORTED) /* too many events */
        return;
    assert_int_equal(status, STATUS_OK);
    assert_true((double)uses == trial->metrics.core_cycles);
    assert_int_equal(codes, uses);
}

/* ---- a seed ---- */

/* It answers, or it says why not. Returns whether it answers. */
static bool storm_answers(struct trial *trial)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    const enum status status = storm_run(trial, &trial->metrics, &diagnostics);
    if (status && (status == STATUS_MEMORY || !diagnostics.count))
        fail_msg("%s without a reason", status_text(status));
    diagnostics_free(&diagnostics);
    return status == STATUS_OK;
}

static void storm_depth(struct trial *trial, bool memory)
{
    storm_machine(trial);
    trial->options.ideals = storm_ideals(trial);
    if (!storm_answers(trial))
        return;
    check_ranges(trial);
    check_cycles(trial);
    check_misses(trial);
    check_causes(trial);
    check_threads_of(trial);
    check_company(trial);
    if (memory)
        check_memory(trial);
}

void storm_evaluate(uint64_t seed, bool memory)
{
    static struct trial trial; /* storm_evaluate_says finds it after a crash */
    trial = (struct trial){.seed = seed, .dice = {.seed = seed}};
    storm_workload_draw(&trial.dice, &trial.workload);
    storm_running = &trial;
    for (int depth = 0; depth < DEPTH_COUNT; depth++) {
        trial.options = (struct evaluate_options){.depth = (enum depth)depth};
        trial.options.needs = storm_needs(&trial.dice, trial.options.depth);
        if (!evaluate_check(trial.workload.source, trial.options.depth, NULL))
            storm_depth(&trial, memory);
    }
    storm_running = NULL;
    storm_workload_free(&trial.workload);
}
