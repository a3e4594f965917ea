/* CHASE: a pointer chase, the micro-benchmark that measures latencies. One thread follows `steps`
 * words that each name the next one around `bytes` of memory. Each load waits for the one before
 * it, and one multiply-add makes its address. The words are `stride` bytes apart; the next one is
 * the neighbour, or (`order` 1) lies about 0.618 of the ring further on, so that no row of the DRAM
 * and no line is met again soon, as in the random chases of public benchmarks. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { BYTES, STRIDE, STEPS, ORDER };
enum { ARRAY_RING, ARRAY_LAST };
enum { SITE_NEXT, SITE_LAST };

static const struct workload_parameter parameters_chase[] = {
    {"bytes", 65536, 4, UINT64_C(1) << 32, "of the ring"},
    {"stride", 128, 4, 1 << 30, "bytes from one word to the next, a multiple of 4"},
    {"steps", 4096, 1, 1 << 28, "loads"},
    {"order", 0, 0, 1, "of the words: 0 neighbours, 1 far apart"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct chase {
    struct staged_program staged;  /* first */
    uint64_t words, stride, steps; /* of the ring; in words */
    uint64_t around;               /* words that are chased */
    uint64_t leap;                 /* of them, to the next; has no factor in common with around */
};

/* The last word leads back to the first. */
static uint64_t place_of(const struct chase *chase, uint64_t step)
{
    return step % chase->around * chase->leap % chase->around * chase->stride;
}

static uint64_t common_factor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The golden section spreads the words that were visited most evenly. */
static uint64_t far_leap(uint64_t around)
{
    uint64_t leap = (uint64_t)(0.6180339887 * (double)around);
    while (leap > 1 && common_factor(around, leap) > 1)
        leap--;
    return leap ? leap : 1;
}

static void chase_upload(const struct staged_program *program, struct device *device)
{
    const struct chase *chase = (const struct chase *)program;
    uint32_t *ring = device_at(device, program->program.arrays[ARRAY_RING].base, 4 * chase->words);
    for (uint64_t i = 0; ring && i < chase->around; i++)
        ring[place_of(chase, i)] = (uint32_t)place_of(chase, i + 1);
}

static enum stage_end run_chase(struct stage *stage)
{
    const struct chase *chase = (const struct chase *)stage->program;
    uint64_t address = array_base(stage, ARRAY_RING) + 4 * place_of(chase, stage->number);
    uint32_t next[WARP_SIZE] = {(uint32_t)place_of(chase, stage->number + 1)};
    stage_work(stage, 1);
    stage_load_row(stage, word_site(SITE_NEXT), 1, address, 0, next);
    if (stage->number + 1 < chase->steps)
        return STAGE_NEXT;
    stage_work(stage, 1);
    stage_store_row(stage, word_site(SITE_LAST), 1, array_base(stage, ARRAY_LAST), 0, next);
    return STAGE_DONE;
}

static const struct staged_kernel kernel = {
    .name = "chase_kernel",
    .code = {.sites = "L S", .prologue = 6, .chains = 1},
    .run = run_chase,
};

static enum status open_chase(const uint64_t *values, struct trace_source **source,
                              struct diagnostics *diagnostics)
{
    if (values[BYTES] % 4 || values[STRIDE] % 4)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "CHASE: bytes and stride must be multiples of 4");
    struct chase *chase = staged_create(sizeof *chase, &workload_chase, values);
    if (!chase)
        return STATUS_MEMORY;
    chase->words = values[BYTES] / 4;
    chase->stride = values[STRIDE] / 4;
    chase->steps = values[STEPS];
    chase->around = (chase->words + chase->stride - 1) / chase->stride;
    chase->leap = values[ORDER] ? far_leap(chase->around) : 1;
    chase->staged.upload = chase_upload;
    program_array(&chase->staged.program, "ring", values[BYTES]);
    program_array(&chase->staged.program, "last", 4);
    staged_launch(&chase->staged, &kernel, 1, 1, 1, 1, 0);
    return staged_finish(&chase->staged, source, diagnostics);
}

CUDA_PROGRAM(
    chase, "CHASE", PROFILED_SUITE,
    .help = "a pointer chase of one thread around a ring: what latency has which working set?",
    .sizes = 1u << 0 | 1u << 1);
