#include "report/runs/explain_json.h"

#include "report/drawing/number.h"

/* Appends and takes over the item; false if either is missing: no memory. */
static bool explain_append(json_t *array, json_t *item)
{
    return !json_array_append_new(array, item);
}

static json_t *change_json(const struct lever_change *change)
{
    json_t *array = json_array();
    char text[LEVER_TEXT];
    for (size_t i = 0; array && i < change->count; i++)
        if (!explain_append(array, text_json(lever_setting_print(&change->settings[i], text)))) {
            json_decref(array);
            array = NULL;
        }
    return array;
}

static json_t *lever_json(const struct lever *lever)
{
    static const char *const costs[] = {
        [LEVER_FREE] = "none", [LEVER_COSTLY] = "area", [LEVER_UNCOUNTED] = "not counted"};
    return json_pack("{s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:b}", "set", change_json(&lever->change),
                     "value", number_json(lever->value), "gain", number_json(lever->gain), "cost",
                     costs[lever_cost(lever)], "area", number_json(lever->area), "bits",
                     number_json(lever->bits), "energy", number_json(lever->energy), "beaten",
                     (int)lever->beaten);
}

static json_t *levers_json(const struct lever *levers, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; array && i < count; i++)
        if (!explain_append(array, lever_json(&levers[i]))) {
            json_decref(array);
            array = NULL;
        }
    return array;
}

static json_t *run_json(const struct explain_report *report)
{
    const struct explanation *explanation = report->explanation;
    const struct metric *metric = explanation->metric;
    return json_pack("{s:o, s:o, s:s, s:s, s:o, s:s, s:o}", "machine",
                     text_json(report->machine_name), "workload", text_json(report->workload),
                     "depth", depth_name(report->depth), "metric", metric->path, "value",
                     number_json(metric_get(metric, &explanation->base)), "unit",
                     unit_name(metric->unit), "cycles", number_json(explanation->base.core_cycles));
}

enum status explain_json(const struct explain_report *report, FILE *out)
{
    const struct explanation *explanation = report->explanation;
    const struct levers *levers = &explanation->levers;
    json_t *all =
        json_pack("{s:o, s:I, s:I, s:b, s:o, s:o}", "run", run_json(report), "done",
                  (json_int_t)explanation->count.done, "planned",
                  (json_int_t)explanation->count.planned, "complete", (int)explanation->complete,
                  "levers", levers_json(levers->singles, levers->single_count), "lever_pairs",
                  levers_json(levers->pairs, levers->pair_count));
    if (!all)
        return STATUS_MEMORY;
    json_dumpf(all, out, JSON_INDENT(2) | JSON_ENSURE_ASCII);
    json_decref(all);
    putc('\n', out);
    return STATUS_OK;
}
