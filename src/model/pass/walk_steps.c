#include "model/pass/walk_steps.h"

#include <stdlib.h>

#include "model/gpu/issue.h"
#include "model/lru/cache_batch.h"
#include "model/pass/request_log.h"
#include "model/pass/stage_tree.h"

/* The walks of a batch of about 4,096 requests are recorded in a log and then played; this bounds
 * the log. */
#define BATCH_BYTES ((uint64_t)64 << 20)

struct stepper {
    enum status (*step)(void *argument, const struct walk_step *step);
    void *argument;
    const atomic_bool *cancel;
    uint64_t page_size, limit, done;
    struct stages *stages; /* only the TLBs */
    struct cache *l2tlb;   /* or NULL */
    struct request_buffer missed;
    struct pwc *pwc;
    struct diagnostics *diagnostics;
    unsigned instances;
    bool full; /* the limit was reached and another walk followed */
};

static enum status step_launch(void *argument, const struct trace_launch *launch)
{
    struct stepper *stepper = argument;
    return stages_launch(stepper->stages, launch);
}

/* Whether there is a shared TLB that holds the page. */
static enum status find_page(struct stepper *stepper, const struct request *page, bool *found)
{
    struct request shared = *page;
    *found = false;
    if (!stepper->l2tlb)
        return STATUS_OK;
    shared.instance = 0;
    stepper->missed.count = 0;
    enum status status = cache_run(stepper->l2tlb, &shared, 1, &stepper->missed);
    *found = !stepper->missed.count;
    return status;
}

static enum status step_walks(void *argument, const struct request *requests, size_t count)
{
    struct stepper *stepper = argument;
    for (size_t i = 0; i < count; i++) {
        bool found;
        enum status status = find_page(stepper, &requests[i], &found);
        if (status)
            return status;
        if (found)
            continue;
        if (stepper->done == stepper->limit) {
            stepper->full = true;
            return STATUS_CANCELLED;
        }
        uint64_t page = requests[i].address / PAGE_TOKEN * stepper->page_size;
        enum pwc_hit hit = pwc_walk(stepper->pwc, page);
        const struct walk_step step = {
            .number = ++stepper->done,
            .page = page & ((UINT64_C(1) << 48) - 1),
            .sm = requests[i].instance,
            .indices = page_split(page),
            .hit = hit,
            .accesses = page_levels(stepper->page_size) - (unsigned)hit,
            .lookup = pwc_lookup_cost(stepper->pwc, hit),
            .pwc = stepper->pwc,
        };
        status = stepper->step(stepper->argument, &step);
        if (status)
            return status;
    }
    return STATUS_OK;
}

static enum status ignore_launch(void *argument, const struct trace_launch *launch)
{
    (void)argument, (void)launch;
    return STATUS_OK;
}

static enum status check_cancel(void *argument, const struct issue_counts *counts)
{
    const struct stepper *stepper = argument;
    (void)counts;
    bool cancelled = stepper->cancel && atomic_load_explicit(stepper->cancel, memory_order_relaxed);
    return cancelled ? STATUS_CANCELLED : STATUS_OK;
}

/* Simulates the TLBs on a batch and steps through their misses. A log is used because it keeps the
 * SM of each miss, which the tree of stages drops after the TLBs. */
static enum status step_requests(void *argument, const struct request *requests, size_t count)
{
    struct stepper *stepper = argument;
    const struct issue_sink walks = {.launch = ignore_launch,
                                     .requests = step_walks,
                                     .progress = check_cancel,
                                     .argument = stepper};
    struct request_log *log = request_log_create(stepper->instances, PLACE_PC, BATCH_BYTES);
    if (!log)
        return STATUS_MEMORY;
    stages_record(stepper->stages, &(struct request_logs){.walks = log});
    enum status status =
        stages_run(stepper->stages, FEED_RECORDS, requests, count, stepper->diagnostics);
    if (!status && !request_log_finish(log))
        status = STATUS_MEMORY;
    if (!status)
        status = request_log_play(log, &walks);
    stages_record(stepper->stages, &(struct request_logs){0});
    request_log_free(log);
    return status;
}

enum status walk_steps(const struct machine *machine, const struct trace_source *source,
                       uint64_t limit,
                       enum status (*step)(void *argument, const struct walk_step *step),
                       void *argument, const atomic_bool *cancel, bool *whole,
                       struct diagnostics *diagnostics)
{
    struct stepper stepper = {.step = step,
                              .argument = argument,
                              .cancel = cancel,
                              .page_size = machine->page.size,
                              .instances = (unsigned)machine->gpu.sms,
                              .limit = limit,
                              .diagnostics = diagnostics};
    const struct issue_sink sink = {.launch = step_launch,
                                    .requests = step_requests,
                                    .progress = check_cancel,
                                    .argument = &stepper};
    struct machine translation = *machine;
    struct issue_counts counts;
    size_t leaf;
    translation.l1d.enabled = translation.l2.enabled = 0;
    translation.l2tlb.enabled = 0;
    translation.pwc.organization = PWC_NONE;
    translation.walker.policy = WALKER_FCFS;
    translation.walker.merge = 0;
    enum status status = pwc_create(&machine->pwc, machine->page.size, &stepper.pwc);
    if (!status && machine->l2tlb.enabled) {
        const struct cache_config config = tlb_cache(&machine->l2tlb);
        status = cache_create(&config, 1, machine->seed, 0, &stepper.l2tlb);
    }
    if (!status)
        status = stages_create(0, SHARE_NOTHING, false, &stepper.stages);
    if (!status)
        status = stages_add(stepper.stages, &translation, &leaf);
    if (!status)
        status = issue_source(&translation, source, &sink, &counts, diagnostics);
    if (stepper.full)
        status = STATUS_OK;
    *whole = !stepper.full;
    stages_free(stepper.stages);
    pwc_free(stepper.pwc);
    cache_free(stepper.l2tlb);
    free(stepper.missed.items);
    return status;
}
