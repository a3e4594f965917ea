/* What interactive tuning remembers of one workload: the results of stages, and the streams between
 * them (explore/live/stream_cache.h).
 *
 * A changed machine costs only the stages that changed. After a change of the page-walk cache the
 * TLB's misses are replayed; after one of the L2, the L1D's misses; after one of the L1D, the
 * requests (model/replay/replay.h). Only a new stream walks the source. At the reuse depth the
 * coalesced loads are kept instead.
 *
 * Invariants: answers equal those of evaluate bit for bit, whichever way they were found. Memory is
 * bounded; what was used least recently goes first. An object belongs to one thread, which starts
 * others to replay. */
#pragma once

#include "model/evaluate.h"
#include "trace/stream.h"

struct live_answers;

/* `threads` of a replay, 0 for all. `log_bytes` is the limit of one request log, 0 for 256 MiB. All
 * streams together may take four times the bytes of the request log, and at most three times
 * `log_bytes`. */
enum status live_answers_create(int threads, uint64_t log_bytes, struct live_answers **answers);
void live_answers_free(struct live_answers *answers); /* NULL is allowed */
/* Forgets everything, before another workload is opened. The launches of the old one may be freed
 * afterwards. */
void live_answers_forget(struct live_answers *answers);

/* The bytes that all kept streams take. *limit is what they may take. */
uint64_t live_answers_bytes(const struct live_answers *answers, uint64_t *limit);

/* How many requests an exact answer would have to simulate: 0 if it is known, UINT64_MAX if the
 * source must be walked. */
uint64_t live_answers_cost(struct live_answers *answers, const struct machine *machine,
                           const struct trace_source *source, unsigned needs);

/* Like evaluate, but uses what is remembered as far as possible and remembers what it finds. */
enum status live_answers_evaluate(struct live_answers *answers, const struct machine *machine,
                                  const struct trace_source *source,
                                  const struct evaluate_options *options, struct metrics *metrics,
                                  struct diagnostics *diagnostics);

/* Answers options->pcs and options->histogram, using the kept streams where possible. */
enum status live_answers_detail(struct live_answers *answers, const struct machine *machine,
                                const struct trace_source *source,
                                const struct evaluate_options *options,
                                struct diagnostics *diagnostics);

/* Sets *loads to the loads that the machine issues at the reuse depth, and keeps them; or to NULL
 * if there are too many to keep. They stay valid until the next call of any function here. */
enum status live_answers_loads(struct live_answers *answers, const struct machine *machine,
                               const struct trace_source *source,
                               const struct evaluate_options *options,
                               const struct reuse_loads **loads, struct diagnostics *diagnostics);

/* The metrics of `stages` (of everything if the depth is not factored), if they are remembered. */
bool live_answers_recall(struct live_answers *answers, const struct machine *machine,
                         const struct trace_source *source, enum depth depth, unsigned stages,
                         unsigned needs, struct metrics *metrics);
/* Simulates these stages at the functional depth, and the stages that they consume if necessary,
 * and remembers their metrics. */
enum status live_answers_evaluate_stage(struct live_answers *answers, const struct machine *machine,
                                        const struct trace_source *source, unsigned stages,
                                        const struct evaluate_options *options,
                                        struct metrics *metrics, struct diagnostics *diagnostics);
/* Remembers what evaluate found for a whole machine with these options. */
void live_answers_keep(struct live_answers *answers, const struct machine *machine,
                       const struct trace_source *source, const struct evaluate_options *options,
                       const struct metrics *metrics);
