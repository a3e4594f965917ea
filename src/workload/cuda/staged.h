/* Kernels with shared memory, barriers or data-dependent control flow, as C code that runs one
 * stage of a warp at a time.
 *
 * A stage is straight-line code with at most STAGE_RECORDS memory instructions. Between two stages,
 * the number of the next stage and the kernel's state are all there is to a warp. So a window may
 * end anywhere: records that do not fit wait in the warp. A barrier ends a stage. It matters only
 * on a device, where every warp of the block must reach it before any continues; a walk without a
 * device knows the values that control flow depends on and never needs another warp.
 *
 * Without a device a load leaves `values` alone; with one it fills them from memory. So a kernel
 * whose control flow or addresses depend on a loaded value puts the known value there first, and
 * the tests check that memory holds the same.
 *
 * The same stages name the instructions of a warp (site_code.h), in a walk of its own. Known from
 * the PTX are the memory instructions of global, local, constant and texture memory and the number
 * of instructions between them; how many of those are floating point or access shared memory
 * follows the source of each kernel (stage_mix), and is estimated where a count covers a function
 * of the mathematical library. What a kernel calls stage_work is integer arithmetic. Which
 * instruction waits for which follows the rules at the head of site_code.h. Work has the mask of
 * the last access of its stage; in front of the first, that of the warp. A stage that ends with
 * STAGE_BARRIER makes one of its counted instructions the barrier: the last one of the work at its
 * end, or, if it ends with an access, the first of the next work. */
#pragma once

#include "workload/cuda/program.h"
#include "workload/cuda/site_code.h"

enum { STAGED_KERNELS_MAX = 4, STAGE_RECORDS = 32 };

/* After STAGE_TURN the warps of a device wait for each other too, but the stage has said itself
 * where its barriers are, or has none. */
enum stage_end { STAGE_NEXT, STAGE_BARRIER, STAGE_TURN, STAGE_DONE };

struct stage;

struct staged_kernel {
    const char *name;
    uint32_t shared_bytes; /* per block */
    size_t state_bytes;    /* per warp: the size of what stage->state points to, zeroed at first */
    struct site_kernel code; /* its sites, and the instructions before the first stage */
    enum stage_end (*run)(struct stage *stage);
};

struct staged_launch {
    uint32_t kernel;   /* index in kernels */
    uint32_t argument; /* for the kernel's own use */
};

struct staged_program {
    struct program program; /* first */
    const struct staged_kernel *kernels[STAGED_KERNELS_MAX];
    struct site_code codes[STAGED_KERNELS_MAX];
    uint32_t kernel_count;
    struct staged_launch *launches; /* as many as program.source.launch_count */
    size_t capacity;
    /* Copies the host's inputs to device memory; NULL if the caller does that. */
    void (*upload)(const struct staged_program *program, struct device *device);
    /* The host's copies before the given launch; may be NULL. */
    void (*prepare)(const struct staged_program *program, uint32_t launch, struct device *device);
    void (*release)(struct staged_program *program); /* frees what the program owns besides this
                                                      * struct; may be NULL */
};

/* One warp, and the records or the instructions that wait for room in a window. */
struct staged_warp {
    struct warp warp; /* first */
    uint32_t lanes;   /* the lanes that hold threads of the block */
    uint32_t stage;   /* the number of the next stage */
    uint32_t block[3], first_thread;
    bool finished; /* all stages have run, but records may still wait */
    struct issuer issuer;
    uint32_t drained;             /* how many records of `waiting` have left */
    struct access_window waiting; /* its arrays follow the state */
    _Alignas(max_align_t) unsigned char state[];
};

/* The view of a warp that a stage gets. */
struct stage {
    const struct staged_program *program;
    uint32_t launch, argument, number; /* number: of this stage, from 0 */
    uint32_t lanes;                    /* the lanes that hold threads of the block; a kernel adds
                                        * its own masks */
    const uint32_t *block;             /* x, y, z */
    uint32_t first_thread, threads;    /* the thread of lane 0 within its block; the threads of a
                                        * block */
    void *state;
    struct device *device; /* may be NULL */
    struct staged_warp *warp;
    struct access_window *window; /* NULL if the walk names instructions */
    uint32_t mask;                /* of work */
};

/* Allocates a program of `bytes` that begins with a staged_program; the rest is zeroed. NULL if
 * there is no memory. */
