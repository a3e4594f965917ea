#include "model/replay/replay.h"

#include <stdlib.h>

#include <omp.h>

#include "model/replay/replay_state.h"

bool replay_cancelled(const struct replay *replay)
{
    const atomic_bool *cancel = replay->options->cancel;
    return cancel && atomic_load_explicit(cancel, memory_order_relaxed);
}

static void replay_report(const struct replay *replay, double share)
{
    if (replay->options->progress)
        replay->options->progress(replay->options->argument, share);
}

/* ---- instance by instance ---------------------------------------------------------------------
 */

enum status replay_instances(const struct replay *replay, unsigned instances, double from,
                             double to, enum status (*one)(void *argument, unsigned instance),
                             void *argument)
{
    atomic_int failed = STATUS_OK;
    atomic_uint done = 0;
    unsigned threads = replay->threads > 0 ? (unsigned)replay->threads : 1;
    if (threads > instances)
        threads = instances;
#pragma omp parallel for schedule(dynamic) num_threads((int)threads) if (threads > 1)
    for (unsigned u = 0; u < instances; u++) {
        if (atomic_load(&failed))
            continue;
        enum status status = one(argument, u);
        if (status)
            atomic_store(&failed, status);
        unsigned now = atomic_fetch_add(&done, 1) + 1;
        /* Only the calling thread reports, because `progress` need not be thread-safe. */
        if (omp_get_thread_num() == 0)
            replay_report(replay, from + (to - from) * now / instances);
    }
    return (enum status)atomic_load(&failed);
}

enum status replay_create_cache(const struct cache_config *config, unsigned instance, uint64_t seed,
                                unsigned options, struct cache **cache)
{
    enum status status = cache_create(config, 1, seed, options, cache);
    if (!status)
        cache_set_instance(*cache, instance);
    return status;
}

struct cache_counts replay_sum(const struct cache_counts *counts, unsigned instances)
{
    struct cache_counts sum = {0};
    for (unsigned u = 0; u < instances; u++)
        cache_add_counts(&sum, &counts[u]);
    return sum;
}

/* ---- in order ---------------------------------------------------------------------------------
 */

struct player {
    const struct replay *replay;
    struct stages *stages;
    uint64_t requests; /* of the whole log */
};

static enum status play_launch(void *argument, const struct trace_launch *launch)
{
    struct player *player = argument;
    return stages_launch(player->stages, launch);
}

static enum status play_requests(void *argument, const struct request *requests, size_t count)
{
    struct player *player = argument;
    return stages_run(player->stages, FEED_RECORDS, requests, count, player->replay->diagnostics);
}

static enum status play_walks(void *argument, const struct request *requests, size_t count)
{
    struct player *player = argument;
    return stages_run_walks(player->stages, requests, count);
}

static enum status play_progress(void *argument, const struct issue_counts *counts)
{
    const struct player *player = argument;
    if (replay_cancelled(player->replay))
        return STATUS_CANCELLED;
    replay_report(player->replay, (double)counts->transactions / (double)player->requests);
    return STATUS_OK;
}

/* Plays the log into the stages of a machine through `requests`. */
static enum status play(const struct replay *replay, const struct machine *machine,
                        enum status (*requests)(void *argument, const struct request *requests,
                                                size_t count),
                        struct metrics *metrics)
{
    struct player player = {.replay = replay, .requests = request_log_requests(replay->log)};
    const struct issue_sink sink = {.launch = play_launch,
                                    .requests = requests,
                                    .progress = play_progress,
                                    .argument = &player};
    size_t leaf;
    enum status status =
        stages_create(replay->options->needs, SHARE_NOTHING, false, &player.stages);
    if (!status)
        status = stages_add(player.stages, machine, &leaf);
    if (!status)
        stages_count_pcs(player.stages, replay->options->pcs);
    if (!status && requests == play_walks)
        stages_issued(player.stages, replay->log->number);
    if (!status)
        status = request_log_play(replay->log, &sink);
    if (!status)
        status = stages_finish(player.stages);
    if (!status)
        stages_metrics(player.stages, leaf, metrics);
    stages_free(player.stages);
    return status;
}

enum status replay_in_order(const struct replay *replay, const struct machine *machine,
                            struct metrics *metrics)
{
    return play(replay, machine, play_requests, metrics);
}

enum status replay_stream(const struct replay *replay, struct metrics *metrics)
{
    return replay_in_order(replay, replay->machine, metrics);
}

enum status replay_walks(const struct replay *replay, struct metrics *metrics)
{
    struct machine behind = *replay->machine;
    const double accesses = metrics->tlb_accesses, misses = metrics->tlb_misses;
    behind.l1d.enabled = behind.l2.enabled = 0;
    enum status status = play(replay, &behind, play_walks, metrics);
    metrics->tlb_accesses = accesses; /* the replayed machine's own TLB counts are meaningless */
    metrics->tlb_misses = misses;
    return status;
}
