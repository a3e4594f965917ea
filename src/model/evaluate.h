/* evaluate(machine, source) -> metrics, and the pass that it is made of.
 *
 * A pass walks a source once: blocks are dealt to SMs, warps issue in order, their accesses are
 * coalesced, and the requests flow through a tree of stages: any number of L1Ds, behind each any
 * number of L2s, any number of TLBs, behind each any number of page-walk caches. So machines that
 * agree in a stage share its simulation, and all share decoding and coalescing. Deterministic: one
 * pass is sequential, passes are independent of each other. */
#pragma once

#include "model/evaluate_options.h"

/* All metrics of one machine on one source. `options` may be NULL (no extra needs). The machine
 * must have no violations. Metrics that were not asked for or do not exist are NaN. */
enum status evaluate(const struct machine *machine, const struct trace_source *source,
                     const struct evaluate_options *options, struct metrics *metrics,
                     struct diagnostics *diagnostics);

/* Many machines in one pass. They must agree in all STAGE_STREAM parameters (machine_same); results
 * go to metrics[i]. Machines with equal stages share them, whatever their order. */
enum status evaluate_many(const struct machine *const *machines, size_t count,
                          const struct trace_source *source, const struct evaluate_options *options,
                          struct metrics *metrics, struct diagnostics *diagnostics);

/* An estimate from evenly spaced windows of blocks, each warmed up first. error[] holds the half
 * width of a 95 % interval for every metric, 0 where the metric needs no stream. `share` in (0, 1]
 * is about how much of the source is simulated; where the source is too small to sample, everything
 * is simulated, *exact is true and error is 0. Miss classes, OPT and the times of page walks (how
 * full the buffer is) depend on everything before, so an estimate leaves them NaN, and the metrics
 * of the L2 and behind a shared TLB where no window could warm it. */
enum status evaluate_sampled(const struct machine *machine, const struct trace_source *source,
                             double share, const struct evaluate_options *options,
                             struct metrics *metrics, struct metrics *error, bool *exact,
                             struct diagnostics *diagnostics);

/* False where the source is so small for this machine and share that evaluate_sampled would
 * simulate all of it. */
bool evaluate_samples(const struct machine *machine, const struct trace_source *source,
                      double share);

/* Sentences that a reader of the numbers must know ("scheduler.policy gto is replayed as round
 * robin at the functional depth"). Writes up to `max` pointers to static text; returns how many. */
size_t evaluate_notes(const struct machine *machine, enum depth depth, const char *notes[],
                      size_t max);

/* Likewise of what a result tells: a sentence for each space of which the stream held instructions
 * that no cache of the machine serves. Returns how many. */
enum { SPACE_NOTE_TEXT = 160 };
size_t evaluate_space_notes(const struct machine *machine, const struct metrics *metrics,
                            char notes[SPACE_COUNT][SPACE_NOTE_TEXT]);
