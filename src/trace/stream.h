/* The one form that every workload and trace takes: a stream of warp-level memory instructions.
 *
 * A source has launches, a launch has a grid of thread blocks, a block has warps, and a warp has
 * records in program order. A consumer may open any block of any launch in any order; it reads each
 * of its warps through windows of bounded size. Nothing else is ever in memory, so a stream may be
 * longer than memory. Sources do not change once they are open: any number of threads may read
 * blocks of one source at once. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/diag.h"
#include "schema/spaces.h"
#include "trace/instructions.h"

enum { WARP_SIZE = 32 };

enum memory_op { OP_LOAD, OP_STORE, OP_ATOMIC, OP_FETCH, OP_COUNT };
extern const char *const op_names[OP_COUNT]; /* "load", "store", "atomic", "fetch" */

enum access_flags {
    ACCESS_LISTED = 1 << 0,    /* addresses are in the window's `lanes`, not base + stride */
    ACCESS_BYPASS_L1 = 1 << 1, /* the instruction itself skips the L1D (volatile, .STRONG.GPU) */
    ACCESS_PATTERN = 1 << 2,   /* addresses are the base and the window's `offsets` */
    ACCESS_SINGLE = 1 << 3,    /* an access of a list of addresses, which no warp issued */
    ACCESS_HITS = 1 << 4       /* a load that finds its data in the L1D (struct access_change) */
};

enum { ACCESS_BYTES_MAX = 32 };

/* Local memory is interleaved among threads in 4 B words, so that word w of neighbouring threads is
 * contiguous. The address of a SPACE_LOCAL access is that of its first word; its word i is i *
 * LOCAL_WORD_STRIDE further on. */
#define LOCAL_WORD_STRIDE ((uint64_t)1 << 20)

/* From here on a source puts local memory whose place it does not know: word w of thread t of its
 * grid, modulo as many threads as have room, is at w * LOCAL_WORD_STRIDE + 4 * t. Where a thread's
 * words are depends on where it runs; the timing depth places them when they are accessed. */
#define LOCAL_UNPLACED ((uint64_t)1 << 44)
enum { LOCAL_WORDS_MAX = 1 << 22 }; /* of a thread */

/* One warp-level memory instruction: 32 B, plus 8 B per active lane if it is listed. */
struct warp_access {
    /* Affine: lane k accesses base + (int64_t)stride * k (modulo 2^64); base is the address of lane
     * 0 even if lane 0 is inactive. ACCESS_LISTED: base is the index in window->lanes of the first
     * active lane's address; the addresses of the other active lanes follow in lane order.
     * ACCESS_PATTERN: base is the address of the first active lane, and stride the index in
     * window->offsets of its offset from there, which is 0; those of the others follow. */
    uint64_t base;
    int32_t stride; /* bytes */
    uint32_t mask;  /* active lanes; never 0 */
    uint32_t pc;
    uint32_t gap;   /* instructions that the warp issued since its last record, without this one */
    uint16_t bytes; /* per thread, 1 to ACCESS_BYTES_MAX; GPUs have 1, 2, 4, 8, 16 */
    uint8_t op;     /* enum memory_op */
    uint8_t space;  /* enum memory_space */
    uint8_t flags;  /* enum access_flags */
    uint8_t reserved[3];
};

/* A piece of the records of one warp. The caller owns the arrays (window_init, window_free); a
 * reader overwrites them from index 0. */
struct access_window {
    struct warp_access *items;
    uint64_t *lanes; /* addresses of ACCESS_LISTED records; room for capacity x WARP_SIZE */
    /* Of ACCESS_PATTERN records. They belong to the source and stay as they are as long as it is
     * open, so equal places are equal patterns. */
    const uint64_t *offsets;
    uint32_t count; /* records read */
    uint32_t lane_count;
    uint32_t capacity;
    bool end;      /* no records follow */
    uint32_t tail; /* if `end`: instructions that the warp issued after its last record */
};

enum { WINDOW_RECORDS = 256 }; /* a good capacity: 8 KiB of records */

/* Allocates a window: 288 B per record of capacity. STATUS_MEMORY leaves nothing to free. */
enum status window_init(struct access_window *window, uint32_t capacity);
void window_free(struct access_window *window);

