/* Replacement policies against what other simulators publish of theirs.
 *
 * gem5: the accesses and outcomes of tests/gem5/replacement_policies (traces/ and ref/, gem5 24),
 * one set of four ways; a letter is a line, and `m` and `h` are what its reference output says. Two
 * of its policies are others than ours of that name, and so not here: in its RRIP a hit takes one
 * step only (frequency priority; ours has hit priority, as ChampSim's), and of several lines that
 * its LIP would replace next, the first way goes, where ours is the last filled.
 * ChampSim: what test/cpp/src/444-srrip-replacement.cc and 445-ship-replacement.cc ask for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/cache/replacement.h"
#include "model/cache/set_steps.h"

static const struct {
    int replacement;
    const char *lines, *outcomes;
} gem5[] = {
    {REPLACEMENT_FIFO, "ACEGIKACEG", "mmmmmmmmmm"},
    {REPLACEMENT_FIFO, "ACEGACIKEG", "mmmmhhmmhh"},
    {REPLACEMENT_LRU, "ACEGACIKMOACIKMO", "mmmmhhmmmmmmmmmm"},
    {REPLACEMENT_LRU, "ACEGACIKMOEGEG", "mmmmhhmmmmmmhh"},
    {REPLACEMENT_LRU, "ACEGACEGIA", "mmmmhhhhmm"},
    {REPLACEMENT_LRU, "ACEGEGACIE", "mmmmhhhhmm"},
    {REPLACEMENT_LFU, "ACEGIAI", "mmmmmmm"},
    {REPLACEMENT_LFU, "ACEGAIKMOA", "mmmmhmmmmh"},
    {REPLACEMENT_LFU, "AACCCEGGIEEEEKAAAAMGGGGOC", "mhmhhmmhmmhhhmmhhhmmhhhmm"},
    {REPLACEMENT_MRU, "ACEGIKMOAC", "mmmmmmmmhh"},
    {REPLACEMENT_MRU, "ACEGAIKMOAG", "mmmmhmmmmmh"},
    {REPLACEMENT_NRU, "ACEGAIAEKEG", "mmmmhmmhmhm"},
    {REPLACEMENT_CLOCK, "ACEGACIKAC", "mmmmhhmmhh"},
    {REPLACEMENT_CLOCK, "ACEGACEGIACEG", "mmmmhhhhmmmmm"},
    {REPLACEMENT_CLOCK, "ACEGACEGEIACGEG", "mmmmhhhhhmmmhmh"},
    {REPLACEMENT_PLRU, "ACEGAIKMOA", "mmmmhmmmmm"},
    {REPLACEMENT_PLRU, "ACEGEIKE", "mmmmhmmh"},
    {REPLACEMENT_PLRU, "ACEGEIKCEAC", "mmmmhmmhhmh"},
};

/* Each access to one set of four ways. */
static void assert_outcomes(int replacement, const char *lines, const char *outcomes)
{
    struct set_steps *steps;
    const struct set_step *step;
    assert_int_equal(set_steps_create(replacement, RESET_PAPER, 4, &steps), STATUS_OK);
    assert_int_equal(strlen(lines), strlen(outcomes));
    for (size_t i = 0; lines[i]; i++) {
        assert_int_equal(set_steps_access(steps, (uint64_t)lines[i], 0, &step), STATUS_OK);
        if (step->hit != (outcomes[i] == 'h'))
            fail_msg("%s: access %zu of %s", replacement_facts[replacement].name, i, lines);
    }
    set_steps_free(steps);
}

static void test_gem5(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof gem5 / sizeof *gem5; i++)
        assert_outcomes(gem5[i].replacement, gem5[i].lines, gem5[i].outcomes);
}

/* Two lines that are used again, then others that are not: srrip replaces the first of those. The
 * accesses after them show what becomes of the two, worked out by hand. */
static void test_champsim_srrip(void **state)
{
    (void)state;
    static const char lines[] = "aAAabcdeaA";
    struct set_steps *steps;
    const struct set_step *step = NULL;
    assert_int_equal(set_steps_create(REPLACEMENT_SRRIP, RESET_PAPER, 4, &steps), STATUS_OK);
    for (size_t i = 0; i < strlen("aAAabcd"); i++)
        assert_int_equal(set_steps_access(steps, (uint64_t)lines[i], 0, &step), STATUS_OK);
    assert_true(step->replaced);
    assert_int_equal(step->way, 2);
    set_steps_free(steps);
    assert_outcomes(REPLACEMENT_SRRIP, lines, "mmhhmmmmhh");
    assert_outcomes(REPLACEMENT_NRU, lines, "mmhhmmmmmm");
    assert_outcomes(REPLACEMENT_LRU, lines, "mmhhmmmmmm");
}

/* An instruction whose lines left without a use: its next line is the first to go. One use of
 * another line of it is enough that it is not. */
static void test_champsim_ship(void **state)
{
    (void)state;
    enum { WAYS = 8, SETS = 2, READS_ONCE = 100, OTHER = 200 };
    const struct replacement_policy *policy = &policy_REPLACEMENT_SHIP;
    for (int reused = 0; reused < 2; reused++) {
        void *states[SETS] = {calloc(1, policy->state_bytes(WAYS)),
                              calloc(1, policy->state_bytes(WAYS))};
        void *shared = calloc(1, policy->shared_bytes(SETS, WAYS));
        assert_true(states[0] && states[1] && shared);
        struct set_access access = {
            .state = states[0], .shared = shared, .pc = READS_ONCE, .ways = WAYS, .sets = SETS};
        for (access.line = 0; access.line < 15; access.line++)
            policy->fill(&access,
                         access.line < WAYS ? (uint32_t)access.line : policy->victim(&access));
        if (reused)
            policy->hit(&access, 0);
        access.state = states[1];
        access.set = 1;
        for (uint32_t way = 0; way < WAYS; way++, access.line++) {
            access.pc = way + 1 < WAYS ? OTHER : READS_ONCE;
            policy->fill(&access, way);
        }
        assert_int_equal(policy->victim(&access) == WAYS - 1, !reused);
        free(states[0]);
        free(states[1]);
        free(shared);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gem5),
        cmocka_unit_test(test_champsim_srrip),
        cmocka_unit_test(test_champsim_ship),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
