/* The tree of stages that one pass feeds: L1Ds with L2s behind them, TLBs with page-walk caches
 * behind them. Machines that agree in a stage's parameters share its node (model/evaluate.h). */
#pragma once

#include <stdbool.h>

#include "base/diag.h"
#include "model/gpu/request.h"
#include "model/lru/cache_batch.h"
#include "model/pass/request_log.h"
#include "schema/machine.h"
#include "schema/metrics.h"
#include "trace/stream.h"

struct stages;
struct pc_table;

/* `needs` and `share` as in struct evaluate_options; `grids` as for cache_batch_create. */
enum status stages_create(unsigned needs, enum pass_share share, bool grids,
                          struct stages **stages);
void stages_free(struct stages *stages);

/* Adds the nodes that `machine` needs and does not find; the machine must outlive the stages.
 * *leaf identifies it for stages_metrics. */
enum status stages_add(struct stages *stages, const struct machine *machine, size_t *leaf);

/* Keeps what goes on behind the first machine's L1D and TLB; the logs must outlive the stages. */
void stages_record(struct stages *stages, const struct request_logs *logs);

/* Counts the accesses of the first L1D by instruction; the table must outlive the stages. */
void stages_count_pcs(struct stages *stages, struct pc_table *pcs);

/* A launch begins: flushes where the machine says so, gives a unified L1D its ways. */
enum status stages_launch(struct stages *stages, const struct trace_launch *launch);

/* Requests in order of issue, never splitting a warp instruction. STATUS_UNSUPPORTED: as from
 * cache_batch_run, or from opt_run, which says so. */
enum status stages_run(struct stages *stages, const struct request *requests, size_t count,
                       struct diagnostics *diagnostics);

/* As many instructions have been issued, modulo 2^32: what a log of walks cannot show. */
void stages_issued(struct stages *stages, uint32_t instructions);

/* Page walks instead: what the first machine's TLB sent on, as a log of it has it. */
enum status stages_run_walks(struct stages *stages, const struct request *walks, size_t count);

/* Forgets the counts, not the contents: the end of a warm-up. */
enum status stages_reset_counts(struct stages *stages);

/* After the last request: resolves what needs the whole stream (OPT). */
enum status stages_finish(struct stages *stages);

/* The metrics of the stages behind `leaf`; others are left alone. */
void stages_metrics(const struct stages *stages, size_t leaf, struct metrics *metrics);
