/* The tree of stages that one pass feeds: L1Ds followed by L2s, and TLBs followed by page-walk
 * caches.
 *
 * Machines that agree in the parameters of a stage, and in the stages before it, share its node
 * (model/evaluate.h). The last caches of machines whose metrics need little have no node: they
 * share passes of model/lru/cache_batch.h. A batch goes through each L1D and then through the L2s
 * after it, on one thread, so the output of a level is read while it is still in the host's cache.
 * A new machine is compared with all nodes of each of its stages. */
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
struct set_watching;
struct tile_stream;

/* `needs` and `share` as in struct evaluate_options; `grids` as for cache_batch_create.
 * STATUS_MEMORY. */
enum status stages_create(unsigned needs, enum pass_share share, bool grids,
                          struct stages **stages);
void stages_free(struct stages *stages);

/* Call before machines are added: the requests are those of a scene (NULL: of none). The scene must
 * outlive the stages. */
void stages_see(struct stages *stages, const struct tile_stream *tiles);

/* Adds the nodes of `machine` that do not exist yet. The machine must outlive the stages. *leaf
 * identifies it for stages_metrics. */
enum status stages_add(struct stages *stages, const struct machine *machine, size_t *leaf);

/* Records what the first machine's L1D and TLB send on. The logs must outlive the stages. */
void stages_record(struct stages *stages, const struct request_logs *logs);

/* Counts the accesses of the first L1D by instruction. The table must outlive the stages. */
void stages_count_pcs(struct stages *stages, struct pc_table *pcs);

/* Watches a set of the first cache of `stage`, if it can be watched: cache_watch. Call
 * before the first request. STATUS_UNSUPPORTED: there is no such cache. */
enum status stages_watch(struct stages *stages, unsigned stage,
                         const struct set_watching *watching);

/* Begins a launch: flushes the caches that the machines flush, and gives unified L1Ds their ways,
 * which empties those that change. */
enum status stages_launch(struct stages *stages, const struct trace_launch *launch);

/* What requests are: of the records of a source; fetches of its instructions; tile requests of a
 * scene, packed (model/tile/deal.h). Each stage reads one of them. */
enum feed { FEED_RECORDS, FEED_FETCHES, FEED_TILES };

/* Runs requests in order of issue; a warp instruction must not be split over calls.
 * STATUS_UNSUPPORTED as from cache_batch_run; STATUS_MEMORY as from opt_run, with a message. */
enum status stages_run(struct stages *stages, enum feed feed, const struct request *requests,
                       size_t count, struct diagnostics *diagnostics);
/* Whether a stage of one of these machines reads this feed. */
bool stages_read(enum feed feed, const struct machine *const *machines, size_t count);

/* In lines of how many bytes fetches may be joined to single requests (issue_sink), because all of
 * these machines see no more of them; 0: they may not. */
uint64_t stages_fetch_line(const struct machine *const *machines, size_t count);

/* Sets the number of instructions issued so far, modulo 2^32, which a log of walks does not
 * contain. */
void stages_issued(struct stages *stages, uint32_t instructions);

/* Runs page walks instead of requests: what the first machine's TLB sent on, from a log. */
enum status stages_run_walks(struct stages *stages, const struct request *walks, size_t count);

/* Switches counting on or off for the requests that follow; it starts on. Requires SHARE_NOTHING.
 * The optimum always counts everything. */
void stages_count(struct stages *stages, bool counted);

/* Assumes the best about what caches and TLBs held before the first request (cache_assume).
 * `emptied`: except for L1Ds and L2s that a launch empties, because one has just begun. */
enum status stages_assume(struct stages *stages, bool emptied);

/* Call after the last request: resolves what needs the whole stream (the optimum). */
enum status stages_finish(struct stages *stages);

/* Writes the metrics of the stages of `leaf`; others are left unchanged. */
void stages_metrics(const struct stages *stages, size_t leaf, struct metrics *metrics);
