/* The memory accesses of the back end of a graphics pipeline: depth tests and colour writes, a line
 * of a surface at a time, in the order of the primitives.
 *
 * A surface is a colour or a depth buffer of TILE_VALUE_BYTES a value. A line holds 4x4 pixels, or
 * with four samples a pixel one quad of 2x2 pixels, so it is TILE_BYTES long; lines lie row by row
 * from the base of their surface. A request works on one line: its operation takes one new value
 * for each bit of its mask. Requests carry their values, so a model of a cache can hold data:
 * whatever it delays or merges, a cache that keeps the order of the requests of each line must end
 * with the same surfaces as tile_execute in the order of the stream.
 *
 * A frame consists of passes, each drawing into one colour or depth surface or both. Between two
 * passes every request has been executed. Where surfaces are cleared fast, clearing costs no
 * request: a cleared line is known by a bit beside the surface until something is written into it,
 * so the request that finds it like that needs no read (TILE_CLEARED). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "trace/stream.h"

enum {
    TILE_VALUES = 16, /* a line */
    TILE_VALUE_BYTES = 4,
    TILE_BYTES = TILE_VALUES * TILE_VALUE_BYTES,
    TILE_WHOLE = (1 << TILE_VALUES) - 1,
    TILE_SURFACES_MAX = 8,
    TILE_SIDE_MAX = 8192 /* pixels of a surface in either direction */
};
#define TILE_NO_PRIMITIVE UINT32_MAX /* of requests that clear a surface line by line */

enum tile_kind { TILE_COLOUR, TILE_DEPTH, TILE_KIND_COUNT };

struct tile_surface {
    const char *name; /* "shadow map", "colour" */
    enum tile_kind kind;
    uint32_t width, height; /* pixels, 1 to TILE_SIDE_MAX */
    uint32_t samples;       /* a pixel: 1 or 4 */
    uint64_t base;          /* address of the first line, a multiple of TILE_BYTES */
    uint32_t clear;         /* the value that a pass clears it to */
};

/* ROW(constant, name, reads, help). Values that pass are written. `reads`: what becomes of the line
 * depends on what it holds, even where the mask is whole. Depth is 0 (near) to 2^24 - 1; colours
 * have 8 bits a channel, red lowest, alpha highest. */
#define TILE_OP_LIST(ROW)                                                                          \
    ROW(TILE_DEPTH_TEST, "depth test", true, "what is not greater than the line's value passes")   \
    ROW(TILE_REPLACE, "replace", false, "every value passes")                                      \
    ROW(TILE_BLEND, "blend", true, "every value passes: new * alpha + old * (1 - alpha)")

#define TILE_OP_ENUMERATOR(constant, name, reads, help) constant,
enum tile_op { TILE_OP_LIST(TILE_OP_ENUMERATOR) TILE_OP_COUNT };
#undef TILE_OP_ENUMERATOR

struct tile_op_row {
    const char *name;
    bool reads;
    const char *help;
};
extern const struct tile_op_row tile_ops[TILE_OP_COUNT];

enum tile_flags { TILE_CLEARED = 1 << 0 }; /* the line holds the clear value since a fast clear */

struct tile_request {   /* 24 B */
    uint64_t address;   /* of the line: tile_address(surface, x, y) */
    uint32_t primitive; /* counts the triangles of its pass, from 1 on */
    uint16_t x, y;      /* of the line on its surface: column and row of tiles, or of quads */
    uint16_t mask;      /* values that it works on, never 0 */
    uint16_t passed;    /* those that pass: what tile_execute returns in the order of the stream */
    uint8_t surface;    /* index */
    uint8_t op;         /* enum tile_op */
    uint8_t flags;      /* enum tile_flags */
    uint8_t reserved;
};

/* Whether the operation needs the old values of the line: blends, tests, and writes that leave some
 * of it. A line in its cleared state has them without a read. */
static inline bool tile_needs_line(const struct tile_request *request)
{
    return tile_ops[request->op].reads || request->mask != TILE_WHOLE;
}

/* Whether the request changes its line (or may: it writes values that could be the same). */
static inline bool tile_changes_line(const struct tile_request *request)
{
    return request->passed;
}

/* Executes a request on the line that it names. Value i of `values` belongs to bit i of the mask;
 * others are ignored. Returns the values that passed. */
