/* The engine of the screen: runs evaluations and sweeps in the background. The newest request
 * wins.
 *
 * Requests return at once. Results appear as snapshots; engine_fd becomes readable when a newer one
 * is ready. There are three threads: one answers the machine under the cursor, one runs the sweep,
 * and one ends superseded evaluations when their time is up. The sweep's OpenMP workers run at a
 * lower priority, so that tuning always goes first.
 *
 * Invariants: every value published belongs to the machine, workload and depth that the snapshot
 * names. All engine threads block all signals. Nothing here knows curses; tests drive the engine
 * headless. */
#pragma once

#include <stdbool.h>

#include "explore/sweep/sweep.h"
#include "model/cache/pc_table.h"
#include "model/evaluate.h"
#include "model/reuse/distance_histogram.h"
#include "model/timing/base/timing_log.h"
#include "schema/study.h"

struct engine;

enum engine_state {
    ENGINE_IDLE,     /* nothing was asked */
    ENGINE_RUNNING,  /* `share` of the work is done */
    ENGINE_ESTIMATE, /* there are values with error bars; the exact run goes on */
    ENGINE_COUNTED,  /* values are exact, except the classes of misses, which are still NaN */
    ENGINE_DONE,
    ENGINE_FAILED /* `message` says why */
};

enum {
    ENGINE_NOTES = 8,
    ENGINE_MESSAGE = 240,
    CURVE_POINTS = 64,
    DETAIL_PCS = 256,
    DETAIL_TIMES = 120
};
enum { KERNEL_TEXT = 48 };

struct engine_evaluation {
    enum engine_state state;
    uint64_t request;       /* number of the engine_evaluate call that this answers */
    struct machine machine; /* the machine evaluated */
    enum depth depth;
    struct metrics metrics, error; /* error: half widths of an estimate */
    double share;                  /* of the current run that is done, 0 to 1 */
    double seconds;                /* from the request to this state */
    double counted;                /* from the request to exact counts; 0 until they exist */
    const char *notes[ENGINE_NOTES];
    size_t note_count;
    char message[ENGINE_MESSAGE];
};

/* A metric over the legal values of one parameter; all other parameters are those of the request.
 */
struct engine_curve {
    enum engine_state state;
    uint64_t request;
    const struct parameter *parameter;
    const struct metric *metric;
    const struct parameter *follower; /* see curve_follower; may be NULL */
    size_t count;
    struct value values[CURVE_POINTS];
    double y[CURVE_POINTS];     /* NaN if illegal there or not known yet */
    double error[CURVE_POINTS]; /* half width if y is an estimate, else 0 */
    char message[ENGINE_MESSAGE];
};

/* What an evaluation says beyond its metrics. Exact once it is done; at depth timing the counts by
 * instruction appear while it runs, or the evaluation that comes first: of the cycles so far. */
struct engine_detail {
    enum engine_state state;
    uint64_t request;
    enum depth depth;
    double share;                            /* of the work that is done, while it runs */
    struct reuse_bins bins;                  /* reuse distances; only at the reuse depth */
    bool classes;                            /* pcs have their classes of misses */
    struct pc_count pcs[DETAIL_PCS], others; /* instructions with the most misses, and the rest */
    char kernels[DETAIL_PCS][KERNEL_TEXT];   /* name of each one's kernel, cut if it is long */
    size_t pc_count;
    uint64_t misses, stalls;                /* of all instructions */
    struct timing_part times[DETAIL_TIMES]; /* intervals of the run; only at depth timing */
    size_t time_count;
    char message[ENGINE_MESSAGE];
};

struct engine_sweep {
    enum engine_state state; /* ENGINE_DONE also after a clean stop; then `stopped` is true */
    bool stopped;
    char store[4096];
    struct sweep_progress progress;
    char message[ENGINE_MESSAGE];
};

struct engine_snapshot {
    char workload[256];   /* as requested */
    char provenance[512]; /* of the opened trace source */
    uint32_t launches;
    enum engine_state workload_state;
    char workload_message[ENGINE_MESSAGE];
    struct engine_evaluation evaluation;
    struct engine_evaluation earlier; /* the newest superseded evaluation with values, for this
                                         workload and depth; its request is 0 if there is none */
    struct engine_curve curve;
    struct engine_detail detail;
    struct engine_sweep sweep;
    uint64_t looked_ahead; /* neighbouring machines evaluated without being asked for */
};

/* `threads` of a sweep or a curve; 0 for all. */
enum status engine_create(int threads, struct engine **engine);
/* Cancels everything and joins the threads. A running sweep commits and can be resumed. NULL is
 * allowed. */
void engine_free(struct engine *engine);

/* An eventfd, readable when there is a newer snapshot. */
int engine_fd(const struct engine *engine);

/* Copies the newest state and resets the fd. */
void engine_snapshot(struct engine *engine, struct engine_snapshot *snapshot);

/* Opens another workload. The last evaluation and the last curve asked for are then computed for
 * it, whether or not they were answered for the old one. */
void engine_set_workload(struct engine *engine, const char *workload);

/* A copy of the launches of the workload (launches_copy), which the caller frees. STATUS_NOT_FOUND
 * unless it is open: workload_state is ENGINE_DONE. STATUS_MEMORY. */
enum status engine_launches(struct engine *engine, struct trace_launch **launches, uint32_t *count);

/* Sets what the instructions of a trace that does not say it wait for, from the next workload on
 * that is opened. */
void engine_set_assumed(struct engine *engine, enum assumed_dependences assumed);

/* Sets the depth of evaluations, curves and details, and answers the last requests again. The
 * initial depth is functional. Other depths have no estimates: only progress is published before
 * the exact answer. */
void engine_set_depth(struct engine *engine, enum depth depth);

/* Asks for an evaluation of a machine. Publishes an estimate first, then exact counts, then the
 * classes of misses; skips steps if the workload is small or known to be quick. Metrics that need
 * no stream appear at once; the others are NaN until they are known. Waits for a workload if none
 * was set. A machine that breaks a rule ends in ENGINE_FAILED. Returns the number of the request,
 * from 1.
 *
 * If another machine is being evaluated, that evaluation goes on for a bounded time
 * (engine_lingers) and is published as `earlier`. Then the newest machine is evaluated; those asked
 * for in between are dropped. So values still appear while a key is held down and repeats faster
 * than evaluations finish.
 *
 * While there is no request, the engine evaluates neighbours of the last machine from memory,
 * starting with steps of the curve's parameter. Any call interrupts that. */
uint64_t engine_evaluate(struct engine *engine, const struct machine *machine);

/* Asks for the detail of a machine. The evaluation comes first. Returns the number of the request.
 */
uint64_t engine_request_detail(struct engine *engine, const struct machine *machine);

/* Asks for a curve over the values of curve_values. The evaluation comes first. */
uint64_t engine_request_curve(struct engine *engine, const struct machine *machine,
                              const struct parameter *parameter, const struct metric *metric);

/* Starts a sweep of a copy of the study. Returns STATUS_CONFLICT while another one runs. */
enum status engine_start_sweep(struct engine *engine, const struct study *study, const char *store);
void engine_stop_sweep(struct engine *engine);
