/* Single page walks against the counts of a whole run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/evaluate.h"
#include "model/pass/walk_steps.h"
#include "support/list_source.h"

struct seen {
    uint64_t steps, accesses, cycles, hits[4], stop_at;
    unsigned sms;
};

static enum status look(void *argument, const struct walk_step *step)
{
    struct seen *seen = argument;
    assert_int_equal(step->number, seen->steps + 1);
    assert_int_equal(step->page % 4096, 0);
    struct page_indices split = page_split(step->page);
    assert_memory_equal(&split, &step->indices, sizeof split);
    seen->steps++;
    seen->accesses += step->accesses;
    seen->cycles += step->lookup.cycles;
    seen->hits[step->hit]++;
    seen->sms |= 1u << step->sm;
    return seen->steps == seen->stop_at ? STATUS_IO : STATUS_OK;
}

static struct machine small_machine(int organization)
{
    struct machine machine;
    machine_defaults(&machine);
    machine.gpu.sms = 3;
    machine.tlb.entries = machine.tlb.ways = 4;
    machine.pwc.organization = organization;
    machine.pwc.entries = 4;
    return machine;
}

static void steps_add_up_to_the_run(void **state)
{
    (void)state;
    for (int organization = 0; organization < PWC_COUNT; organization++) {
        struct machine machine = small_machine(organization);
        struct list_source *source = list_source_random(5, 3, 40, 40, 1 << 20);
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        struct metrics metrics;
        struct seen seen = {0};
        bool whole;
        assert_int_equal(evaluate(&machine, &source->base, NULL, &metrics, &diagnostics),
                         STATUS_OK);
        assert_int_equal(walk_steps(&machine, &source->base, UINT64_MAX, look, &seen, NULL, &whole,
                                    &diagnostics),
                         STATUS_OK);
        assert_true(whole);
        assert_true(seen.steps > 1000);
        assert_int_equal(seen.sms, 7);
        assert_true(metrics.tlb_misses == (double)seen.steps);
        assert_true(metrics.walk_memory_accesses == (double)seen.accesses);
        if (organization != PWC_NONE) {
            assert_true(metrics.pwc_cycles == (double)seen.cycles);
            assert_true(metrics.pwc_l2_hit_rate == (double)seen.hits[3] / (double)seen.steps);
        }
        trace_source_free(&source->base);
    }
}

static void a_limit_ends_it(void **state)
{
    (void)state;
    struct machine machine = small_machine(PWC_CPWC);
    struct list_source *source = list_source_random(5, 3, 9, 20, 1 << 20);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct seen seen = {0};
    bool whole;
    assert_int_equal(
        walk_steps(&machine, &source->base, 7, look, &seen, NULL, &whole, &diagnostics), STATUS_OK);
    assert_int_equal(seen.steps, 7);
    assert_false(whole);
    seen = (struct seen){.stop_at = 3};
    assert_int_equal(
        walk_steps(&machine, &source->base, 7, look, &seen, NULL, &whole, &diagnostics), STATUS_IO);
    assert_int_equal(seen.steps, 3);
    const atomic_bool cancel = true;
    seen = (struct seen){0};
    assert_int_equal(
        walk_steps(&machine, &source->base, UINT64_MAX, look, &seen, &cancel, &whole, &diagnostics),
        STATUS_CANCELLED);
    trace_source_free(&source->base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_add_up_to_the_run),
        cmocka_unit_test(a_limit_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
