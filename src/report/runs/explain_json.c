#include "report/runs/explain_json.h"

#include <math.h>

#include "report/drawing/number.h"
#include "report/runs/explain_blame.h"

/* Appends and takes over the item. Without memory for either the array goes and is NULL. */
static void explain_append(json_t **array, json_t *item)
{
    if (json_array_append_new(*array, item)) {
        json_decref(*array);
        *array = NULL;
    }
}

static json_t *change_json(const struct lever_change *change)
{
    json_t *array = json_array();
    char text[LEVER_TEXT];
    for (size_t i = 0; array && i < change->count; i++)
        explain_append(&array, text_json(lever_setting_print(&change->settings[i], text)));
    return array;
}

static json_t *lever_json(const struct lever *lever)
{
    static const char *const costs[] = {
        [LEVER_FREE] = "none", [LEVER_COSTLY] = "area", [LEVER_UNCOUNTED] = "not counted"};
    return json_pack("{s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:b}", "set",
                     change_json(&lever->change), "value", number_json(lever->value), "gain",
                     number_json(lever->gain), "noise", number_json(lever->noise), "cost",
                     costs[lever_cost(lever)], "area", number_json(lever->area), "bits",
                     number_json(lever->bits), "energy", number_json(lever->energy), "beaten",
                     (int)lever->beaten);
}

static json_t *levers_json(const struct lever *levers, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; array && i < count; i++)
        explain_append(&array, lever_json(&levers[i]));
    return array;
}

static json_t *names_json(struct ideal_set set)
{
    json_t *array = json_array();
    for (int i = 0; array && i < IDEAL_COUNT; i++)
        if (ideal_has(set, (enum ideal)i))
            explain_append(&array, json_string(ideal_table[i].name));
    return array;
}

/* What is known of a limit; all null where it is several (NULL). */
static json_t *limit_json(const struct ladder_limit *limit, double value, double cycles)
{
    static const struct ladder_limit none = {.share = NAN, .gain = NAN, .held = NAN};
    const struct ladder_limit *known = limit ? limit : &none;
    const struct ideal_info *ideal = limit ? &ideal_table[limit->ideal] : NULL;
    return json_pack("{s:s?, s:s?, s:o, s:o, s:o, s:o, s:o}", "ideal", ideal ? ideal->name : NULL,
                     "level", ideal ? ideal_level_table[ideal->level].name : NULL, "share",
                     number_json(known->share), "alone", number_json(known->gain), "held",
                     number_json(known->held), "value", number_json(value), "cycles",
                     number_json(cycles));
}

static json_t *rung_json(const struct ladder *ladder, const struct ladder_rung *rung)
{
    json_t *object = limit_json(ladder_limit_of(ladder, rung), rung->value, rung->cycles);
    if (object && (json_object_set_new(object, "gain", number_json(rung->gain)) ||
                   json_object_set_new(object, "ideals", names_json(rung->added)))) {
        json_decref(object);
        object = NULL;
    }
    return object;
}

static json_t *pair_json(const struct ladder_pair *pair)
{
    struct ideal_set both = {{0}};
    ideal_add(&both, pair->ideals[0]);
    ideal_add(&both, pair->ideals[1]);
    return json_pack("{s:o, s:o, s:o, s:o}", "ideals", names_json(both), "gain",
                     number_json(pair->gain), "value", number_json(pair->value), "cycles",
                     number_json(pair->cycles));
}

enum ladder_list { LIST_LIMITS, LIST_RUNGS, LIST_PAIRS };
static json_t *ladder_json(const struct ladder *ladder, enum ladder_list list)
{
    const size_t counts[] = {ladder->limit_count, ladder->rung_count, ladder->pair_count};
    json_t *array = json_array();
    for (size_t i = 0; array && i < counts[list]; i++) {
        const struct ladder_limit *limit = &ladder->limits[i];
        json_t *item = list == LIST_LIMITS  ? limit_json(limit, limit->value, limit->cycles)
                       : list == LIST_RUNGS ? rung_json(ladder, &ladder->rungs[i])
                                            : pair_json(&ladder->pairs[i]);
        explain_append(&array, item);
    }
    return array;
}

static json_t *sentences_json(const struct sentences *sentences)
{
    json_t *array = json_array();
    for (size_t i = 0; array && i < sentences->count; i++)
        explain_append(&array, json_pack("{s:o, s:o}", "text", text_json(sentences->items[i].text),
                                         "run", text_json(sentences->items[i].repeat)));
    return array;
}

static json_t *incomparable_json(const struct explain_report *report)
{
    const struct levers *levers = &report->explanation->levers;
    json_t *array = json_array();
    for (size_t i = 0; array && i < levers->incomparable_count; i++) {
        const struct lever_incomparable *lever = &levers->incomparable[i];
        const struct metric *other =
            lever_comparable(lever->setting.parameter, report->explanation->metric, report->depth);
        char text[LEVER_TEXT];
        explain_append(&array, json_pack("{s:o, s:s, s:s?}", "lever",
                                         text_json(lever_incomparable_print(lever, text)), "why",
                                         lever_incomparable_why(lever), "metric",
                                         other ? other->path : NULL));
    }
    return array;
}

static json_t *run_json(const struct explain_report *report)
{
    const struct explanation *explanation = report->explanation;
    const struct metric *metric = explanation->metric;
    return json_pack("{s:o, s:o, s:o, s:s, s:s, s:o, s:s, s:o}", "command",
                     text_json(report->command), "machine", text_json(report->machine_name),
                     "workload", text_json(report->workload), "depth", depth_name(report->depth),
                     "metric", metric->path, "value",
                     number_json(metric_get(metric, &explanation->base)), "unit",
                     unit_name(metric->unit), "cycles", number_json(explanation->base.core_cycles));
}

enum status explain_json(const struct explain_report *report, FILE *out)
{
    const struct explanation *explanation = report->explanation;
    const struct levers *levers = &explanation->levers;
    const struct ladder *ladder = &explanation->ladder;
    json_t *all = json_pack(
        "{s:o, s:o, s:o, s:I, s:I, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "run",
        run_json(report), "bound", number_json(ladder->bound_cycles), "bound_value",
        number_json(ladder->bound), "done", (json_int_t)explanation->count.done, "planned",
        (json_int_t)explanation->count.planned, "complete", (int)explanation->complete, "noise",
        number_json(explanation->noise.floor), "limits", ladder_json(ladder, LIST_LIMITS), "ladder",
        ladder_json(ladder, LIST_RUNGS), "pairs", ladder_json(ladder, LIST_PAIRS), "levers",
        levers_json(levers->singles, levers->single_count), "lever_pairs",
        levers_json(levers->pairs, levers->pair_count), "not_compared", incomparable_json(report),
        "sentences", sentences_json(&explanation->sentences));
    if (all && report->blaming &&
        (json_object_set_new(all, "blame", explain_blame_json(report->blaming)) ||
         json_object_set_new(all, "evictions", explain_evictions_json(report->blaming)))) {
        json_decref(all);
        all = NULL;
    }
    return json_print(all, out);
}
