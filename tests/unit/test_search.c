/* Searches: what they find beside the exhaustive one, and that seed and study alone decide.
 *
 * cost: 30
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/search/population.h"
#include "explore/space/sampling.h"
#include "explore/sweep/sweep.h"
#include "support/study_builder.h"
#include "support/sweep_twin.h"

static const char axes[] = "machine: gtx480\n"
                           "set: {l1d.index: linear, tlb.ways: 2}\n"
                           "axes:\n"
                           "  l1d.size: [2KiB, 4KiB, 8KiB, 16KiB, 24KiB, 32KiB, 48KiB]\n"
                           "  l1d.ways: [1, 2, 3, 4, 6, 8]\n"
                           "  l2.size: [96KiB, 192KiB, 384KiB, 768KiB]\n"
                           "  l2.ways: [2, 4, 8, 16]\n"
                           "  tlb.entries: [8, 16, 32, 64]\n"
                           "  pwc.entries: [4, 8]\n"
                           "where: [l1d.ways * 256 <= l1d.size]\n"
                           "objectives: [l1d.misses, walk.memory_accesses, total.area]\n"
                           "metrics: [l2.misses]\n";

static void search_study(const char *workloads, const char *search, struct study *study)
{
    char text[2048];
    snprintf(text, sizeof text, "%sworkloads: [%s]\nsearch: %s\nseed: 7\n", axes, workloads,
             search);
    study_from_text(text, study);
}

static char *search_dump(const struct study *study, int threads, struct sweep_progress *progress)
{
    const char *path = scratch_store();
    sweep_into(study, path, threads, progress);
    return store_dump(path);
}

/* Every line of `part` is a line of `whole`; returns how many. Both ascend. */
static size_t count_contained(const char *part, const char *whole)
{
    size_t lines = 0;
    for (const char *end; (end = strchr(part, '\n')); part = end + 1, lines++) {
        size_t length = (size_t)(end - part) + 1;
        while (whole && strncmp(whole, part, length) != 0) {
            whole = strchr(whole, '\n');
            whole += whole != NULL;
        }
        assert_non_null(whole);
        whole += length;
    }
    return lines;
}

static const char *const methods[] = {
    "{random: {points: 200}}",
    "{latin_hypercube: {points: 200}}",
    "{nsga2: {population: 20, evaluations: 400}}",
    "{halving: {share: 1/8}}",
    "{exhaustive: {prune: yes}}",
    "{walk: {points: 100}}",
    "{walk: {points: 600, patience: 3}}", /* which stops on a plateau */
};
enum { METHODS = sizeof methods / sizeof *methods };

/* The rows of a search are rows of the exhaustive sweep, whatever the number of threads. */
static void test_threads_and_values(void **state)
{
    (void)state;
    struct study study;
    search_study("ATAX:n=64, GEMM:n=16", "exhaustive", &study);
    char *whole = search_dump(&study, 2, NULL);
    study_free(&study);
    for (size_t i = 0; i < METHODS; i++) {
        struct sweep_progress first, second;
        search_study("ATAX:n=64, GEMM:n=16", methods[i], &study);
        char *one = search_dump(&study, 1, &first), *two = search_dump(&study, 2, &second);
        assert_string_equal(one, two);
        assert_int_equal(count_contained(one, whole), first.done);
        assert_int_equal(first.front, second.front);
        assert_true(first.hypervolume == second.hypervolume);
        assert_true(first.hypervolume > 0 && first.hypervolume < 1);
        if (i < 2)
            assert_int_equal(first.done, 200);
        free(one);
        free(two);
        study_free(&study);
    }
    free(whole);
}

