/* Which array, instruction, launch and set a machine's misses and bytes come from
 * (model/pass/blame.h), and what the explained metric gains where one array is accessed otherwise,
 * or the loads of one of those instructions that miss most always hit (array_gains). */
#pragma once

#include "explore/explain/array_gains.h"
#include "explore/explain/explain.h"
#include "model/cache/pc_table.h"
#include "model/gpu/regions.h"
#include "model/pass/blame.h"

enum { BLAMING_PCS = 10 };
struct blaming {
    struct blame blame;
    struct trace_array *arrays; /* by address: those given, the program's own, or regions */
    struct region *regions;     /* NULL: the arrays have names of their own */
    size_t array_count;
    struct array_gains *gains;       /* [array_count] */
    struct pc_gain pcs[BLAMING_PCS]; /* of those that miss most in the L1D */
    size_t pc_count;
    struct pc_table waits; /* at depths with time: cycles that warps waited by instruction */
    bool complete;         /* false: the limit of time, or the user, came first */
};

/* Blames. `explanation` is one of the same machine, source and options, with any parts; `arrays`
 * are those that the caller knows (count 0: none). STATUS_CANCELLED: `blaming` holds what was found
 * until then; otherwise as blame_run. The caller frees it in any case. */
enum status blaming_find(const struct machine *machine, const struct trace_source *source,
                         const struct trace_array *arrays, size_t array_count,
                         const struct explain_options *options,
                         const struct explanation *explanation, struct blaming *blaming,
                         struct diagnostics *diagnostics);
void blaming_free(struct blaming *blaming);

/* Cycles of schedulers that waited for an instruction; NaN: no time passes, or it is not known. */
double blaming_waited(const struct blaming *blaming, uint64_t key);
/* What is gained where an instruction's loads always hit; NaN: not run. */
double blaming_pc_gain(const struct blaming *blaming, uint64_t key);
