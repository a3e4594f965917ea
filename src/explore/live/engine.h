/* The engine behind the screen: evaluations and sweeps in the background, newest request wins.
 *
 * Requests return at once. Results are published as snapshots; engine_fd becomes readable when a
 * newer one can be taken. Three threads: one answers the machine under the cursor, one runs the
 * sweep (its OpenMP workers at a lower priority, so tuning always goes first), one watches the time
 * that a superseded evaluation still has. All engine threads block all signals. No curses here:
 * tests drive it headless. */
#pragma once

#include <stdbool.h>

#include "explore/sweep/sweep.h"
#include "model/cache/pc_table.h"
#include "model/evaluate.h"
#include "model/reuse/histogram.h"
#include "schema/study.h"

struct engine;

enum engine_state {
    ENGINE_IDLE,     /* nothing asked */
    ENGINE_RUNNING,  /* `share` is done */
    ENGINE_ESTIMATE, /* values are there with an error bar; the exact run goes on */
    ENGINE_COUNTED,  /* values are exact; the classes of misses (NaN) are still worked out */
    ENGINE_DONE,
    ENGINE_FAILED /* `message` says why */
};

enum { ENGINE_NOTES = 8, ENGINE_MESSAGE = 240, CURVE_POINTS = 64, DETAIL_PCS = 256 };

struct engine_evaluation {
    enum engine_state state;
    uint64_t request;       /* number of the engine_evaluate call that this answers */
    struct machine machine; /* what was evaluated */
    enum depth depth;
    struct metrics metrics, error;
    double share;   /* done of the current run, 0 to 1 */
    double seconds; /* from the request to this state */
    double counted; /* from the request to exact counts; 0 before they are there */
    const char *notes[ENGINE_NOTES];
    size_t note_count;
    char message[ENGINE_MESSAGE];
};

/* A metric over the legal values of one parameter, the other parameters as asked. */
struct engine_curve {
    enum engine_state state;
    uint64_t request;
    const struct parameter *parameter;
    const struct metric *metric;
    const struct parameter *follower; /* of curve_follower, or NULL */
    size_t count;
    struct value values[CURVE_POINTS];
    double y[CURVE_POINTS];     /* NaN: illegal there or not yet known */
    double error[CURVE_POINTS]; /* half width where it is an estimate, else 0 */
    char message[ENGINE_MESSAGE];
};

/* More of an evaluation than its metrics: always exact. */
struct engine_detail {
    enum engine_state state;
    uint64_t request;
    enum depth depth;
    double share;                            /* done, while it runs */
    struct reuse_bins bins;                  /* reuse distances; at the reuse depth alone */
    bool classes;                            /* those of pcs are known */
    struct pc_count pcs[DETAIL_PCS], others; /* instructions with the most misses, and the rest */
    size_t pc_count;
    uint64_t misses; /* of all of them */
    char message[ENGINE_MESSAGE];
};

struct engine_sweep {
    enum engine_state state; /* DONE also after a clean stop: `stopped` */
    bool stopped;
    char store[4096];
    struct sweep_progress progress;
    char message[ENGINE_MESSAGE];
};

struct engine_snapshot {
    char workload[256];   /* as asked */
    char provenance[512]; /* of the opened source */
    uint32_t launches;
    enum engine_state workload_state;
    char workload_message[ENGINE_MESSAGE];
    struct engine_evaluation evaluation;
    struct engine_evaluation earlier; /* the newest superseded one with values, of this workload
                                         and depth; request 0: there is none */
    struct engine_curve curve;
    struct engine_detail detail;
    struct engine_sweep sweep;
    uint64_t looked_ahead; /* machines near the one asked for that were worked out unasked */
};

/* `threads`: of a sweep and of a curve, 0: all. */
enum status engine_create(int threads, struct engine **engine);
/* Cancels everything and joins. A sweep is committed and can be resumed. NULL is allowed. */
void engine_free(struct engine *engine);

int engine_fd(const struct engine *engine);

/* Copies the newest state and drains the fd. */
void engine_snapshot(struct engine *engine, struct engine_snapshot *snapshot);

/* Opens another workload; the evaluation and the curve last asked for are then run on it, whether
 * they were answered on the old one or not. */
void engine_set_workload(struct engine *engine, const char *workload);

/* The depth of evaluations, curves and details from now on; what was last asked for is answered
 * anew. At first functional. Other depths have no estimates: nothing but progress comes before the
 * exact answer. */
void engine_set_depth(struct engine *engine, enum depth depth);

/* Estimate first, then exact counts, then the classes of misses (fewer steps where the workload is
 * small or known to be quick). While it runs, metrics that need no stream are there already, the
 * others are NaN. Waits for a workload if none was set. A machine with violations fails. Returns
 * the request number, from 1.
 *
 * An evaluation under way for another machine goes on for a bounded time (engine_lingers) and is
 * published as `earlier`; then the newest machine's turn comes. Those asked for in between are
 * dropped. So values follow a knob that is turned faster than they can be worked out.
 *
 * While nobody asks, neighbours of the machine last evaluated are worked out from memory, beginning
 * with steps of the curve's parameter; any call interrupts that. */
uint64_t engine_evaluate(struct engine *engine, const struct machine *machine);

/* After the evaluation too. */
uint64_t engine_request_detail(struct engine *engine, const struct machine *machine);

/* The curve comes after the evaluation, over the values of curve_values. */
uint64_t engine_request_curve(struct engine *engine, const struct machine *machine,
                              const struct parameter *parameter, const struct metric *metric);

/* Copies the study. STATUS_CONFLICT while a sweep runs. */
enum status engine_start_sweep(struct engine *engine, const struct study *study, const char *store);
void engine_stop_sweep(struct engine *engine);
