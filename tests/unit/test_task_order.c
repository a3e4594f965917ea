/* The order of a sweep's tasks: a prefix shows the whole space, the end keeps threads busy. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "config/study_file.h"
#include "explore/plan/sweep_setup.h"
#include "explore/plan/task_order.h"
#include "explore/results/coverage.h"
#include "support/study_builder.h"

/* A made-up plan of one part: three axes, a setting for each combination, tasks of neighbouring
 * settings. */
enum { WORKLOADS = 2, SETTINGS = 6 * 8 * 5, TASKS_MAX = WORKLOADS * SETTINGS };
enum { VALUES = 6 + 8 + 5 + WORKLOADS };

struct made {
    struct study study;
    struct space space;
    struct projected_axis axes[3];
    uint32_t members[SETTINGS], numbers[SETTINGS], machines[SETTINGS];
    size_t ends[SETTINGS];
    struct task tasks[TASKS_MAX];
    struct plan plan;
};

enum weights { EQUAL, UNIFORM, TWO_KINDS, OUTLIER, WEIGHTS };

static double draw_weight(enum weights weights, uint64_t seed, size_t task, size_t workload)
{
    double drawn = (double)random_unit(random_at(seed, task));
    switch (weights) {
    case UNIFORM:
        return 1 + 9 * drawn;
    case TWO_KINDS:
        return workload ? 1 : 20;
    case OUTLIER:
        return task == 3 ? 100 : 1 + drawn;
    default:
        return 1;
    }
}

static void make(uint64_t seed, enum weights weights, struct made *made)
{
    static const struct projected_axis axes[] = {
        {.weight = 40, .count = 6}, {.weight = 5, .count = 8}, {.weight = 1, .count = 5}};
    *made = (struct made){.study = {.workload_count = WORKLOADS, .seed = seed}};
    made->space.study = &made->study;
    memcpy(made->axes, axes, sizeof axes);
    for (size_t s = 0; s < SETTINGS; s++) {
        made->members[s] = made->numbers[s] = (uint32_t)s;
        made->ends[s] = s + 1;
        made->machines[s] = 1;
    }
    struct plan *plan = &made->plan;
    *plan = (struct plan){.space = &made->space, .part_count = 1, .tasks = made->tasks};
    plan->parts[0].members = made->members;
    plan->parts[0].member_ends = made->ends;
    plan->parts[0].machines = made->machines;
    plan->parts[0].projection =
        (struct projection){.axes = made->axes, .axis_count = 3, .combinations = SETTINGS};
    for (size_t w = 0; w < WORKLOADS; w++)
        for (size_t s = 0; s < SETTINGS;) {
            size_t count = 1 + random_at(seed, 1000 + s) % 4;
            count = count < SETTINGS - s ? count : SETTINGS - s;
            size_t task = plan->task_count++;
            made->tasks[task] = (struct task){.workload = w,
                                              .settings = made->numbers + s,
                                              .count = count,
                                              .remembered = random_at(seed, 5000 + task) % 16 == 0};
            if (!made->tasks[task].remembered)
                made->tasks[task].weight = draw_weight(weights, seed, task, w);
            s += count;
        }
}

static size_t first_simulated(const struct plan *plan)
{
    size_t first = 0;
    while (first < plan->task_count && plan->tasks[first].remembered)
        first++;
    return first;
}

/* Axis by axis, then the workloads: which values the tasks [from, to) show. */
static void collect(const struct plan *plan, size_t from, size_t to, bool values[VALUES])
{
    memset(values, 0, VALUES * sizeof *values);
    for (size_t t = from; t < to; t++) {
        const struct task *task = &plan->tasks[t];
        for (size_t i = 0; i < task->count; i++) {
            uint32_t s = task->settings[i];
            values[s / 40] = values[6 + s / 5 % 8] = values[14 + s % 5] = true;
        }
        values[19 + task->workload] = true;
    }
}

static void a_prefix_shows_every_value(void **state)
{
    (void)state;
    struct made *made = malloc(sizeof *made);
    assert_non_null(made);
    for (uint64_t seed = 0; seed < 100; seed++) {
        make(seed, seed % WEIGHTS, made);
        size_t count = made->plan.task_count;
        assert_int_equal(task_order(&made->plan, 1 << seed % 6), STATUS_OK);
        assert_int_equal(made->plan.task_count, count);
        size_t first = first_simulated(&made->plan);
        bool all[VALUES], early[VALUES];
        /* The heaviest tasks may lead, and the remembered ones count. */
        size_t end = first + VALUES + (1u << seed % 6) / 2;
        collect(&made->plan, 0, count, all);
        collect(&made->plan, 0, end < count ? end : count, early);
        assert_memory_equal(all, early, sizeof all);
        for (size_t t = first; t < count; t++)
            assert_false(made->plan.tasks[t].remembered);
    }
    free(made);
}

