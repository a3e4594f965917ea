/* Which compiler the kernels of the programs follow, and the registers that it gives their threads:
 * one row a kernel, a column an architecture. A machine takes the column of its architecture
 * (launch_registers), and occupancy follows. */
#pragma once

#include "trace/stream.h"

enum compiled_by {
    COMPILED_NVCC_13,  /* nvcc 13.0 -O3, of the sources in tests/hardware/kernels; a test holds them
                        */
    COMPILED_RECORDED, /* nvcc 13.0 -O3 for sm_75, of sources that are not kept */
    COMPILED_PROFILED, /* as profiles of real GPUs print them; their compilers are not known */
    COMPILED_ESTIMATED /* from the source */
};

struct compiled_kernel {
    const char *program, *kernel;
    enum compiled_by by;
    struct launch_registers registers;
};

/* In the order of the programs; ends with a row without names. */
extern const struct compiled_kernel compiled_kernels[];

/* "nvcc 13.0", ... for tables. */
const char *compiled_by_name(enum compiled_by by);

/* The row of a program's kernel; every kernel has one. */
const struct compiled_kernel *compiled_find(const char *program, const char *kernel);
