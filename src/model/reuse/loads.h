/* The loads of a source, coalesced and with their lines numbered. They are read once for all runs
 * and all L1Ds with one line size; everything else that the reuse depth varies (geometry,
 * latencies, MSHRs, resident warps) rereads them. They take four bytes per request, 8 to 13 per
 * load, and the table of lines; of an L1D with sectors one more per request, and where warps wait
 * for what they use four more per load. If that exceeds a limit, the source is read again for each
 * run instead. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"
#include "base/key_table.h"
#include "model/evaluate_options.h"
#include "model/gpu/record_counts.h"
#include "schema/machine.h"
#include "trace/stream.h"

struct published_loads;

/* Counts a record. Returns true if it is a load that L1Ds serving these spaces look up; the reuse
 * depth simulates nothing else. */
static inline bool feed_count(struct record_counts *counts, unsigned spaces,
                              const struct warp_access *access)
{
    record_count(counts, access);
    counts->warp_instructions += (uint64_t)access->gap + 1;
    return access->op == OP_LOAD && !(access->flags & ACCESS_BYPASS_L1) &&
           spaces & space_bit(access->space);
}

struct load_list {    /* what loads look up: distinct sectors, or lines without sectors */
    uint32_t *lines;  /* [count]: ids */
    uint8_t *sectors; /* [count]: numbers within the line; NULL: the L1D has none */
    size_t line_capacity, sector_capacity;
    uint32_t count;
};

/* What one SM loads under the textbook's rules. Warps are numbered in the order of launches, and of
 * blocks within a launch. */
struct sm_loads {
    uint64_t *launch_first;    /* [launches + 1]: first warp of a launch */
    uint32_t *warp_first;      /* [warps + 1]: first load of a warp */
    uint32_t *first;           /* [loads + 1]: first look-up of a load */
    uint32_t *pcs;             /* [loads] */
    uint32_t *needs;           /* [loads]: the loads that each waits for (dependences.h); NULL: the
                                * one before it */
    struct load_list requests; /* of each load, in the order of its requests */
    uint64_t warps;
    uint32_t loads;
    struct key_table table;
    struct record_counts counts;
};

struct reuse_loads {
    struct machine machine; /* that issues them */
    uint32_t launch_count;
    struct sm_loads *sms;              /* textbook mode: [machine.gpu.sms] */
    struct published_loads **launches; /* published mode: [launch_count] */
    uint64_t bytes;
};

/* Default limit of the bytes that loads may take; beyond it they are read from the source when
 * needed. */
#define REUSE_LOADS_BYTES ((uint64_t)256 << 20)

/* Reads the loads that a machine issues; progress and cancel are taken from `options`. *loads is
 * NULL with STATUS_OK if they would take more than `limit` bytes. */
enum status reuse_loads_create(const struct machine *machine, const struct trace_source *source,
                               uint64_t limit, const struct evaluate_options *options,
                               struct reuse_loads **loads, struct diagnostics *diagnostics);
void reuse_loads_free(struct reuse_loads *loads); /* NULL is allowed */

/* Whether two machines issue the same loads. */
bool reuse_loads_same(const struct machine *a, const struct machine *b);

/* Whether a machine issues exactly these loads; false for NULL. */
bool reuse_loads_serve(const struct reuse_loads *loads, const struct machine *machine);

/* The instructions that say what the warps of a launch wait for; NULL if each load waits for the
 * one before it: the machine says so, or the instructions are not known. */
const struct trace_code *reuse_code(const struct machine *machine,
                                    const struct trace_source *source, uint32_t launch);

/* Appends the requests of one load to a list whose load begins at `from`. New lines are numbered in
 * `table`. */
enum status load_list_append(struct load_list *list, const struct machine *machine,
                             const struct warp_access *access, const struct access_window *window,
                             struct key_table *table, uint32_t from,
                             struct diagnostics *diagnostics);
void load_list_free(struct load_list *list);
