#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "base/rng.h"
#include "explore/plan/planner.h"
#include "explore/sweep/sweep.h"
#include "model/evaluate.h"
#include "support/sanitized.h"
#include "support/study_builder.h"
#include "support/sweep_twin.h"

/* A metric table's worth of columns, in an order that mixes the parts. */
static const char all_parts[] =
    "objectives: [l1d.miss_rate, total.area]\n"
    "metrics: [stream.transactions, occupancy.warps, l1d.misses, l1d.miss.conflict, l2.misses,\n"
    "  l2.writebacks, tlb.hit_rate, tlb.misses, pwc.l3.hit_rate, walk.accesses_per_walk,\n"
    "  l1d.bits, pwc.area, tlb.area]\n";

/* Random small studies: a few axes of any stage with a few values each. */
static void random_study(uint64_t seed, struct study *study)
{
    static const char *const axes[] = {
        "l1d.enabled: [yes, no]",
        "l1d.size: [8KiB, 16KiB, 32KiB]",
        "l1d.ways: [2, 4]",
        "l1d.replacement: [lru, fifo, random]",
        "l1d.index: [linear, fermi]",
        "l1d.unified: [0, 64KiB]",
        "l2.enabled: [yes, no]",
        "l2.size: [192KiB, 768KiB]",
        "l2.ways: [4, 8]",
        "l2.slices: [4, 12]",
        "tlb.enabled: [yes, no]",
        "tlb.entries: [16, 64]",
        "tlb.replacement: [lru, random]",
        "page.size: [4KiB, 64KiB]",
        "pwc.organization: [none, tpc, cpwc]",
        "pwc.entries: [4, 24]",
        "pwc.l3_entries: [4, 8]",
        "gpu.sms: [2, 15]",
        "gpu.shared_memory: [16KiB, 48KiB]",
        "coalescer.arch: [20, 70]",
        "scheduler.policy: [gto, lrr]",
        "tech.node: [22nm, 40nm]",
        "seed: [1, 2]",
    };
    enum { AXES = sizeof axes / sizeof *axes };
    static const char *const programs[] = {"ATAX:n=96", "GEMM:n=32", "2DCONV:n=64"};
    char text[4096], *at = text, used[AXES] = {0};
    at += sprintf(at,
                  "machine: gtx480\nset: {tlb.ways: 16, gpu.shared_options: [16KiB, 48KiB]}\n"
                  "workloads: [%s]\naxes:\n",
                  programs[seed % 3]);
    for (int i = 0; i < 5; i++) {
        size_t choice = random_below(random_at(seed, (uint64_t)i), AXES);
        if (!used[choice])
            at += sprintf(at, "  %s\n", axes[choice]);
        used[choice] = 1;
    }
    sprintf(at, "%s", all_parts);
    study_from_text(text, study);
}

static void check_study(const struct study *study, const char *path)
{
    check_rows(study, path, &(struct evaluate_options){.needs = NEED_CLASSES(STAGE_L1D)});
}

/* What a factoring gets wrong most easily: parameters of several stages, parts that are switched
 * off, parameters that matter only with others. */
static const char *const delicate[] = {
    "  l1d.replacement: [lru, random]\n  tlb.replacement: [lru, random]\n  seed: [1, 2, 3]\n",
    "  l1d.enabled: [yes, no]\n  l2.enabled: [yes, no]\n  tlb.enabled: [yes, no]\n"
    "  l1d.size: [16KiB, 32KiB]\n  tlb.entries: [16, 64]\n",
    "  l1d.unified: [0, 64KiB]\n  gpu.shared_memory: [16KiB, 48KiB]\n  l1d.enabled: [yes, no]\n"
    "  tlb.entries: [16, 32]\n",
    "  pwc.organization: [none, tpc, cpwc]\n  pwc.entries: [4, 24]\n  pwc.l3_entries: [4, 8]\n"
    "  page.size: [4KiB, 64KiB, 2MiB]\n",
    "  walker.l2: [no, yes]\n  tlb.entries: [16, 64]\n  l2.size: [24KiB, 768KiB]\n"
    "  pwc.entries: [1, 24]\n  l2.enabled: [yes, no]\n  walker.policy: [fcfs, sjf]\n",
    "  l2tlb.enabled: [no, yes]\n  l2tlb.entries: [64, 512]\n  walker.policy: [fcfs, sjf]\n"
    "  walker.merge: [no, yes]\n  walker.count: [1, 8]\n",
    "  coalescer.arch: [20, 70]\n  gpu.sms: [2, 15]\n  l2.size: [192KiB, 768KiB]\n"
    "  tlb.entries: [16, 64]\n  scheduler.policy: [gto, lrr]\n",
};

