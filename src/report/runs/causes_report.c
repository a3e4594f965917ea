#include "report/runs/causes_report.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "base/counts.h"
#include "report/drawing/number.h"
#include "report/runs/event_text.h"

enum { COLUMNS = 80, PC_TEXT = 32 };

static double causes_share(const struct run_causes *run, uint64_t cycles)
{
    return run->cycles ? (double)cycles / (double)run->cycles : NAN;
}

static size_t rows_shown(const struct causes_report *report, size_t rows)
{
    return report->limit && report->limit < rows ? report->limit : rows;
}

/* Uses with cycles, most first. Returns how many. */
static size_t sort_uses(const uint64_t uses[CAUSE_USES], unsigned order[CAUSE_USES])
{
    size_t count = 0;
    for (unsigned i = 0; i < CAUSE_USES; i++) {
        size_t at = count;
        if (!uses[i])
            continue;
        for (; at && uses[order[at - 1]] < uses[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
        count++;
    }
    return count;
}

static const char *ideal_of(unsigned use)
{
    return cause_uses[use].ideal < IDEAL_COUNT ? ideal_table[cause_uses[use].ideal].name : NULL;
}

/* What a run without the limit saves; NaN: not known. */
static double saved_without(const struct causes_report *report, unsigned use)
{
    return report->without ? report->whole - report->without[use] : NAN;
}

/* Whether a run without a limit saves what the path says, to one per cent of the run. */
static const char *verdict_of(const struct causes_report *report, unsigned use)
{
    const double saved = saved_without(report, use), cycles = (double)report->run->uses[use];
    const double slack = report->whole / 100;
    if (isnan(saved))
        return NULL;
    if (fabs(saved - cycles) <= slack)
        return cycles > slack ? "agrees" : "small";
    if (saved < -slack)
        return "slower";
    return saved < cycles ? "less" : "more";
}

static struct table *uses_table(const struct causes_report *report)
{
    static const char *const headers[] = {">cycles", ">share|share", "counted as|stack", "limit",
                                          NULL};
    static const char *const compared[] = {
        ">cycles", ">share|share", "counted as|stack", "limit", ">saved", "verdict", NULL};
    const struct run_causes *run = report->run;
    struct table *table = table_create(report->without ? compared : headers);
    unsigned order[CAUSE_USES];
    const size_t count = sort_uses(run->uses, order);
    for (size_t i = 0; table && i < count; i++) {
        table_whole(table, (double)run->uses[order[i]]);
        table_percent(table, causes_share(run, run->uses[order[i]]));
        table_text(table, cause_uses[order[i]].path);
        table_text(table, ideal_of(order[i]));
        if (!report->without)
            continue;
        table_whole(table, saved_without(report, order[i]));
        table_text(table, verdict_of(report, order[i]));
    }
    return table;
}

static const char *pc_print(const struct causes_code *code, char text[PC_TEXT])
{
    snprintf(text, PC_TEXT, "0x%" PRIx32, code->pc);
    return code->code ? text : "-";
}

/* The name of a kernel whose code this is; "": of none. */
static const char *kernel_of(const struct causes_report *report, const struct trace_code *code)
{
    for (uint32_t i = 0; code && i < report->source->launch_count; i++)
        if (trace_launch_code(report->source, i) == code && report->source->launches[i].name)
            return report->source->launches[i].name;
    return "";
}

static struct table *codes_table(const struct causes_report *report)
{
    static const char *const headers[] = {">cycles", ">share",       "pc",
                                          "kernel",  "most of them", NULL};
    const struct run_causes *run = report->run;
    struct table *table = table_create(headers);
    for (size_t i = 0; table && i < rows_shown(report, run->code_count); i++) {
        const struct causes_code *code = &run->codes[i];
        unsigned order[CAUSE_USES];
        char text[PC_TEXT];
        const size_t uses = sort_uses(code->uses, order);
        table_whole(table, (double)code->cycles);
        table_percent(table, causes_share(run, code->cycles));
        table_text(table, pc_print(code, text));
        table_printf(table, "%.24s", kernel_of(report, code->code));
        table_text(table, uses ? cause_uses[order[0]].path : NULL);
    }
    return table;
}

static int compare_steps(const void *left, const void *right)
{
    const struct causes_step *const *a = left, *const *b = right;
    if ((*a)->cycles != (*b)->cycles)
        return (*a)->cycles > (*b)->cycles ? -1 : 1;
    return *a < *b ? -1 : *a > *b;
}

static int compare_places_of_steps(const void *left, const void *right)
{
    const struct causes_step *const *a = left, *const *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* The longest steps, in the order of time. NULL: no memory. */
static const struct causes_step **choose_steps(const struct causes_report *report, size_t *count)
{
    const struct run_causes *run = report->run;
    const struct causes_step **steps = calloc(run->step_count + 1, sizeof(struct causes_step *));
    *count = 0;
    if (!steps)
        return NULL;
    for (size_t i = 1; i < run->step_count; i++)
        steps[i - 1] = &run->steps[i];
    *count = run->step_count ? run->step_count - 1 : 0;
    qsort(steps, *count, sizeof(struct causes_step *), compare_steps);
    *count = rows_shown(report, *count);
    qsort(steps, *count, sizeof(struct causes_step *), compare_places_of_steps);
    return steps;
}

static struct table *steps_table(const struct causes_report *report)
{
    static const char *const headers[] = {">cycle", ">after", ">ahead", "event, because", NULL};
    size_t count;
    const struct causes_step **steps = choose_steps(report, &count);
    struct table *table = steps ? table_create(headers) : NULL;
    for (size_t i = 0; table && i < count; i++) {
        char text[EVENT_TEXT];
        table_whole(table, (double)steps[i]->event.cycle);
        table_whole(table, (double)steps[i]->cycles);
        table_whole(table, steps[i]->rival ? (double)steps[i]->ahead : NAN);
        table_printf(table, "%s: %s", event_print(&steps[i]->event, text),
                     cause_words[steps[i]->link]);
    }
    free(steps);
    if (table)
        table_fit(table, COLUMNS);
    return table;
}

static void print_cone(const struct causes_report *report, FILE *out)
{
    const struct run_causes *run = report->run;
    char some[COUNT_TEXT], all[COUNT_TEXT], warps[COUNT_TEXT], sms[COUNT_TEXT];
    fprintf(out, "\nIts cone: %s of the %s before it in its launch, from %s of %s.\n",
            count_print(run->cone, some), counted_print(run->events, "event", all),
            counted_print(run->cone_warps, "warp", warps), counted_print(run->cone_sms, "SM", sms));
    for (unsigned i = 0; i < EVENT_PARTS; i++)
        if (run->event_parts[i])
            fprintf(out, "  %-5s %s of %s\n", event_parts[i].name,
                    count_print(run->cone_parts[i], some), count_print(run->event_parts[i], all));
}

static enum status print_table(struct table *table, const char *title, enum table_format format,
                               FILE *out)
{
    if (!table)
        return STATUS_MEMORY;
    fprintf(out, "\n%s\n\n", title);
    return table_finish(table, format, out);
}

static enum status causes_print_people(const struct causes_report *report, enum table_format format,
                                       FILE *out)
{
    const struct run_causes *run = report->run;
    char count[COUNT_TEXT], text[EVENT_TEXT];
    fprintf(out, "%s: %s along the critical path\n", report->name,
            counted_print(run->cycles, "cycle", count));
    if (report->of_event && run->step_count)
        fprintf(out, "from the start of launch %" PRIu32 " to cycle %" PRIu64 ", %s\n", run->launch,
                run->steps[run->step_count - 1].event.cycle,
                event_print(&run->steps[run->step_count - 1].event, text));
    enum status status = print_table(uses_table(report), "What they were for", format, out);
    if (!status && report->without)
        fputs("\nSaved: by a run without the limit. less: stages stay, or another chain is as\n"
              "long; more: it delays other chains, too; slower: what comes sooner without it\n"
              "delays others more; small: both within 1 % of the run.\n",
              out);
    if (!status)
        status = print_table(codes_table(report), "Of which instructions", format, out);
    if (status)
        return status;
    fprintf(out,
            "\nThe longest of %s of launch %" PRIu32 " (ahead: after the next to last cause)\n\n",
            counted_print(run->step_count, "step", count), run->launch);
    struct table *steps = steps_table(report);
    status = steps ? table_finish(steps, format, out) : STATUS_MEMORY;
    if (report->of_event)
        print_cone(report, out);
    return status;
}

/* ---- JSON ---- */

static json_t *uses_json(const struct causes_report *report)
{
    unsigned order[CAUSE_USES];
    const struct run_causes *run = report->run;
    const size_t count = sort_uses(run->uses, order);
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        if (json_array_append_new(array,
                                  json_pack("{s:I, s:I, s:s, s:s?, s:o, s:s?}", "cycles",
                                            (json_int_t)run->uses[order[i]], "links",
                                            (json_int_t)run->counts[order[i]], "stack",
                                            cause_uses[order[i]].path, "limit", ideal_of(order[i]),
                                            "saved", number_json(saved_without(report, order[i])),
                                            "verdict", verdict_of(report, order[i])))) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *codes_json(const struct causes_report *report)
{
    json_t *array = json_array();
    for (size_t i = 0; i < rows_shown(report, report->run->code_count); i++) {
        const struct causes_code *code = &report->run->codes[i];
        json_t *stack = json_object();
        for (unsigned use = 0; use < CAUSE_USES; use++) {
            const json_t *before = json_object_get(stack, cause_uses[use].path);
            if (code->uses[use])
                json_object_set_new(
                    stack, cause_uses[use].path,
                    json_integer(json_integer_value(before) + (json_int_t)code->uses[use]));
        }
        if (json_array_append_new(
                array,
                json_pack("{s:o, s:o, s:I, s:o}", "pc",
                          code->code ? address_json(code->pc) : json_null(), "kernel",
                          code->code ? text_json(kernel_of(report, code->code)) : json_null(),
                          "cycles", (json_int_t)code->cycles, "stack", stack))) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static json_t *steps_json(const struct causes_report *report)
{
    size_t count;
    const struct causes_step **steps = choose_steps(report, &count);
    json_t *array = steps ? json_array() : NULL;
    for (size_t i = 0; array && i < count; i++) {
        json_t *step = event_json(&steps[i]->event);
        if (!step ||
            json_object_set_new(step, "after", json_integer((json_int_t)steps[i]->cycles)) ||
            json_object_set_new(step, "ahead",
                                steps[i]->rival ? json_integer((json_int_t)steps[i]->ahead)
                                                : json_null()) ||
            json_object_set_new(step, "because", json_string(cause_words[steps[i]->link])) ||
            json_array_append_new(array, step)) {
            json_decref(array);
            array = NULL;
        }
    }
    free(steps);
    return array;
}

static json_t *cone_json(const struct run_causes *run)
{
    json_t *parts = json_object();
    for (unsigned i = 0; i < EVENT_PARTS; i++)
        json_object_set_new(parts, event_parts[i].name,
                            json_integer((json_int_t)run->cone_parts[i]));
    return json_pack("{s:I, s:I, s:I, s:I, s:o}", "inside", (json_int_t)run->cone, "events",
                     (json_int_t)run->events, "warps", (json_int_t)run->cone_warps, "sms",
                     (json_int_t)run->cone_sms, "parts", parts);
}

static enum status causes_print_json(const struct causes_report *report, FILE *out)
{
    const struct run_causes *run = report->run;
    json_t *event = report->of_event && run->step_count
                        ? event_json(&run->steps[run->step_count - 1].event)
                        : json_null();
    return json_print(
        json_pack("{s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "name", text_json(report->name),
                  "cycles", (json_int_t)run->cycles, "launch", (json_int_t)run->launch, "event",
                  event, "uses", uses_json(report), "instructions", codes_json(report), "steps",
                  steps_json(report), "cone", report->of_event ? cone_json(run) : json_null()),
        out);
}

enum status causes_report_print(const struct causes_report *report, enum table_format format,
                                FILE *out)
{
    if (format == TABLE_JSON)
        return causes_print_json(report, out);
    if (format != TABLE_CSV)
        return causes_print_people(report, format, out);
    struct table *table = uses_table(report);
    return table ? table_finish(table, format, out) : STATUS_MEMORY;
}
