/* Guesses of costs: the front of what is known, exact costs, refused points, and that what is
 * chosen is what lies beyond. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/search/guesses.h"
#include "explore/search/population.h"

enum { AXES = 5, DIGITS = 4, POINTS = DIGITS * DIGITS * DIGITS * DIGITS * DIGITS, COSTS = 2 };

static const size_t counts[AXES] = {DIGITS, DIGITS, DIGITS, DIGITS, DIGITS};
static uint32_t digits[POINTS * AXES];
static double costs[POINTS * COSTS];
static uint8_t taken[POINTS];
static const struct guess_points points = {POINTS, digits, costs, taken};

static double uniform(uint64_t table, uint64_t at)
{
    return (double)(random_at(table, at) >> 11) * 0x1p-53;
}

/* The first cost is a sum over the digits; the second is `noise` by chance, and a sum that pulls
 * the other way. */
static void make_points(double noise)
{
    for (size_t i = 0; i < POINTS; i++) {
        size_t rest = i;
        costs[i * COSTS] = costs[i * COSTS + 1] = 0;
        for (size_t a = 0; a < AXES; a++, rest /= DIGITS) {
            digits[i * AXES + a] = (uint32_t)(rest % DIGITS);
            const double part = (double)(rest % DIGITS) * (1 + uniform(1, a));
            costs[i * COSTS] += part;
            costs[i * COSTS + 1] -= (1 - noise) * part;
        }
        costs[i * COSTS + 1] += noise * uniform(2, i);
        taken[i] = 0;
    }
}

static struct guesses *learn(size_t count, const bool *exact, uint32_t refused)
{
    struct guesses *guesses;
    assert_int_equal(guesses_create(counts, AXES, exact, COSTS, &guesses), STATUS_OK);
    for (size_t i = 0; i < count; i++) {
        const size_t point = random_below(random_at(3, i), POINTS);
        taken[point] = 1;
        assert_int_equal(guesses_learn(guesses, digits + point * AXES, costs + point * COSTS,
                                       digits[point * AXES] != refused),
                         STATUS_OK);
    }
    return guesses;
}

/* The front is that of the definition: what no other eligible point dominates. */
static void front_of_what_is_known(void **state)
{
    (void)state;
    enum { KNOWN = 60, REFUSED = 2 };
    make_points(1);
    struct guesses *guesses = learn(KNOWN, NULL, REFUSED);
    size_t found = 0;
    for (size_t i = 0; i < KNOWN; i++) {
        const size_t point = random_below(random_at(3, i), POINTS);
        bool beaten = digits[point * AXES] == REFUSED;
        for (size_t k = 0; k < KNOWN && !beaten; k++) {
            const size_t other = random_below(random_at(3, k), POINTS);
            beaten = digits[other * AXES] != REFUSED &&
                     costs_dominate(costs + other * COSTS, costs + point * COSTS, COSTS);
        }
        if (beaten)
            continue;
        assert_memory_equal(guesses_front(guesses, found++), digits + point * AXES,
                            AXES * sizeof *digits);
    }
    assert_true(found > 2 && found == guesses_front_count(guesses));
    guesses_free(guesses);
}

/* A cost that nobody could guess is found at once where it is exact, and not where it is not. */
static void exact_costs(void **state)
{
    (void)state;
    static const bool exact[COSTS] = {false, true};
    make_points(1);
    struct guesses *guesses = learn(30, exact, DIGITS);
    size_t least = SIZE_MAX, chosen[2];
    for (size_t i = 0; i < POINTS; i++) {
        costs[i * COSTS] = 0; /* the first cost says nothing */
        if (!taken[i] && (least == SIZE_MAX || costs[i * COSTS + 1] < costs[least * COSTS + 1]))
            least = i;
    }
    guesses_free(guesses);
    for (int e = 0; e < 2; e++) {
        memset(taken, 0, sizeof taken);
        guesses = learn(30, e ? exact : NULL, DIGITS);
        assert_int_equal(guesses_fit(guesses, &points), STATUS_OK);
        chosen[e] = guesses_choose(guesses, &points, false, 0);
        guesses_free(guesses);
    }
    assert_int_equal(chosen[1], least);
    assert_int_not_equal(chosen[0], least);
}

/* Sums are learnt: what is chosen lies beyond the known front in truth. */
static void choices_go_beyond(void **state)
{
    (void)state;
    make_points(0.02);
    struct guesses *guesses = learn(40, NULL, DIGITS);
    assert_int_equal(guesses_fit(guesses, &points), STATUS_OK);
    for (size_t place = 0; place < GUESSES_ROUND; place++) {
        const bool near = guess_near(place);
        const size_t point = guesses_choose(guesses, &points, near, 7);
        assert_true(point < POINTS && !taken[point]);
        taken[point] = 1;
        size_t least = AXES;
        for (size_t f = 0; f < guesses_front_count(guesses); f++) {
            size_t apart = 0;
            for (size_t a = 0; a < AXES; a++)
                apart += guesses_front(guesses, f)[a] != digits[point * AXES + a];
            least = apart < least ? apart : least;
        }
        assert_true(!near || least <= 2);
        size_t better = 0; /* random points are better than a quarter of the others, say */
        for (size_t i = 0; i < POINTS; i++)
            better += costs_dominate(costs + i * COSTS, costs + point * COSTS, COSTS);
        assert_true(better < POINTS / 20);
    }
    guesses_free(guesses);
}

/* Where a digit is refused again and again, it is not tried any more. */
static void refused_points(void **state)
{
    (void)state;
    make_points(0.02);
    struct guesses *guesses = learn(60, NULL, 0);
    assert_int_equal(guesses_fit(guesses, &points), STATUS_OK);
    for (size_t i = 0; i < GUESSES_ROUND; i++) {
        const size_t point = guesses_choose(guesses, &points, false, 0);
        taken[point] = 1;
        assert_int_not_equal(digits[point * AXES], 0);
    }
    guesses_free(guesses);
}

static void children(void **state)
{
    (void)state;
    const uint32_t first[AXES] = {0, 0, 0, 0, 0}, second[AXES] = {1, 1, 1, 1, 1};
    const uint32_t *const parents[2] = {first, second};
    uint64_t draws = 0;
    size_t own = 0, others = 0;
    for (int i = 0; i < 1000; i++) {
        uint32_t child[AXES];
        guess_breed(parents, counts, AXES, 5, &draws, child);
        for (size_t a = 0; a < AXES; a++) {
            assert_true(child[a] < DIGITS);
            *(child[a] < 2 ? &own : &others) += 1;
        }
    }
    assert_in_range(others, 400, 600); /* one digit of five by chance, half of which are 2 or 3 */
    assert_int_equal(own + others, 1000 * AXES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(front_of_what_is_known),
        cmocka_unit_test(exact_costs),
        cmocka_unit_test(choices_go_beyond),
        cmocka_unit_test(refused_points),
        cmocka_unit_test(children),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
