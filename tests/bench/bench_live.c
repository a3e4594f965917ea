/* Milliseconds from a turned knob to the exact counts and to the classes of misses, by what the
 * knob changes; then those of machines that open at depth timing, or have no L1D.
 *
 *     bench_live [WORKLOAD...]     (default: 2DCONV GEMM:n=512, and the other machines)
 */
#include <poll.h>
#include <stdio.h>
#include <time.h>

#include "config/machine_file.h"
#include "explore/live/engine.h"
#include "schema/parameters.h"

static struct engine_snapshot snapshot; /* large: not on the stack */

/* Of the whole process. */
static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void evaluate_machine(struct engine *engine, const struct machine *machine)
{
    uint64_t request = engine_evaluate(engine, machine);
    for (;;) {
        engine_snapshot(engine, &snapshot);
        const struct engine_evaluation *evaluation = &snapshot.evaluation;
        if (evaluation->request == request && evaluation->state >= ENGINE_DONE)
            return;
        struct pollfd fd = {.fd = engine_fd(engine), .events = POLLIN};
        poll(&fd, 1, 1000);
    }
}

static void measure(struct engine *engine, const char *workload, const char *what,
                    const struct machine *machine)
{
    double before = processor_seconds();
    evaluate_machine(engine, machine);
    double work = processor_seconds() - before;
    const struct engine_evaluation *evaluation = &snapshot.evaluation;
    if (evaluation->state != ENGINE_DONE)
        printf("%-12s %-18s %s\n", workload, what, evaluation->message);
    else
        printf("%-12s %-18s counts %8.1f ms   classes %8.1f ms   processor %8.1f ms\n", workload,
               what, 1e3 * evaluation->counted, 1e3 * evaluation->seconds, 1e3 * work);
    fflush(stdout);
}

struct change {
    const char *path, *value;
};

struct step {
    const char *what;
    struct change changes[3]; /* none: back to the start */
};

static const struct step steps[] = {
    {"L1D ways", {{"l1d.size", "32KiB"}, {"l1d.ways", "8"}}},
    {"L1D sets", {{"l1d.size", "32KiB"}}},
    {"L1D ways, sets", {{"l1d.ways", "8"}}},
    {"L1D line", {{"l1d.line", "64B"}, {"l1d.sector", "64B"}}},
    {"L1D index", {{"l1d.index", "xor"}}},
    {"L1D 64 ways", {{"l1d.size", "64KiB"}, {"l1d.ways", "64"}}},
    {"L1D sectors", {{"l1d.sector", "32B"}}},
    {"L1D write-back", {{"l1d.write", "write_back"}}},
    {"L1D fifo", {{"l1d.replacement", "fifo"}}},
    {"L1D plru", {{"l1d.replacement", "plru"}}},
    {"L1D random", {{"l1d.replacement", "random"}}},
    {"L2 ways", {{"l2.size", "1536KiB"}, {"l2.ways", "16"}}},
    {"L2 sets", {{"l2.size", "1536KiB"}}},
    {"L2 line", {{"l2.line", "64B"}}},
    {"L2 index", {{"l2.index", "xor"}}},
    {"L2 fifo", {{"l2.replacement", "fifo"}}},
    {"TLB entries", {{"tlb.entries", "128"}, {"tlb.ways", "128"}}},
    {"page size", {{"page.size", "64KiB"}}},
    {"page-walk cache", {{"pwc.entries", "48"}}},
    {"L1D back", {{"l1d.size", "32KiB"}, {"l1d.ways", "8"}}},
    {"technology", {{"tech.node", "80nm"}}},
    {"SMs", {{"gpu.sms", "30"}}},
};

/* A machine of another kind with its workload, and a knob. */
static const struct {
    const char *machine, *workload;
    enum depth depth;
    struct step step;
} others[] = {
    {"gtx480",
     "GEMM:n=64",
     DEPTH_TIMING,
     {"timing: L1D ways", {{"l1d.size", "32KiB"}, {"l1d.ways", "8"}}}},
    {"bypass-gtx480",
     "2DCONV:ni=34,nj=1024,registers=20,ptx=1",
     DEPTH_TIMING,
     {"bypass: policy", {{"l1d.bypass.policy", "sampled"}}}},
    {"simt-processor",
     "simt-sort:blocks=4",
     DEPTH_TIMING,
     {"SIMT: L1D size", {{"l1d.size", "16KiB"}}}},
    {"tile-gpu",
     "raster-jellyfish",
     DEPTH_TIMING,
     {"tile: miss queue", {{"tile.queue.entries", "16"}}}},
};

static bool change(struct machine *machine, const struct step *step)
{
    for (size_t i = 0; i < 3 && step->changes[i].path; i++) {
        const struct parameter *parameter = parameter_find(step->changes[i].path);
        struct value value;
        if (!parameter || parameter_parse(parameter, step->changes[i].value, &value, NULL))
            return false;
        parameter_set(parameter, machine, value);
    }
    return true;
}

static int bench_others(void)
{
    int failed = 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct engine *engine;
        struct machine machine;
        if (machine_load(others[i].machine, NULL, &machine, NULL, NULL) ||
            engine_create(0, &engine))
            return 1;
        engine_set_workload(engine, others[i].workload);
        engine_set_depth(engine, others[i].depth);
        measure(engine, others[i].machine, "first", &machine);
        if (change(&machine, &others[i].step))
            measure(engine, others[i].machine, others[i].step.what, &machine);
        else
            failed = 1;
        engine_free(engine);
    }
    return failed;
}

static int bench(const char *workload)
{
    struct engine *engine;
    struct machine first;
    machine_defaults(&first);
    first.l1d.index = INDEX_MODULO; /* any number of sets */
    if (engine_create(0, &engine))
        return 1;
    engine_set_workload(engine, workload);
    measure(engine, workload, "first", &first);
    printf("%-12s %.0f requests, of which %.0f go to the L2, %.0f TLB misses\n", workload,
           snapshot.evaluation.metrics.stream_transactions, snapshot.evaluation.metrics.l2_accesses,
           snapshot.evaluation.metrics.tlb_misses);
    int failed = 0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct machine machine = first;
        if (change(&machine, &steps[i]))
            measure(engine, workload, steps[i].what, &machine);
        else
            failed = 1;
    }
    engine_free(engine);
    return failed;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++)
        failed |= bench(argv[i]);
    if (argc == 1)
        failed = bench("2DCONV") | bench("GEMM:n=512") | bench_others();
    return failed;
}