void *staged_create(size_t bytes, const struct workload *workload, const uint64_t *values);

/* Adds a launch of grid_x x grid_y blocks. */
void staged_launch(struct staged_program *program, const struct staged_kernel *kernel,
                   uint64_t grid_x, uint64_t grid_y, uint64_t block_x, uint64_t block_y,
                   uint32_t argument);

enum status staged_finish(struct staged_program *program, struct trace_source **source,
                          struct diagnostics *diagnostics);

/* Copies the inputs to device memory as the host would. */
void staged_upload(const struct trace_source *source, struct device *device);

/* What a walk that names instructions does with the calls below. */
void stage_name_work(struct stage *stage, uint32_t times, const struct work *work);
void stage_name_barrier(struct stage *stage);

/* Count instructions that access no memory but shared memory: passes of work of all kinds; integer
 * arithmetic; the barrier of the block, which is one. Inline because the counts are constants. */
static inline void stage_mix(struct stage *stage, uint32_t times, struct work work)
{
    if (stage->window)
        stage->warp->warp.gap += times * work_instructions(&work);
    else
        stage_name_work(stage, times, &work);
}

static inline void stage_work(struct stage *stage, uint32_t instructions)
{
    stage_mix(stage, 1, (struct work){.integers = instructions});
}

static inline void stage_barrier(struct stage *stage)
{
    if (stage->window)
        stage->warp->warp.gap++;
    else
        stage_name_barrier(stage);
}

/* The lanes of the work that follows in this stage, up to the next access. */
void stage_mask(struct stage *stage, uint32_t mask);

/* One memory instruction of the lanes in `mask`; an empty mask does nothing. `site` numbers the
 * instruction within its kernel and determines its pc. `addresses` and `values` have one entry per
 * lane; each value has site.bytes bytes. */
struct site {
    uint8_t number, space, bytes;
};
void stage_load(struct stage *stage, struct site site, uint32_t mask,
                const uint64_t addresses[WARP_SIZE], void *values);
void stage_store(struct stage *stage, struct site site, uint32_t mask,
                 const uint64_t addresses[WARP_SIZE], const void *values);

/* The same if lane k accesses base + stride * k, whether it is active or not. The record then lists
 * no addresses, which makes this several times as fast. */
void stage_load_row(struct stage *stage, struct site site, uint32_t mask, uint64_t base,
                    int32_t stride, void *values);
void stage_store_row(struct stage *stage, struct site site, uint32_t mask, uint64_t base,
                     int32_t stride, const void *values);

/* An atomic on unsigned words whose old value nobody uses. Lanes apply in ascending order. */
enum atomic_operation { ATOMIC_ADD, ATOMIC_MIN, ATOMIC_MAX };
void stage_atomic(struct stage *stage, struct site site, enum atomic_operation operation,
                  uint32_t mask, const uint64_t addresses[WARP_SIZE],
                  const uint32_t operands[WARP_SIZE]);

/* A memory instruction whose values live in the kernel's own state, because its space (local or
 * constant memory) is not part of device memory. */
void stage_touch(struct stage *stage, struct site site, enum memory_op op, uint32_t mask,
                 const uint64_t addresses[WARP_SIZE]);

/* A site that accesses one 4-byte word of global memory. */
static inline struct site word_site(uint8_t number)
{
    return (struct site){number, SPACE_GLOBAL, 4};
}

/* The linear number of the thread in lane 0 in a one-dimensional grid. */
static inline uint64_t stage_thread(const struct stage *stage)
{
    return (uint64_t)stage->block[0] * stage->threads + stage->first_thread;
}

static inline uint64_t array_base(const struct stage *stage, uint32_t array)
{
    return stage->program->program.arrays[array].base;
}

/* The mask of the lanes k with first + k < end. */
static inline uint32_t lanes_below(uint64_t first, uint64_t end)
{
    return first >= end               ? 0
           : end - first >= WARP_SIZE ? UINT32_MAX
                                      : (UINT32_C(1) << (end - first)) - 1;
}

/* The mask of the lanes k with from <= first + k < to. */
static inline uint32_t lanes_between(int64_t first, int64_t from, int64_t to)
{
    uint32_t below_to = first < to ? lanes_below(0, (uint64_t)(to - first)) : 0;
    uint32_t below_from = first < from ? lanes_below(0, (uint64_t)(from - first)) : 0;
    return below_to & ~below_from;
}
