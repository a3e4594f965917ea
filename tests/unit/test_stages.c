/* The stage table: who feeds whom, what a machine of a kind has, and parts that do not feed each
 * other. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/area/area.h"
#include "model/evaluate.h"
#include "schema/parameters.h"
#include "support/list_source.h"
#include "support/same_metrics.h"
#include "support/study_builder.h"
#include "support/sweep_twin.h"

static void rows_follow_what_they_consume(void **state)
{
    (void)state;
    for (size_t i = 0; i < STAGE_COUNT; i++) {
        const struct stage_info *info = &stage_table[i];
        assert_int_equal(stage_index(1u << i), i);
        assert_ptr_equal(stage_info(1u << i), info);
        assert_int_equal(info->consumes >> i, 0); /* machine_stages goes through the rows once */
        if (info->consumes)
            assert_true(info->traits & STAGE_SIMULATED);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(stage_table[k].name, info->name);
    }
    assert_int_equal(stages_simulated(), STAGE_STREAM | stages_first() | stages_after_first());
    assert_int_equal(stages_first() & stages_after_first(), 0);
    assert_false(stages_simulated() & STAGE_AREA);
}

static void chains_hold_all_that_is_consumed(void **state)
{
    (void)state;
    assert_int_equal(stage_chain(STAGE_L2, false), STAGE_STREAM | STAGE_L1D | STAGE_L2);
    assert_int_equal(stage_chain(STAGE_PWC, false), STAGE_STREAM | STAGE_TLB | STAGE_PWC);
    assert_int_equal(stage_chain(STAGE_PWC, true), stages_simulated() & ~(STAGE_L1I | STAGE_TILE));
    assert_int_equal(stage_chain(STAGE_L1D, true), STAGE_STREAM | STAGE_L1D);
    for (size_t i = 0; i < STAGE_COUNT; i++)
        for (int joined = 0; joined < 2; joined++) {
            const unsigned chain = stage_chain(1u << i, joined);
            assert_true(chain & 1u << i);
            for (unsigned left = chain; left; left &= left - 1)
                assert_int_equal(stage_info(stage_lowest(left))->consumes & ~chain, 0);
        }
}

/* Every set of asked stages: each is in one part, no part feeds another, a part is whole. */
static void parts_do_not_feed_each_other(void **state)
{
    (void)state;
    for (unsigned asked = 0; asked <= STAGE_EVERY; asked++)
        for (int joined = 0; joined < 2; joined++) {
            unsigned parts[STAGE_COUNT], all = 0;
            const size_t count = stage_parts(asked, joined, parts);
            for (size_t p = 0; p < count; p++) {
                assert_int_equal(all & parts[p] & ~(unsigned)STAGE_STREAM, 0);
                for (unsigned left = parts[p]; left; left &= left - 1) {
                    const unsigned own = asked & stage_lowest(left);
                    assert_int_equal((own ? stage_chain(own, joined) : 0) & ~parts[p], 0);
                }
                all |= parts[p];
            }
            assert_int_equal(asked & stages_simulated() & ~all, 0);
            assert_int_equal(count == 0, !(asked & stages_simulated()));
        }
    unsigned parts[STAGE_COUNT];
    assert_int_equal(stage_parts(STAGE_EVERY, false, parts), 4);
    assert_int_equal(parts[0], STAGE_STREAM | STAGE_L1D | STAGE_L2);
    assert_int_equal(parts[1], STAGE_STREAM | STAGE_TLB | STAGE_PWC);
    assert_int_equal(parts[2], STAGE_STREAM | STAGE_L1I);
    assert_int_equal(parts[3], STAGE_STREAM | STAGE_TILE);
    assert_int_equal(stage_parts(STAGE_EVERY, true, parts), 3);
}

static void a_machine_has_what_is_on_and_fed(void **state)
{
    (void)state;
    struct machine machine;
    const unsigned every = STAGE_EVERY & ~STAGE_TILE; /* this machine does not draw */
    machine_defaults(&machine);
    assert_int_equal(machine_stages(&machine), every & ~STAGE_L1I);
    machine.l1i.fetches = 1;
    assert_int_equal(machine_stages(&machine), every);
    machine.l1d.enabled = 0; /* the L2 gets the stream */
    assert_int_equal(machine_stages(&machine), every & ~STAGE_L1D);
    machine.pwc.organization = PWC_NONE; /* there are page walks all the same */
    assert_true(machine_has(&machine, STAGE_PWC));
    machine.tlb.enabled = 0; /* nothing misses a TLB that is not there */
    assert_false(machine_has(&machine, STAGE_TLB | STAGE_PWC));
    machine_keep_stages(&machine, STAGE_STREAM);
    assert_int_equal(machine_stages(&machine), STAGE_STREAM | STAGE_AREA);
}

