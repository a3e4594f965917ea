/* Milliseconds from a turned knob to the exact value, by what the knob changes.
 *
 *     bench_live [WORKLOAD...]     (default: 2DCONV GEMM:n=256)
 */
#include <poll.h>
#include <stdio.h>

#include "explore/engine.h"
#include "schema/parameters.h"

static struct engine_snapshot snapshot; /* large: not on the stack */

static double evaluate_seconds(struct engine *engine, const struct machine *machine)
{
    uint64_t request = engine_evaluate(engine, machine);
    for (;;) {
        engine_snapshot(engine, &snapshot);
        const struct engine_evaluation *evaluation = &snapshot.evaluation;
        if (evaluation->request == request && evaluation->state >= ENGINE_DONE)
            return evaluation->seconds;
        struct pollfd fd = {.fd = engine_fd(engine), .events = POLLIN};
        poll(&fd, 1, 1000);
    }
}

static int bench(const char *workload)
{
    /* What is doubled; NULL: back to the start. */
    static const struct {
        const char *what, *path;
    } steps[] = {
        {"page-walk cache", "pwc.entries"}, {"L2 ways", "l2.ways"},   {"L2 size", "l2.size"},
        {"TLB entries", "tlb.entries"},     {"L1D ways", "l1d.ways"}, {"back", NULL},
        {"technology", "tech.node"},        {"SMs", "gpu.sms"},
    };
    struct engine *engine;
    struct machine first;
    machine_defaults(&first);
    first.l1d.index = INDEX_LINEAR;
    if (engine_create(0, &engine))
        return 1;
    engine_set_workload(engine, workload);
    printf("%-16s first           %8.1f ms\n", workload, 1e3 * evaluate_seconds(engine, &first));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct machine machine = first;
        if (steps[i].path) {
            const struct parameter *parameter = parameter_find(steps[i].path);
            struct value value = parameter_get(parameter, &machine);
            value.uint *= 2;
            value.real *= 2;
            parameter_set(parameter, &machine, value);
        }
        double seconds = evaluate_seconds(engine, &machine);
        bool legal = snapshot.evaluation.state == ENGINE_DONE;
        printf("%-16s %-15s %8.1f ms%s\n", workload, steps[i].what, 1e3 * seconds,
               legal ? "" : "  (not legal)");
    }
    engine_free(engine);
    return 0;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++)
        failed |= bench(argv[i]);
    if (argc == 1)
        failed = bench("2DCONV") | bench("GEMM:n=256");
    return failed;
}
