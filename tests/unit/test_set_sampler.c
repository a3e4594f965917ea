#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/cache/set_sampler.h"

static void test_watched_sets(void **state)
{
    (void)state;
    for (uint32_t sets = 1; sets < 1000; sets++) {
        uint32_t watched = 0;
        for (uint32_t set = 0; set < sets; set++)
            if (sampler_number(set, sets) != SAMPLER_NONE)
                assert_int_equal(sampler_number(set, sets), watched++);
        assert_int_equal(watched, sampler_sets(sets));
    }
}

/* Against the whole history: the distance to the last use of a line within the window. */
static void test_distances(void **state)
{
    (void)state;
    enum { USES = 2000, LINES = 200 };
    uint64_t lines[USES];
    for (uint32_t ways = 1; ways < 20; ways += 3) {
        struct sampler_set *set = calloc(1, sampler_bytes(ways));
        uint32_t places[LINES] = {0}; /* of the last use of each line, however long ago */
        assert_non_null(set);
        for (uint32_t now = 0; now < USES; now++) {
            const uint32_t window = sampler_window(ways);
            lines[now] = random_at(ways, now) % (10 * ways);
            uint32_t expected = 0;
            for (uint32_t ago = window - 1; ago > 0; ago--)
                if (ago <= now && lines[now - ago] == lines[now])
                    expected = ago;
            bool last = now >= window;
            for (uint32_t ago = window - 1; ago > 0 && last; ago--)
                last = lines[now - ago] != lines[now - window];
            uint16_t old;
            assert_int_equal(sampler_expires(set, ways, &old), last);
            if (last)
                assert_int_equal(old, (uint16_t)(now - window));
            const uint32_t at = sampler_last(set, ways, lines[now]);
            assert_int_equal(at == SAMPLER_NONE, !expected);
            if (expected) {
                assert_int_equal(sampler_distance(set, ways, at), expected);
                assert_int_equal(sampler_signatures(set, ways)[at], (uint16_t)(now - expected));
            }
            assert_int_equal(sampler_last_at(set, places[lines[now]], lines[now]), at);
            places[lines[now]] = (uint32_t)set->now;
            sampler_note(set, ways, lines[now], (uint16_t)now, at);
        }
        free(set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_watched_sets),
        cmocka_unit_test(test_distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
