/* How a study is run, whatever searches it: what the caller asks, and what is told as it goes on.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sweep_plan;

enum sweep_stop { SWEEP_RUNS, SWEEP_CANCELLED, SWEEP_TIME_LIMIT, SWEEP_MEMORY_LIMIT };

struct sweep_progress {
    enum sweep_stop stop; /* why a run ended with STATUS_CANCELLED */
    uint64_t points;      /* to have in the end; of an evolving search: at most */
    uint64_t done;        /* of these, resumed ones included */
    uint64_t resumed;
    double share;    /* of the work of this run, with what running passes have done; 0 to 1 */
    uint64_t passes; /* of this run; of a search those of its current batch */
    uint64_t passes_done;
    unsigned passes_running;
    double seconds;     /* since the start of this run */
    double rate;        /* points a second that the work of the last seconds comes to */
    double eta;         /* seconds; NaN = not known yet */
    uint64_t pruned;    /* points left out because a bound keeps them out of the front */
    uint64_t front;     /* points in the front so far */
    double hypervolume; /* share of the objectives' box that the front dominates; NaN = not known */
    uint64_t best;      /* point with the best first objective; UINT64_MAX = none */
    double best_value;
    double locked; /* seconds for which the store has waited for another process; mostly 0 */
};

struct sweep_options {
    const char *store;         /* path */
    const char *cache;         /* path of the stage cache; NULL: none */
    int threads;               /* 0: all */
    const atomic_bool *cancel; /* may be NULL */
    double time_limit;         /* seconds after which the run stops; 0: none */
    uint64_t memory_limit;     /* bytes in memory beyond which it stops; 0: none */
    unsigned shard, shards;    /* only this share of the points, 1 to shards; shards = 0: all */
    bool durable;              /* see struct store_options; commits every few seconds only */
    bool summary;  /* a summary for the store (explore/store/store.h); of large spaces always */
    double verify; /* share of the rows that sweep_verify is to check afterwards: sweep_plan then
                    * says how long that takes; 0: none */
    const char *const *take; /* stores whose points are taken over first; of earlier attempts */
    size_t take_count;
    const struct sweep_plan *plan; /* of this run: what passes cost, which makes progress and ETA
                                    * better from the first second on; may be NULL */
    /* Called a few times a second by one thread at a time; may be NULL. */
    void (*progress)(void *argument, const struct sweep_progress *progress);
    void *argument;
};

/* Above so many points the store becomes a summary, and a study that names no search is refused. */
#define SUMMARY_POINTS 10000000
