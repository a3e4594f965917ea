#include "ui/jobs/step_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text_stream.h"
#include "model/evaluate.h"
#include "report/runs/difference_report.h"
#include "report/runs/step_words.h"
#include "schema/parameters.h"
#include "workload/workload.h"

/* ---- the run ---- */

struct step_run {
    atomic_uint owners;
    struct machine machine; /* as the session has it */
    struct machine timed;   /* as it runs */
    char workload[256];
    enum assumed_dependences assumed;
    struct trace_source *source;
    struct run_cursor *cursor;      /* NULL: not open */
    struct diagnostics diagnostics; /* of the question that is being answered */
};

struct step_run *step_run_new(const struct machine *machine, const char *workload,
                              enum assumed_dependences assumed)
{
    struct step_run *run = calloc(1, sizeof *run);
    if (!run)
        return NULL;
    atomic_init(&run->owners, 1);
    run->machine = run->timed = *machine;
    machine_apply_kind(&run->timed);
    snprintf(run->workload, sizeof run->workload, "%s", workload);
    run->assumed = assumed;
    return run;
}

void step_run_release(struct step_run *run)
{
    if (!run || atomic_fetch_sub(&run->owners, 1) > 1)
        return;
    run_cursor_close(run->cursor);
    trace_source_free(run->source);
    free(run);
}

bool step_run_is_of(const struct step_run *run, const struct machine *machine, const char *workload,
                    enum assumed_dependences assumed)
{
    return machine_same(&run->machine, machine, ~0u) && !strcmp(run->workload, workload) &&
           run->assumed == assumed;
}

static enum status step_run_read(struct step_run *run)
{
    enum status status = STATUS_OK;
    if (!run->source)
        status =
            workload_open_assumed(run->workload, run->assumed, &run->source, &run->diagnostics);
    return status ? status
                  : evaluate_check_events(&run->timed, run->source, NULL, &run->diagnostics);
}

static enum status step_run_open(struct step_run *run, const atomic_bool *cancel)
{
    const struct evaluate_options how = {.depth = DEPTH_TIMING, .threads = 1, .cancel = cancel};
    const enum status status = run->cursor ? STATUS_OK : step_run_read(run);
    return status || run->cursor ? status
                                 : run_cursor_open(&run->timed, run->source, &how, CURSOR_MEMORY,
                                                   &run->diagnostics, &run->cursor);
}

/* ---- what there is to see ---- */

static enum status step_keep_row(struct step_result *result, const struct strip_row *strip)
{
    if (array_reserve(&result->rows, &result->capacity, result->count + 1))
        return STATUS_MEMORY;
    struct step_row *row = &result->rows[result->count];
    row->slot = strip->slot;
    row->state = strip->state;
    memcpy(row->marks, strip->marks, sizeof row->marks);
    const enum status status = kept_bytes_add_text(&result->kept, strip->why, &row->why);
    result->count += !status;
    return status;
}

static enum status step_keep_part(struct step_result *result, const struct step_report *report,
                                  enum step_part part, size_t *place)
{
    struct text_stream stream;
    char *text;
    FILE *out = text_stream_open(&stream);
    enum status status = out ? step_report_part(report, part, out) : STATUS_MEMORY;
    status = text_stream_finish(&stream, status, &text);
    if (!status)
        status = kept_bytes_add_text(&result->kept, text, place);
    free(text);
    return status;
}

static enum status step_see(struct step_result *result)
{
    const struct run_cursor *cursor = result->query.run->cursor;
    const struct cursor_window window = run_cursor_window(cursor);
    struct step_report report = {.name = "",
                                 .cursor = cursor,
                                 .sm = result->sm,
                                 .bank = CURSOR_ANY,
                                 .set = result->query.set.stage ? &result->query.set : NULL};
    enum status status = STATUS_OK;
    result->cycle = run_cursor_cycle(cursor);
    result->ended = run_cursor_ended(cursor);
    result->first = window.first;
    result->columns = window.columns;
    result->sms = window.sms;
    result->state_rows = window.state_rows;
    result->state_count = window.state_count;
    for (unsigned i = 0; !status && i < STEP_PARTS; i++)
        status = step_keep_part(result, &report, (enum step_part)i, &result->parts[i]);
    for (uint32_t slot = 0; !status && slot < window.slots; slot++) {
        struct strip_row strip;
        if (!strip_row_find(cursor, result->sm, slot, &strip))
            continue;
        status = step_keep_row(result, &strip);
        report.bank = slot;
        if (!status)
            status = step_keep_part(result, &report, STEP_PART_chains,
                                    &result->rows[result->count - 1].chains);
    }
    return status;
}

