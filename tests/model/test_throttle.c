/* The throttles of warps (model/throttle), each against the rules of its head: by vectors, and
 * against a slow twin that keeps lists. test_bypass runs them on an SM, beside every bypass policy.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/throttle/throttle.h"
#include "schema/parameters.h"
#include "support/number_list.h"
#include "support/roll_cache.h"

enum { LINES = 16, SCHEDULERS = 2 };

/* On an SM of two schedulers. NULL: no warp is ever stopped. */
static struct throttle *create(int policy)
{
    struct machine machine;
    struct throttle *throttle;
    machine_defaults(&machine);
    machine.scheduler.throttle = policy;
    machine.scheduler.count = SCHEDULERS;
    assert_int_equal(throttle_create(&machine, LINES, &throttle), STATUS_OK);
    if (throttle)
        throttle_launch(throttle);
    return throttle;
}

static bool is_stopped(const struct throttle *throttle, uint32_t warp)
{
    return throttle->stopped[warp % SCHEDULERS] >> warp / SCHEDULERS & 1;
}

static unsigned stopped_warps(const struct throttle *throttle)
{
    unsigned stopped = 0;
    for (uint32_t i = 0; i < SM_WARPS; i++)
        stopped += is_stopped(throttle, i);
    return stopped;
}

/* A warp takes a line, and another access evicts it. */
static void lose(struct throttle *throttle, uint16_t warp, uint64_t line)
{
    const struct throttle_line own = {line, warp}, other = {line + 1, warp};
    throttle_replace(throttle, 0, true, &own);
    throttle_replace(throttle, 0, false, &other);
}

/* ---- ccws ---- */

/* A warp that misses what it lost gets a score beyond the cutoff, so others wait until it fell. */
static void test_ccws(void **state)
{
    (void)state;
    struct throttle *throttle = create(THROTTLE_CCWS);
    throttle_warp_came(throttle, 0, 0);
    throttle_warp_came(throttle, 2, 1); /* slot 1 of scheduler 0 */
    throttle->issued[0] = 3;
    throttle->issued[2] = 1;
    lose(throttle, 0, 7);
    assert_int_equal(throttle->wake, UINT64_MAX);
    throttle_missed(throttle, 0, 7, 9); /* 1 of 4 x 8 x 200: a score of 400 from cycle 9 on */
    assert_int_equal(throttle->wake, 10);
    throttle_tick(throttle, 10);
    assert_int_equal(throttle->stopped[0], 2);
    throttle_missed(throttle, 0, 7, 9); /* it is in no list any more */
    assert_int_equal(throttle->wake, 42);
    throttle_tick(throttle, 208); /* 201: reaches the cutoff alone */
    assert_int_equal(throttle->stopped[0], 2);
    throttle_tick(throttle, 210);
    assert_int_equal(throttle->stopped[0], 0);
    throttle_tick(throttle, 500);
    assert_int_equal(throttle->wake, UINT64_MAX);
    lose(throttle, 0, 7);
    throttle_stored(throttle, 7); /* a store takes the line from all lists */
    throttle_missed(throttle, 0, 7, 9);
    assert_int_equal(throttle->wake, UINT64_MAX);
    throttle_free(throttle);
}

enum { WARPS = 12 };

struct slow_ccws {
    struct list lost[WARPS][2]; /* by set, the first one lost first */
    uint64_t score[WARPS], hits[WARPS], issued[WARPS];
    bool here[WARPS];
};

static unsigned slow_warps(const struct slow_ccws *slow)
{
    unsigned warps = 0;
    for (unsigned i = 0; i < WARPS; i++)
        warps += slow->here[i];
    return warps;
}

static void slow_miss(struct slow_ccws *slow, unsigned warp, uint64_t line)
{
    struct list *lost = &slow->lost[warp][line % 2];
    const int at = list_find(lost, line);
    uint64_t hits = 0, issued = 0;
    if (at < 0)
        return;
    list_remove(lost, (unsigned)at);
    slow->hits[warp]++;
    for (unsigned i = 0; i < WARPS; i++) {
        hits += slow->here[i] ? slow->hits[i] : 0;
        issued += slow->here[i] ? slow->issued[i] : 0;
    }
    slow->score[warp] = hits * 8 * 100 * slow_warps(slow) / (issued ? issued : 1);
    if (slow->score[warp] < 100)
        slow->score[warp] = 100;
}

/* Whether a warp may not issue loads: those of higher scores, or of the same and lower numbers,
 * reach the cutoff already. */