static int compare_pointers(const void *a, const void *b)
{
    const struct task *left = a, *right = b;
    if (left->workload != right->workload)
        return left->workload < right->workload ? -1 : 1;
    return left->settings < right->settings ? -1 : left->settings > right->settings;
}

static void no_task_is_lost_and_the_order_is_the_same_every_time(void **state)
{
    (void)state;
    struct made *made = malloc(3 * sizeof *made);
    assert_non_null(made);
    for (uint64_t seed = 0; seed < 20; seed++) {
        for (size_t i = 0; i < 3; i++)
            make(seed, UNIFORM, &made[i]);
        size_t count = made->plan.task_count;
        for (size_t i = 0; i < 2; i++)
            assert_int_equal(task_order(&made[i].plan, 4), STATUS_OK);
        for (size_t t = 0; t < count; t++) {
            const struct task *left = &made[0].tasks[t], *right = &made[1].tasks[t];
            assert_int_equal(left->settings - made[0].numbers, right->settings - made[1].numbers);
            assert_int_equal(left->workload, right->workload);
        }
        qsort(made[0].tasks, count, sizeof *made[0].tasks, compare_pointers);
        for (size_t t = 0; t < count; t++)
            assert_int_equal(made[0].tasks[t].settings - made[0].numbers,
                             made[2].tasks[t].settings - made[2].numbers);
    }
    free(made);
}

/* When the last of the threads ends that each take the next task when they are free. */
static double makespan(const struct task *tasks, size_t count, int threads)
{
    double busy[64] = {0}, last = 0;
    for (size_t t = 0; t < count; t++) {
        int next = 0;
        for (int i = 1; i < threads; i++)
            next = busy[i] < busy[next] ? i : next;
        busy[next] += tasks[t].weight;
        last = fmax(last, busy[next]);
    }
    return last;
}

static int compare_weights(const void *a, const void *b)
{
    const struct task *left = a, *right = b;
    return left->weight > right->weight ? -1 : left->weight < right->weight;
}

/* Against the heaviest first, which is never more than a third above the best (Graham 1969). */
static void threads_end_together(void **state)
{
    (void)state;
    struct made *made = malloc(sizeof *made);
    assert_non_null(made);
    double worst = 0;
    for (uint64_t seed = 0; seed < 200; seed++)
        for (int threads = 1; threads <= 16; threads *= 2) {
            make(seed, seed % WEIGHTS, made);
            size_t count = made->plan.task_count;
            assert_int_equal(task_order(&made->plan, threads), STATUS_OK);
            double ours = makespan(made->tasks, count, threads);
            qsort(made->tasks, count, sizeof *made->tasks, compare_weights);
            worst = fmax(worst, ours / makespan(made->tasks, count, threads));
        }
    print_message("at worst %.3f times as long as the heaviest first\n", worst);
    assert_true(worst < 1.05);
    free(made);
}

/* What tells a stopped sweep's points: by workload, axis and value. */
struct tally {
    const struct plan *plan;
    uint64_t *points, *all; /* [workload][value of all axes] */
    size_t values;
    uint64_t largest; /* task's points */
};

static void tally_points(const struct tally *tally, const struct plan_point *points, size_t count,
                         uint64_t *cells)
{
    const struct space *space = tally->plan->space;
    const struct study *study = space->study;
    for (size_t i = 0; i < count; i++) {
        uint64_t machine = points[i].point % space->machines;
        for (size_t a = study->axis_count; a-- > 0; machine /= study->axes[a].count)
            cells[points[i].point / space->machines * tally->values +
                  study_values_before(study, a) + machine % study->axes[a].count]++;
    }
}

typedef void (*points_function)(void *argument, const struct plan_point *points, size_t count);