static void test_delicate_compositions(void **state)
{
    (void)state;
    const char *path = scratch_store();
    for (size_t i = 0; i < sizeof delicate / sizeof *delicate; i++) {
        struct study study;
        char text[2048];
        snprintf(text, sizeof text,
                 "machine: gtx480\n"
                 "set: {tlb.ways: 8, gpu.shared_options: [16KiB, 48KiB], l1d.index: linear}\n"
                 "workloads: ['ATAX:n=256']\naxes:\n%s%s",
                 delicate[i], all_parts);
        study_from_text(text, &study);
        check_study(&study, path);
        study_free(&study);
    }
}

static void test_composition_is_evaluation(void **state)
{
    (void)state;
    const char *path = scratch_store();
    for (uint64_t seed = 0; seed < ROLLS(10); seed++) {
        struct study study;
        random_study(seed, &study);
        check_study(&study, path);
        study_free(&study);
    }
}

/* Columns that look-ups and traffic answer alone: some L1Ds, L2s and TLBs share grids and stack
 * passes, others do not. */
static void lookups_study(uint64_t seed, struct study *study)
{
    static const char *const axes[] = {
        "l1d.size: [8KiB, 16KiB, 32KiB]",
        "l1d.ways: [1, 2, 4, 8, 32, 64]",
        "l1d.line: [64B, 128B]",
        "l1d.replacement: [lru, fifo, random, plru, rr]",
        "l1d.index: [linear, xor, ipoly]",
        "l1d.write: [write_back, write_through, write_evict]",
        "l1d.write_allocate: [none, write_allocate, fetch_on_write, lazy_fetch]",
        "l1d.flush: [yes, no]",
        "l1d.unified: [0, 64KiB]",
        "l1d.enabled: [yes, no]",
        "l1d.sector: [32B, 64B]",
        "l2.size: [96KiB, 192KiB, 768KiB]",
        "l2.ways: [1, 2, 4, 8, 16]",
        "l2.sector: [32B, 128B]",
        "l2.slices: [1, 4, 12]",
        "l2.replacement: [lru, fifo, plru]",
        "l2.write: [write_back, write_through, write_evict]",
        "l2.write_allocate: [none, write_allocate, fetch_on_write, lazy_fetch]",
        "l2.flush: [yes, no]",
        "l2.enabled: [yes, no]",
        "tlb.entries: [8, 16, 32, 64, 128, 1024]",
        "tlb.ways: [1, 2, 4, 8, 64, 128, 1024, full]",
        "tlb.replacement: [lru, fifo, rr]",
        "page.size: [4KiB, 64KiB]",
        "gpu.sms: [2, 15]",
        "coalescer.arch: [20, 70]",
        "seed: [1, 2]",
    };
    enum { AXES = sizeof axes / sizeof *axes };
    static const char *const programs[] = {"ATAX:n=96", "GEMM:n=32", "2DCONV:n=64"};
    static const char *const columns[] = {
        "objectives: [l1d.miss_rate, tlb.misses]\nmetrics: [l1d.read_misses, l1d.writes]\n",
        "objectives: [l1d.misses, total.area]\nmetrics: [stream.transactions]\n",
        "objectives: [tlb.hit_rate]\n",
        "objectives: [l1d.miss_rate, walk.memory_accesses]\n", /* the TLB not */
        "objectives: [l1d.writebacks, tlb.misses]\n",
        "objectives: [l1d.miss.conflict, tlb.misses]\n", /* the L1D not */
        "objectives: [l1d.read_bytes, l1d.writebacks]\n"
        "metrics: [l1d.sector_misses, l1d.write_bytes, l1d.misses]\n",
        "objectives: [l2.miss_rate, l1d.misses]\nmetrics: [l2.write_misses, l2.reads]\n",
        "objectives: [l2.read_bytes, l2.writebacks]\n"
        "metrics: [l2.sector_misses, l2.write_bytes, l1d.write_bytes]\n",
    };
    enum { COLUMNS = sizeof columns / sizeof *columns };
    char text[4096], *at = text;
    bool used[AXES] = {0};
    at += sprintf(at,
                  "machine: gtx480\nset: {l1d.index: linear, l1d.write: write_back, "
                  "l1d.write_allocate: write_allocate, tlb.ways: 8, "
                  "gpu.shared_options: [16KiB, 48KiB]}\nworkloads: [%s]\naxes:\n",
                  programs[seed % 3]);
    for (int i = 0; i < 5; i++) {
        size_t choice = random_below(random_at(seed ^ 77, (uint64_t)i), AXES);
        if (!used[choice])
            at += sprintf(at, "  %s\n", axes[choice]);
        used[choice] = true;
    }
    sprintf(at, "%s", columns[random_below(random_at(seed ^ 77, 99), COLUMNS)]);
    study_from_text(text, study);
}