/* Appends one record. `lanes` holds the addresses of the active lanes in lane order, or is NULL if
 * `access` is already affine. The record becomes affine if the addresses allow it. The window must
 * have room. */
void window_push(struct access_window *window, struct warp_access access, const uint64_t *lanes);

/* Copies the addresses of active lanes. A full warp, which most are, is a copy of fixed size, which
 * compilers make a few moves; others start a loop of the processor, at the price of thirty. */
static inline void lanes_copy(uint64_t *to, const uint64_t *from, unsigned count)
{
    if (count == WARP_SIZE)
        memcpy(to, from, WARP_SIZE * sizeof *to);
    else
        memcpy(to, from, count * sizeof *to);
}

/* Whether the lanes of a record are at equal distances. */
static inline bool access_is_affine(const struct warp_access *access)
{
    return !(access->flags & (ACCESS_LISTED | ACCESS_PATTERN));
}

/* Writes the addresses of the active lanes of a record in lane order; returns their number (1 to
 * 32). */
unsigned access_addresses(const struct warp_access *access, const struct access_window *window,
                          uint64_t addresses[WARP_SIZE]);

/* Makes `access` affine if `addresses` (one per bit of the mask, in lane order) allow it. Otherwise
 * sets ACCESS_LISTED and leaves `base` for window_push to fill. A single active lane gets stride 0,
 * so equal accesses always have equal records. */
void access_compress(struct warp_access *access, const uint64_t *addresses);

/* Registers per thread that a compiler gives a kernel, by the GPU architecture that it compiles
 * for: ascending, the last ones unused if `arch` is 0. */
enum { REGISTER_ARCHS_MAX = 8 };
struct launch_registers {
    uint8_t arch[REGISTER_ARCHS_MAX], count[REGISTER_ARCHS_MAX];
};

struct trace_launch {
    char *name; /* kernel name, owned by the source */
    uint32_t grid[3], block[3];
    uint32_t registers;    /* per thread on any architecture, 0 = unknown */
    uint32_t shared_bytes; /* per block */
    uint32_t arch;         /* SASS version such as 80, 0 = unknown */
    uint32_t code;         /* 1 + index in the source's codes; 0: instructions are not known */
    uint32_t number;       /* 1 + the number that its trace calls it by; 0: it has none */
    const struct launch_registers *compiled; /* static; by architecture; NULL: `registers` holds */
};

/* A copy of launches with the names of their kernels, and nothing else of theirs that a source
 * owns. One block of memory, which the caller frees; NULL if there is none. */
struct trace_launch *launches_copy(const struct trace_launch *launches, uint32_t count);

/* The number by which people call launch `index` of a source: its own, or else its place. */
static inline uint64_t launch_number(const struct trace_launch *launch, uint32_t index)
{
    return launch->number ? launch->number - 1 : index;
}

/* Blocks of the grid and threads of a block. Products that overflow are clamped to the largest
 * value, so that checks of limits refuse them. */
uint64_t launch_blocks(const struct trace_launch *launch);
uint32_t launch_threads(const struct trace_launch *launch); /* per block */
uint32_t launch_warps(const struct trace_launch *launch);   /* per block, rounded up */

/* Registers per thread on an architecture (75 is sm_75): those of the newest one that is not newer,
 * as its code would run there, or else of the oldest there is. 0 = unknown. */
uint32_t launch_registers(const struct trace_launch *launch, uint64_t arch);

struct block_reader; /* a block opened for reading; defined by each kind of source */
struct trace_source;

struct trace_source_ops {
    /* Opens block `block` (linear, x varies fastest) of launch `launch`. */
    enum status (*open_block)(const struct trace_source *source, uint32_t launch, uint64_t block,
                              struct block_reader **reader, struct diagnostics *diagnostics);
    /* Fills `window` with the next records of `warp`. Each warp has its own position, which only
     * moves forward. `count` is 0 only if `end` is set. */
    enum status (*read)(struct block_reader *reader, uint32_t warp, struct access_window *window,
                        struct diagnostics *diagnostics);
    /* Fills `window` with the next instructions of `warp`, from a position of its own. NULL if the
     * source knows records only. */
    enum status (*read_instructions)(struct block_reader *reader, uint32_t warp,
                                     struct instruction_window *window,
                                     struct diagnostics *diagnostics);
    void (*close_block)(struct block_reader *reader); /* NULL is allowed */
    void (*free)(struct trace_source *source);        /* calls trace_source_clear */
};

