/* What all generated GPU programs share: a device heap, launches, and a trace source that walks the
 * warps of a block with resumable cursors.
 *
 * A program describes each of its kernels once. Walking the description emits the memory
 * instructions of a warp. With a device attached, the same walk also loads and stores real values
 * at the emitted addresses, so the tests can check the addresses by the numbers that the program
 * computes.
 *
 * Cost: an open block holds one cursor per warp (warp_bytes), zeroed at first, and a second one
 * (issuing_bytes) from the first call of read_instructions on; nothing grows with the number of
 * records. */
#pragma once

#include "trace/stream.h"
#include "workload/cuda/spread.h"
#include "workload/workload.h"

/* SHARED_BYTES_MAX is the most that a block can have on any GPU up to sm_75 (96 KiB, with
 * opt-in). */
enum {
    PROGRAM_ARRAYS_MAX = 16,
    BLOCK_THREADS_MAX = 1024,
    DEVICE_REGISTERS = 144,
    SHARED_BYTES_MAX = 98304
};

/* Device memory with contents, zeroed at first; the registers of the one warp that runs; and the
 * shared memory of its block, which starts with 0xff in every byte so that a read of uninitialized
 * shared memory shows. */
struct device {
    uint64_t base, size;
    unsigned char *bytes;
    bool fault; /* an access went outside of the memory and was dropped */
    double registers[DEVICE_REGISTERS][WARP_SIZE]; /* floats, too, are kept as doubles */
    unsigned char *shared;                         /* SHARED_BYTES_MAX of the one block that runs */
    /* Called with every window of the warps that program_run runs; may be NULL. */
    void (*observe)(void *context, uint32_t launch, uint64_t block, uint32_t warp,
                    const struct access_window *window);
    void *context;
};

/* The position of a warp. Each kind of program appends its own state to this struct. */
struct warp {
    uint32_t gap; /* instructions issued since the last record */
    bool done;
    bool barrier; /* on a device: waits until all warps of the block are here or done */
};

struct program;

struct program_ops {
    /* Bytes of the state of one warp of this launch, including struct warp. */
    size_t (*warp_bytes)(const struct program *program, uint32_t launch);
    /* The same of a warp that `issue` moves; NULL if it needs the same. */
    size_t (*issuing_bytes)(const struct program *program, uint32_t launch);
    /* Puts a zeroed warp at its first instruction. `block` is x, y, z; `first_thread` is the linear
     * number in the block of the thread in lane 0. */
    void (*start)(const struct program *program, uint32_t launch, const uint32_t block[3],
                  uint32_t first_thread, struct warp *warp);
    /* Runs the warp until the window is full, the warp is done or, on a device, the warp reaches a
     * barrier. `device` may be NULL. */
    void (*resume)(const struct program *program, uint32_t launch, struct warp *warp,
                   struct access_window *window, struct device *device);
    /* Issues instructions until the window is full or the warp, which only this function moves, is
     * done. */
    enum status (*issue)(const struct program *program, uint32_t launch, struct warp *warp,
                         struct instruction_window *window);
    /* Frees what `issue` allocated for a warp; NULL if it allocates nothing. */
    void (*stop)(struct warp *warp);
    /* The host's changes to device memory before a launch; NULL if it makes none. */
    void (*prepare)(const struct program *program, uint32_t launch, struct device *device);
    void (*free)(struct program *program); /* what the program owns besides this struct */
};

struct program {
    struct trace_source source; /* first: a source is cast back to its program */
    const struct program_ops *ops;
    const struct workload *workload;
    struct trace_array arrays[PROGRAM_ARRAYS_MAX];
    uint32_t array_count;
    uint64_t heap_base, heap_end;
    uint64_t placement, allocations;  /* the parameter; the number of allocations so far */
    uint64_t spread_regions;          /* the parameter; 0 leaves addresses as allocated */
    struct spread spread;             /* empty if spread_regions is 0 */
    uint32_t registers, shared_bytes; /* the parameters; 0 takes the values of each kernel */
    uint32_t unroll;                  /* likewise */
    size_t launch_capacity, code_capacity;
    enum status status; /* the first failure while building; program_finish reports it */
};

