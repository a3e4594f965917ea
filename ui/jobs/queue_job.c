#include "ui/jobs/queue_job.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "workload/workload.h"

static enum status keep_words(struct queue_result *result, const struct bank_event *event,
                              struct queue_step *kept)
{
    const struct tile_stream *stream = result->source->tiles;
    char words[TILE_STEP_TEXT], line[TILE_LINE_TEXT] = "", about[128] = "";
    if (event->item) {
        const struct tile_request *request = &event->item->request;
        tile_line_print(stream, request->surface, request->x, request->y, line);
        if (bank_item_is_ahead(event->item))
            snprintf(about, sizeof about, "prefetch of %s (tile.prefetch)", line);
        else
            snprintf(about, sizeof about, "r%" PRIu64 ": %s of %s; %d of its 16 values, %d pass",
                     event->item->serial, tile_ops[request->op].name, line,
                     __builtin_popcount(request->mask), __builtin_popcount(request->passed));
    }
    enum status status =
        kept_bytes_add_text(&result->kept, tile_step_explain(event, stream, words), &kept->words);
    if (!status)
        status = kept_bytes_add_text(&result->kept, line, &kept->line);
    return status ? status : kept_bytes_add_text(&result->kept, about, &kept->about);
}

static enum status keep_waiting(struct queue_result *result, const struct bank *bank,
                                struct queue_step *kept)
{
    struct tile_waiting *waiting = malloc((bank->used + 1) * sizeof *waiting);
    if (!waiting)
        return STATUS_MEMORY;
    kept->waiting_count = (uint32_t)tile_waiting_list(bank, waiting);
    const enum status status = kept_bytes_add(
        &result->kept, waiting, kept->waiting_count * sizeof *waiting, &kept->waiting);
    free(waiting);
    return status;
}

static enum status queue_keep_step(void *context, const struct tile_step *step)
{
    struct queue_result *result = context;
    const struct bank_event *event = step->event;
    if (step->number < result->from)
        return STATUS_OK;
    if (result->count == QUEUE_STEPS_MAX || result->kept.used > QUEUE_STEPS_BYTES)
        return STATUS_CANCELLED;
    if (array_reserve(&result->steps, &result->capacity, result->count + 1))
        return STATUS_MEMORY;
    const struct queue_step *last = result->count ? &result->steps[result->count - 1] : NULL;
    struct queue_step kept = {
        .number = step->number,
        .cycle = event->cycle,
        .serial = event->item ? event->item->serial : UINT64_MAX,
        .misses = (last ? last->misses : 0) + tile_step_misses(event),
        .joined = (last ? last->joined : 0) + (event->kind == BANK_JOINED),
        .is_miss = tile_step_misses(event),
        .is_return = tile_step_returns(event),
        .is_wait = event->kind == BANK_STALLED,
        .name = tile_step_name(event),
    };
    enum status status = keep_words(result, event, &kept);
    if (!status)
        status = keep_waiting(result, step->bank, &kept);
    if (!status)
        result->steps[result->count++] = kept;
    return status;
}

static void queue_run(void *answer, const atomic_bool *cancel)
{
    struct queue_result *result = answer;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = workload_open(result->workload, &result->source, &diagnostics);
    if (!status && !result->source->tiles)
        status = diagnostics_error(&diagnostics, STATUS_UNSUPPORTED,
                                   "%s is no scene, whose tiles a queue could wait for; :open "
                                   "tile-gpu brings one",
                                   result->workload);
    if (!status)
        status = tile_watch(&result->machine, result->source->tiles, result->bank, queue_keep_step,
                            result, cancel, &result->whole, &diagnostics);
    answer_end(&result->answer, status, &diagnostics);
}

static void queue_free(void *answer)
{
    struct queue_result *result = answer;
    trace_source_free(result->source);
    kept_bytes_free(&result->kept);
    free(result->steps);
    free(result);
}

const struct job_kind queue_job = {queue_run, queue_free};

struct queue_result *queue_result_new(const char *workload, const struct machine *machine,
                                      uint32_t bank, uint64_t from)
{
    struct queue_result *result = calloc(1, sizeof *result);
    if (!result)
        return NULL;
    snprintf(result->workload, sizeof result->workload, "%s", workload);
    result->machine = *machine;
    result->bank = bank;
    result->from = from;
    return result;
}

const struct tile_waiting *queue_result_waiting(const struct queue_result *result, size_t step)
{
    return kept_bytes_at(&result->kept, result->steps[step].waiting);
}