/* A named piece of memory, such as an allocation of cudaMalloc. */
struct trace_array {
    const char *name;
    uint64_t base, bytes;
};

struct trace_source {
    const struct trace_source_ops *ops;
    char *name;           /* "2DCONV", "bfs/kernelslist.g" */
    char *provenance;     /* one line: generator and parameters, or format and path */
    char digest[33];      /* hexadecimal; equal digests mean equal records */
    char code_digest[33]; /* likewise of the instructions; empty if they are not known */
    struct trace_launch *launches;
    uint32_t launch_count;
    struct trace_code *codes; /* of the kernels; launches of one kernel share one */
    uint32_t code_count;
    /* What it calls the arrays that it accesses, where it knows them and they lie in one piece; of
     * a part they are the original's. */
    const struct trace_array *arrays;
    uint32_t array_count;
    const struct tile_stream *tiles; /* of a scene (trace/tile_stream.h); else NULL */
    bool some_hit;                   /* records may have ACCESS_HITS */
};

/* The instructions of a launch's kernel; NULL if they are not known. */
const struct trace_code *trace_launch_code(const struct trace_source *source, uint32_t launch);
/* Whether the instructions of every launch are known, so that models of time can run. */
bool trace_source_timed(const struct trace_source *source);

/* The number of blocks of all launches together. */
uint64_t trace_source_blocks(const struct trace_source *source);

/* Frees a source and everything that it owns. `source` may be NULL. */
void trace_source_free(struct trace_source *source);
/* Frees the launches with their names, the source's name and its provenance. */
void trace_source_clear(struct trace_source *source);

/* A part of a source, for sampling: launch i of the part has `count` blocks of launch `launch` of
 * the original, starting at block `first`. Blocks keep their records. The original must outlive the
 * part. STATUS_INVALID if a slice is empty or not within its launch. */
struct trace_slice {
    uint32_t launch;
    uint64_t first, count;
};
enum status trace_source_slice(const struct trace_source *source, const struct trace_slice *slices,
                               uint32_t slice_count, struct trace_source **part);

/* Lets the active lanes of a record access as many bytes, side by side from the first one's address
 * on. */
void access_pack(struct warp_access *access, const struct access_window *window);

/* The same records, but for the loads and other accesses to data in [base, end), with `one_pc` only
 * of the instruction at `pc` of the kernel of launch `kernel`: they are `shift` bytes further on,
 * with `pack` their lanes lie side by side, with `bypass` loads skip the L1D, with `hits` loads
 * find their data in an L1D of depth timing, and with `leave_out` loads are not there. A record
 * belongs where its first active lane does. With `split` each warp is a block, and has its part of
 * the shared memory of its own block. */
struct access_change {
    uint64_t base, end;
    int64_t shift;
    uint32_t pc, kernel;
    bool bypass, pack, split, hits, leave_out, one_pc;
};
/* A source with such a change, of all launches. The original must outlive it. STATUS_INVALID: a
 * launch has more blocks than a part can. */
enum status trace_source_change(const struct trace_source *source,
                                const struct access_change *change, struct trace_source **changed);

/* Numbers the blocks of all launches consecutively. Returns the launch of block `index`, the number
 * of the block in that launch, and how many blocks of the launch remain from there on. */
struct trace_slice trace_source_block(const struct trace_source *source, uint64_t index);

/* The same in place of *source, which then belongs to the part. */
enum status trace_source_replace_slices(struct trace_source **source,
                                        const struct trace_slice *slices, uint32_t slice_count);

struct trace_slices { /* zero-initialize; the caller frees `items` */
    struct trace_slice *items;
    size_t count, capacity;
};

/* Adds `count` blocks, starting at block `first` in the numbering of trace_source_block. After the
 * last block it continues with the first. */
enum status trace_slices_add(struct trace_slices *slices, const struct trace_source *source,
                             uint64_t first, uint64_t count);
