/* What all generated GPU programs share: a device heap, launches, and the trace source that walks
 * the warps of a block with resumable cursors.
 *
 * A program describes each of its kernels once. Walking that description emits the warp's memory
 * instructions; with a device attached the same walk also moves the values through it, so
 * that the addresses can be proved by the numbers that come out. */
#pragma once

#include "trace/stream.h"
#include "workload/cuda/spread.h"
#include "workload/workload.h"

/* SHARED_BYTES_MAX: of a block on any GPU up to sm_75 (with the opt-in, 96 KiB). */
enum {
    PROGRAM_ARRAYS_MAX = 16,
    BLOCK_THREADS_MAX = 1024,
    DEVICE_REGISTERS = 8,
    SHARED_BYTES_MAX = 98304
};

/* A cudaMalloc. */
struct device_array {
    const char *name;
    uint64_t base, bytes;
};

/* Memory with contents, starting zeroed, the registers of the one warp that runs and the shared
 * memory of its block, which starts with 0xff in every byte. */
struct device {
    uint64_t base, size;
    unsigned char *bytes;
    bool fault; /* an access went outside; it was dropped (loads give 0) */
    float registers[DEVICE_REGISTERS][WARP_SIZE];
    unsigned char *shared; /* SHARED_BYTES_MAX of the one block that runs */
    /* Sees every window of the warps that program_run runs; may be NULL. */
    void (*observe)(void *context, uint32_t launch, uint64_t block, uint32_t warp,
                    const struct access_window *window);
    void *context;
};

/* Where a warp stands. Each kind of program puts its own state behind this. */
struct warp {
    uint32_t gap; /* instructions issued since the last record */
    bool done;
    bool barrier; /* on a device: goes on when all warps of the block are here or done */
};

struct program;

struct program_ops {
    /* Bytes of the state of one warp of this launch, struct warp included. */
    size_t (*warp_bytes)(const struct program *program, uint32_t launch);
    /* Puts a zeroed warp at its first instruction. `block` is x, y, z; `first_thread` the linear
     * number of lane 0 in its block. */
    void (*start)(const struct program *program, uint32_t launch, const uint32_t block[3],
                  uint32_t first_thread, struct warp *warp);
    /* Runs the warp until the window is full, the warp is done or, on a device, stands at a
     * barrier. `device` may be NULL. */
    void (*resume)(const struct program *program, uint32_t launch, struct warp *warp,
                   struct access_window *window, struct device *device);
    /* What the host does to device memory before a launch; NULL: nothing. */
    void (*prepare)(const struct program *program, uint32_t launch, struct device *device);
    void (*free)(struct program *program); /* what the program owns besides this struct */
};

struct program {
    struct trace_source source; /* first: a source is cast back to its program */
    const struct program_ops *ops;
    struct device_array arrays[PROGRAM_ARRAYS_MAX];
    uint32_t array_count;
    uint64_t heap_base, heap_end;
    uint64_t placement, allocations;  /* the parameter; how many there were */
    uint64_t spread_regions;          /* the parameter; 0: addresses are as allocated */
    struct spread spread;             /* then empty */
    uint32_t registers, shared_bytes; /* the parameters; 0 = each kernel's own */
    size_t launch_capacity;
    enum status status; /* the first failure while building; program_finish reports it */
};

/* The rows that end every program's parameter list. */
#define PROGRAM_DEVICE_PARAMETERS                                                                  \
    {"base", 0x80000000, 0, UINT64_C(1) << 46,                                                     \
     "address of the first allocation (GPGPU-Sim 3.2.2 starts its heap at 0x80000000)"},           \
        {"placement", 0, 0, UINT32_MAX,                                                            \
         "of arrays: 0 one behind the other, 1 each on a border of 2 MiB, 2 and above scattered "  \
         "over regions of 2 MiB, the number being the seed"},                                      \
        {"spread", 0, 0, SPREAD_REGIONS_MAX,                                                       \
         "regions of 2 MiB that the pages of 4 KiB of all arrays are dealt to, evenly, with "      \
         "placement as the seed; 0: pages follow each other"},                                     \
        {"registers", 0, 0, 255, "registers per thread; 0 takes those of the compiled kernels"},   \
    {                                                                                              \
        "shared_bytes", 0, 0, SHARED_BYTES_MAX,                                                    \
            "shared memory per block; 0 takes that of the kernels"                                 \
    }

/* Reads base, placement, spread, registers and shared_bytes out of `values` and sets name,
 * provenance and digest, which follow from the workload and its values alone. `program` is zeroed
 * storage, at the start of the caller's own struct. */
void program_init(struct program *program, const struct workload *workload, const uint64_t *values,
                  const struct program_ops *ops);

/* cudaMalloc in call order, rounded up to 256 B and placed as the parameter says; returns the
 * address. */
uint64_t program_allocate(struct program *program, uint64_t bytes);

/* The same for an array with a name; returns the index in arrays. */
uint32_t program_array(struct program *program, const char *name, uint64_t bytes);

/* Adds a launch whose grid covers width x height threads. */
void program_launch(struct program *program, const char *kernel, uint64_t width, uint64_t height,
                    uint32_t block_x, uint32_t block_y, uint32_t registers);

/* Hands the finished program out as a source, or frees it and returns what went wrong. */
enum status program_finish(struct program *program, struct trace_source **source,
                           struct diagnostics *diagnostics);

/* STATUS_INVALID and a message where block_x * block_y is more than a block can hold. */
enum status program_check_block(uint64_t block_x, uint64_t block_y,
                                struct diagnostics *diagnostics);

/* Running a source that program_finish made. The device's memory spans the program's heap. */
enum status device_create(const struct trace_source *source, struct device *device);
void device_free(struct device *device);

/* The array of that name, or NULL. */
const struct device_array *program_find_array(const struct trace_source *source, const char *name);

/* Where [address, address + bytes) lies in device memory; NULL (and a fault) outside. */
void *device_at(struct device *device, uint64_t address, uint64_t bytes);

/* Runs every warp of every launch to its end, in order, on the device, whose memory is as allocated
 * whatever `spread` says. STATUS_CORRUPT if any access went outside of the heap. */
enum status program_run(const struct trace_source *source, struct device *device,
                        struct diagnostics *diagnostics);