static bool slow_stopped(const struct slow_ccws *slow, unsigned warp)
{
    uint64_t before = 0;
    for (unsigned i = 0; i < WARPS; i++)
        if (slow->here[i] && (slow->score[i] > slow->score[warp] ||
                              (slow->score[i] == slow->score[warp] && i < warp)))
            before += slow->score[i];
    return slow->here[warp] && before >= 100 * slow_warps(slow);
}

/* Random warps, misses, losses and stores, cycle by cycle. The lists hold what they should, or the
 * scores would differ; no score is below its base. */
static void test_ccws_twin(void **state)
{
    (void)state;
    unsigned held = 0;
    for (uint64_t seed = 0; seed < 30; seed++) {
        struct dice dice = {.seed = seed};
        static struct slow_ccws slow;
        memset(&slow, 0, sizeof slow);
        struct throttle *throttle = create(THROTTLE_CCWS);
        for (uint64_t now = 0, age = 0; now < 4000; now++) {
            const unsigned warp = (unsigned)roll(&dice, WARPS);
            const uint64_t line = roll(&dice, 40), what = roll(&dice, 60);
            for (unsigned i = 0; i < WARPS; i++)
                slow.score[i] -= slow.score[i] > 100;
            if (now >= throttle->wake) {
                throttle_tick(throttle, now);
                for (unsigned i = 0; i < WARPS; i++) {
                    const bool stopped = is_stopped(throttle, i);
                    assert_int_equal(stopped, slow_stopped(&slow, i));
                    held += stopped;
                }
            }
            if (!slow.here[warp]) {
                throttle_warp_came(throttle, warp, age++);
                memset(slow.lost[warp], 0, sizeof slow.lost[warp]);
                slow.here[warp] = true;
                slow.score[warp] = 100;
                slow.hits[warp] = slow.issued[warp] = 0;
            } else if (!what) {
                throttle_warp_left(throttle, warp);
                slow.here[warp] = false;
                slow.score[warp] = 0;
            } else if (what < 8) {
                lose(throttle, (uint16_t)warp, line);
                struct list *lost = &slow.lost[warp][line % 2];
                if (lost->count == 8)
                    list_remove(lost, 0);
                list_insert(lost, lost->count, line);
            } else if (what < 14) {
                throttle_missed(throttle, warp, line, now);
                slow_miss(&slow, warp, line);
            } else if (what == 14) {
                throttle_stored(throttle, line);
                for (unsigned i = 0; i < WARPS; i++)
                    for (int at = 0; (at = list_find(&slow.lost[i][line % 2], line)) >= 0;)
                        list_remove(&slow.lost[i][line % 2], (unsigned)at);
            } else if (what < 18) {
                throttle->issued[warp]++;
                slow.issued[warp]++;
            }
        }
        throttle_free(throttle);
    }
    assert_true(held > 1000);
}

/* ---- congestion ---- */

/* Where requests spend twice as long in the network as at best, the youngest warps wait. */
static void test_congestion(void **state)
{
    (void)state;
    struct throttle *throttle = create(THROTTLE_CONGESTION);
    for (unsigned i = 0; i < 16; i++)
        throttle_warp_came(throttle, i, i);
    static const struct {
        uint32_t network;
        unsigned stopped;
    } periods[] = {{100, 0}, {199, 0}, {201, 3}, {300, 5}, {120, 4}, {210, 6}, {90, 5}, {190, 7}};
    for (size_t i = 0; i < sizeof periods / sizeof *periods; i++) {
        throttle_filled(throttle, periods[i].network);
        throttle_tick(throttle, i * 2048);
        assert_int_equal(throttle->wake, (i + 1) * 2048);
        assert_int_equal(stopped_warps(throttle), periods[i].stopped);
    }
    assert_true(is_stopped(throttle, 15));
    for (unsigned i = 0; i < 40; i++) { /* at least two go on, whatever happens */
        throttle_filled(throttle, 10000);
        throttle_tick(throttle, 100000 + i * 2048);
    }
    assert_int_equal(stopped_warps(throttle), 14);
    throttle_warp_left(throttle, 0);
    assert_int_equal(stopped_warps(throttle), 13);
    throttle_free(throttle);
}

static void test_none(void **state)
{
    (void)state;
    assert_null(create(THROTTLE_NONE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_ccws),
        cmocka_unit_test(test_ccws_twin),
        cmocka_unit_test(test_congestion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