static void test_shared_passes_are_evaluation(void **state)
{
    (void)state;
    const char *path = scratch_store();
    for (uint64_t seed = 0; seed < ROLLS(60); seed++) {
        struct study study;
        lookups_study(seed, &study);
        check_study(&study, path);
        study_free(&study);
    }
}

static const char cross[] = "machine: gtx480\n"
                            "workloads: [ATAX:n=96, GEMM:n=32]\n"
                            "axes:\n"
                            "  l1d.size: [8KiB, 16KiB, 32KiB]\n"
                            "  tlb.entries: [64, 128]\n"
                            "  l1d.index: [linear]\n"
                            "  l2.ways: [4, 8]\n"
                            "  l1d.ways: [2, 4, 8]\n"
                            "  pwc.entries: [4, 8, 16, 24]\n"
                            "  tech.node: [22nm, 40nm]\n"
                            "where: [l1d.size / l1d.ways >= 2KiB]\n";

static void cross_study(const char *columns, struct study *study)
{
    char text[2048];
    snprintf(text, sizeof text, "%s%s", cross, columns);
    study_from_text(text, study);
}

static void test_threads_do_not_matter(void **state)
{
    (void)state;
    struct study study;
    cross_study(all_parts, &study);
    check_threads(&study);
    study_free(&study);
}

/* Fewer columns, fewer parts: each combination of parts gives the same numbers as all of them. */
static void test_parts_that_are_asked_for(void **state)
{
    (void)state;
    static const char *const columns[] = {
        "objectives: [l1d.misses]\n",
        "objectives: [l2.misses]\n",
        "objectives: [tlb.misses]\n",
        "objectives: [walk.memory_accesses]\n",
        "metrics: [stream.transactions]\n",
        "objectives: [total.area]\n",
        "objectives: [tlb.misses, total.area]\nmetrics: [occupancy.warps]\n",
    };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        struct study study;
        cross_study(columns[i], &study);
        study.workload_count = 1; /* the twin opens only the first */
        check_study(&study, scratch_store());
        study.workload_count = 2;
        study_free(&study);
    }
}

static enum status count_row(void *argument, const struct store_row *row)
{
    (void)row;
    ++*(uint64_t *)argument;
    return STATUS_OK;
}

/* Stops a sweep in the middle, resumes it with other threads: the rows are those of one run. */
static void test_cancel_and_resume(void **state)
{
    (void)state;
    struct study study;
    struct sweep_progress progress;
    cross_study(all_parts, &study);
    const char *whole = scratch_store(), *path = scratch_store();
    sweep_into(&study, whole, 2, NULL);
    struct stopper stopper = {.after = 0};
    atomic_bool at_once = true;
    struct sweep_options options = {.store = path, .threads = 1, .cancel = &at_once};
    assert_int_equal(sweep_run(&study, &options, &progress, NULL), STATUS_CANCELLED);
    options.cancel = &stopper.cancel;
    options.progress = stop_after;
    options.argument = &stopper;
    uint64_t last = 0;
    for (int round = 0; round < 100; round++) {
        atomic_store(&stopper.cancel, false);
        enum status status = sweep_run(&study, &options, &progress, NULL);
        assert_int_equal(progress.resumed, last);
        assert_true(progress.done >= last);
        last = stopper.after = progress.done;
        if (!status)
            break;
        assert_int_equal(status, STATUS_CANCELLED);
    }
    assert_int_equal(last, progress.points);
    check_equal_stores(whole, path);
    study_free(&study);
}

