/* The one stream that everything that touches memory becomes: warp-level memory instructions.
 *
 * A source has launches, a launch has a grid of thread blocks, a block has warps, a warp has
 * records in program order. A consumer opens any block of any launch in any order and reads each of
 * its warps through windows of bounded size; nothing else is ever in memory. Sources are immutable
 * after opening: any number of threads may open blocks of one source at once. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

enum { WARP_SIZE = 32 };

enum memory_space { SPACE_GLOBAL, SPACE_LOCAL, SPACE_TEXTURE, SPACE_CONSTANT, SPACE_INSTRUCTION };

enum memory_op { OP_LOAD, OP_STORE, OP_ATOMIC, OP_FETCH };

enum access_flags {
    ACCESS_LISTED = 1 << 0,   /* addresses are in the window's lane pool, not base + stride */
    ACCESS_BYPASS_L1 = 1 << 1 /* the instruction itself skips the L1D (volatile, .STRONG.GPU) */
};

enum { ACCESS_BYTES_MAX = 32 };

/* Local memory is interleaved among threads by 4 B words, so that word w of neighbouring threads is
 * contiguous: SPACE_LOCAL addresses are those of the first word of an access, and its word i lies
 * i * LOCAL_WORD_STRIDE further. */
#define LOCAL_WORD_STRIDE ((uint64_t)1 << 20)

/* One warp-level memory instruction. */
struct warp_access {
    /* Affine: the address of lane k is base + (int64_t)stride * k (modulo 2^64), whether lane 0 is
     * active or not. ACCESS_LISTED: base is the index in window->lanes of the first active lane's
     * address; the others follow, one for each active lane, in lane order. */
    uint64_t base;
    int32_t stride; /* bytes; affine only */
    uint32_t mask;  /* active lanes; never 0 */
    uint32_t pc;
    uint32_t gap;   /* instructions that the warp issued since its last record, this one excluded */
    uint16_t bytes; /* per thread, 1 to ACCESS_BYTES_MAX; a GPU knows 1, 2, 4, 8, 16 */
    uint8_t op;     /* enum memory_op */
    uint8_t space;  /* enum memory_space */
    uint8_t flags;  /* enum access_flags */
    uint8_t reserved[3];
};

/* A piece of one warp's records. The caller owns the arrays (window_init, window_free); a reader
 * fills them from index 0. */
struct access_window {
    struct warp_access *items;
    uint64_t *lanes; /* addresses of ACCESS_LISTED records; capacity x WARP_SIZE entries */
    uint32_t count;  /* records read */
    uint32_t lane_count;
    uint32_t capacity;
    bool end;      /* no record follows these */
    uint32_t tail; /* when end: instructions that the warp issued after its last record */
};

enum { WINDOW_RECORDS = 256 }; /* a good capacity: 8 KiB of records */

enum status window_init(struct access_window *window, uint32_t capacity);
void window_free(struct access_window *window);

/* Appends one record; `lanes` holds the addresses of the active lanes in lane order where they are
 * not affine (or are not known to be), else NULL. The window must have room. */
void window_push(struct access_window *window, struct warp_access access, const uint64_t *lanes);

/* The addresses of the active lanes of a record in lane order; returns how many (1 to 32). */
unsigned access_addresses(const struct warp_access *access, const struct access_window *window,
                          uint64_t addresses[WARP_SIZE]);

/* Makes `access` affine where `addresses` (one for each bit of mask, lane order) allow it, else
 * sets ACCESS_LISTED and leaves base to window_push. One active lane has stride 0. */
void access_compress(struct warp_access *access, const uint64_t *addresses);

struct trace_launch {
    char *name; /* kernel name, owned by the source */
    uint32_t grid[3], block[3];
    uint32_t registers;    /* per thread, 0 = unknown */
    uint32_t shared_bytes; /* per block */
    uint32_t arch;         /* SASS version such as 80, 0 = unknown */
};

uint64_t launch_blocks(const struct trace_launch *launch);
uint32_t launch_threads(const struct trace_launch *launch); /* per block */
uint32_t launch_warps(const struct trace_launch *launch);   /* per block, rounded up */

struct block_reader; /* a block opened for reading; defined by each kind of source */
struct trace_source;

struct trace_source_ops {
    /* Opens block `block` (linear, x fastest) of launch `launch`. */
    enum status (*open_block)(const struct trace_source *source, uint32_t launch, uint64_t block,
                              struct block_reader **reader, struct diagnostics *diagnostics);
    /* Fills `window` with the next records of `warp`: each warp has its own position, which only
     * moves forward. count 0 only together with end. */
    enum status (*read)(struct block_reader *reader, uint32_t warp, struct access_window *window,
                        struct diagnostics *diagnostics);
    void (*close_block)(struct block_reader *reader); /* NULL is allowed */
    void (*free)(struct trace_source *source);
};

struct trace_source {
    const struct trace_source_ops *ops;
    char *name;       /* "2DCONV", "bfs/kernelslist.g" */
    char *provenance; /* one line: generator and parameters, or format and path */
    char digest[33];  /* hex; equal digests mean equal streams */
    struct trace_launch *launches;
    uint32_t launch_count;
};

/* Blocks of all launches. */
uint64_t trace_source_blocks(const struct trace_source *source);

/* Frees a source and all that it owns. NULL is allowed. */
void trace_source_free(struct trace_source *source);

/* A part of a source: launches[i] shows `count` blocks of launch `launch` of the original
 * from `first` on. For sampling; the original must outlive it. Blocks keep their records. */
struct trace_slice {
    uint32_t launch;
    uint64_t first, count;
};
enum status trace_source_slice(const struct trace_source *source, const struct trace_slice *slices,
                               uint32_t slice_count, struct trace_source **part);

/* The blocks of all launches stand in one row. The launch that block `index` of it belongs to, its
 * number there, and how many blocks that launch has from it on. */
struct trace_slice trace_source_block(const struct trace_source *source, uint64_t index);

struct trace_slices { /* starts zeroed; `items` is the caller's to free */
    struct trace_slice *items;
    size_t count, capacity;
};

/* Adds `count` blocks of the row from block `first` on; behind the last comes the first again. */
enum status trace_slices_add(struct trace_slices *slices, const struct trace_source *source,
                             uint64_t first, uint64_t count);
