/* The loads of a source, coalesced and their lines numbered, once for all runs and all L1Ds with
 * lines of one size: everything else that the reuse depth varies (geometry, latencies, MSHRs, the
 * resident warps) reads them again and again. Four bytes a request. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"
#include "base/key_table.h"
#include "model/evaluate_options.h"
#include "schema/machine.h"
#include "trace/stream.h"

struct published_loads;

struct feed_counts {
    uint64_t warp_instructions, memory_instructions, thread_accesses;
    uint64_t spaces[SPACE_COUNT]; /* memory instructions of each */
};

/* Counts a record. True where it is a load that L1Ds look up which take these spaces: all that the
 * reuse depth simulates. */
static inline bool feed_count(struct feed_counts *counts, unsigned spaces,
                              const struct warp_access *access)
{
    counts->memory_instructions++;
    counts->spaces[access->space]++;
    counts->warp_instructions += (uint64_t)access->gap + 1;
    counts->thread_accesses += (unsigned)__builtin_popcount(access->mask);
    return access->op == OP_LOAD && !(access->flags & ACCESS_BYPASS_L1) &&
           spaces & space_bit(access->space);
}

/* Adds all counts. */
void feed_counts_add(struct feed_counts *sum, const struct feed_counts *counts);

/* What one SM loads under the textbook's rules. A warp's number is its place among those of the SM:
 * launch by launch, of a launch block by block. */
struct sm_loads {
    uint64_t *launch_first; /* [launches + 1]: the first warp of a launch */
    uint32_t *warp_first;   /* [warps + 1]: the first load of a warp */
    uint32_t *first;        /* [loads + 1]: the first line of a load */
    uint32_t *pcs;          /* [loads] */
    uint32_t *lines;        /* ids: the distinct lines of each load in the order of its requests */
    uint64_t warps;
    uint32_t loads, requests;
    struct key_table table;
    struct feed_counts counts;
};

struct reuse_loads {
    int mode; /* enum reuse_mode */
    unsigned spaces;
    uint64_t line, arch, sm_count;
    uint32_t launch_count;
    struct sm_loads *sms;              /* textbook */
    struct published_loads **launches; /* published */
    uint64_t bytes;
};

/* Bytes that loads take at most by default; more are read from the source as they are needed. */
#define REUSE_LOADS_BYTES ((uint64_t)256 << 20)

/* Reads the loads that a machine issues; progress and cancel are those of `options`. *loads is NULL
 * with STATUS_OK where they would take more than `limit` bytes. */
enum status reuse_loads_create(const struct machine *machine, const struct trace_source *source,
                               uint64_t limit, const struct evaluate_options *options,
                               struct reuse_loads **loads, struct diagnostics *diagnostics);
void reuse_loads_free(struct reuse_loads *loads); /* NULL is allowed */

/* Whether a machine issues just these loads; false for NULL. */
bool reuse_loads_serve(const struct reuse_loads *loads, const struct machine *machine);

/* Appends the ids of the lines of one load that are not among lines[0 .. *count) yet. */
enum status loads_append(uint64_t arch, unsigned line_bits, const struct warp_access *access,
                         const struct access_window *window, struct key_table *table,
                         uint32_t **lines, size_t *capacity, uint32_t from, uint32_t *count);