/* Points of a store by value of an axis, all axes in a row. */
struct landed {
    const struct study *study;
    uint64_t machines, counts[64];
};

static enum status land_row(void *argument, const struct store_row *row)
{
    struct landed *landed = argument;
    uint64_t machine = row->point % landed->machines;
    for (size_t a = landed->study->axis_count; a-- > 0; machine /= landed->study->axes[a].count)
        landed->counts[study_values_before(landed->study, a) +
                       machine % landed->study->axes[a].count]++;
    return STATUS_OK;
}

static void count_landed(const char *path, struct landed *landed, uint64_t *count)
{
    struct store *store;
    const struct study *study;
    const struct query everything = {0};
    assert_int_equal(store_open(path, &store, &study, NULL), STATUS_OK);
    *landed = (struct landed){.study = study, .machines = store_space(store)->machines};
    assert_int_equal(store_query(store, &everything, land_row, landed, NULL), STATUS_OK);
    assert_int_equal(store_count(store, count, NULL), STATUS_OK);
    landed->study = NULL;
    store_close(store);
}

/* Wherever a sweep is stopped, no two values of an axis differ by more than a factor of two in
 * their points, or by the points of the passes that its threads were in. */
static void test_stopped_anywhere(void **state)
{
    (void)state;
    struct study study;
    study_from_text("machine: gtx480\n"
                    "workloads: [ATAX:n=64, GEMM:n=32]\n"
                    "axes:\n"
                    "  l1d.size: {from: 4KiB, to: 256KiB, factor: 2}\n"
                    "  l1d.ways: [2, 4, 8]\n"
                    "  l1d.replacement: [lru, plru]\n"
                    "  l2.size: [384KiB, 768KiB]\n"
                    "  tlb.entries: {from: 16, to: 128, factor: 2}\n"
                    "  pwc.entries: {from: 8, to: 64, factor: 2}\n"
                    "objectives: [l1d.miss.conflict, walk.memory_accesses]\n",
                    &study);
    const uint64_t pass = 16 * 4 * 4 * 2, threads = 2;
    size_t stopped = 0;
    for (uint64_t seed = 0; seed < ROLLS(30); seed++) {
        const char *path = scratch_store();
        struct stopper stopper = {.after = random_below(random_at(3, seed), 2 * 42 * 16 * 2)};
        const struct sweep_options options = {.store = path,
                                              .threads = (int)threads,
                                              .cancel = &stopper.cancel,
                                              .progress = stop_after,
                                              .argument = &stopper};
        struct sweep_progress progress;
        enum status status = sweep_run(&study, &options, &progress, NULL);
        struct landed landed;
        uint64_t count;
        count_landed(path, &landed, &count);
        assert_int_equal(count, progress.done);
        stopped += status == STATUS_CANCELLED && count > progress.points / 10;
        for (size_t a = 0, base = 0; a < study.axis_count; base += study.axes[a++].count) {
            uint64_t least = UINT64_MAX, most = 0;
            for (size_t v = 0; v < study.axes[a].count; v++) {
                const uint64_t own = landed.counts[base + v];
                least = own < least ? own : least;
                most = own > most ? own : most;
            }
            assert_true(most <= 2 * least + threads * pass);
        }
    }
    print_message("%zu of 30 sweeps stopped with more than a tenth of the points\n", stopped);
    study_free(&study);
}

/* What the progress says at the end is what a query says. */
static void test_progress(void **state)
{
    (void)state;
    struct study study;
    struct sweep_progress first, again;
    cross_study("objectives: [l1d.misses, total.area, tlb.misses]\nfilters: [l1d.size > 8KiB]\n",
                &study);
    const char *path = scratch_store();
    sweep_into(&study, path, 2, &first);
    sweep_into(&study, path, 1, &again); /* nothing left to do */
    assert_int_equal(again.resumed, first.points);
    assert_int_equal(again.front, first.front);
    assert_int_equal(again.best, first.best);
    struct store *store;
    const struct study *kept;
    uint64_t front = 0;
    assert_int_equal(store_open(path, &store, &kept, NULL), STATUS_OK);
    const struct query query = {.front = true};
    assert_int_equal(store_query(store, &query, count_row, &front, NULL), STATUS_OK);
    assert_true(front > 0);
    assert_int_equal(front, first.front);
    store_close(store);
    study_free(&study);
}