/* Stopped again and again and resumed with other threads: the rows are those of one run. */
static void test_resume(void **state)
{
    (void)state;
    for (size_t i = 0; i < METHODS; i++) {
        struct study study;
        struct sweep_progress progress = {0};
        search_study("ATAX:n=64", methods[i], &study);
        char *expected = search_dump(&study, 2, NULL);
        const char *path = scratch_store();
        struct stopper stopper = {.after = 0};
        struct sweep_options options = {.store = path,
                                        .threads = 1,
                                        .cancel = &stopper.cancel,
                                        .progress = stop_after,
                                        .argument = &stopper};
        enum status status = STATUS_CANCELLED;
        for (int round = 0; round < 100 && status; round++) {
            atomic_store(&stopper.cancel, round == 0); /* the first before anything */
            options.threads = 1 + round % 2;
            status = sweep_run(&study, &options, &progress, NULL);
            assert_true(status == STATUS_OK || status == STATUS_CANCELLED);
            stopper.after = progress.done + 40;
        }
        assert_int_equal(status, STATUS_OK);
        char *found = store_dump(path);
        assert_string_equal(expected, found);
        free(expected);
        free(found);
        study_free(&study);
    }
}

/* A durable store has the same rows, whatever its commits wait for. */
static void test_durable(void **state)
{
    (void)state;
    struct study study;
    search_study("ATAX:n=64", methods[0], &study);
    char *expected = search_dump(&study, 2, NULL);
    const char *path = scratch_store();
    const struct sweep_options options = {.store = path, .threads = 2, .durable = true};
    assert_int_equal(sweep_run(&study, &options, NULL, NULL), STATUS_OK);
    char *found = store_dump(path);
    assert_string_equal(expected, found);
    free(expected);
    free(found);
    study_free(&study);
}

struct progress_log {
    double share;
    uint64_t done;
};

static void log_progress(void *argument, const struct sweep_progress *progress)
{
    struct progress_log *log = argument;
    assert_true(progress->share >= 0 && progress->share <= 1);
    assert_true(progress->done >= log->done);
    assert_true(progress->passes_done + progress->passes_running <= progress->passes);
    log->share = progress->share;
    log->done = progress->done;
}

/* Progress stays within the whole and ends there. */
static void test_progress(void **state)
{
    (void)state;
    for (size_t i = 0; i < METHODS; i++) {
        struct study study;
        struct progress_log log = {0};
        search_study("ATAX:n=64", methods[i], &study);
        const struct sweep_options options = {
            .store = scratch_store(), .threads = 2, .progress = log_progress, .argument = &log};
        assert_int_equal(sweep_run(&study, &options, NULL, NULL), STATUS_OK);
        assert_true(log.done > 0);
        study_free(&study);
    }
}

struct fronts {
    uint64_t ids[1000];
    size_t count;
};

static enum status take_id(void *argument, const struct store_row *row)
{
    struct fronts *fronts = argument;
    assert_true(fronts->count < 1000);
    fronts->ids[fronts->count++] = row->point;
    return STATUS_OK;
}

/* Runs a search on irregular gathers; the points of its front. */
static struct fronts find_front(const char *search, struct sweep_progress *progress)
{
    struct fronts fronts = {.count = 0};
    struct study study;
    struct store *store;
    const struct study *kept;
    const char *path = scratch_store();
    const struct query query = {.front = true};
    search_study("'BFS:nodes=2048'", search, &study);
    sweep_into(&study, path, 2, progress);
    study_free(&study);
    assert_int_equal(store_open(path, &store, &kept, NULL), STATUS_OK);
    assert_int_equal(store_query(store, &query, take_id, &fronts, NULL), STATUS_OK);
    assert_int_equal(fronts.count, progress->front);
    store_close(store);
    return fronts;
}

static size_t count_common(const struct fronts *a, const struct fronts *b)
{
    size_t common = 0;
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++)
            common += a->ids[i] == b->ids[j];
    return common;
}

/* NSGA-II finds the front that the exhaustive sweep proves, with a fraction of its points; chance
 * does not. */
