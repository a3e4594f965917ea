/* Pairing launches of profiles with those of workloads: names, ways, and a slow twin that compares
 * every launch with every other. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/profiles/pairing.h"
#include "support/message_text.h"

enum { MOST = 24 };

static void names(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
    } cases[] = {
        {"scale", "scale"},
        {"scale(float *, int)", "scale"},
        {"void math::scale<float, (int)3>(float *, math::shape)", "scale"},
        {"void scale<std::pair<int, int>>(T1 *)", "scale"},
        {"add(int, float*, float*) [114]", "add"},
        {"add [114]", "add"},
        {"(anonymous namespace)::copy(int *)", "copy"},
        {"void <unnamed>::copy<int>(int *)", "copy"},
        {"_Z13row_sums_fastPKfPf", "row_sums_fast"},
        {"_ZN4math5scaleEPf", "scale"},
        {"_Z99x", "_Z99x"},
        {"_Z", "_Z"},
        {"", ""},
        {"::", ""},
        {"[CUDA memcpy HtoD]", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[KERNEL_NAME];
        assert_string_equal(kernel_name(cases[i].text, name), cases[i].name);
    }
    char much[3 * KERNEL_NAME], name[KERNEL_NAME];
    memset(much, 'x', sizeof much - 1);
    much[sizeof much - 1] = '\0';
    assert_int_equal(strlen(kernel_name(much, name)), KERNEL_NAME - 1);
}

struct pair {
    struct profile profile;
    struct profile_launch theirs[MOST];
    struct trace_launch ours[MOST];
    uint32_t count;
    double times[MOST];
    struct pairing pairing;
};

/* Launches own their names, but nothing here writes or frees them. */
static char *owned(const char *text)
{
    return (char *)(uintptr_t)text;
}

static void add_theirs(struct pair *pair, const char *kernel, uint64_t blocks, uint64_t invocations)
{
    pair->times[pair->profile.launch_count] = 1;
    pair->theirs[pair->profile.launch_count++] =
        (struct profile_launch){.kernel = owned(kernel),
                                .invocations = invocations,
                                .grid = {blocks, blocks > 0, blocks > 0},
                                .block = {blocks ? 64 : 0, blocks > 0, blocks > 0}};
}

static void add_ours(struct pair *pair, const char *kernel, uint32_t blocks)
{
    pair->ours[pair->count++] =
        (struct trace_launch){.name = owned(kernel), .grid = {blocks, 1, 1}, .block = {64, 1, 1}};
}

static enum status make(struct pair *pair, enum pairing_way way, struct diagnostics *found)
{
    pair->profile.launches = pair->theirs;
    return pairing_make(&pair->profile, pair->ours, pair->count, way, pair->times, &pair->pairing,
                        found);
}

static void assert_times(const struct pair *pair, const double *times)
{
    for (size_t i = 0; i < pair->profile.launch_count; i++)
        assert_true(fabs(pair->times[i] - times[i]) < 1e-12);
}

/* A fill, three rounds of two kernels and a copy of another size. */
static struct pair rounds(void)
{
    struct pair pair = {.count = 0};
    add_theirs(&pair, "fill(float *)", 8, 1);
    for (int i = 0; i < 3; i++) {
        add_theirs(&pair, "void ns::first<float>(float *)", 16, 1);
        add_theirs(&pair, "second(float *)", 4, 1);
    }
    add_theirs(&pair, "second(float *)", 99, 1);
    add_ours(&pair, "first", 16);
    add_ours(&pair, "second", 4);
    return pair;
}

