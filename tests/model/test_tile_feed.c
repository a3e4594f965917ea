/* Requests of a stream as runs take them: all of them, once and in order, wherever the reader cuts
 * its batches, and the ends of passes where they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/tile/tile_feed.h"
#include "support/roll_tiles.h"
#include "support/tile_trial.h"

enum { SEEDS = 40 };

/* Takes random numbers of requests, always some of those that are there, to the end. */
static void take_all(struct dice *dice, struct tile_feed *feed, const struct tile_trial *trial)
{
    uint64_t at = 0, end;
    uint32_t pass = 0;
    while (pass < trial->stream.pass_count) {
        const bool known = tile_feed_end(feed, pass, &end);
        if (known)
            assert_int_equal(end, trial->ends[pass]);
        if (known && at == end) {
            pass++;
            continue;
        }
        if (!known && (at == end || !roll(dice, 3))) {
            assert_int_equal(tile_feed_read(feed, at, NULL), STATUS_OK);
            assert_int_equal(feed->first, feed->keeps ? 0 : at);
            continue;
        }
        const uint64_t more = 1 + roll(dice, end - at);
        assert_memory_equal(feed->requests + (at - feed->first), trial->requests + at,
                            more * sizeof *feed->requests);
        if (feed->values)
            assert_memory_equal(feed->values + (at - feed->first), trial->values + at,
                                more * sizeof *feed->values);
        at += more;
    }
    assert_true(feed->ended);
    if (feed->keeps)
        assert_memory_equal(feed->requests, trial->requests, at * sizeof *feed->requests);
}

static void nothing_is_lost(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct dice dice = {.seed = seed};
        struct tile_feed feed;
        /* more than two batches now and then, and passes without a request */
        struct tile_trial *trial =
            tile_trial_random(seed, roll(&dice, seed % 4 ? 3 : 3 * TILE_BATCH), 20);
        assert_int_equal(
            tile_feed_open(&feed, &trial->stream, roll(&dice, 2), roll(&dice, 2), NULL), STATUS_OK);
        take_all(&dice, &feed, trial);
        tile_feed_close(&feed);
        tile_trial_free(trial);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_lost)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