/* Gives the points of a workload that there are once these tasks have ended. */
static void points_there(const struct plan *plan, const bool *ended, size_t workload,
                         points_function take, void *argument)
{
    struct plan_there there = {0};
    uint8_t *marks[PARTS_MAX] = {NULL};
    for (size_t p = 0; p + 1 < plan->part_count; p++)
        there.settings[p] = marks[p] = calloc(plan->parts[p].settings.count / 8 + 1, 1);
    for (size_t t = 0; t < plan->task_count; t++) {
        const struct task *task = &plan->tasks[t];
        if (ended[t] && task->workload == workload && task->part + 1 < plan->part_count)
            for (size_t i = 0; i < task->count; i++)
                bit_set(marks[task->part], task->settings[i]);
    }
    for (size_t t = 0; t < plan->task_count; t++) {
        const struct task *task = &plan->tasks[t];
        struct plan_point *points;
        size_t count;
        if (!ended[t] || task->workload != workload || task->part + 1 < plan->part_count)
            continue;
        assert_int_equal(plan_points(plan, task, &there, &points, &count), STATUS_OK);
        take(argument, points, count);
        free(points);
    }
    for (size_t p = 0; p < PARTS_MAX; p++)
        free(marks[p]);
}

static void take_tally(void *argument, const struct plan_point *points, size_t count)
{
    struct tally *tally = argument;
    tally_points(tally, points, count, tally->points);
}

/* The points that there are once the first tasks have ended. */
static void tally_prefix(struct tally *tally, size_t tasks)
{
    const struct plan *plan = tally->plan;
    const size_t workloads = plan->space->study->workload_count;
    bool *ended = calloc(plan->task_count + 1, sizeof *ended);
    for (size_t t = 0; t < tasks; t++)
        ended[t] = true;
    memset(tally->points, 0, workloads * tally->values * sizeof *tally->points);
    for (size_t w = 0; w < workloads; w++)
        points_there(plan, ended, w, take_tally, tally);
    free(ended);
}

/* No two values of an axis differ by more than a factor of two in the share of their points that is
 * there, or by the points of one task; nor do the workloads at one value. */
static void check_stop(const struct tally *tally)
{
    const struct study *study = tally->plan->space->study;
    for (size_t a = 0; a < study->axis_count; a++) {
        double least = INFINITY, most = 0;
        for (size_t w = 0; w < study->workload_count; w++)
            for (size_t v = 0; v < study->axes[a].count; v++) {
                const size_t cell = w * tally->values + study_values_before(study, a) + v;
                const double all = (double)tally->all[cell], there = (double)tally->points[cell];
                const double task = fmin((double)tally->largest, all);
                if (!tally->all[cell])
                    continue;
                least = fmin(least, (there + task) / all);
                most = fmax(most, there / all);
            }
        if (most > 2 * least)
            print_message("%s: %g of the points of one value, less than %g of another's\n",
                          study->axes[a].parameter->path, most, least);
        assert_true(most <= 2 * least);
    }
}

static const char *const stopped[] = {
    "machine: gtx480\n"
    "workloads: [GEMM:n=64, ATAX:n=64]\n"
    "axes:\n"
    "  l1d.size: [4KiB, 8KiB, 16KiB, 32KiB, 64KiB]\n"
    "  l1d.ways: [1, 2, 4, 8]\n"
    "  l1d.replacement: [lru, fifo, plru]\n"
    "  l2.size: [384KiB, 768KiB]\n"
    "objectives: [l1d.miss.conflict, l2.misses]\n",
    /* Two parts, and a condition that takes more of some values than of others. */
    "machine: gtx480\n"
    "workloads: [GEMM:n=64, BICG:n=64, ATAX:n=32]\n"
    "axes:\n"
    "  l1d.size: {from: 4KiB, to: 256KiB, factor: 2}\n"
    "  l1d.ways: [2, 4, 8, 16]\n"
    "  l1d.replacement: [lru, fifo, plru, rr]\n"
    "  l2.size: {from: 384KiB, to: 6MiB, factor: 2}\n"
    "  l2.ways: [4, 8, 16]\n"
    "  tlb.entries: {from: 16, to: 128, factor: 2}\n"
    "  pwc.organization: [tpc, cpwc]\n"
    "  pwc.entries: {from: 8, to: 128, factor: 2}\n"
    "where: [\"pwc.organization = 'cpwc' or pwc.entries <= 64\"]\n"
    "objectives: [l1d.miss_rate, walk.memory_accesses]\n",
    /* One level that does not fit a pass: its levels are not neighbours. */
    "machine: gtx480\n"
    "workloads: [GEMM:n=64]\n"
    "axes:\n"
    "  l2.size: {from: 96KiB, to: 6MiB, factor: 2}\n"
    "  l2.ways: [4, 8, 16]\n"
    "  l2.replacement: [lru, fifo, plru, rr, random, mru]\n"
    "  l2.index: [linear, xor]\n"
    "objectives: [l2.miss.conflict]\n",
    /* Each machine is a pass. */
    "machine: gtx480\n"
    "workloads: [GEMM:n=32, ATAX:n=32]\n"
    "axes:\n"
    "  l1d.size: {from: 4KiB, to: 64KiB, factor: 2}\n"
    "  l1d.ways: [2, 4]\n"
    "  l1d.mshr.entries: [8, 16, 32, 64]\n"
    "  scheduler.policy: [gto, lrr]\n"
    "  l2.size: [384KiB, 768KiB]\n"
    "objectives: [core.cycles]\n"};

