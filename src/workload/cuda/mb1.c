/* MB1: the first micro-benchmark of Nugteren et al., HPCA 2014. One thread makes the order of the
 * loads that of the program. It reads `lines` places that are a stride apart, optionally one of
 * them once more, optionally one other place, and then all of them again. With nothing in between
 * it is the stride experiment: two equal loops. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/kernel.h"

enum { LINES, STRIDE, AGAIN, EXTRA };

static const struct workload_parameter parameters_mb1[] = {
    {"lines", 128, 1, 1 << 24, "places that both loops read"},
    {"stride", 128, 4, 1 << 30, "bytes from one to the next, a multiple of 4"},
    {"again", 0, 0, 1 << 24, "place read once more between the loops, counted from 1; 0: none"},
    {"extra", 0, 0, UINT64_C(1) << 46,
     "bytes from the first place to another one read between the loops; 0: none"},
    PROGRAM_DEVICE_PARAMETERS,
};

static enum status open_mb1(const uint64_t *values, struct trace_source **source,
                            struct diagnostics *diagnostics)
{
    uint64_t lines = values[LINES], stride = values[STRIDE], extra = values[EXTRA];
    if (stride % 4 || extra % 4 || values[AGAIN] > lines || lines * stride > UINT64_C(1) << 46)
        return diagnostics_error(
            diagnostics, STATUS_INVALID,
            "MB1: stride and extra must be multiples of 4, again at most lines, "
            "and lines x stride at most 64 TiB");
    struct affine_program *program = affine_create(&workload_mb1, values);
    if (!program)
        return STATUS_MEMORY;
    uint64_t most = (lines - 1) * stride > extra ? (lines - 1) * stride : extra;
    uint32_t mem = program_array(&program->program, "mem", most + 4);
    struct kernel *kernel = affine_kernel(program, "mb1", 6);
    for (unsigned loop = 0; loop < 2; loop++) {
        kernel_loop(kernel, (int64_t)lines, 0);
        kernel_load(kernel, 0, (struct element){.array = mem, .i = (int64_t)stride / 4});
        kernel_end(kernel, 3);
        if (loop == 0 && values[AGAIN])
            kernel_load(
                kernel, 0,
                (struct element){.array = mem, .at = (int64_t)((values[AGAIN] - 1) * stride / 4)});
        if (loop == 0 && extra)
            kernel_load(kernel, 0, (struct element){.array = mem, .at = (int64_t)extra / 4});
    }
    kernel_finish(kernel);
    affine_launch(program, kernel, 1, 1, 1, 1, 0, (struct guard){0, 1, 0, 1});
    return affine_finish(program, source, diagnostics);
}

CUDA_PROGRAM(mb1, "MB1", MICRO_SUITE,
             .help = "reads a set of lines, one more, and the set again: what was replaced?",
             .sizes = 1u << 1 | 1u << 3);
