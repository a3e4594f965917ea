/* One set of a cache, watched: the cache does what it does unwatched, and what is told of all sets
 * adds up to the run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/key_table.h"
#include "model/cache/cache_watch.h"
#include "model/evaluate.h"
#include "model/pass/set_stream.h"
#include "support/list_source.h"
#include "support/pick_members.h"
#include "support/roll_cache.h"
#include "workload/workload.h"

enum { REQUESTS = 600, TRIALS = 400, TRIALS_LINES = 8 * REQUESTS };

struct told {
    uint64_t steps, misses, replaced, emptied, stop_at;
    uint64_t held[512]; /* the ways after the last step */
    uint32_t ways;
};

static enum status tell(void *argument, const struct set_step *step)
{
    struct told *told = argument;
    assert_true(step->ways <= 512);
    for (uint32_t way = 0; way < step->ways; way++) {
        const bool own = step->stays && way == step->way;
        assert_int_equal(own, step->tags[way] == step->line + 1 && step->request != NULL);
        if (step->request && step->ways == told->ways && !own && !step->found) /* none moves */
            assert_int_equal(step->tags[way], told->held[way]);
        assert_false(step->replaced && step->tags[way] == step->left + 1);
        assert_false(!step->request && step->tags[way]);
    }
    if (step->replaced)
        assert_int_equal(told->held[step->way], step->left + 1);
    assert_false(step->hit && !step->found);
    assert_false(*step->why && (step->found || !step->stays));
    memcpy(told->held, step->tags, step->ways * sizeof *told->held);
    told->ways = step->ways;
    told->steps++;
    told->misses += step->request && !step->hit;
    told->replaced += step->replaced;
    told->emptied += !step->request;
    return told->steps == told->stop_at ? STATUS_CANCELLED : STATUS_OK;
}

static void run_both(struct cache *watched, struct cache *plain, const struct request *requests,
                     size_t count)
{
    struct request_buffer down = {0}, plain_down = {0};
    assert_int_equal(cache_run(watched, requests, count, &down), STATUS_OK);
    assert_int_equal(cache_run(plain, requests, count, &plain_down), STATUS_OK);
    assert_int_equal(cache_flush(watched, &down), STATUS_OK);
    assert_int_equal(cache_flush(plain, &plain_down), STATUS_OK);
    assert_int_equal(down.count, plain_down.count);
    for (size_t i = 0; i < down.count; i++)
        assert_memory_equal(&down.items[i], &plain_down.items[i], sizeof *down.items);
    free(down.items);
    free(plain_down.items);
}

static void watching_changes_nothing(void **state)
{
    (void)state;
    static struct request requests[REQUESTS];
    uint64_t steps = 0, replaced = 0, emptied = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        struct dice dice = {.seed = trial};
        const struct cache_config config = roll_cache(&dice);
        const uint64_t sets = config.size / config.line / config.ways / config.slices;
        const unsigned instances = (unsigned)config.slices + (unsigned)roll(&dice, 2);
        const unsigned options = roll(&dice, 2) ? CACHE_CLASSIFY : 0;
        struct told told = {0};
        const struct set_watching watching = {.instance = (unsigned)roll(&dice, instances),
                                              .set = roll(&dice, sets),
                                              .step = tell,
                                              .argument = &told};
        struct cache *watched, *plain;
        struct cache_counts counts, plain_counts;
        assert_int_equal(cache_create(&config, instances, trial, options, &watched), STATUS_OK);
        assert_int_equal(cache_create(&config, instances, trial, options, &plain), STATUS_OK);
        assert_int_equal(cache_watch(watched, &watching), STATUS_OK);
        for (int round = 0; round < 2; round++) {
            roll_requests(&dice, &config, instances, requests, REQUESTS);
            run_both(watched, plain, requests, REQUESTS);
        }
        cache_read_counts(watched, &counts);
        cache_read_counts(plain, &plain_counts);
        assert_memory_equal(&counts, &plain_counts, sizeof counts);
        steps += told.steps;
        replaced += told.replaced;
        emptied += told.emptied;
        cache_free(watched);
        cache_free(plain);
    }
    assert_true(steps > 10000 && replaced > 1000 && emptied > 100);
}

