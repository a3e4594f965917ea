/* The table of idealisations, and sets of them as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "explore/plan/simulate.h"
#include "model/gpu/block_placement.h"
#include "model/ideal_machine.h"
#include "schema/metrics.h"
#include "schema/parameters.h"

static void rows_name_what_exists(void **state)
{
    (void)state;
    for (int i = 0; i < IDEAL_COUNT; i++) {
        enum ideal found;
        assert_true(ideal_find(ideal_table[i].name, &found, NULL));
        assert_int_equal(found, i); /* names are unique */
        assert_true(ideal_table[i].depths);
        if (ideal_table[i].relieves)
            assert_non_null(metric_find(ideal_table[i].relieves));
        if (ideal_table[i].knob)
            assert_non_null(parameter_find(ideal_table[i].knob));
    }
    for (size_t i = 0; i < ideal_setting_count; i++)
        assert_non_null(parameter_find(ideal_settings[i].path));
}

static void sets_survive_their_text(void **state)
{
    (void)state;
    char text[IDEAL_TEXT];
    struct ideal_set all = ideal_all(DEPTH_TIMING), read;
    assert_int_equal(ideal_parse(ideal_print(all, text), DEPTH_TIMING, &read, NULL), STATUS_OK);
    assert_memory_equal(&all, &read, sizeof all);
    assert_int_equal(ideal_parse("all", DEPTH_TIMING, &read, NULL), STATUS_OK);
    assert_memory_equal(&all, &read, sizeof all);
    for (int i = 0; i < IDEAL_COUNT; i++) {
        struct ideal_set one = {{0}};
        if (!(ideal_table[i].depths & AT_TIMING))
            continue;
        ideal_add(&one, (enum ideal)i);
        assert_int_equal(ideal_parse(ideal_print(one, text), DEPTH_TIMING, &read, NULL), STATUS_OK);
        assert_memory_equal(&one, &read, sizeof one);
    }
    assert_string_equal(ideal_print((struct ideal_set){{0}}, text), "");
}

static void expect_refusal(const char *text, enum depth depth, const char *message)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct ideal_set set;
    assert_int_equal(ideal_parse(text, depth, &set, &diagnostics), STATUS_INVALID);
    assert_string_equal(diagnostics_first(&diagnostics, STATUS_INVALID), message);
    diagnostics_free(&diagnostics);
}

static void errors_say_what_is_near(void **state)
{
    (void)state;
    expect_refusal("launch,l1d.mshr.merg", DEPTH_TIMING,
                   "there is no ideal 'l1d.mshr.merg'; did you mean 'l1d.mshr.merge'? (warpscape "
                   "ideals lists them)");
    expect_refusal("", DEPTH_TIMING, "there is no ideal '' (warpscape ideals lists them)");
    expect_refusal("launch,", DEPTH_TIMING, "there is no ideal '' (warpscape ideals lists them)");
    expect_refusal("launch", DEPTH_REUSE,
                   "ideal launch is one of depth timing, not reuse (--depth)");
    expect_refusal("all", DEPTH_REUSE, "depth reuse has no ideals");
}

static void machines_have_what_they_lack_without(void **state)
{
    (void)state;
    struct machine machine;
    machine_defaults(&machine);
    assert_true(ideal_has(ideal_all_of(&machine, DEPTH_TIMING), IDEAL_TRANSLATION));
    machine.tlb.enabled = 0;
    assert_false(ideal_has(ideal_all_of(&machine, DEPTH_TIMING), IDEAL_TRANSLATION));
    assert_true(ideal_has(ideal_all_of(&machine, DEPTH_TIMING), IDEAL_LAUNCH));
    machine.kind = KIND_GRAPHICS;
    assert_false(ideal_has(ideal_all_of(&machine, DEPTH_TIMING), IDEAL_LAUNCH));
    assert_false(ideal_has(ideal_all_of(&machine, DEPTH_TIMING), IDEAL_NETWORK_LATENCY));
    assert_false(ideal_has(ideal_all_of(&machine, DEPTH_TIMING), IDEAL_DRAM_BANDWIDTH));
}

/* What was remembered for one set answers for no other, and no shifted start for any other. */
static void keys_know_the_ideals(void **state)
{
    (void)state;
    struct machine machine;
    struct metrics metrics, found;
    struct stage_cache *cache = NULL;
    uint16_t sms[] = {0, 1};
    const struct block_placement placement = {sms, 2};
    struct stage_question plain = {.depth = DEPTH_TIMING,
                                   .stages = depth_reads(DEPTH_TIMING),
                                   .asked = depth_results(DEPTH_TIMING, STAGE_EVERY)};
    machine_defaults(&machine);
    metrics_clear(&metrics);
    assert_int_equal(stage_cache_open(NULL, STAGE_CACHE_BYTES, &cache, NULL), STATUS_OK);
    stages_remember(cache, "source", &plain, &machine, &metrics, NULL, 1);
    assert_true(stages_recall(cache, "source", &plain, &machine, &found));
    for (int i = 0; i < IDEAL_COUNT; i++) {
        struct stage_question ideal = plain;
        ideal_add(&ideal.ideals, (enum ideal)i);
        assert_false(stages_recall(cache, "source", &ideal, &machine, &found));
        stages_remember(cache, "source", &ideal, &machine, &metrics, NULL, 1);
        assert_true(stages_recall(cache, "source", &ideal, &machine, &found));
        ideal.start_delay = 1;
        assert_false(stages_recall(cache, "source", &ideal, &machine, &found));
        ideal.placement = &placement;
        assert_false(stages_recall(cache, "source", &ideal, &machine, &found));
    }
    stage_cache_close(cache, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_name_what_exists),
        cmocka_unit_test(sets_survive_their_text),
        cmocka_unit_test(errors_say_what_is_near),
        cmocka_unit_test(machines_have_what_they_lack_without),
        cmocka_unit_test(keys_know_the_ideals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
