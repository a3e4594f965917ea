/* A scene in time that is halted, copied and gone on with anywhere: each cycle finds it as a run
 * that was never halted, and what is seen of it is the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/mix.h"
#include "model/tile/tile_run.h"
#include "support/roll_tiles.h"
#include "support/sanitized.h"
#include "support/tile_trial.h"

enum { SEEDS = 150, HALTS = 6 };

/* What those who look on are told, as a hash, and the cycle up to which it all happened. */
struct told {
    uint64_t hash, count, last, emptied;
};

static void hear_event(void *context, const struct bank *bank, const struct bank_event *event)
{
    struct told *told = context;
    assert_true(event->cycle >= told->last);
    told->last = event->cycle;
    told->count++;
    told->emptied += event->kind == BANK_EMPTIED && !bank->number;
    mix_word(&told->hash, event->cycle);
    mix_word(&told->hash, (uint64_t)bank->number << 8 | event->kind);
    mix_word(&told->hash, event->item ? event->item->serial : 0);
}

struct scene_trial {
    struct machine machine;
    struct tile_trial *trial;
    struct tile_run_options options;
    struct tile_feed feed;
};

static void trial_begin(struct scene_trial *trial, struct dice *dice)
{
    trial->trial = tile_trial_random(dice->seed, roll(dice, 800), 1 + roll(dice, 40));
    trial->options = (struct tile_run_options){.saw = hear_event};
    roll_tiles(dice, (int)roll(dice, TILE_BINNED), &trial->machine);
    if (!roll(dice, 4))
        ideal_add(&trial->options.ideals, IDEAL_TILE_BANKS);
    assert_int_equal(tile_feed_open(&trial->feed, &trial->trial->stream, false, true, NULL),
                     STATUS_OK);
}

static void trial_end(struct scene_trial *trial)
{
    tile_feed_close(&trial->feed);
    tile_trial_free(trial->trial);
}

static void scene_open(struct scene_trial *trial, struct tile_feed *feed, struct told *told,
                       struct tile_run *run)
{
    struct tile_run_options options = trial->options;
    *told = (struct told){0};
    options.context = told;
    assert_int_equal(
        tile_run_open(run, &trial->machine, &trial->trial->stream, &options, feed, NULL),
        STATUS_OK);
}

static void expect_ended_alike(const struct tile_run *run, const struct tile_run *straight)
{
    assert_int_equal(run->stage, TILE_ENDED);
    assert_int_equal(run->tiles.now, straight->tiles.now);
    assert_true(tile_run_hash(run) == tile_run_hash(straight));
    assert_int_equal(run->tiles.counts.cycles, straight->tiles.counts.cycles);
    assert_int_equal(run->tiles.counts.reads, straight->tiles.counts.reads);
    assert_int_equal(run->tiles.counts.queue_sum, straight->tiles.counts.queue_sum);
    assert_int_equal(run->tiles.counts.queue_p99, straight->tiles.counts.queue_p99);
    assert_memory_equal(&run->tiles.counts.banks, &straight->tiles.counts.banks,
                        sizeof straight->tiles.counts.banks);
}

/* From a halt a copy goes to its end, while its original waits there. */
static void expect_copy_goes_on(struct scene_trial *trial, const struct tile_run *halted,
                                const struct told *heard, const struct tile_run *straight,
                                const struct told *all)
{
    struct tile_run copy;
    struct told told = *heard;
    struct tile_run_options options = trial->options;
    options.context = &told;
    assert_int_equal(tile_run_copy(&copy, halted, &options), STATUS_OK);
    assert_true(tile_run_hash(&copy) == tile_run_hash(halted));
    assert_true(tile_run_bytes(&copy) > sizeof copy);
    assert_int_equal(tile_run_advance(&copy, UINT64_MAX, NULL), STATUS_OK);
    expect_ended_alike(&copy, straight);
    assert_true(told.hash == all->hash);
    assert_int_equal(told.count, all->count);
    tile_run_close(&copy);
}

/* At random cycles, in order: the state is that of a run that comes there in one go. */
static void a_halt_shows_nowhere(void **state)
{
    (void)state;
    uint64_t writing = 0;
    for (uint64_t seed = 0; seed < ROLLS(SEEDS); seed++) {
        struct dice dice = {.seed = seed + 2100};
        struct scene_trial trial;
        struct tile_run straight, halted;
        struct told all, told;
        trial_begin(&trial, &dice);
        scene_open(&trial, NULL, &all, &straight);
        assert_int_equal(tile_run_advance(&straight, UINT64_MAX, NULL), STATUS_OK);
        assert_int_equal(all.emptied, trial.trial->stream.pass_count);
        scene_open(&trial, &trial.feed, &told, &halted);
        uint64_t cycle = 0;
        for (unsigned i = 0; i < HALTS; i++) {
            struct tile_run once;
            struct told part;
            cycle += roll(&dice, 2) ? roll(&dice, 3) : roll(&dice, straight.tiles.now / 4 + 2);
            scene_open(&trial, NULL, &part, &once);
            assert_int_equal(tile_run_advance(&once, cycle, NULL), STATUS_OK);
            assert_int_equal(tile_run_advance(&halted, cycle, NULL), STATUS_OK);
            assert_int_equal(halted.tiles.now,
                             cycle < straight.tiles.now ? cycle : straight.tiles.now);
            assert_int_equal(halted.stage == TILE_ENDED, cycle >= straight.tiles.now);
            assert_true(tile_run_hash(&halted) == tile_run_hash(&once));
            assert_true(told.hash == part.hash);
            assert_true(!told.count || told.last <= cycle);
            writing += halted.stage == TILE_WRITES;
            expect_copy_goes_on(&trial, &halted, &told, &straight, &all);
            tile_run_close(&once);
        }
        assert_int_equal(tile_run_advance(&halted, UINT64_MAX, NULL), STATUS_OK);
        expect_ended_alike(&halted, &straight);
        assert_true(told.hash == all.hash);
        tile_run_close(&halted);
        tile_run_close(&straight);
        trial_end(&trial);
    }
    assert_true(writing > 0); /* the ends of passes were among the halts */
}

/* A run that was cancelled goes on as if it had not been. */
static void what_was_cancelled_goes_on(void **state)
{
    (void)state;
    struct scene_trial trial;
    struct dice dice = {.seed = 7};
    struct tile_run straight, run;
    struct told all, told;
    atomic_bool cancel;
    atomic_init(&cancel, true);
    trial_begin(&trial, &dice);
    scene_open(&trial, NULL, &all, &straight);
    assert_int_equal(tile_run_advance(&straight, UINT64_MAX, NULL), STATUS_OK);
    trial.options.cancel = &cancel;
    scene_open(&trial, NULL, &told, &run);
    assert_int_equal(tile_run_advance(&run, UINT64_MAX, NULL), STATUS_CANCELLED);
    atomic_store(&cancel, false);
    assert_int_equal(tile_run_advance(&run, UINT64_MAX, NULL), STATUS_OK);
    expect_ended_alike(&run, &straight);
    tile_run_close(&run);
    tile_run_close(&straight);
    trial_end(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_halt_shows_nowhere),
        cmocka_unit_test(what_was_cancelled_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