uint16_t tile_execute(const struct tile_request *request, const uint32_t values[TILE_VALUES],
                      uint32_t line[TILE_VALUES]);

/* Lines of a surface from left to right, from top to bottom, and altogether. Pixels beyond the
 * right and lower edge exist in memory, but no mask contains them except that of a clear. */
uint32_t tile_columns(const struct tile_surface *surface);
uint32_t tile_rows(const struct tile_surface *surface);
uint64_t tile_lines(const struct tile_surface *surface);
uint64_t tile_address(const struct tile_surface *surface, uint32_t x, uint32_t y);
/* Pixels of a line in either direction: 4, or 2 with four samples. */
uint32_t tile_side(const struct tile_surface *surface);
/* Index in its line of a sample of pixel (x, y) of the surface. */
unsigned tile_value(const struct tile_surface *surface, uint32_t x, uint32_t y, uint32_t sample);

/* The record of a request: a lane a value of its mask, 4 B each, in the space of the surface's
 * kind. What changes no line is a load. What needs the old values is atomic, everything else a
 * store. The pc is 16 times the operation. */
struct warp_access tile_record(const struct tile_surface *surfaces,
                               const struct tile_request *request);

struct tile_pass {
    const char *name; /* "shadow map", "main" */
    uint32_t frame;
    uint32_t clears; /* bit i: surface i is cleared fast when the pass begins, without a request */
};

/* Requests of one pass in a row. The caller owns the arrays (tile_batch_init); a reader overwrites
 * them from index 0. */
struct tile_batch {
    struct tile_request *requests;
    uint32_t (*values)[TILE_VALUES]; /* of the request of the same index; NULL: not wanted */
    uint32_t count, capacity;
    uint32_t pass;
    bool begins; /* the first of its pass: clear first what the pass clears */
    bool end;    /* nothing follows in any pass */
};

enum { TILE_BATCH = 4096 }; /* a good capacity */
enum status tile_batch_init(struct tile_batch *batch, uint32_t capacity, bool values);
void tile_batch_free(struct tile_batch *batch);

struct tile_stream;
struct tile_reader; /* defined by each kind of stream */

struct tile_stream_ops {
    /* Starts before the first pass. `values`: whether batches will have values. A reader that need
     * not make values is faster; its requests are the same. */
    enum status (*open)(const struct tile_stream *stream, bool values, struct tile_reader **reader,
                        struct diagnostics *diagnostics);
    /* Fills a batch of a capacity of at least 2. Every pass has at least one batch, if only one
     * without a request. */
    enum status (*next)(struct tile_reader *reader, struct tile_batch *batch,
                        struct diagnostics *diagnostics);
    void (*close)(struct tile_reader *reader); /* NULL is allowed */
};

/* What a trace_source that is a scene has besides its records: a launch a pass, with one warp that
 * issues the record of each request. Does not change once it is open; any number of readers may be
 * open at once. */
struct tile_stream {
    const struct tile_stream_ops *ops;
    struct tile_surface surfaces[TILE_SURFACES_MAX];
    uint32_t surface_count;
    const struct tile_pass *passes;
    uint32_t pass_count;
};

uint32_t tile_frames(const struct tile_stream *stream); /* at least 1 */

/* The memory that the surfaces lie in, as they are after `base`. */
struct tile_memory {
    uint64_t base, bytes;
    uint32_t *values;
};
/* Allocates memory for all surfaces, filled with zeros. */
enum status tile_memory_init(struct tile_memory *memory, const struct tile_stream *stream);
void tile_memory_free(struct tile_memory *memory);
static inline uint32_t *tile_memory_line(const struct tile_memory *memory, uint64_t address)
{
    return memory->values + (address - memory->base) / TILE_VALUE_BYTES;
}
/* Fills the surfaces that a pass clears fast with their clear values. */
void tile_memory_clear(const struct tile_memory *memory, const struct tile_stream *stream,
                       const struct tile_pass *pass);

/* Executes the whole stream in its order: the surfaces that every cache has to end with.
 * STATUS_INVALID if a request does not pass as the stream says. */
enum status tile_reference(const struct tile_stream *stream, struct tile_memory *memory,
                           struct diagnostics *diagnostics);
