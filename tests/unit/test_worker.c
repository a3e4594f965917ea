/* The worker of a pane: the newest question wins, and parts of an answer come before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <poll.h>

#include "ui/jobs/worker.h"

enum { PARTS = 5, PATIENCE_MS = 20000 };

struct count { /* counts up to `to`, and says where it is */
    struct answer answer;
    int to, at;
    const atomic_bool *go; /* the answer waits for it; NULL: it does not */
};

static atomic_int alive;

static struct count *count_new(int to, const atomic_bool *go)
{
    struct count *count = calloc(1, sizeof *count);
    assert_non_null(count);
    atomic_fetch_add(&alive, 1);
    count->to = to;
    count->go = go;
    return count;
}

static void count_run(void *answer, const atomic_bool *cancel)
{
    struct count *count = answer;
    for (; count->at < count->to && !atomic_load(cancel); count->at++) {
        struct count *part = count_new(count->to, NULL);
        part->at = count->at;
        answer_publish(&count->answer, &part->answer);
    }
    while (count->go && !atomic_load(count->go) && !atomic_load(cancel))
        ;
}

static void count_free(void *answer)
{
    atomic_fetch_sub(&alive, 1);
    free(answer);
}

static const struct job_kind count_job = {count_run, count_free};

/* The next answer, or part of one. */
static struct count *take(struct worker *worker)
{
    struct count *count = worker_take(worker);
    struct pollfd fd = {worker_fd(worker), POLLIN, 0};
    while (!count) {
        assert_int_equal(poll(&fd, 1, PATIENCE_MS), 1);
        count = worker_take(worker);
    }
    return count;
}

static void parts_come_in_order_and_then_the_answer(void **state)
{
    (void)state;
    struct worker *worker;
    assert_int_equal(worker_create(&count_job, &worker), STATUS_OK);
    worker_start(worker, count_new(PARTS, NULL));
    int before = -1;
    for (bool partial = true; partial;) {
        struct count *count = take(worker);
        partial = count->answer.partial;
        assert_true(count->at > before); /* none twice, though some may have been replaced */
        assert_int_equal(count->at == PARTS, !partial);
        before = count->at;
        count_free(count);
    }
    assert_null(worker_take(worker));
    worker_free(worker);
    assert_int_equal(atomic_load(&alive), 0);
}

/* Parts of an older question are never taken for those of a newer one. */
static void a_newer_question_drops_parts(void **state)
{
    (void)state;
    struct worker *worker;
    atomic_bool never = false;
    assert_int_equal(worker_create(&count_job, &worker), STATUS_OK);
    for (int to = 1; to < 100; to++) {
        worker_start(worker, count_new(PARTS, &never));
        if (to % 3 == 0)
            count_free(take(worker));
        worker_start(worker, count_new(PARTS + to, NULL));
        for (bool partial = true; partial;) {
            struct count *count = take(worker);
            partial = count->answer.partial;
            assert_int_equal(count->to, PARTS + to);
            count_free(count);
        }
    }
    worker_start(worker, count_new(PARTS, &never));
    worker_start(worker, NULL);
    worker_free(worker);
    assert_int_equal(atomic_load(&alive), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_come_in_order_and_then_the_answer),
                                       cmocka_unit_test(a_newer_question_drops_parts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