/* The row of machine.kind names the stages that some kind lacks. */
static void a_kind_decides_what_is_relevant(void **state)
{
    (void)state;
    const struct parameter *kind = parameter_find("machine.kind");
    unsigned some = STAGE_AREA;
    for (size_t i = 0; i < STAGE_COUNT; i++)
        some |= stage_table[i].kinds == ANY_KIND ? 0 : 1u << i;
    assert_int_equal(kind->stages, some | NOT_AT(DEPTH_REUSE)); /* an L1D is all that it needs */
    struct machine machine;
    machine_defaults(&machine);
    machine.kind = KIND_SIMT;
    assert_false(machine_has(&machine, STAGE_TLB | STAGE_PWC));
    assert_false(parameter_relevant(parameter_find("tlb.enabled"), &machine));
    assert_false(parameter_relevant(parameter_find("pwc.entries"), &machine));
    assert_true(parameter_relevant(parameter_find("l2.size"), &machine));
    assert_true(parameter_relevant(parameter_find("pipe.sfu.units"), &machine));
    assert_false(parameter_relevant(parameter_find("pipe.dp.units"), &machine));
}

/* A machine that draws runs no kernels, and refuses them at every depth. */
static void kernels_are_for_machines_that_run_them(void **state)
{
    (void)state;
    struct list_source *source = list_source_random(7, 2, 8, 60, 300);
    struct machine machine;
    struct metrics metrics;
    machine_defaults(&machine);
    assert_int_equal(evaluate_check_machine(&machine, &source->base, NULL), STATUS_OK);
    machine.kind = KIND_GRAPHICS;
    for (int depth = 0; depth < DEPTH_COUNT; depth++) {
        const struct evaluate_options options = {.depth = (enum depth)depth};
        assert_int_equal(evaluate(&machine, &source->base, &options, &metrics, NULL),
                         STATUS_UNSUPPORTED);
    }
    trace_source_free(&source->base);
}

/* A kind without translation answers what the same machine answers with its TLB switched off, and
 * keeps the switch for when the kind changes back. */
static void a_kind_switches_off_what_it_lacks(void **state)
{
    (void)state;
    struct list_source *source = list_source_random(7, 2, 8, 60, 300);
    const struct evaluate_options options = {.needs = NEED_REPORT};
    struct machine simt, off;
    struct metrics found, expected;
    machine_defaults(&simt);
    simt.gpu.sms = 2;
    off = simt;
    simt.kind = KIND_SIMT;
    off.tlb.enabled = 0;
    assert_int_equal(evaluate(&simt, &source->base, &options, &found, NULL), STATUS_OK);
    assert_int_equal(evaluate(&off, &source->base, &options, &expected, NULL), STATUS_OK);
    /* Its instructions are shorter, which shows in the area and the energy of their buffers. */
    assert_same_stages(&found, &expected, ~(unsigned)(STAGE_AREA | STAGE_STREAM));
    assert_true(found.stream_transactions == expected.stream_transactions);
    assert_true(found.stream_warp_instructions == expected.stream_warp_instructions);
    assert_true(isnan(found.tlb_accesses) && isnan(found.tlb_area) && isnan(found.pwc_bits));
    assert_true(simt.tlb.enabled);
    trace_source_free(&source->base);
}

static void kinds_can_be_swept(void **state)
{
    (void)state;
    struct study study;
    study_from_text("machine: gtx480\nworkloads: ['ATAX:n=96']\n"
                    "axes: {machine.kind: [compute, simt], l1d.size: [8KiB, 16KiB]}\n"
                    "metrics: [l1d.misses, tlb.misses, walk.count, total.bits]\n",
                    &study);
    check_rows(&study, scratch_store(), &(struct evaluate_options){0});
    study_free(&study);
    study_from_text("machine: gtx480\nworkloads: ['raster-shadow:width=32,height=32']\n"
                    "axes: {machine.kind: [compute, graphics], tile.size: [8KiB, 16KiB]}\n"
                    "set: {tile.enabled: yes}\n"
                    "metrics: [stream.transactions, tile.misses, total.bits]\n",
                    &study);
    check_rows(&study, scratch_store(), &(struct evaluate_options){0});
    study_free(&study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_follow_what_they_consume),
        cmocka_unit_test(chains_hold_all_that_is_consumed),
        cmocka_unit_test(parts_do_not_feed_each_other),
        cmocka_unit_test(a_machine_has_what_is_on_and_fed),
        cmocka_unit_test(a_kind_decides_what_is_relevant),
        cmocka_unit_test(kernels_are_for_machines_that_run_them),
        cmocka_unit_test(a_kind_switches_off_what_it_lacks),
        cmocka_unit_test(kinds_can_be_swept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