static void test_nsga2_finds_front(void **state)
{
    (void)state;
    struct sweep_progress whole, evolved, drawn;
    struct fronts truth = find_front("exhaustive", &whole);
    struct fronts found =
        find_front("{nsga2: {population: 40, evaluations: 1000, patience: 0}}", &evolved);
    struct fronts chance = find_front("{random: {points: 1000}}", &drawn);
    size_t hits = count_common(&truth, &found), lucky = count_common(&truth, &chance);
    print_message("front %zu of %" PRIu64 " points: nsga2 %zu, random %zu with 1000\n", truth.count,
                  whole.points, hits, lucky);
    assert_true(truth.count >= 20);
    assert_int_equal(evolved.done, 1000);
    assert_true(hits * 10 >= truth.count * 9);
    assert_true(hits > lucky);
}

/* A guided walk finds as much with a fifth of the points, and stops by itself. */
static void test_walk_finds_front(void **state)
{
    (void)state;
    struct sweep_progress whole, walked, evolved, stopped;
    struct fronts truth = find_front("exhaustive", &whole);
    struct fronts found = find_front("{walk: {points: 200, patience: 0}}", &walked);
    struct fronts bred =
        find_front("{nsga2: {population: 40, evaluations: 200, patience: 0}}", &evolved);
    find_front("{walk: {points: 2000, patience: 3}}", &stopped);
    size_t hits = count_common(&truth, &found), others = count_common(&truth, &bred);
    print_message("front %zu of %" PRIu64 " points: walk %zu, nsga2 %zu with 200; a plateau after "
                  "%" PRIu64 "\n",
                  truth.count, whole.points, hits, others, stopped.done);
    assert_int_equal(walked.done, 200);
    assert_true(evolved.done <= 200);
    assert_true(hits > 2 * others);
    assert_true(stopped.done > 100 && stopped.done < 2000);
}

/* Seed and study alone decide when patience ends a search, so the numbers stand here: they change
 * with what counts as a gain, above all with the reference of the hypervolume. */
static void test_patience(void **state)
{
    (void)state;
    static const struct {
        const char *search;
        uint64_t done;
    } cases[] = {
        {"{nsga2: {population: 8, evaluations: 3000, patience: 1}}", 64},
        {"{nsga2: {population: 8, evaluations: 3000, patience: 2}}", 168},
        {"{nsga2: {population: 8, evaluations: 3000, patience: 4}}", 184},
        {"{nsga2: {population: 16, evaluations: 3000, patience: 2}}", 224},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct study study;
        struct sweep_progress progress;
        search_study("ATAX:n=64", cases[i].search, &study);
        sweep_into(&study, scratch_store(), 2, &progress);
        assert_int_equal(progress.done, cases[i].done);
        study_free(&study);
    }
}

/* A workload that is long enough for windows. */
static void halving_study(const char *search, struct study *study)
{
    char text[1024];
    snprintf(text, sizeof text,
             "machine: gtx480\nset: {gpu.sms: 1, l1d.index: linear, tlb.ways: 1}\n"
             "workloads: ['2DCONV:n=256']\naxes:\n"
             "  l1d.size: [1KiB, 2KiB, 4KiB, 8KiB, 16KiB]\n  l1d.ways: [1, 2, 4, 8]\n"
             "  tlb.entries: [1, 2, 4, 8, 16]\n  l2.ways: [4, 8, 16]\n"
             "objectives: [l1d.misses, tlb.misses, total.area]\nsearch: %s\n",
             search);
    study_from_text(text, study);
}

/* Two rounds: fewer points in full, the same rows as ever, and most of the front. */
static void test_halving(void **state)
{
    (void)state;
    static const char *const searches[] = {"exhaustive", "{halving: {share: 1/4, slack: 2%}}"};
    char *dumps[2];
    struct sweep_progress progress[2];
    struct fronts fronts[2] = {{.count = 0}, {.count = 0}};
    for (int i = 0; i < 2; i++) {
        struct study study;
        struct store *store;
        const struct study *kept;
        const char *path = scratch_store();
        halving_study(searches[i], &study);
        sweep_into(&study, path, 2, &progress[i]);
        dumps[i] = store_dump(path);
        assert_int_equal(store_open(path, &store, &kept, NULL), STATUS_OK);
        const struct query query = {.front = true};
        assert_int_equal(store_query(store, &query, take_id, &fronts[i], NULL), STATUS_OK);
        store_close(store);
        study_free(&study);
    }
    size_t common = count_common(&fronts[0], &fronts[1]);
    print_message("halving: %" PRIu64 " of %" PRIu64 " points in full, %zu of %zu of the front\n",
                  progress[1].done, progress[0].done, common, fronts[0].count);
    assert_int_equal(count_contained(dumps[1], dumps[0]), progress[1].done);
    assert_true(progress[1].done * 3 < progress[0].done * 2);
    assert_true(common * 10 >= fronts[0].count * 9);
    free(dumps[0]);
    free(dumps[1]);
}

