/* ATOMICS: every thread adds `each` times to one of `words` counters, thread t to number t % words.
 *
 * Nobody reads what the counters held. Where all add the same integer to one word, nvcc makes one
 * lane of a warp add it for all: it counts the active lanes once and unrolls the loop (sm_75 to
 * sm_90). Floating-point numbers (`float`), and several words, have an atomic a lane; those of a
 * warp on one word are separate requests. Values are unsigned words here, so that the order of the
 * additions does not matter. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { N, EACH, WORDS, FLOAT, BLOCK_X };
enum { ARRAY_COUNTERS };
enum { SITE_INTEGER, SITE_FLOAT };

static const struct workload_parameter parameters_atomics[] = {
    {"n", 262144, 1, UINT64_C(1) << 32, "threads"},
    {"each", 50, 1, 65536, "atomics of a thread"},
    {"words", 1, 1, 1 << 28, "counters that the threads share"},
    {"float", 0, 0, 1, "1 adds floating-point numbers"},
    BLOCK_1D_PARAMETER,
    PROGRAM_DEVICE_PARAMETERS,
};

struct atomics {
    struct staged_program staged; /* first */
    uint64_t n, each, words;
    bool floating, together; /* one lane adds for all of its warp */
};

static enum stage_end run_atomics(struct stage *stage)
{
    const struct atomics *atomics = (const struct atomics *)stage->program;
    const uint64_t first = stage_thread(stage);
    const uint32_t active = lanes_below(first, atomics->n) & stage->lanes;
    const uint32_t lanes = (uint32_t)__builtin_popcount(active);
    uint64_t addresses[WARP_SIZE];
    uint32_t operands[WARP_SIZE];
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        addresses[lane] = array_base(stage, ARRAY_COUNTERS) + 4 * ((first + lane) % atomics->words);
        operands[lane] = atomics->together ? lanes : 1;
    }
    if (stage->number == 0 && atomics->together)
        stage_work(stage, 4); /* a vote, the first active lane, their number, a comparison */
    stage_atomic(stage, word_site(atomics->floating ? SITE_FLOAT : SITE_INTEGER), ATOMIC_ADD,
                 atomics->together ? active & -active : active, addresses, operands);
    return stage->number + 1 < atomics->each ? STAGE_NEXT : STAGE_DONE;
}

static const struct staged_kernel kernel = {
    .name = "atomics_kernel",
    .code = {.sites = "A F", .prologue = 6},
    .run = run_atomics,
};

static enum status open_atomics(const uint64_t *values, struct trace_source **source,
                                struct diagnostics *diagnostics)
{
    struct atomics *atomics = staged_create(sizeof *atomics, &workload_atomics, values);
    if (!atomics)
        return STATUS_MEMORY;
    const uint64_t block_x = values[BLOCK_X];
    atomics->n = values[N];
    atomics->each = values[EACH];
    atomics->words = values[WORDS];
    atomics->floating = values[FLOAT];
    atomics->together = atomics->words == 1 && !atomics->floating;
    program_array(&atomics->staged.program, "counters", 4 * atomics->words);
    staged_launch(&atomics->staged, &kernel, (atomics->n + block_x - 1) / block_x, 1, block_x, 1,
                  0);
    return staged_finish(&atomics->staged, source, diagnostics);
}

CUDA_PROGRAM(atomics, "ATOMICS", PROFILED_SUITE,
             .help = "atomic additions to one word or to several");