static void ways(void **state)
{
    (void)state;
    const double third = 1.0 / 3, quarter = 1.0 / 4;
    struct pair pair = rounds();
    assert_int_equal(make(&pair, PAIRING_BEST, NULL), STATUS_OK);
    assert_int_equal(pair.pairing.way, PAIRING_MATCH);
    assert_true(pair.pairing.by_name);
    assert_int_equal(pair.pairing.taken, 6);
    assert_int_equal(pair.pairing.left, 2);
    assert_int_equal(pair.pairing.workload, 2);
    assert_times(&pair, (double[]){0, third, third, third, third, third, third, 0});
    pair = rounds();
    assert_int_equal(make(&pair, PAIRING_MEAN, NULL), STATUS_OK);
    assert_int_equal(pair.pairing.way, PAIRING_MEAN);
    assert_times(
        &pair, (double[]){quarter, quarter, quarter, quarter, quarter, quarter, quarter, quarter});
    pair = rounds();
    assert_int_equal(make(&pair, PAIRING_ALL, NULL), STATUS_OK);
    assert_int_equal(pair.pairing.way, PAIRING_ALL);
    assert_times(&pair, (double[]){1, 1, 1, 1, 1, 1, 1, 1});
    /* What was not chosen is neither paired nor counted. */
    pair = rounds();
    pair.times[1] = pair.times[2] = 0;
    assert_int_equal(make(&pair, PAIRING_MATCH, NULL), STATUS_OK);
    assert_times(&pair, (double[]){0, 0, 0, 0.5, 0.5, 0.5, 0.5, 0});
    assert_int_equal(pair.pairing.left, 2);
}

/* Without a common name sizes decide; nvprof's kernels have names and no sizes. */
static void by_size_or_name(void **state)
{
    (void)state;
    struct pair pair = {.count = 0};
    add_theirs(&pair, "mine(int)", 16, 1);
    add_theirs(&pair, "mine(int)", 8, 1);
    add_ours(&pair, "theirs", 8);
    assert_int_equal(make(&pair, PAIRING_BEST, NULL), STATUS_OK);
    assert_int_equal(pair.pairing.way, PAIRING_MATCH);
    assert_false(pair.pairing.by_name);
    assert_times(&pair, (double[]){0, 1});
    pair = (struct pair){.count = 0};
    add_theirs(&pair, "first(int)", 0, 40);
    add_theirs(&pair, "fill(int)", 0, 7);
    add_ours(&pair, "first", 8);
    add_ours(&pair, "first", 8);
    assert_int_equal(make(&pair, PAIRING_BEST, NULL), STATUS_OK);
    assert_int_equal(pair.pairing.way, PAIRING_MATCH);
    assert_int_equal(pair.pairing.taken, 40);
    assert_int_equal(pair.pairing.left, 7);
    assert_times(&pair, (double[]){0.05, 0});
}

/* A launch without counterpart: all launches, or an error that names it. */
static void alone(void **state)
{
    (void)state;
    struct pair pair = rounds();
    add_ours(&pair, "third", 5);
    assert_int_equal(make(&pair, PAIRING_BEST, NULL), STATUS_OK);
    assert_int_equal(pair.pairing.way, PAIRING_ALL);
    assert_int_equal(pair.pairing.taken, 8);
    struct diagnostics found = DIAGNOSTICS_INIT;
    assert_int_equal(make(&pair, PAIRING_BEST, &found), STATUS_OK);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.items[0].severity, SEVERITY_WARNING);
    assert_int_equal(make(&pair, PAIRING_MATCH, &found), STATUS_NOT_FOUND);
    char *messages = messages_take(&found);
    assert_non_null(strstr(messages, "no launch for launch 3 of the workload, third of 5 x 1 x 1"));
    free(messages);
    /* A workload that is not known has no launches to match. */
    pair = rounds();
    pair.count = 0;
    assert_int_equal(make(&pair, PAIRING_MATCH, NULL), STATUS_OK);
    assert_int_equal(pair.pairing.way, PAIRING_ALL);
    assert_int_equal(pair.pairing.workload, 0);
}

/* ---- the slow twin ---- */

static bool same(const struct profile_launch *theirs, const struct trace_launch *ours, bool name,
                 bool size)
{
    char a[KERNEL_NAME], b[KERNEL_NAME];
    return (!name || !strcmp(kernel_name(theirs->kernel, a), kernel_name(ours->name, b))) &&
           (!size || theirs->grid[0] == ours->grid[0]);
}