/* A budget keeps what is nearest to the front, down to parts of the front itself. */
static void test_halving_budget(void **state)
{
    (void)state;
    static const unsigned budgets[] = {5, 60, 1000};
    char *dumps[3];
    for (int i = 0; i < 3; i++) {
        struct study study;
        struct sweep_progress progress;
        char search[80];
        snprintf(search, sizeof search, "{halving: {share: 1/4, slack: 2%%, points: %u}}",
                 budgets[i]);
        halving_study(search, &study);
        const char *path = scratch_store();
        sweep_into(&study, path, 2, &progress);
        dumps[i] = store_dump(path);
        assert_true(progress.done <= budgets[i] && (i || progress.done == budgets[0]));
        assert_true(progress.front > 2);
        study_free(&study);
    }
    assert_true(count_contained(dumps[1], dumps[2]) >= 10);
    for (int i = 0; i < 3; i++)
        free(dumps[i]);
}

static void watch_share(void *argument, const struct sweep_progress *progress)
{
    double *last = argument;
    assert_true(progress->share >= *last && progress->share <= 1);
    *last = progress->share;
}

/* It says beforehand that all points are looked at on windows, and counts them as work. A stage
 * cache, which keeps what windows gave, changes no points. */
static void test_halving_windows(void **state)
{
    (void)state;
    struct study study;
    struct sweep_progress progress;
    char *dumps[3];
    study_from_text("machine: gtx480\nset: {gpu.sms: 1}\ndepth: timing\n"
                    "workloads: ['2DCONV:n=192']\naxes:\n"
                    "  l1d.size: [4KiB, 8KiB, 16KiB]\n  l1d.latency: [1, 20, 40]\n"
                    "objectives: [core.cycles, total.area]\n"
                    "search: {halving: {share: 3/8, points: 3}}\n",
                    &study);
    const char *cache = scratch_store();
    for (int i = 0; i < 2; i++) {
        double share = 0;
        struct sweep_options options = {.store = scratch_store(),
                                        .threads = 1,
                                        .cache = cache,
                                        .progress = watch_share,
                                        .argument = &share};
        struct sweep_plan plan;
        assert_int_equal(sweep_plan(&study, &options, &plan, NULL), STATUS_OK);
        assert_true(i || (plan.windows > 0.34 && plan.windows < 0.38));
        sweep_plan_free(&plan);
        assert_int_equal(sweep_run(&study, &options, &progress, NULL), STATUS_OK);
        assert_true(progress.done >= 1 && progress.done <= 3);
        assert_true(share == 1);
        dumps[i] = store_dump(options.store);
    }
    dumps[2] = search_dump(&study, 2, NULL);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(dumps[i], dumps[2]);
        if (i < 2)
            free(dumps[i]);
    }
    free(dumps[2]);
    study_free(&study);
}

static void test_halving_refuses(void **state)
{
    (void)state;
    struct study study;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    study_from_text("machine: gtx480\nworkloads: ['GEMM:n=16']\naxes: {tlb.entries: [64, 128]}\n"
                    "objectives: [l1d.misses]\nfilters: [tlb.misses < 100]\nmetrics: "
                    "[tlb.misses]\nsearch: halving\n",
                    &study);
    const struct sweep_options options = {.store = scratch_store(), .threads = 1};
    assert_int_equal(sweep_run(&study, &options, NULL, &diagnostics), STATUS_UNSUPPORTED);
    assert_true(diagnostics_mention(&diagnostics, "cannot judge a filter over tlb.misses"));
    diagnostics_free(&diagnostics);
    study_free(&study);
}