struct progress_log {
    double share;
    uint64_t reports, passes_done;
    bool eta_unknown;
};

static void log_progress(void *argument, const struct sweep_progress *progress)
{
    struct progress_log *log = argument;
    assert_true(progress->share >= log->share && progress->share <= 1);
    assert_true(progress->passes_done >= log->passes_done);
    assert_true(progress->passes_done + progress->passes_running <= progress->passes);
    log->share = progress->share;
    log->passes_done = progress->passes_done;
    log->eta_unknown = log->eta_unknown || isnan(progress->eta);
    log->reports++;
}

/* Progress is of the work: it never falls, ends at the whole, and a plan gives it a time to go from
 * the first report on. */
static void test_progress_of_passes(void **state)
{
    (void)state;
    struct study study;
    struct sweep_plan plan;
    struct sweep_progress progress;
    struct progress_log log = {0};
    cross_study(all_parts, &study);
    struct sweep_options options = {
        .store = scratch_store(), .threads = 2, .progress = log_progress, .argument = &log};
    assert_int_equal(sweep_plan(&study, &options, &plan, NULL), STATUS_OK);
    options.plan = &plan;
    assert_int_equal(sweep_run(&study, &options, &progress, NULL), STATUS_OK);
    assert_true(log.reports >= 2); /* the first before the first pass */
    assert_false(log.eta_unknown);
    assert_int_equal(progress.passes, plan.passes);
    assert_int_equal(progress.passes_done, progress.passes);
    assert_int_equal(progress.passes_running, 0);
    assert_true(progress.share == 1 && progress.eta == 0);
    sweep_plan_free(&plan);
    study_free(&study);
}

/* A run that takes what was opened and planned for it has the rows of one that does not; and so has
 * one whose plan is late, because the store is complete by now. */
static void test_a_plan_is_taken_over(void **state)
{
    (void)state;
    struct study study;
    cross_study(all_parts, &study);
    const char *alone = scratch_store();
    sweep_into(&study, alone, 2, NULL);
    char *wanted = store_dump(alone);
    struct sweep_options options = {.store = scratch_store(), .threads = 2};
    for (int late = 0; late < 2; late++) {
        struct sweep_plan plan;
        struct sweep_progress progress;
        assert_int_equal(sweep_plan(&study, &options, &plan, NULL), STATUS_OK);
        options.plan = &plan;
        options.setup = &plan.setup;
        if (late) {
            options.store = scratch_store();
            sweep_into(&study, options.store, 1, NULL);
        }
        assert_int_equal(sweep_run(&study, &options, &progress, NULL), STATUS_OK);
        assert_int_equal(progress.resumed, late ? progress.points : 0);
        sweep_plan_free(&plan);
        char *rows = store_dump(options.store);
        assert_string_equal(rows, wanted);
        free(rows);
        options = (struct sweep_options){.store = scratch_store(), .threads = 2};
    }
    free(wanted);
    study_free(&study);
}

/* The plan of the cross study, counted by hand. */
static void test_plan(void **state)
{
    (void)state;
    struct study study;
    struct sweep_plan plan;
    cross_study(all_parts, &study);
    const char *path = scratch_store();
    const struct sweep_options options = {.store = path, .threads = 2};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(sweep_plan(&study, &options, &plan, &diagnostics), STATUS_OK);
    const uint64_t caches = 3 * 3 - 1; /* 8KiB / 8 ways is below 2KiB */
    assert_int_equal(plan.setup.census.legal, caches * 2 * 2 * 4 * 2);
    assert_int_equal(plan.points, 2 * plan.setup.census.legal);
    assert_int_equal(plan.missing, plan.points);
    assert_int_equal(plan.stages[0], 2);              /* one stream a workload */
    assert_int_equal(plan.stages[1], 2 * caches);     /* L1D */
    assert_int_equal(plan.stages[2], 2 * caches * 2); /* L2 after them */
    assert_int_equal(plan.stages[3], 2 * 2);          /* TLB */
    assert_int_equal(plan.stages[4], 2 * 2 * 4);      /* page-walk cache after them */
    assert_true(plan.passes >= 2 && plan.seconds > 0);
    sweep_plan_free(&plan);
    assert_int_not_equal(access(path, F_OK), 0); /* a plan makes no store */
    /* A sweep that was killed, or out of room, at once leaves an empty file; the next one takes it.
     */
    int empty = open(path, O_CREAT | O_WRONLY, 0600);
    assert_true(empty >= 0 && !close(empty));
    assert_int_equal(sweep_plan(&study, &options, &plan, &diagnostics), STATUS_OK);
    assert_int_equal(plan.missing, plan.points);
    sweep_plan_free(&plan);
    sweep_into(&study, path, 2, NULL);
    assert_int_equal(sweep_plan(&study, &options, &plan, &diagnostics), STATUS_OK);
    assert_int_equal(plan.missing, 0);
    assert_int_equal(plan.passes, 0);
    sweep_plan_free(&plan);
    diagnostics_free(&diagnostics);
    study_free(&study);
}