/* What all sets together tell: the lines that they hold, and what was counted. */
struct told_all {
    struct key_table lines; /* of an instance, by their numbers; never forgotten */
    bool held[TRIALS_LINES];
    struct cache_counts counts;
    uint64_t replaced;
};

static bool *told_line(struct told_all *told, unsigned instance, uint64_t line)
{
    uint32_t number;
    assert_int_equal(key_table_number(&told->lines, line << 8 | instance, &number), STATUS_OK);
    assert_true(number < TRIALS_LINES);
    return &told->held[number];
}

static enum status tell_every(void *argument, const struct set_step *step)
{
    struct told_all *told = argument;
    cache_add_counts(&told->counts, step->counts);
    if (!step->request) {
        memset(told->held, 0, sizeof told->held);
        return STATUS_OK;
    }
    assert_int_equal(step->instance, step->request->instance);
    if (step->replaced) {
        bool *left = told_line(told, step->instance, step->left);
        assert_true(*left);
        *left = false;
        told->replaced++;
    }
    bool *held = told_line(told, step->instance, step->line);
    assert_true(step->found == *held || step->replaced);
    *held = step->stays;
    return STATUS_OK;
}

static void all_sets_tell_all_counts(void **state)
{
    (void)state;
    static struct request requests[REQUESTS];
    uint64_t replaced = 0;
    for (uint64_t trial = 0; trial < TRIALS / 4; trial++) {
        struct dice dice = {trial, 0};
        const struct cache_config config = roll_cache(&dice);
        const unsigned instances = (unsigned)config.slices + (unsigned)roll(&dice, 2);
        const unsigned options = roll(&dice, 2) ? CACHE_CLASSIFY : 0;
        struct told_all *told = calloc(1, sizeof *told);
        assert_non_null(told);
        const struct set_watching watching = {.every = true, .step = tell_every, .argument = told};
        struct cache *watched, *plain;
        struct cache_counts counts;
        assert_int_equal(cache_create(&config, instances, trial, options, &watched), STATUS_OK);
        assert_int_equal(cache_create(&config, instances, trial, options, &plain), STATUS_OK);
        assert_int_equal(cache_watch(watched, &watching), STATUS_OK);
        roll_requests(&dice, &config, instances, requests, REQUESTS);
        run_both(watched, plain, requests, REQUESTS);
        cache_read_counts(plain, &counts);
        told->counts.accesses = told->counts.reads + told->counts.writes;
        told->counts.misses = told->counts.read_misses + told->counts.write_misses;
        assert_memory_equal(&counts, &told->counts, sizeof counts);
        replaced += told->replaced;
        key_table_free(&told->lines);
        free(told);
        cache_free(watched);
        cache_free(plain);
    }
    assert_true(replaced > 1000);
}

static void what_is_not_there_is_not_watched(void **state)
{
    (void)state;
    struct told told = {0};
    const struct cache_config config = plain_cache(128, 4, 2, INDEX_MODULO);
    struct cache *cache;
    assert_int_equal(cache_create(&config, 1, 0, 0, &cache), STATUS_OK);
    assert_int_equal(
        cache_watch(cache, &(struct set_watching){.instance = 1, .step = tell, .argument = &told}),
        STATUS_INVALID);
    assert_int_equal(
        cache_watch(cache, &(struct set_watching){.set = 4, .step = tell, .argument = &told}),
        STATUS_INVALID);
    cache_free(cache);
}

static struct machine small_machine(void)
{
    struct machine machine;
    machine_defaults(&machine);
    machine.gpu.sms = 2;
    machine.l1d.size = 2048;
    machine.l1d.line = machine.l1d.sector = 128;
    machine.l1d.ways = 4;
    machine.l1d.replacement = REPLACEMENT_SRRIP;
    machine.l1d.index = INDEX_MODULO;
    machine.l2.enabled = 1;
    machine.l2.size = 16384;
    machine.l2.slices = 2;
    machine.l2.ways = 8;
    machine.l2.line = machine.l2.sector = 128;
    machine.l2.index = INDEX_MODULO;
    return machine;
}

