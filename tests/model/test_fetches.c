/* Fetches of instructions at the functional depth: they change nothing else, the L1I counts what a
 * slow cache counts that is fed by hand, and a fetch from the line of the one before it reads no
 * tags. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/evaluate.h"
#include "schema/parameters.h"
#include "workload/simt/source.h"
#include "workload/workload.h"

enum { WAYS_MAX = 8, SETS_MAX = 8 };

/* An LRU cache as a list: the line used last comes first. */
struct slow_l1i {
    uint64_t lines[SETS_MAX][WAYS_MAX], held[SETS_MAX];
    uint64_t accesses, misses, tag_reads, last; /* last: line of the fetch before, plus one */
};

static void slow_fetch(struct slow_l1i *slow, const struct machine *machine, uint32_t pc)
{
    const uint64_t ways = machine->l1i.ways, line = pc / machine->l1i.line;
    const uint64_t sets = machine->l1i.size / machine->l1i.line / ways, set = line % sets;
    slow->accesses++;
    slow->tag_reads += !machine->l1i.same_line || slow->last != line + 1;
    slow->last = line + 1;
    uint64_t at = 0;
    while (at < slow->held[set] && slow->lines[set][at] != line)
        at++;
    if (at == slow->held[set]) {
        slow->misses++;
        slow->held[set] += slow->held[set] < ways;
        at = slow->held[set] - 1;
    }
    memmove(&slow->lines[set][1], &slow->lines[set][0], at * sizeof line);
    slow->lines[set][0] = line;
}

static void base_machine(struct machine *machine)
{
    machine_defaults(machine);
    machine->tlb.enabled = 0;
    machine->l2.enabled = 0;
    machine->gpu.sms = 1;
}

static void evaluate_one(const struct machine *machine, const struct trace_source *source,
                         struct metrics *metrics)
{
    const struct evaluate_options options = {0};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    if (evaluate(machine, source, &options, metrics, &diagnostics)) {
        diagnostics_print(&diagnostics, stderr);
        fail_msg("the evaluation failed");
    }
    diagnostics_free(&diagnostics);
}

/* Programs without barriers: the processor's order of warps is the round robin of the depth. */
static void test_slow_twin(void **state)
{
    (void)state;
    static const char *const programs[] = {"traces/simt/line.s", "traces/simt/loop.s"};
    for (uint64_t round = 0; round < 24; round++) {
        const char *path = programs[round % 2];
        struct machine machine;
        struct simt_program program;
        struct trace_source *source;
        struct metrics metrics;
        base_machine(&machine);
        machine.l1i.fetches = 1;
        machine.l1i.same_line = random_at(round, 0) & 1;
        machine.l1i.line = UINT64_C(16) << random_below(random_at(round, 1), 3);
        machine.l1i.ways = 1 + random_below(random_at(round, 2), 4);
        machine.l1i.size = machine.l1i.line * machine.l1i.ways
                           << random_below(random_at(round, 3), 4);
        const char *arguments = round % 3 ? "warps=5,N=30" : "warps=8,N=9";
        assert_int_equal(simt_open(path, arguments, &program, NULL), STATUS_OK);
        assert_int_equal(simt_source_open(path, "name", arguments, &source, NULL), STATUS_OK);
        struct slow_l1i slow = {0};
        struct simt_block *block;
        struct simt_step step;
        assert_int_equal(simt_block_start(&block, &program, 0, NULL), STATUS_OK);
        while (simt_block_step(block, &step) == SIMT_RAN)
            slow_fetch(&slow, &machine, step.pc);
        simt_block_free(block);
        evaluate_one(&machine, source, &metrics);
        assert_int_equal(metrics.l1i_accesses, slow.accesses);
        assert_int_equal(metrics.l1i_misses, slow.misses);
        assert_int_equal(metrics.l1i_tag_reads, slow.tag_reads);
        trace_source_free(source);
        simt_program_free(&program);
    }
}

/* Whatever is fetched, all other metrics stay as they are, for programs of both kinds. */
static void test_nothing_else(void **state)
{
    (void)state;
    static const char *const names[] = {"simt-sort:n=64", "simt-maximum:n=100,blocks=4",
                                        "GEMM:n=32", "BFS:nodes=700,block_x=100"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct trace_source *source;
        struct machine machine;
        struct metrics without, with;
        assert_int_equal(workload_open(names[i], &source, NULL), STATUS_OK);
        machine_defaults(&machine);
        evaluate_one(&machine, source, &without);
        machine.l1i.fetches = 1;
        evaluate_one(&machine, source, &with);
        for (size_t m = 0; m < METRIC_COUNT; m++) {
            const struct metric *metric = &metric_table[m];
            const double a = metric_get(metric, &without), b = metric_get(metric, &with);
            if (metric->stage == STAGE_L1I)
                assert_true(a != a && (b == b) == metric_answered(metric, DEPTH_FUNCTIONAL));
            else if (memcmp(&a, &b, sizeof a) != 0 && !(a != a && b != b))
                fail_msg("%s: %s is %g, with fetches %g", names[i], metric->path, a, b);
        }
        assert_int_equal(with.l1i_accesses, with.stream_warp_instructions);
        trace_source_free(source);
    }
}

/* Records that are fetches themselves go to the L1I, and nowhere else. */
static void test_records(void **state)
{
    (void)state;
    char path[] = "/tmp/warpscape_fetches_XXXXXX.din";
    const int fd = mkstemps(path, 4);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
    assert_non_null(out);
    fputs("2 1000\n0 8000\n2 1004\n2 2000\n1 8004\n2 1000\n", out);
    fclose(out);
    struct trace_source *source;
    struct machine machine;
    struct metrics metrics;
    base_machine(&machine);
    machine.l1i.fetches = 1;
    assert_int_equal(workload_open(path, &source, NULL), STATUS_OK);
    evaluate_one(&machine, source, &metrics);
    assert_int_equal(metrics.l1i_accesses, 4);
    assert_int_equal(metrics.l1i_misses, 2);
    assert_int_equal(metrics.l1d_accesses, 2);
    trace_source_free(source);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slow_twin),
        cmocka_unit_test(test_nothing_else),
        cmocka_unit_test(test_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