/* ---- samples ---- */

static void test_shuffle(void **state)
{
    (void)state;
    for (uint64_t count = 1; count < 300; count += 7) {
        struct shuffle shuffle = shuffle_create(count, count);
        bool seen[300] = {0};
        for (uint64_t i = 0; i < count; i++) {
            uint64_t at = shuffle_at(&shuffle, i);
            assert_true(at < count && !seen[at]);
            seen[at] = true;
        }
    }
    struct shuffle huge = shuffle_create(1, (uint64_t)1 << 62);
    assert_true(shuffle_at(&huge, 5) < (uint64_t)1 << 62);
    assert_true(shuffle_at(&huge, 5) != shuffle_at(&huge, 6));
}

/* Without constraints and with room for every value each is taken equally often. */
static void test_latin_is_latin(void **state)
{
    (void)state;
    struct study study;
    struct space space;
    struct legality *legality;
    uint64_t points[60], found;
    study_from_text("machine: gtx480\nworkloads: [ATAX:n=96, GEMM:n=32]\naxes:\n"
                    "  l2.latency: {from: 100, to: 600, step: 10}\n"
                    "  dram.latency: [100, 200, 300]\n"
                    "  l1d.latency: [1, 2, 3, 4, 5]\n"
                    "objectives: [l1d.misses]\n",
                    &study);
    assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
    assert_int_equal(legality_create(&space, NULL, &legality, NULL), STATUS_OK);
    assert_int_equal(sample_latin(&space, legality, 3, 60, points, &found, NULL), STATUS_OK);
    assert_int_equal(found, 60);
    unsigned counts[4][51] = {{0}};
    for (size_t i = 0; i < 60; i++) {
        counts[0][points[i] / space.machines]++;
        for (size_t a = 0; a < 3; a++)
            counts[a + 1][space_digit(&space, points[i] % space.machines, a)]++;
        for (size_t j = 0; j < i; j++)
            assert_true(points[i] != points[j]);
    }
    for (size_t v = 0; v < 51; v++)
        assert_true(counts[1][v] <= 3); /* the strata that reach into the value */
    for (size_t v = 0; v < 5; v++) {
        assert_true(v >= 2 || counts[0][v] == 30);
        assert_true(v >= 3 || counts[2][v] == 20);
        assert_true(counts[3][v] == 12);
    }
    legality_free(legality);
    study_free(&study);
}

/* Asked for more than there is, a sample is the space. */
static void test_sample_of_everything(void **state)
{
    (void)state;
    struct study study;
    search_study("GEMM:n=16", "exhaustive", &study);
    char *whole = search_dump(&study, 2, NULL);
    study_free(&study);
    static const char *const all[] = {"{random: {points: 100000}}",
                                      "{latin_hypercube: {points: 100000}}",
                                      "{nsga2: {evaluations: 100000, patience: 0}}"};
    for (size_t i = 0; i < 3; i++) {
        search_study("GEMM:n=16", all[i], &study);
        char *found = search_dump(&study, 2, NULL);
        assert_string_equal(found, whole);
        free(found);
        study_free(&study);
    }
    free(whole);
}