/* Marks which tasks have ended after a share of the time that the threads need if nothing holds
 * them up. */
static void mark_ended(const struct plan *plan, int threads, double share, bool *ended)
{
    double busy[64] = {0}, total = 0;
    for (size_t t = 0; t < plan->task_count; t++)
        total += plan->tasks[t].weight;
    for (size_t t = 0; t < plan->task_count; t++) {
        int next = 0;
        for (int i = 1; i < threads; i++)
            next = busy[i] < busy[next] ? i : next;
        busy[next] += plan->tasks[t].weight;
        ended[t] = busy[next] <= share * total / threads;
    }
}

/* A tenth of the time; or that of as many tasks as the values of the largest axis on all workloads
 * and the threads take, where a study has so few. */
static double share_for_all(const struct plan *plan, int threads)
{
    const struct study *study = plan->space->study;
    double total = 0, heaviest = 0;
    size_t most = 0;
    for (size_t t = 0; t < plan->task_count; t++) {
        total += plan->tasks[t].weight;
        heaviest = fmax(heaviest, plan->tasks[t].weight);
    }
    for (size_t a = 0; a < study->axis_count; a++)
        most = study->axes[a].count > most ? study->axes[a].count : most;
    const size_t tasks = most * study->workload_count * plan->part_count + (size_t)threads;
    return fmax(0.1, (double)tasks * heaviest / total);
}

static void take_coverage(void *argument, const struct plan_point *points, size_t count)
{
    for (size_t i = 0; i < count; i++)
        coverage_add(argument, points[i].point);
}

/* Every value of every axis has points on every workload. */
static void all_are_shown_soon(const struct sweep_setup *setup, const struct plan *plan,
                               int threads)
{
    struct coverage coverage;
    bool *ended = calloc(plan->task_count + 1, sizeof *ended);
    assert_int_equal(coverage_open(&setup->space, &setup->census, &coverage), STATUS_OK);
    mark_ended(plan, threads, share_for_all(plan, threads), ended);
    for (size_t w = 0; w < setup->space.study->workload_count; w++)
        points_there(plan, ended, w, take_coverage, &coverage);
    assert_int_equal(coverage.covered, coverage.cell_count);
    coverage_close(&coverage);
    free(ended);
}

static void a_stopped_sweep_is_no_corner(const struct study *study)
{
    struct sweep_setup setup;
    struct plan *plan = NULL;
    const struct sweep_options options = {.threads = 2};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(sweep_setup_open(study, &options, &setup, &diagnostics), STATUS_OK);
    assert_int_equal(sweep_setup_plan(&setup, NULL, &plan), STATUS_OK);
    struct tally tally = {.plan = plan, .values = study_values_before(study, study->axis_count)};
    tally.points = calloc(study->workload_count * tally.values, sizeof *tally.points);
    tally.all = calloc(study->workload_count * tally.values, sizeof *tally.all);
    double total = 0, before = 0;
    size_t first = SIZE_MAX;
    for (size_t t = 0; t < plan->task_count; t++) {
        struct plan_point *points;
        size_t count;
        total += plan->tasks[t].weight;
        if (plan->tasks[t].part + 1 < plan->part_count)
            continue;
        first = first < t ? first : t;
        assert_int_equal(plan_points(plan, &plan->tasks[t], NULL, &points, &count), STATUS_OK);
        tally_points(&tally, points, count, tally.all);
        tally.largest = count > tally.largest ? count : tally.largest;
        free(points);
    }
    /* Parts whose first tasks are of different streams meet within as many tasks as there are. */
    const size_t streams = settings_distinct(&plan_driver(plan)->settings, NUMBER_STREAM);
    tally_prefix(&tally, streams > 1 ? plan->part_count * streams : first + 1);
    uint64_t soon = 0;
    for (size_t i = 0; i < study->workload_count * tally.values; i++)
        soon += tally.points[i];
    assert_true(first < plan->part_count); /* one task of each part, and there are points */
    assert_true(soon > 0);
    for (size_t t = 0; t < plan->task_count; t++) {
        before += plan->tasks[t].weight;
        if (before < total / 10 || (random_at(11, t) % 4 && plan->task_count > 200))
            continue;
        tally_prefix(&tally, t + 1);
        check_stop(&tally);
    }
    all_are_shown_soon(&setup, plan, options.threads);
    free(tally.points);
    free(tally.all);
    plan_free(plan);
    sweep_setup_close(&setup, &diagnostics);
    diagnostics_free(&diagnostics);
}

