/* Questions about a run at a cycle: an answer is what there is to see, words that lead nowhere stay
 * where they are, and a question that is cancelled leaves the run so that the next one finds the
 * same cycle as ever. */
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "config/machine_file.h"
#include "ui/jobs/step_job.h"

static struct step_run *open_run(const char *workload)
{
    struct machine machine;
    assert_int_equal(machine_load("gtx480", NULL, &machine, NULL, NULL), STATUS_OK);
    struct step_run *run = step_run_new(&machine, workload, 0);
    assert_non_null(run);
    return run;
}

static struct step_result *new_question(struct step_run *run, uint64_t from, const char *words)
{
    struct step_query query = {
        .run = run, .from = from, .narrow = {.sm = CURSOR_ANY, .slot = CURSOR_ANY}};
    snprintf(query.words, sizeof query.words, "%s", words);
    struct step_result *question = step_result_new(&query);
    assert_non_null(question);
    return question;
}

static struct step_result *ask(struct step_run *run, uint64_t from, const char *words)
{
    static const atomic_bool never;
    struct step_result *result = new_question(run, from, words);
    step_job.run(result, &never);
    assert_int_equal(result->answer.status, STATUS_OK);
    return result;
}

static void expect_same_picture(const struct step_result *a, const struct step_result *b)
{
    assert_int_equal(a->cycle, b->cycle);
    assert_int_equal(a->first, b->first);
    assert_int_equal(a->columns, b->columns);
    assert_int_equal(a->ended, b->ended);
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        assert_int_equal(a->rows[i].slot, b->rows[i].slot);
        assert_int_equal(a->rows[i].state, b->rows[i].state);
        assert_string_equal(a->rows[i].marks, b->rows[i].marks);
        assert_string_equal(kept_bytes_at(&a->kept, a->rows[i].why),
                            kept_bytes_at(&b->kept, b->rows[i].why));
    }
    for (unsigned i = 0; i < STEP_PARTS; i++)
        assert_string_equal(kept_bytes_at(&a->kept, a->parts[i]),
                            kept_bytes_at(&b->kept, b->parts[i]));
}

static void test_an_answer_shows_a_cycle(void **state)
{
    struct step_run *run = open_run("GEMM:n=32");
    (void)state;
    struct step_result *first = ask(run, 0, "next:issue"), *there = ask(run, first->cycle, "2000");
    struct step_result *again = ask(run, there->cycle, "0,next:issue");
    assert_int_equal(there->cycle, 2000);
    assert_int_equal(there->columns, CURSOR_COLUMNS);
    assert_true(there->count > 0 && *there->note == '\0');
    assert_string_not_equal(kept_bytes_at(&there->kept, there->parts[STEP_PART_queues]), "");
    struct step_result *back = ask(run, 2000, "");
    expect_same_picture(first, again);
    expect_same_picture(back, there);
    struct step_result *nowhere = ask(run, 2000, "next:tile_hit");
    assert_true(*nowhere->note != '\0');
    expect_same_picture(nowhere, there);
    step_job.free(first);
    step_job.free(there);
    step_job.free(again);
    step_job.free(back);
    step_job.free(nowhere);
    step_run_release(run);
}

static struct step_result *receive(struct worker *worker)
{
    struct pollfd ready = {.fd = worker_fd(worker), .events = POLLIN};
    struct step_result *result = NULL;
    while (!result && poll(&ready, 1, 60000) > 0)
        result = worker_take(worker);
    assert_non_null(result);
    return result;
}

/* The end of this run is far away, so the second question cancels the first one on its way. */
static void test_what_is_cancelled_begins_again(void **state)
{
    enum { ROUNDS = 3 };
    struct step_run *run = open_run("GEMM:n=256");
    struct worker *worker;
    (void)state;
    assert_int_equal(worker_create(&step_job, &worker), STATUS_OK);
    worker_start(worker, new_question(run, 0, "3000"));
    struct step_result *there = receive(worker);
    assert_int_equal(there->answer.status, STATUS_OK);
    assert_int_equal(there->cycle, 3000);
    for (int i = 0; i < ROUNDS; i++) {
        const struct timespec moment = {.tv_nsec = i * 30000000};
        worker_start(worker, new_question(run, 3000, "end"));
        nanosleep(&moment, NULL);
        worker_start(worker, new_question(run, 3000, ""));
        struct step_result *again = receive(worker);
        assert_int_equal(again->answer.status, STATUS_OK);
        assert_false(again->ended);
        expect_same_picture(again, there);
        step_job.free(again);
    }
    worker_free(worker);
    step_job.free(there);
    step_run_release(run);
}

/* A question that is cancelled before it begins shows nothing, and its run goes on. */
static void test_a_cancelled_answer_shows_nothing(void **state)
{
    static atomic_bool cancel = true;
    struct step_run *run = open_run("GEMM:n=32");
    (void)state;
    struct step_result *result = new_question(run, 0, "end");
    step_job.run(result, &cancel);
    assert_int_equal(result->answer.status, STATUS_CANCELLED);
    assert_int_equal(result->count, 0);
    step_job.free(result);
    atomic_store(&cancel, false);
    result = ask(run, 0, "end");
    assert_true(result->ended);
    step_job.free(result);
    step_run_release(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_an_answer_shows_a_cycle),
                                       cmocka_unit_test(test_what_is_cancelled_begins_again),
                                       cmocka_unit_test(test_a_cancelled_answer_shows_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
