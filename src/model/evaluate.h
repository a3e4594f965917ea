/* evaluate(machine, source) -> metrics: the entry point of the models.
 *
 * A pass walks a source once. It distributes blocks over SMs, lets warps issue in order, coalesces
 * their accesses and sends the requests through a tree of stages: any number of L1Ds, each followed
 * by any number of L2s, and any number of TLBs, each followed by any number of page-walk caches.
 * Machines that agree in a stage share its simulation, and all machines of a pass share decoding
 * and coalescing.
 *
 * Invariant: metrics depend only on the machine, the source and the options, not on the other
 * machines of a pass or on the number of threads. */
#pragma once

#include "model/evaluate_options.h"

/* Evaluates one machine on one source. `options` may be NULL (nothing extra is needed). The machine
 * must have no violations (machine_check). Metrics that were not asked for or do not exist are NaN.
 */
enum status evaluate(const struct machine *machine, const struct trace_source *source,
                     const struct evaluate_options *options, struct metrics *metrics,
                     struct diagnostics *diagnostics);

/* Evaluates many machines in one pass; metrics[i] belongs to machines[i]. They must agree in all
 * STAGE_STREAM parameters (machine_same). Machines with equal stages share them in any order. */
enum status evaluate_many(const struct machine *const *machines, size_t count,
                          const struct trace_source *source, const struct evaluate_options *options,
                          struct metrics *metrics, struct diagnostics *diagnostics);

/* Estimates the metrics at a depth with DEPTH_SAMPLED from parts of the grid: model/sample.c,
 * model/timing/estimate.c. `share` in (0, 1] is roughly the part of the source to simulate. error[]
 * gets the half width of a 95 % interval for every metric, 0 for metrics that need no stream. If
 * the source is too small to sample, all of it is simulated, *exact is true and error is 0. What
 * depends on the whole history stays NaN: miss classes, the optimum, the times of page walks,
 * percentiles; and the metrics of the L2, and those after a shared TLB, if no window could warm it
 * up. */
enum status evaluate_sampled(const struct machine *machine, const struct trace_source *source,
                             double share, const struct evaluate_options *options,
                             struct metrics *metrics, struct metrics *error, bool *exact,
                             struct diagnostics *diagnostics);

/* False if the source is so small for this machine, depth and share that evaluate_sampled would
 * simulate all of it. */
bool evaluate_samples(const struct machine *machine, const struct trace_source *source,
                      enum depth depth, double share);

/* Refuses, with a message, a source that `depth` cannot answer: STATUS_UNSUPPORTED. */
enum status evaluate_check(const struct trace_source *source, enum depth depth,
                           struct diagnostics *diagnostics);
/* The same for a source that this machine cannot run at any depth: STATUS_INVALID where its
 * addresses are too wide. */
enum status evaluate_check_machine(const struct machine *machine, const struct trace_source *source,
                                   struct diagnostics *diagnostics);

/* The same for a run at depth timing that somebody goes through, event by event: kernels on SMs and
 * scenes on tile caches, and a machine that this depth simulates. `scenes` ends a sentence about a
 * scene, where there may be none; else it is NULL. */
enum status evaluate_check_events(const struct machine *machine, const struct trace_source *source,
                                  const char *scenes, struct diagnostics *diagnostics);

/* Identifies a source for results at `depth`: the digest of its records, followed by that of its
 * instructions if the depth reads them. Returns `text`. The whole identity names the instructions
 * at any depth, for keys of single results (explore/plan/stage_key.h). */
enum { SOURCE_IDENTITY = 68 };
const char *evaluate_whole_identity(const struct trace_source *source, char text[SOURCE_IDENTITY]);
const char *evaluate_identity(const struct trace_source *source, enum depth depth,
                              char text[SOURCE_IDENTITY]);

/* Writes up to `max` notes that a reader of the numbers must know ("scheduler.policy gto is
 * replayed as round robin at the functional depth"), as pointers to static text. Returns their
 * number. */
size_t evaluate_notes(const struct machine *machine, enum depth depth, const char *notes[],
                      size_t max);

/* Writes the notes that follow from the numbers: one for each memory space whose instructions
 * appeared in the stream although no cache of the machine serves it, and for each cache what its
 * misses and what joins them are, which differ by depth. Returns their number. */
enum { COUNTED_NOTE_TEXT = 240, COUNTED_NOTES = SPACE_COUNT + 3 };
size_t evaluate_counted_notes(const struct machine *machine, enum depth depth,
                              const struct metrics *metrics,
                              char notes[COUNTED_NOTES][COUNTED_NOTE_TEXT]);
