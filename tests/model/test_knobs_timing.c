/* No knob does nothing at depth timing: what the parameter table says that it reads changes an
 * answer, on some machine and workload of many. (Other depths: test_knobs.c.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "config/machine_file.h"
#include "model/evaluate.h"
#include "schema/parameters.h"
#include "support/roll_machine.h"
#include "support/same_metrics.h"
#include "support/timed_source.h"

/* Knobs that these random machines and programs seldom or never move, and why. */
static const struct {
    const char *path, *why;
} rare[] = {
    {"gpu.shared_memory", "random programs take little shared memory"},
    {"l1d.texture", "random programs have no textures"},
    {"l1d.dirty", "only local memory leaves dirty lines in an L1D"},
    {"l1d.bypass.", "a policy must have learned; test_bypass.c moves each of them"},
    {"scheduler.throttle", "warps must lose lines or crowd the network; test_bypass.c moves it"},
    {"l1i.", "random programs fit most instruction caches"},
    {"l2.interleave", "random programs touch few lines"},
    {"l2.partition", "likewise"},
    {"l2.evict_port", "random programs evict few dirty lines of an L2; test_timing_effects does"},
    {"l2.atomic_float", "random programs have no atomics on floats"},
    {"core.sfu_ports", "random programs have few special functions at once"},
    {"dram.write_", "random programs write back little"},
    {"pipe.branch.", "most random machines have no pipe for branches"},
    {"pipe.dp.interval", "random programs have few doubles in a row"},
    {"walker.patience", "walks must be overtaken by two million others"},
    {"seed", "few policies draw random numbers"},
    {"pwc.invalidate", "few levels of random programs' pages are replaced"},
};

static const char *const names[] = {"gtx480-accelsim", "qv100-accelsim", "rtx3070-accelsim",
                                    "gtx480"};
enum { MACHINES = sizeof names / sizeof *names, SOURCES = 2, TRIES = 400, SOME = 60, ENOUGH = 80 };

struct subjects {
    struct machine machines[MACHINES];
    struct timed_source *sources[SOURCES];
};

static bool is_rare(const char *path)
{
    for (size_t i = 0; i < sizeof rare / sizeof *rare; i++)
        if (!strncmp(path, rare[i].path, strlen(rare[i].path)))
            return true;
    return false;
}

/* Turns one knob of a machine that is the more random the more tries there were. *made: it could be
 * turned and both machines answered. */
static bool changes(const struct subjects *subjects, const struct parameter *parameter,
                    unsigned try, bool *made)
{
    const struct trace_source *source = &subjects->sources[try % SOURCES]->base;
    const struct evaluate_options options = {.depth = DEPTH_TIMING};
    struct dice dice = {.seed = random_at(try, (uint64_t)(parameter - parameters))};
    struct machine machine = subjects->machines[try % MACHINES], other;
    struct metrics before, after;
    *made = false;
    if (try >= 2 * MACHINES)
        roll_machine(&dice, &machine, try % 2 ? 6 : 15, try % 3 == 0);
    machine.gpu.sms = 2;
    machine.gpu.cluster = machine.gpu.cluster % 2 ? 1 : 2;
    other = machine;
    roll_parameter(&dice, parameter, &other, try % 2);
    if (!parameter_relevant(parameter, &machine) || !memcmp(&machine, &other, sizeof machine) ||
        !machine_fits(&machine, source) || !machine_fits(&other, source) ||
        evaluate(&machine, source, &options, &before, NULL) ||
        evaluate(&other, source, &options, &after, NULL))
        return false;
    *made = true;
    return metrics_differ(&before, &after, ~0u);
}

static void open_subjects(struct subjects *subjects)
{
    for (size_t i = 0; i < MACHINES; i++)
        assert_int_equal(machine_load(names[i], NULL, &subjects->machines[i], NULL, NULL),
                         STATUS_OK);
    for (size_t i = 0; i < SOURCES; i++) {
        const struct timed_shape shape = {.launches = 2,
                                          .blocks = i ? 4 : 12,
                                          .warps = 4,
                                          .instructions = i ? 300 : 60,
                                          .lines = i ? 3000 : 200,
                                          .content = TIMED_ALL};
        subjects->sources[i] = timed_source_random(7 + i, &shape);
    }
}

static void test_every_knob_does_something(void **state)
{
    (void)state;
    struct subjects subjects;
    open_subjects(&subjects);
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        bool changed = false, made;
        unsigned turns = 0;
        if (!(parameter->stages & depth_reads(DEPTH_TIMING)) ||
            !parameter_answers(parameter, DEPTH_TIMING) || is_rare(parameter->path))
            continue;
        for (unsigned try = 0; try < TRIES && !changed && (turns || try < SOME); try++) {
            changed = changes(&subjects, parameter, try, &made);
            turns += made;
        }
        /* A knob that single legal changes seldom turn says nothing here. */
        if (turns >= ENOUGH && !changed)
            fail_msg("%s changed nothing in %u tries", parameter->path, turns);
    }
    for (size_t i = 0; i < SOURCES; i++)
        trace_source_free(&subjects.sources[i]->base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_knob_does_something)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
