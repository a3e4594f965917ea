/* Kernels with shared memory, barriers or control flow that depends on data: C code that runs one
 * stage of a warp at a time.
 *
 * A stage is a piece of straight code with at most STAGE_RECORDS memory instructions; between two
 * stages a warp is the number of the next stage and its registers, so a window may end anywhere:
 * what does not fit waits in the warp. A barrier ends a stage. It matters only on a device, where
 * every warp of the block comes to it before any goes on; a walk without a device knows the values
 * that control depends on without asking another warp.
 *
 * A load leaves `values` as it is without a device, and fills it with what lies in memory with
 * one: a kernel whose control or addresses depend on a loaded value puts the known value there
 * first. The tests hold the two equal. */
#pragma once

#include "workload/cuda/program.h"

enum { STAGED_KERNELS_MAX = 4, STAGE_RECORDS = 32 };

enum stage_end { STAGE_NEXT, STAGE_BARRIER, STAGE_DONE };

struct stage;

struct staged_kernel {
    const char *name;
    uint32_t registers, shared_bytes; /* a thread; a block */
    size_t state_bytes;               /* of a warp: what stage->state points to, zeroed at first */
    uint32_t prologue;                /* instructions before the first stage */
    enum stage_end (*run)(struct stage *stage);
};

struct staged_launch {
    uint32_t kernel;   /* index in kernels */
    uint32_t argument; /* the kernel's own */
};

struct staged_program {
    struct program program; /* first */
    const struct staged_kernel *kernels[STAGED_KERNELS_MAX];
    uint32_t kernel_count;
    struct staged_launch *launches; /* as many as program.source.launch_count */
    size_t capacity;
    /* Puts the inputs of the host into device memory; NULL where they are the caller's. */
    void (*upload)(const struct staged_program *program, struct device *device);
    /* Copies of the host between launches, before the launch given; or NULL. */
    void (*prepare)(const struct staged_program *program, uint32_t launch, struct device *device);
    void (*release)(struct staged_program *program); /* what the program owns besides; or NULL */
};

/* One warp, and what waits for room in a window. */
struct staged_warp {
    struct warp warp; /* first */
    uint32_t lanes;   /* that are threads of the block */
    uint32_t stage;   /* the next one */
    uint32_t block[3], first_thread;
    bool finished;    /* all stages have run; records may still wait */
    uint32_t drained; /* records of `waiting` that have left */
    struct access_window waiting;
    struct warp_access items[STAGE_RECORDS];
    uint64_t addresses[STAGE_RECORDS * WARP_SIZE];
    _Alignas(max_align_t) unsigned char state[];
};

/* What a stage sees. */
struct stage {
    const struct staged_program *program;
    uint32_t launch, argument, number; /* number: of this stage, from 0 */
    uint32_t lanes;                    /* threads of the block; a kernel adds its own masks */
    const uint32_t *block;             /* x, y, z */
    uint32_t first_thread, threads;    /* lane 0 in its block; of a block */
    void *state;
    struct device *device; /* may be NULL */
    struct staged_warp *warp;
    struct access_window *window;
};

/* A program of `bytes` with a staged_program at its start, zeroed but for that; NULL without
 * memory. */
void *staged_create(size_t bytes, const struct workload *workload, const uint64_t *values);

/* A launch of grid_x x grid_y blocks. */
void staged_launch(struct staged_program *program, const struct staged_kernel *kernel,
                   uint64_t grid_x, uint64_t grid_y, uint64_t block_x, uint64_t block_y,
                   uint32_t argument);

enum status staged_finish(struct staged_program *program, struct trace_source **source,
                          struct diagnostics *diagnostics);

/* The inputs into device memory, as the host copies them. */
void staged_upload(const struct trace_source *source, struct device *device);

/* Instructions that are no records. */
void stage_work(struct stage *stage, uint32_t instructions);

/* One memory instruction of the lanes of `mask` (none: nothing happens). `site` numbers the
 * instruction in its kernel and gives its pc. `addresses` and `values` have an entry a lane, values
 * of `bytes` each. */
struct site {
    uint8_t number, space, bytes;
};
void stage_load(struct stage *stage, struct site site, uint32_t mask,
                const uint64_t addresses[WARP_SIZE], void *values);
void stage_store(struct stage *stage, struct site site, uint32_t mask,
                 const uint64_t addresses[WARP_SIZE], const void *values);

/* The same where lane k is at base + stride * k, active or not: no addresses are listed, which is
 * several times as fast. */
void stage_load_row(struct stage *stage, struct site site, uint32_t mask, uint64_t base,
                    int32_t stride, void *values);
void stage_store_row(struct stage *stage, struct site site, uint32_t mask, uint64_t base,
                     int32_t stride, const void *values);

/* An atomic on unsigned words of which nobody takes the old value, lane after lane. */
enum atomic_operation { ATOMIC_ADD, ATOMIC_MIN, ATOMIC_MAX };
void stage_atomic(struct stage *stage, struct site site, enum atomic_operation operation,
                  uint32_t mask, const uint64_t addresses[WARP_SIZE],
                  const uint32_t operands[WARP_SIZE]);

/* A memory instruction whose values stay in the kernel's own state: of a space that is no device
 * memory, as local and constant memory are. */
void stage_touch(struct stage *stage, struct site site, enum memory_op op, uint32_t mask,
                 const uint64_t addresses[WARP_SIZE]);

/* A 4-byte word of global memory. */
static inline struct site word_site(uint8_t number)
{
    return (struct site){number, SPACE_GLOBAL, 4};
}

/* The linear number of lane 0's thread in a grid of one dimension. */
static inline uint64_t stage_thread(const struct stage *stage)
{
    return (uint64_t)stage->block[0] * stage->threads + stage->first_thread;
}

static inline uint64_t array_base(const struct stage *stage, uint32_t array)
{
    return stage->program->program.arrays[array].base;
}

/* The lanes k for which first + k < end. */
static inline uint32_t lanes_below(uint64_t first, uint64_t end)
{
    return first >= end               ? 0
           : end - first >= WARP_SIZE ? UINT32_MAX
                                      : (UINT32_C(1) << (end - first)) - 1;
}

/* The lanes k for which from <= first + k < to. */
static inline uint32_t lanes_between(int64_t first, int64_t from, int64_t to)
{
    uint32_t below_to = first < to ? lanes_below(0, (uint64_t)(to - first)) : 0;
    uint32_t below_from = first < from ? lanes_below(0, (uint64_t)(from - first)) : 0;
    return below_to & ~below_from;
}