/* What is told of all sets of a stage. */
static struct told tell_all(const struct machine *machine, const struct trace_source *source,
                            unsigned stage)
{
    struct told all = {0};
    uint64_t instances;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    const struct cache_config config = set_stream_cache(machine, stage, &instances);
    const uint64_t sets = config.size / config.line / config.ways / config.slices;
    for (uint64_t i = 0; i < instances * sets; i++) {
        struct told told = {0};
        bool whole;
        const struct set_place place = {stage, (unsigned)(i / sets), i % sets};
        assert_int_equal(
            set_stream(machine, source, &place, tell, &told, NULL, &whole, &diagnostics),
            STATUS_OK);
        assert_true(whole);
        all.steps += told.steps - told.emptied;
        all.misses += told.misses;
        all.emptied += told.emptied;
    }
    return all;
}

static void sets_add_up_to_the_run(void **state)
{
    (void)state;
    const struct machine machine = small_machine();
    struct list_source *source = list_source_random(5, 3, 12, 30, 200);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct metrics metrics;
    assert_int_equal(evaluate(&machine, &source->base, NULL, &metrics, &diagnostics), STATUS_OK);
    const struct told l1d = tell_all(&machine, &source->base, STAGE_L1D);
    assert_true(metrics.l1d_accesses == (double)l1d.steps && l1d.steps > 1000);
    assert_true(metrics.l1d_misses == (double)l1d.misses && l1d.misses > 100);
    const struct told l2 = tell_all(&machine, &source->base, STAGE_L2);
    assert_true(metrics.l2_accesses == (double)l2.steps && l2.steps > 100);
    assert_true(metrics.l2_misses == (double)l2.misses);
    trace_source_free(&source->base);
}

static void fetches_are_watched_too(void **state)
{
    (void)state;
    struct machine machine = small_machine();
    struct trace_source *source;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct metrics metrics;
    machine.l1i.fetches = 1;
    machine.l1i.size = 128;
    machine.l1i.line = 32;
    machine.l1i.ways = 2;
    machine.l1i.replacement = REPLACEMENT_PLRU;
    assert_int_equal(workload_open("simt-line:n=4", &source, &diagnostics), STATUS_OK);
    assert_int_equal(evaluate(&machine, source, NULL, &metrics, &diagnostics), STATUS_OK);
    const struct told l1i = tell_all(&machine, source, STAGE_L1I);
    assert_true(metrics.l1i_tag_reads == (double)l1i.steps && l1i.steps > 100);
    assert_true(metrics.l1i_misses == (double)l1i.misses && l1i.misses > 10);
    trace_source_free(source);
}

static void places_are_checked(void **state)
{
    (void)state;
    struct machine machine = small_machine();
    struct list_source *source = list_source_random(5, 1, 4, 10, 200);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct told told = {.stop_at = 3};
    bool whole;
    static const struct set_place wrong[] = {
        {STAGE_L1D, 2, 0}, {STAGE_L1D, 0, 4}, {STAGE_L2, 2, 0}, {STAGE_L1I, 0, 0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_not_equal(set_stream_check(&machine, &wrong[i], &diagnostics), STATUS_OK);
    const struct set_place right = {STAGE_L1D, 1, 3};
    assert_int_equal(
        set_stream(&machine, &source->base, &right, tell, &told, NULL, &whole, &diagnostics),
        STATUS_OK);
    assert_int_equal(told.steps, 3);
    assert_false(whole);
    machine.l1d.replacement = REPLACEMENT_OPT;
    assert_int_equal(set_stream_check(&machine, &right, &diagnostics), STATUS_UNSUPPORTED);
    assert_int_equal(set_stream_check(&machine, &(struct set_place){STAGE_L2, 0, 0}, &diagnostics),
                     STATUS_UNSUPPORTED);
    machine = small_machine();
    machine.kind = KIND_GRAPHICS;
    assert_int_equal(set_stream_check(&machine, &right, &diagnostics), STATUS_UNSUPPORTED);
    diagnostics_free(&diagnostics);
    trace_source_free(&source->base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(watching_changes_nothing),
        cmocka_unit_test(all_sets_tell_all_counts),
        cmocka_unit_test(what_is_not_there_is_not_watched),
        cmocka_unit_test(sets_add_up_to_the_run),
        cmocka_unit_test(fetches_are_watched_too),
        cmocka_unit_test(places_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
