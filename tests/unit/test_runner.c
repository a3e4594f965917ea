/* A run does every task once; the first failure is the one that is returned, and ends the others.
 */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "explore/plan/runner.h"

enum { TASKS = 300, THREADS = 4 };

struct trial {
    struct runner *runner;
    struct runner_weight weights[TASKS];
    atomic_int runs[TASKS];
    atomic_size_t begun;
    size_t fail_at;   /* this task fails; TASKS: none does */
    size_t cancel_at; /* done passes at which a tick cancels; TASKS: none does */
    atomic_bool cancel, out_of_order;
    struct runner_progress last; /* told */
    double highest;
};

static enum status run_task(void *argument, struct runner_task *task,
                            struct diagnostics *diagnostics)
{
    struct trial *trial = argument;
    if (atomic_fetch_add(&trial->begun, 1) != task->number)
        atomic_store(&trial->out_of_order, true); /* of one thread only a mistake */
    atomic_fetch_add(&trial->runs[task->number], 1);
    runner_task_progress(task, 0.5);
    while (task->number > trial->fail_at && !atomic_load(task->cancel))
        sched_yield(); /* until the run is stopped */
    if (task->number == trial->fail_at)
        return diagnostics_error(diagnostics, STATUS_CONFLICT, "task %zu", task->number);
    return atomic_load(task->cancel) ? STATUS_CANCELLED : STATUS_OK;
}

static void tick(void *argument, const struct runner_progress *progress)
{
    struct trial *trial = argument;
    trial->last = *progress;
    if (progress->share > trial->highest)
        trial->highest = progress->share;
    if (progress->passes_done >= trial->cancel_at)
        atomic_store(&trial->cancel, true);
}

static enum status run_trial(struct trial *trial, struct diagnostics *diagnostics)
{
    for (size_t i = 0; i < TASKS; i++)
        trial->weights[i] = (struct runner_weight){.work = (double)(i % 3), .no_pass = i % 5 == 0};
    const struct runner_work work = {.count = TASKS,
                                     .weights = trial->weights,
                                     .run = run_task,
                                     .tick = tick,
                                     .argument = trial,
                                     .cancel = &trial->cancel};
    return runner_run(trial->runner, &work, diagnostics);
}

static size_t tasks_run(const struct trial *trial)
{
    size_t count = 0;
    for (size_t i = 0; i < TASKS; i++) {
        assert_in_range(trial->runs[i], 0, 1);
        count += (size_t)trial->runs[i];
    }
    return count;
}

static void test_all(void **state)
{
    (void)state;
    for (int threads = 1; threads <= THREADS; threads++) {
        struct trial trial = {
            .runner = runner_create(threads), .fail_at = TASKS, .cancel_at = TASKS};
        assert_non_null(trial.runner);
        assert_int_equal(run_trial(&trial, NULL), STATUS_OK);
        assert_int_equal(tasks_run(&trial), TASKS);
        assert_true(threads > 1 || !trial.out_of_order);
        assert_int_equal(trial.last.passes, TASKS - TASKS / 5);
        assert_int_equal(trial.last.passes_done, trial.last.passes);
        assert_int_equal(trial.last.passes_running, 0);
        assert_true(trial.last.share == 1 && trial.highest <= 1);
        runner_free(trial.runner);
    }
}

/* A run that failed or was cancelled leaves nothing behind for the next one. */
static void test_failure(void **state)
{
    (void)state;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct trial trial = {.runner = runner_create(THREADS), .fail_at = 50, .cancel_at = TASKS};
    assert_int_equal(run_trial(&trial, &diagnostics), STATUS_CONFLICT);
    assert_int_equal(diagnostics.count, 1);
    assert_string_equal(diagnostics.items[0].message, "task 50");
    assert_in_range(tasks_run(&trial), 51, 50 + THREADS);
    assert_true(trial.last.share < 1);
    diagnostics_free(&diagnostics);
    struct runner *runner = trial.runner;
    memset(&trial, 0, sizeof trial);
    trial.runner = runner;
    trial.fail_at = trial.cancel_at = TASKS;
    assert_int_equal(run_trial(&trial, NULL), STATUS_OK);
    assert_int_equal(tasks_run(&trial), TASKS);
    runner_free(runner);
}

static void test_cancel(void **state)
{
    (void)state;
    struct trial trial = {.runner = runner_create(THREADS), .fail_at = TASKS, .cancel_at = 40};
    assert_int_equal(run_trial(&trial, NULL), STATUS_CANCELLED);
    assert_in_range(tasks_run(&trial), 40, TASKS / 2);
    runner_free(trial.runner);
}

/* Threads that found no pass of their own belong to the passes, in equal shares. */
static enum status note_threads(void *argument, struct runner_task *task,
                                struct diagnostics *diagnostics)
{
    (void)diagnostics;
    atomic_int *threads = argument;
    threads[task->number] = task->threads;
    return STATUS_OK;
}

static void test_few_passes_share_the_threads(void **state)
{
    (void)state;
    static const struct runner_weight weights[] = {
        {.work = 1}, {.work = 1}, {.work = 1}, {.no_pass = true}, {.no_pass = true}};
    static const struct {
        size_t first, count;
        int each;
    } cases[] = {{0, 1, 4}, {0, 2, 2}, {0, 3, 1}, {2, 3, 4}, {1, 4, 2}, {3, 2, 1}};
    struct runner *runner = runner_create(THREADS);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        atomic_int threads[sizeof weights / sizeof *weights] = {0};
        const struct runner_work work = {.count = cases[i].count,
                                         .weights = weights + cases[i].first,
                                         .run = note_threads,
                                         .argument = threads};
        assert_int_equal(runner_run(runner, &work, NULL), STATUS_OK);
        for (size_t k = 0; k < cases[i].count; k++)
            assert_int_equal(threads[k], cases[i].each);
    }
    runner_free(runner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_few_passes_share_the_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
