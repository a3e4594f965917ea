/* What tuning remembers of one workload: results of stages, and the streams between them. A machine
 * of which only some stages are new costs these stages: with the page-walk cache changed, a replay
 * of the TLB's misses; with the L2 changed, of the L1D's; with the L1D changed, of the requests
 * (model/replay/replay.h). Only a new stream walks the source. At the reuse depth the coalesced
 * loads are kept. Bounded: what was used longest ago goes. For one thread, which starts others. */
#pragma once

#include "model/evaluate.h"
#include "trace/stream.h"

struct live_answers;

/* `threads` of a replay, 0: all. `log_bytes` of one stream, 0: 256 MiB; three times that of all.
 */
enum status live_answers_create(int threads, uint64_t log_bytes, struct live_answers **answers);
void live_answers_free(struct live_answers *answers); /* NULL is allowed */
/* Another workload, or none: the old one's launches may be freed. */
void live_answers_forget(struct live_answers *answers);

/* How many requests an exact answer has to look at: 0: it is known; UINT64_MAX: the source has to
 * be walked. */
uint64_t live_answers_cost(struct live_answers *answers, const struct machine *machine,
                           const struct trace_source *source, unsigned needs);

/* As evaluate, from what is remembered as far as it goes; keeps what it finds. */
enum status live_answers_evaluate(struct live_answers *answers, const struct machine *machine,
                                  const struct trace_source *source,
                                  const struct evaluate_options *options, struct metrics *metrics,
                                  struct diagnostics *diagnostics);

/* What options->pcs and options->histogram ask for, from what is remembered of streams. */
enum status live_answers_detail(struct live_answers *answers, const struct machine *machine,
                                const struct trace_source *source,
                                const struct evaluate_options *options,
                                struct diagnostics *diagnostics);

/* The loads of the reuse depth that a machine issues, kept; NULL: they are too many for it. They
 * stay until the next call of any function here. */
enum status live_answers_loads(struct live_answers *answers, const struct machine *machine,
                               const struct trace_source *source,
                               const struct evaluate_options *options,
                               const struct reuse_loads **loads, struct diagnostics *diagnostics);

/* The metrics of one stage (at the reuse depth: of the L1D), if they are known. */
bool live_answers_recall(struct live_answers *answers, const struct machine *machine,
                         const struct trace_source *source, enum depth depth, enum stage stage,
                         unsigned needs, struct metrics *metrics);
/* Makes them known at the functional depth, with those that the stage consumes where they have to
 * be simulated. */
enum status live_answers_evaluate_stage(struct live_answers *answers, const struct machine *machine,
                                        const struct trace_source *source, enum stage stage,
                                        const struct evaluate_options *options,
                                        struct metrics *metrics, struct diagnostics *diagnostics);
/* Keeps what evaluate said of a whole machine with these options. */
void live_answers_keep(struct live_answers *answers, const struct machine *machine,
                       const struct trace_source *source, const struct evaluate_options *options,
                       const struct metrics *metrics);