static uint64_t like_ours(const struct pair *pair, const struct trace_launch *ours, bool name,
                          bool size)
{
    uint64_t count = 0;
    for (size_t i = 0; i < pair->profile.launch_count; i++)
        if (pair->times[i] > 0 && same(&pair->theirs[i], ours, name, size))
            count += pair->theirs[i].invocations;
    return count;
}

/* Sets what times should be; false if a launch of ours is alone. */
static bool slow_match(const struct pair *pair, bool name, bool size, double *times, bool *any)
{
    bool all = true;
    *any = false;
    for (uint32_t k = 0; k < pair->count; k++) {
        const bool has = like_ours(pair, &pair->ours[k], name, size) > 0;
        all &= has;
        *any |= has;
    }
    for (size_t i = 0; i < pair->profile.launch_count; i++) {
        times[i] = 0;
        for (uint32_t k = 0; k < pair->count; k++)
            if (pair->times[i] > 0 && same(&pair->theirs[i], &pair->ours[k], name, size))
                times[i] += 1 / (double)like_ours(pair, &pair->ours[k], name, size);
    }
    return all;
}

/* Whether all chosen launches are of one kernel, and all of ours. */
static bool only_kernels(const struct pair *pair)
{
    char a[KERNEL_NAME], b[KERNEL_NAME];
    size_t chosen = 0;
    for (size_t i = 0; i < pair->profile.launch_count; i++)
        for (size_t k = 0; k < pair->profile.launch_count && pair->times[i] > 0; k++) {
            chosen++;
            if (pair->times[k] > 0 && strcmp(kernel_name(pair->theirs[i].kernel, a),
                                             kernel_name(pair->theirs[k].kernel, b)) != 0)
                return false;
        }
    for (uint32_t i = 0; i < pair->count; i++)
        if (strcmp(pair->ours[i].name, pair->ours[0].name) != 0)
            return false;
    return chosen > 0;
}

static void random_launches(void **state)
{
    (void)state;
    static const char *const theirs[] = {"a(int)", "void n::b<int>(int)", "c", "d(float)"};
    static const char *const ours[] = {"a", "b", "c", "x"};
    unsigned matched = 0, added = 0, only = 0;
    for (uint64_t seed = 1; seed <= 4000; seed++) {
        struct pair pair = {.count = 0};
        double expected[MOST];
        const bool sized = random_at(seed, 0) & 1;
        const uint64_t kinds = 1 + random_below(random_at(seed, 1), 4);
        const uint64_t n = 1 + random_below(random_at(seed, 2), MOST - 1);
        const uint64_t m = 1 + random_below(random_at(seed, 3), 5);
        for (uint64_t i = 0; i < n; i++) {
            add_theirs(&pair, theirs[random_below(random_at(seed, 100 + i), kinds)],
                       sized ? 1 + random_below(random_at(seed, 200 + i), 2) : 0,
                       1 + random_below(random_at(seed, 300 + i), 3));
            pair.times[i] = random_below(random_at(seed, 400 + i), 8) > 0;
        }
        for (uint64_t i = 0; i < m; i++)
            add_ours(&pair, ours[random_below(random_at(seed, 500 + i), kinds)],
                     1 + (uint32_t)random_below(random_at(seed, 600 + i), 2));
        bool any;
        bool whole = slow_match(&pair, true, sized, expected, &any);
        if (!any && sized)
            whole = slow_match(&pair, false, true, expected, &any);
        if (!any && !sized && only_kernels(&pair)) {
            whole = slow_match(&pair, false, false, expected, &any);
            only++;
        }
        if (!whole || !any)
            memcpy(expected, pair.times, sizeof expected);
        assert_int_equal(make(&pair, PAIRING_BEST, NULL), STATUS_OK);
        assert_int_equal(pair.pairing.way, whole && any ? PAIRING_MATCH : PAIRING_ALL);
        assert_times(&pair, expected);
        matched += pair.pairing.way == PAIRING_MATCH;
        added += pair.pairing.way == PAIRING_ALL;
    }
    assert_true(matched > 400 && added > 400 && only > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),           cmocka_unit_test(ways),
        cmocka_unit_test(by_size_or_name), cmocka_unit_test(alone),
        cmocka_unit_test(random_launches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