/* Settings that differ in their ways alone take one simulation. */
static void test_plan_of_shared_passes(void **state)
{
    (void)state;
    struct study study;
    struct sweep_plan plan;
    study_from_text("machine: gtx480\n"
                    "set: {l1d.index: linear, l1d.write: write_back, l1d.write_allocate: "
                    "write_allocate}\n"
                    "workloads: [ATAX:n=96]\n"
                    "axes:\n"
                    "  l1d.size: [8KiB, 16KiB, 32KiB]\n"
                    "  l1d.ways: [2, 4, 8]\n"
                    "where: [l1d.size / l1d.ways = 4KiB]\n"
                    "objectives: [l1d.misses]\n",
                    &study);
    const struct sweep_options options = {.threads = 2};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(sweep_plan(&study, &options, &plan, &diagnostics), STATUS_OK);
    const struct stage_plan *stages = plan.workloads[0].stages;
    assert_int_equal(stages[1].settings, 3); /* 32 sets of 2, 4 and 8 ways */
    assert_int_equal(stages[1].simulations, 1);
    assert_int_equal(plan.passes, 1);
    sweep_plan_free(&plan);
    diagnostics_free(&diagnostics);
    study_free(&study);
}

static void sweep_with_cache(const struct study *study, const char *store, const char *cache)
{
    const struct sweep_options options = {.store = store, .cache = cache, .threads = 2};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(sweep_run(study, &options, NULL, &diagnostics), STATUS_OK);
    assert_int_equal(diagnostics.count, 0);
}

/* Random studies share one cache: each has the rows that it has without one, on its first run, and
 * on its second, when nothing is left to simulate. */
static void test_remembered_is_simulated(void **state)
{
    (void)state;
    const char *cache = scratch_store();
    for (uint64_t seed = 0; seed < ROLLS(12); seed++) {
        struct study study;
        char *rows[3];
        if (seed & 1)
            lookups_study(seed / 2, &study);
        else
            random_study(seed / 2, &study);
        for (int i = 0; i < 3; i++) {
            const char *path = scratch_store();
            if (i == 2) {
                const struct sweep_options options = {.cache = cache, .threads = 1};
                struct sweep_plan plan;
                assert_int_equal(sweep_plan(&study, &options, &plan, NULL), STATUS_OK);
                assert_int_equal(plan.passes, 0);
                sweep_plan_free(&plan);
            }
            sweep_with_cache(&study, path, i ? cache : NULL);
            rows[i] = store_dump(path);
        }
        assert_string_equal(rows[0], rows[1]);
        assert_string_equal(rows[0], rows[2]);
        for (int i = 0; i < 3; i++)
            free(rows[i]);
        study_free(&study);
    }
}

static uint64_t count_rows(const char *path)
{
    struct store *store;
    const struct study *study;
    uint64_t count;
    assert_int_equal(store_open(path, &store, &study, NULL), STATUS_OK);
    assert_int_equal(store_count(store, &count, NULL), STATUS_OK);
    store_close(store);
    return count;
}

struct verify_watch {
    uint64_t reports, done, points;
};

static void watch_verify(void *argument, const struct sweep_progress *progress)
{
    struct verify_watch *watch = argument;
    assert_true(progress->done >= watch->done && progress->done <= progress->points);
    assert_true(progress->share == (double)progress->done / (double)progress->points);
    watch->reports++;
    watch->done = progress->done;
    watch->points = progress->points;
}

