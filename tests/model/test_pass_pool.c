/* Whoever runs them, groups take all batches in order; failures end their pass and no other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/rng.h"
#include "model/pass/pass_pool.h"

enum { GROUPS_MAX = 7, BATCHES = 60, REQUESTS_MAX = 300 };

/* What a group has seen, as a hash of it in order; and what it would have seen alone. */
struct trial {
    uint64_t seed;
    size_t groups;
    uint64_t seen[GROUPS_MAX], expected;
    atomic_int running[GROUPS_MAX]; /* threads that have the group */
    atomic_bool overlapped;
    bool ended[GROUPS_MAX];
    uint64_t fail_at; /* batches after which group 0 fails; 0: it does not */
    atomic_uint_least64_t taken;
};

static uint64_t mix(uint64_t hash, const struct pool_batch *batch)
{
    hash = random_at(hash, batch->count + ((uint64_t)(uintptr_t)batch->launch << 16) +
                               (batch->last ? UINT64_C(1) << 63 : 0));
    for (size_t i = 0; i < batch->count; i++)
        hash = random_at(hash, batch->requests[i].address);
    return hash;
}

static enum status take_batch(void *argument, size_t group, const struct pool_batch *batch)
{
    struct trial *trial = argument;
    if (atomic_fetch_add(&trial->running[group], 1))
        atomic_store(&trial->overlapped, true);
    trial->seen[group] = mix(trial->seen[group], batch);
    trial->ended[group] |= batch->last;
    bool fails = !group && trial->fail_at && atomic_fetch_add(&trial->taken, 1) == trial->fail_at;
    atomic_fetch_sub(&trial->running[group], 1);
    return fails ? STATUS_CONFLICT : STATUS_OK;
}

/* Gives random batches out of one buffer, which is another one's right after. */
static enum status run_trial(struct pass_pool *pool, struct trial *trial)
{
    struct request requests[REQUESTS_MAX];
    struct trace_launch launches[2] = {{0}};
    const struct pool_work work = {take_batch, trial, trial->groups};
    struct pool_pass *pass;
    enum status status = pass_pool_open(pool, &work, &pass);
    for (uint64_t b = 0; b < BATCHES && !status; b++) {
        uint64_t draw = random_at(trial->seed, b);
        struct pool_batch batch = {.requests = requests, .count = draw % REQUESTS_MAX};
        batch.launch = draw >> 32 & 1 ? &launches[draw >> 33 & 1] : NULL;
        batch.last = b + 1 == BATCHES;
        for (size_t i = 0; i < batch.count; i++)
            requests[i] = (struct request){.address = random_at(draw, i)};
        trial->expected = mix(trial->expected, &batch);
        status = pass_pool_put(pass, &batch);
        memset(requests, 0xff, sizeof requests);
    }
    enum status closed = pass_pool_close(pass, status != STATUS_OK);
    return status ? status : closed;
}

struct worker {
    struct pass_pool *pool;
    struct trial *trials;
    size_t count;
    atomic_size_t *next;
    enum status *statuses;
    pthread_barrier_t *joined;
};

static void *work(void *argument)
{
    struct worker *worker = argument;
    size_t trial;
    pass_pool_join(worker->pool);
    pthread_barrier_wait(worker->joined);
    while ((trial = atomic_fetch_add(worker->next, 1)) < worker->count)
        worker->statuses[trial] = run_trial(worker->pool, &worker->trials[trial]);
    pass_pool_done(worker->pool);
    return NULL;
}

/* Runs the trials on so many threads; where there are fewer trials, some have none of their own. */
static void run_pool(struct trial *trials, size_t count, unsigned threads, enum status *statuses)
{
    pthread_t others[8];
    pthread_barrier_t joined;
    atomic_size_t next = 0;
    struct worker worker = {pass_pool_create(), trials, count, &next, statuses, &joined};
    assert_non_null(worker.pool);
    pthread_barrier_init(&joined, NULL, threads);
    for (unsigned t = 1; t < threads; t++)
        assert_int_equal(pthread_create(&others[t], NULL, work, &worker), 0);
    work(&worker);
    for (unsigned t = 1; t < threads; t++)
        pthread_join(others[t], NULL);
    pthread_barrier_destroy(&joined);
    pass_pool_free(worker.pool);
}

static void check_whole(const struct trial *trial, enum status status)
{
    assert_int_equal(status, STATUS_OK);
    assert_false(atomic_load(&trial->overlapped));
    for (size_t i = 0; i < trial->groups; i++) {
        assert_true(trial->ended[i]);
        assert_int_equal(trial->seen[i], trial->expected);
    }
}

static void groups_take_every_batch_in_order(void **state)
{
    (void)state;
    enum { TRIALS = 5 };
    for (unsigned threads = 1; threads <= 8; threads++)
        for (size_t count = 1; count <= TRIALS; count += 2) {
            struct trial trials[TRIALS] = {0};
            enum status statuses[TRIALS];
            for (size_t i = 0; i < count; i++) {
                trials[i].seed = threads * 100 + i;
                trials[i].groups = 1 + random_at(trials[i].seed, 1000) % GROUPS_MAX;
            }
            run_pool(trials, count, threads, statuses);
            for (size_t i = 0; i < count; i++)
                check_whole(&trials[i], statuses[i]);
        }
}

static void an_owner_without_a_pool_runs_all_groups(void **state)
{
    (void)state;
    struct trial trial = {.seed = 1, .groups = GROUPS_MAX};
    check_whole(&trial, run_trial(NULL, &trial));
}

static void a_failure_ends_its_pass_alone(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads++)
        for (uint64_t after = 1; after < BATCHES; after += 19) {
            struct trial trials[2] = {{.seed = after, .groups = 3, .fail_at = after},
                                      {.seed = after + 1, .groups = 2}};
            enum status statuses[2];
            run_pool(trials, 2, threads, statuses);
            assert_int_equal(statuses[0], STATUS_CONFLICT);
            assert_int_equal(atomic_load(&trials[0].taken), after + 1);
            assert_false(trials[0].ended[0]);
            check_whole(&trials[1], statuses[1]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_take_every_batch_in_order),
        cmocka_unit_test(an_owner_without_a_pool_runs_all_groups),
        cmocka_unit_test(a_failure_ends_its_pass_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