/* A space that no bitmap holds. */
static void test_huge_space(void **state)
{
    (void)state;
    static const char *const searches[] = {"{random: {points: 30}}",
                                           "{latin_hypercube: {points: 30}}",
                                           "{nsga2: {population: 10, evaluations: 30}}"};
    for (size_t i = 0; i < 3; i++) {
        struct study study;
        struct sweep_progress progress;
        char text[1024];
        snprintf(text, sizeof text,
                 "machine: gtx480\nworkloads: ['GEMM:n=16']\nset: {l1d.index: linear}\naxes:\n"
                 "  l1d.size: {from: 1KiB, to: 64KiB, step: 1KiB}\n"
                 "  l1d.ways: {from: 1, to: 32, step: 1}\n"
                 "  l2.latency: {from: 1, to: 1000, step: 1}\n"
                 "  dram.latency: {from: 1, to: 1000, step: 1}\n"
                 "  pwc.entries: {from: 1, to: 64, step: 1}\n"
                 "where: [l1d.size >= l1d.ways * 128]\n"
                 "objectives: [l1d.misses, total.area]\nsearch: %s\n",
                 searches[i]);
        study_from_text(text, &study);
        sweep_into(&study, scratch_store(), 2, &progress);
        assert_int_equal(progress.done, 30);
        study_free(&study);
    }
}

static void test_default_has_a_limit(void **state)
{
    (void)state;
    struct study study;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    study_from_text("machine: gtx480\nworkloads: ['GEMM:n=16']\naxes:\n"
                    "  l2.latency: {from: 1, to: 4000, step: 1}\n"
                    "  dram.latency: {from: 1, to: 4000, step: 1}\n"
                    "objectives: [l1d.misses]\n",
                    &study);
    const struct sweep_options options = {.store = scratch_store(), .threads = 1};
    assert_int_equal(sweep_run(&study, &options, NULL, &diagnostics), STATUS_INVALID);
    assert_true(diagnostics_mention(&diagnostics, "choose a search"));
    assert_int_not_equal(access(options.store, F_OK), 0);
    diagnostics_free(&diagnostics);
    study_free(&study);
}

/* ---- the population ---- */

enum { MEMBERS = 30, DIMENSIONS = 3 };

static bool beats(const struct member *a, const struct member *b)
{
    bool better = false;
    for (size_t d = 0; d < DIMENSIONS; d++) {
        if (a->costs[d] > b->costs[d])
            return false;
        better |= a->costs[d] < b->costs[d];
    }
    return a->eligible && (better || !b->eligible);
}

/* Ranks by peeling front after front. */
static void test_ranks(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        double pool[MEMBERS][DIMENSIONS];
        struct member members[MEMBERS];
        bool gone[MEMBERS] = {0};
        for (size_t i = 0; i < MEMBERS; i++) {
            for (size_t d = 0; d < DIMENSIONS; d++)
                pool[i][d] = (double)random_below(random_at(seed, i * DIMENSIONS + d), 5);
            members[i] = (struct member){.point = i, .costs = pool[i], .eligible = i % 7 != 0};
        }
        population_sort(members, MEMBERS, DIMENSIONS);
        for (size_t rank = 0, left = MEMBERS; left; rank++) {
            bool front[MEMBERS];
            for (size_t i = 0; i < MEMBERS; i++) {
                front[i] = !gone[i] &&
                           (members[i].eligible || !members[0].eligible || members[i].rank == rank);
                for (size_t j = 0; j < MEMBERS && members[i].eligible; j++)
                    front[i] = front[i] && (gone[j] || !beats(&members[j], &members[i]));
            }
            for (size_t i = 0; i < MEMBERS; i++) {
                if (!front[i])
                    continue;
                assert_int_equal(members[i].rank, rank);
                gone[i] = true;
                left--;
            }
            assert_true(rank <= MEMBERS);
        }
        for (size_t i = 1; i < MEMBERS; i++)
            assert_true(members[i - 1].rank <= members[i].rank);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shuffle),
        cmocka_unit_test(test_latin_is_latin),
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_threads_and_values),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_durable),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_nsga2_finds_front),
        cmocka_unit_test(test_walk_finds_front),
        cmocka_unit_test(test_halving_budget),
        cmocka_unit_test(test_patience),
        cmocka_unit_test(test_halving),
        cmocka_unit_test(test_halving_windows),
        cmocka_unit_test(test_halving_refuses),
        cmocka_unit_test(test_sample_of_everything),
        cmocka_unit_test(test_huge_space),
        cmocka_unit_test(test_default_has_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