static void test_verify(void **state)
{
    (void)state;
    struct study study;
    struct sweep_verification found;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    cross_study(all_parts, &study);
    struct verify_watch watch = {0};
    const struct sweep_options options = {
        .store = scratch_store(), .threads = 2, .progress = watch_verify, .argument = &watch};
    sweep_into(&study, options.store, 2, NULL);
    assert_int_equal(sweep_verify(&study, &options, 1e-9, &found, &diagnostics), STATUS_OK);
    assert_int_equal(found.checked, 1);
    assert_true(watch.reports > 0 && watch.done == 1 && watch.points == 1);
    watch = (struct verify_watch){0};
    assert_int_equal(sweep_verify(&study, &options, 0.1, &found, &diagnostics), STATUS_OK);
    assert_int_equal(found.checked, (count_rows(options.store) + 9) / 10);
    assert_int_equal(watch.done, found.checked);
    assert_int_equal(watch.points, found.checked);
    watch = (struct verify_watch){0};
    assert_int_equal(sweep_verify(&study, &options, 1, &found, &diagnostics), STATUS_OK);
    assert_int_equal(found.checked, count_rows(options.store));
    assert_int_equal(diagnostics.count, 0);
    /* One bit more and one bit less, and a value that is missing, in a store without hashes. */
    sqlite3 *database;
    assert_int_equal(sqlite3_open(options.store, &database), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(
            database,
            "ALTER TABLE result DROP COLUMN row_hash; PRAGMA user_version=1;"
            "UPDATE result SET \"total.area\" = \"total.area\" * (1 + 2.3e-16) WHERE id = 5;"
            "UPDATE result SET \"total.area\" = \"total.area\" * (1 - 1.7e-16) WHERE id = 6;"
            "UPDATE result SET \"total.area\" = NULL WHERE id = 7",
            NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(database);
    watch = (struct verify_watch){0};
    assert_int_equal(sweep_verify(&study, &options, 1, &found, &diagnostics), STATUS_CONFLICT);
    assert_int_equal(found.different, 3);
    assert_int_equal(sweep_verify_rows(0.07, 100), 7);
    assert_true(diagnostics_mention(&diagnostics, "point 5: total.area is"));
    assert_true(diagnostics_mention(&diagnostics, "point 6: total.area is"));
    assert_true(diagnostics_mention(&diagnostics, "point 7: total.area is"));
    diagnostics_free(&diagnostics);
    study_free(&study);
}

static void test_errors(void **state)
{
    (void)state;
    struct study study;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    study_from_text("machine: gtx480\n"
                    "workloads: [NOSUCH, ATAX:n=96]\n"
                    "axes: {l1d.ways: [2, 4]}\n"
                    "where: [l1d.wais < 4]\n"
                    "filters: ['l1d.misses <', 'l2.misses < 4']\n"
                    "objectives: [l1d.misses]\n",
                    &study);
    const struct sweep_options options = {.store = scratch_store(), .threads = 1};
    assert_int_not_equal(sweep_run(&study, &options, NULL, &diagnostics), STATUS_OK);
    assert_true(diagnostics_mention(&diagnostics, "NOSUCH"));
    assert_true(diagnostics_mention(&diagnostics, "l1d.wais"));
    assert_true(diagnostics_mention(&diagnostics, "l1d.misses <"));
    assert_true(diagnostics_mention(&diagnostics, "does not store l2.misses"));
    assert_int_not_equal(access(options.store, F_OK), 0);
    diagnostics_free(&diagnostics);
    study_free(&study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_composition_is_evaluation),
        cmocka_unit_test(test_delicate_compositions),
        cmocka_unit_test(test_parts_that_are_asked_for),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_cancel_and_resume),
        cmocka_unit_test(test_stopped_anywhere),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_progress_of_passes),
        cmocka_unit_test(test_a_plan_is_taken_over),
        cmocka_unit_test(test_plan),
        cmocka_unit_test(test_shared_passes_are_evaluation),
        cmocka_unit_test(test_plan_of_shared_passes),
        cmocka_unit_test(test_remembered_is_simulated),
        cmocka_unit_test(test_verify),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