static void a_real_plan_is_spread(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof stopped / sizeof *stopped; i++) {
        struct study study;
        study_from_text(stopped[i], &study);
        a_stopped_sweep_is_no_corner(&study);
        study_free(&study);
    }
}

/* Axes of two parts, or of timed machines, of which each is a pass. */
static void random_grid(uint64_t seed, struct study *study)
{
    static const char *const counted[] = {
        "l1d.size: {from: 4KiB, to: 128KiB, factor: 2}",
        "l1d.ways: [1, 2, 4, 8]",
        "l1d.replacement: [lru, fifo, plru, rr, random]",
        "l1d.index: [linear, xor]",
        "l1d.line: [64B, 128B]",
        "l2.size: {from: 192KiB, to: 3MiB, factor: 2}",
        "l2.ways: [4, 8, 16]",
        "l2.replacement: [lru, fifo, rr]",
        "tlb.entries: {from: 16, to: 256, factor: 2}",
        "tlb.replacement: [lru, random]",
        "page.size: [4KiB, 64KiB]",
        "pwc.organization: [none, tpc, cpwc]",
        "pwc.entries: [8, 16, 32, 64]",
        "gpu.sms: [2, 8, 15]",
    };
    static const char *const timed[] = {
        "l1d.mshr.entries: [8, 16, 32, 64]",
        "scheduler.policy: [gto, lrr, old]",
        "dram.queue: [8, 32]",
        "l2.size: [384KiB, 768KiB]",
        "l1d.size: [16KiB, 32KiB, 64KiB]",
    };
    enum { COUNTED = sizeof counted / sizeof *counted, TIMED = sizeof timed / sizeof *timed };
    const bool timing = seed % 3 == 2;
    char text[4096], *at = text, used[COUNTED] = {0};
    at += sprintf(at, "machine: gtx480\n%sworkloads: [GEMM:n=32, ATAX:n=64%s]\naxes:\n",
                  timing ? "depth: timing\n" : "", seed % 2 ? ", BICG:n=64" : "");
    for (uint64_t i = 0; i < 4 + seed % 4; i++) {
        const size_t choice = random_below(random_at(seed, i), timing ? TIMED : COUNTED);
        if (!used[choice])
            at += sprintf(at, "  %s\n", timing ? timed[choice] : counted[choice]);
        used[choice] = 1;
    }
    sprintf(at, "objectives: [%s]\n",
            timing ? "core.cycles" : "l1d.miss.conflict, l2.misses, walk.memory_accesses");
    study_from_text(text, study);
}

static void random_plans_are_spread(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++) {
        struct study study;
        random_grid(seed, &study);
        a_stopped_sweep_is_no_corner(&study);
        study_free(&study);
    }
}

static void shipped_studies_show_all_soon(void **state)
{
    static const char *const names[] = {"quick", "schedulers", "limits", "bypass", "overnight"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct study study;
        struct sweep_setup setup;
        struct plan *plan = NULL;
        const struct sweep_options options = {.threads = 2};
        assert_int_equal(study_load(names[i], &study, NULL), STATUS_OK);
        assert_int_equal(sweep_setup_open(&study, &options, &setup, NULL), STATUS_OK);
        assert_int_equal(sweep_setup_plan(&setup, NULL, &plan), STATUS_OK);
        all_are_shown_soon(&setup, plan, options.threads);
        plan_free(plan);
        sweep_setup_close(&setup, NULL);
        study_free(&study);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_prefix_shows_every_value),
        cmocka_unit_test(no_task_is_lost_and_the_order_is_the_same_every_time),
        cmocka_unit_test(threads_end_together),
        cmocka_unit_test(a_real_plan_is_spread),
        cmocka_unit_test(random_plans_are_spread),
        cmocka_unit_test(shipped_studies_show_all_soon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