/* Where the words do not lead anywhere it stays where it was, and says why. */
static enum status step_move(struct step_result *result)
{
    const struct step_query *query = &result->query;
    struct run_cursor *cursor = query->run->cursor;
    struct diagnostics *diagnostics = &query->run->diagnostics;
    struct timing_event event;
    enum status status = STATUS_OK;
    if (run_cursor_cycle(cursor) != query->from)
        status = run_cursor_go(cursor, query->from);
    if (status)
        return status;
    status = step_go(cursor, query->words, &query->narrow, &event, diagnostics);
    if (status == STATUS_NOT_FOUND || status == STATUS_INVALID) {
        snprintf(result->note, sizeof result->note, "%s", diagnostics_first(diagnostics, status));
        return run_cursor_go(cursor, query->from);
    }
    uint32_t sm, slot;
    if (!status && event.kind < EVENT_KINDS && event_row(&event, &sm, &slot)) {
        result->sm = query->follow ? sm : query->sm;
        result->slot = sm == result->sm && slot != NO_SLOT ? slot : CURSOR_ANY;
    }
    return status;
}

/* ---- two runs ---- */

static enum status step_keep_difference(struct step_result *result,
                                        const struct run_difference *difference)
{
    const struct step_query *query = &result->query;
    const struct difference_report report = {
        .names = {"the pinned machine", "this one"},
        .sources = {query->against->source, query->run->source},
        .difference = difference,
        .limit = 8};
    struct text_stream stream;
    char *text;
    FILE *out = text_stream_open(&stream);
    enum status status = out ? difference_report_print(&report, TABLE_TEXT, out) : STATUS_MEMORY;
    status = text_stream_finish(&stream, status, &text);
    if (!status)
        status = kept_bytes_add_text(&result->kept, text, &result->difference);
    result->compared = !status;
    free(text);
    return status;
}

/* Finds the first event that differs, and goes behind its cycle. */
static enum status step_part_ways(struct step_result *result, const atomic_bool *cancel)
{
    const struct step_query *query = &result->query;
    struct step_run *run = query->run;
    const struct evaluate_options how = {.depth = DEPTH_TIMING, .threads = 1, .cancel = cancel};
    struct run_difference difference;
    enum status status = step_run_read(query->against);
    if (status) {
        diagnostics_free(&run->diagnostics);
        run->diagnostics = query->against->diagnostics;
        query->against->diagnostics = (struct diagnostics){0};
        return status;
    }
    const struct compared_run compared[RUNS_COMPARED] = {
        {&query->against->timed, query->against->source}, {&run->timed, run->source}};
    status = run_difference_find(compared, &how, &difference, &run->diagnostics);
    if (!status)
        status = step_keep_difference(result, &difference);
    const struct place_difference *first = difference.place_count ? difference.places : NULL;
    if (!status && first && first->parted) {
        const struct timing_event *event = &first->events[first->has[RUN_B] ? RUN_B : RUN_A];
        uint32_t unit, row;
        const bool there = event_row(event, &unit, &row);
        result->sm = there ? unit : query->sm;
        result->slot = there && row != NO_SLOT ? row : CURSOR_ANY;
        status = run_cursor_go(run->cursor, first->cycle + 1);
    } else if (!status) {
        status = step_move(result);
    }
    run_difference_free(&difference);
    return status;
}

static void step_job_run(void *answer, const atomic_bool *cancel)
{
    struct step_result *result = answer;
    struct step_run *run = result->query.run;
    enum status status = step_run_open(run, cancel);
    if (!status)
        status = result->query.against ? step_part_ways(result, cancel) : step_move(result);
    if (!status)
        status = step_see(result);
    answer_end(&result->answer, status, &run->diagnostics);
}

static void step_job_free(void *answer)
{
    struct step_result *result = answer;
    step_run_release(result->query.run);
    step_run_release(result->query.against);
    free(result->rows);
    kept_bytes_free(&result->kept);
    free(result);
}

const struct job_kind step_job = {step_job_run, step_job_free};

struct step_result *step_result_new(const struct step_query *query)
{
    struct step_result *result = calloc(1, sizeof *result);
    if (!result)
        return NULL;
    result->query = *query;
    result->sm = query->sm;
    result->slot = CURSOR_ANY;
    atomic_fetch_add(&query->run->owners, 1);
    if (query->against)
        atomic_fetch_add(&query->against->owners, 1);
    return result;
}
