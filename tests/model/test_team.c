/* team.h: every item of every loop runs once, whoever helps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/timing/base/team.h"

enum { LOOPS = 2000, ITEMS = 37, HELPERS = 3 };

struct work {
    uint32_t runs[ITEMS], loop; /* runs: each item is written by one thread at a time */
};

static void run(void *context, uint32_t item)
{
    struct work *work = context;
    work->runs[item] += work->loop + item;
}

static void *help(void *team)
{
    team_help(team);
    return NULL;
}

static void check_loops(struct team *team)
{
    struct work work = {0};
    uint32_t sum = 0;
    for (work.loop = 0; work.loop < LOOPS; work.loop++) {
        team_run(team, ITEMS, run, &work);
        sum += work.loop;
        for (uint32_t i = 0; i < ITEMS; i++)
            assert_int_equal(work.runs[i], sum + i * (work.loop + 1));
    }
    team_run(team, 0, run, &work);
    team_end(team);
}

static void test_alone(void **state)
{
    (void)state;
    struct team team;
    team_init(&team, 1);
    check_loops(&team);
    team_free(&team);
}

/* The team expects helpers that never come. */
static void test_without_helpers(void **state)
{
    (void)state;
    struct team team;
    team_init(&team, 1 + HELPERS);
    check_loops(&team);
    team_free(&team);
}

static void test_with_helpers(void **state)
{
    (void)state;
    struct team team;
    pthread_t threads[HELPERS];
    team_init(&team, 1 + HELPERS);
    for (int i = 0; i < HELPERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, help, &team), 0);
    check_loops(&team);
    for (int i = 0; i < HELPERS; i++)
        pthread_join(threads[i], NULL);
    team_free(&team);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alone),
        cmocka_unit_test(test_without_helpers),
        cmocka_unit_test(test_with_helpers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