/* A row of programs whose loops can be unrolled (kernel_unroll). */
enum { UNROLL_MAX = 64 };
#define UNROLL_PARAMETER                                                                           \
    {                                                                                              \
        "unroll", 0, 0, UNROLL_MAX,                                                                \
            "steps of an inner loop that its code makes at once; 0: as compiled"                   \
    }

/* A row of programs that can be had as simulators issue them that execute PTX. */
#define PTX_PARAMETER                                                                              \
    {                                                                                              \
        "ptx", 0, 0, 2,                                                                            \
            "1: the instructions of PTX, a product and a sum after each load, as simulators that " \
            "execute PTX issue them; 2: likewise, but the first two loads swapped, as nvcc 13 "    \
            "does; 0: as compiled"                                                                 \
    }

/* The rows at the end of every program's parameter list. */
#define PROGRAM_DEVICE_PARAMETERS                                                                  \
    {"base", 0x80000000, 0, UINT64_C(1) << 46,                                                     \
     "address of the first allocation (GPGPU-Sim 3.2.2 starts its heap at 0x80000000)"},           \
        {"placement", 0, 0, UINT32_MAX,                                                            \
         "of arrays: 0 one after the other, 1 each aligned to 2 MiB, 2 and above scattered over "  \
         "regions of 2 MiB, with this number as the seed"},                                        \
        {"spread", 0, 0, SPREAD_REGIONS_MAX,                                                       \
         "regions of 2 MiB over which the 4 KiB pages of all arrays are spread evenly, with "      \
         "placement as the seed; 0: pages follow each other"},                                     \
        {"registers", 0, 0, 255,                                                                   \
         "registers per thread; 0 takes those of the kernels as compiled for the machine"},        \
    {                                                                                              \
        "shared_bytes", 0, 0, SHARED_BYTES_MAX,                                                    \
            "shared memory per block; 0 takes that of the kernels"                                 \
    }

/* Reads base, placement, spread, unroll, registers and shared_bytes from `values` and sets the
 * name, provenance and digest, which depend on nothing but the workload and its values. `program`
 * is zeroed storage at the start of the caller's struct. */
void program_init(struct program *program, const struct workload *workload, const uint64_t *values,
                  const struct program_ops *ops);

/* cudaMalloc: allocates in call order, rounds up to 256 B and places the memory as the parameter
 * says. Returns the address. */
uint64_t program_allocate(struct program *program, uint64_t bytes);

/* program_allocate for a named array. Returns its index in `arrays`. */
uint32_t program_array(struct program *program, const char *name, uint64_t bytes);

/* The code of the program's kernel `index`, for the caller to fill; kernels count from 0. NULL
 * after a failure, which program_finish reports. */
struct trace_code *program_code(struct program *program, uint32_t index);

/* Adds a launch whose grid covers width x height threads. `kernel` has a row in compiled.h. */
void program_launch(struct program *program, const char *kernel, uint64_t width, uint64_t height,
                    uint32_t block_x, uint32_t block_y);

/* Turns the finished program into a source, or frees it and returns what went wrong. */
enum status program_finish(struct program *program, struct trace_source **source,
                           struct diagnostics *diagnostics);

/* STATUS_INVALID with a message if block_x * block_y exceeds the threads of a block. */
enum status program_check_block(uint64_t block_x, uint64_t block_y,
                                struct diagnostics *diagnostics);

/* Creates the device for a source that program_finish made. Its memory covers the whole heap. */
enum status device_create(const struct trace_source *source, struct device *device);
void device_free(struct device *device);

/* Finds an array by name; NULL if there is none. */
const struct trace_array *program_find_array(const struct trace_source *source, const char *name);

/* The contents of [address, address + bytes) in device memory. Outside of it, sets `fault` and
 * returns NULL. */
void *device_at(struct device *device, uint64_t address, uint64_t bytes);

/* Runs every warp of every launch to its end, in order, on the device. Addresses are those before
 * `spread` moves pages. STATUS_CORRUPT if any access went outside of the heap. */
enum status program_run(const struct trace_source *source, struct device *device,
                        struct diagnostics *diagnostics);
