/* Lets a pointer chase measure one of our machines: CHASE at depth timing. What comes before the
 * steady state (the launch, the first round) is the same in two runs of different length, so their
 * difference is the time of the loads between. */
#include <inttypes.h>
#include <math.h>

#include "explore/papers/paper_study.h"
#include "explore/papers/pointer_chase.h"

enum { LOADS_LEAST = 64, RING_LEAST = 512 };
static const uint64_t CHASE_MOST = (uint64_t)1 << 32; /* bytes of CHASE */

struct chase_bench {
    const struct machine *machine;
    const struct evaluate_options *options;
    struct diagnostics *diagnostics;
};

static enum status run_steps(const struct chase_bench *bench, uint64_t bytes, uint64_t stride,
                             uint64_t steps, double *cycles)
{
    struct metrics metrics;
    const enum status status = paper_time(
        bench->machine, bench->options, &metrics, bench->diagnostics,
        "CHASE:bytes=%" PRIu64 ",stride=%" PRIu64 ",steps=%" PRIu64, bytes, stride, steps);
    *cycles = status ? NAN : metrics.core_cycles;
    return status;
}

static enum status chase_time_ring(void *context, uint64_t bytes, uint64_t stride, double *cycles)
{
    const struct chase_bench *bench = context;
    const uint64_t round = (bytes + stride - 1) / stride;
    const uint64_t loads = round < LOADS_LEAST ? LOADS_LEAST / round * round : round;
    double once, more;
    enum status status = run_steps(bench, bytes, stride, round, &once);
    if (!status)
        status = run_steps(bench, bytes, stride, round + loads, &more);
    if (!status)
        *cycles = (more - once) / (double)loads;
    return status;
}

enum status pointer_chase_machine(const struct machine *machine,
                                  const struct evaluate_options *options,
                                  struct pointer_chase *chase, struct diagnostics *diagnostics)
{
    struct chase_bench bench = {machine, options, diagnostics};
    const uint64_t last = machine->l2.enabled ? machine->l2.size : machine->l1d.size;
    struct pointer_chase_lab lab = {.time_ring = chase_time_ring,
                                    .context = &bench,
                                    .least = RING_LEAST,
                                    .most = RING_LEAST,
                                    .memory =
                                        CHASE_MOST, /* no TLB ends the search for one sooner */
                                    .noise = 0.002};
    while (lab.most < 4 * last)
        lab.most *= 2;
    return pointer_chase_run(&lab, chase);
}
