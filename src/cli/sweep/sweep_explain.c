#include "cli/sweep/sweep_explain.h"

#include <math.h>
#include <string.h>

#include "cli/results/results.h"
#include "report/drawing/number.h"
#include "schema/families.h"

static void add_count(struct table *table, uint64_t count)
{
    char text[COUNT_TEXT];
    table_number(table, (double)count, count_print(count, text));
}

static void add_seconds(struct table *table, double seconds)
{
    char text[32];
    snprintf(text, sizeof text, seconds < 100 ? "%.3g" : "%.0f", seconds);
    table_number(table, seconds, text);
}

static void plan_add_row(struct table *table, const char *workload, const char *stage,
                         const struct stage_plan *row)
{
    table_text(table, workload);
    table_text(table, stage);
    add_count(table, row->settings);
    add_count(table, row->remembered);
    add_count(table, row->simulations);
    add_seconds(table, row->seconds);
}

/* The policies of an axis that go through the passes of one, or each through its own. */
static void print_sharing(const struct axis *axis, int pass, FILE *out)
{
    const bool alone = pass == REPLACEMENT_COUNT;
    const char *join = "";
    size_t count = 0;
    bool itself = false;
    for (size_t i = 0; i < axis->count; i++) {
        count += replacement_shares((int)axis->values[i].uint) == pass;
        itself |= axis->values[i].uint == (uint64_t)pass;
    }
    if (!count)
        return;
    fprintf(out, "%s: ", axis->parameter->path);
    for (size_t i = 0; i < axis->count; i++)
        if (replacement_shares((int)axis->values[i].uint) == pass) {
            fprintf(out, "%s%s", join, replacement_facts[axis->values[i].uint].name);
            join = ", ";
        }
    if (alone)
        fputs(count > 1 ? ": each cache takes its own simulation\n" : " takes its own simulation\n",
              out);
    else if (count == 1 && itself)
        fputs(": its caches share passes where no line is dropped\n", out);
    else
        fprintf(out, " share%s the passes of %s where no line is dropped\n", count > 1 ? "" : "s",
                replacement_facts[pass].name);
}

/* What runs before prove of an axis on a workload. */
static void print_proof(const struct study *study, size_t workload, const struct axis *axis,
                        const struct axis_proof *proof, FILE *out)
{
    const unsigned least = proof->interval.least, most = proof->interval.most;
    char values[COUNT_TEXT];
    if (proof->equal < 2)
        return;
    fprintf(out, "%s: %s: ", study->workloads[workload], axis->parameter->path);
    if (proof->limit && most == UINT32_MAX)
        fprintf(out, "at most %u used", least);
    else if (proof->limit)
        fprintf(out, "the same run from %u to %u", least, most);
    else
        fputs(proof->picks ? "never two warps to pick from" : "no line was replaced", out);
    fprintf(out, ": %zu of %s equal\n", proof->equal, counted_print(axis->count, "value", values));
}

static void print_proofs(const struct study *study, const struct sweep_plan *plan, FILE *out)
{
    for (size_t w = 0; plan->proofs && w < study->workload_count; w++)
        for (size_t a = 0; a < study->axis_count; a++)
            print_proof(study, w, &study->axes[a], &plan->proofs[w * study->axis_count + a], out);
}

static void print_policies(const struct study *study, FILE *out)
{
    for (size_t i = 0; i < study->axis_count; i++)
        for (int pass = 0; pass <= REPLACEMENT_COUNT; pass++)
            if (parameter_chooses_replacement(study->axes[i].parameter))
                print_sharing(&study->axes[i], pass, out);
}

enum status sweep_explain(const struct study *study, const struct sweep_plan *plan,
                          enum table_format format, FILE *out)
{
    static const char *const headers[] = {"workload",     "stage",    ">settings", ">remembered",
                                          ">simulations", ">seconds", NULL};
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    for (size_t w = 0; w < plan->workload_count; w++)
        for (size_t s = 0; s < READER_COUNT; s++) {
            const struct stage_plan *row = &plan->workloads[w].stages[s];
            if (row->settings)
                plan_add_row(table, study->workloads[w], reader_name(1u << s), row);
        }
    bool for_people = format == TABLE_TEXT || format == TABLE_MARKDOWN;
    enum status status =
        for_people && !table_rows(table) ? STATUS_OK : table_print(table, format, out);
    table_free(table);
    if (for_people)
        print_policies(study, out);
    if (for_people)
        print_proofs(study, plan, out);
    return status;
}

/* "2 streams, 24 L1Ds, ...": what must be simulated; leaves out stages without work. */
static void print_stages(const struct sweep_plan *plan)
{
    char count[COUNT_TEXT];
    uint64_t remembered = 0;
    const char *join = "simulations: ";
    for (size_t i = 0; i < READER_COUNT; i++)
        if (plan->stages[i]) {
            printf("%s%s", join, counted_print(plan->stages[i], reader_label(1u << i), count));
            join = ", ";
        }
    if (plan->missing && plan->passes)
        printf("%s%s\n", *join == 's' ? "" : " in ", counted_print(plan->passes, "pass", count));
    for (size_t w = 0; w < plan->workload_count; w++)
        for (size_t i = 0; i < READER_COUNT; i++)
            remembered += plan->workloads[w].stages[i].remembered;
    if (remembered)
        printf("%s of stages remembered\n", counted_print(remembered, "result", count));
}

void sweep_plan_begin(const struct study *study, const struct space *space)
{
    char a[COUNT_TEXT], b[COUNT_TEXT], c[COUNT_TEXT], d[COUNT_TEXT];
    printf("%s: %s, %s x %s = %s\n", study->name, counted_print(study->axis_count, "axis", a),
           counted_print(space->machines, "machine", b),
           counted_print(study->workload_count, "workload", c),
           counted_print(space->points, "point", d));
    fflush(stdout); /* planning may take long */
}

void sweep_plan_print(const struct study *study, const struct sweep_plan *plan, const char *store)
{
    char a[COUNT_TEXT], b[COUNT_TEXT], c[COUNT_TEXT], duration[DURATION_TEXT];
    const struct search *search = &study->search;
    const uint64_t full = search->method == SEARCH_HALVING ? search->points : UINT64_MAX;
    bool limit = search->method != SEARCH_EXHAUSTIVE || search->prune;
    for (size_t i = 0; i < study->axis_count; i++) {
        char why[VALUE_TEXT];
        if (parameter_dead(study->axes[i].parameter, NULL, study->depth, why))
            printf("  axis %s has no effect%s\n", study->axes[i].parameter->path, why);
    }
    if (study->depth != DEPTH_FUNCTIONAL)
        printf("  depth %s\n", depth_name(study->depth));
    if (study->assumed != ASSUMED_NOTHING)
        printf("  instructions of traces that do not say them are assumed to be %s: %s\n",
               assumed_table[study->assumed].name, assumed_table[study->assumed].help);
    for (size_t i = 0; i < plan->setup.census.removal_count; i++) {
        const struct removal *removal = &plan->setup.census.removals[i];
        printf("  %s removed by %s %s\n", counted_print(removal->machines, "machine", a),
               removal->kind, removal->what);
    }
    if (limit)
        printf("  search %s: %s%s\n", search_table[search->method].name,
               search->prune ? "pruned; " : "", search_table[search->method].help);
    if (plan->workload_count) /* absent if the search decides while it runs which points come */
        printf("  %s to have, of these %s in %s already\n", counted_print(plan->points, "point", a),
               count_print(plan->points - plan->missing, b), store);
    print_stages(plan);
    if (plan->windows > 0)
        printf("%s first on windows (%.3g %% of the work), then ",
               counted_print(plan->points, "point", c), 100 * plan->windows);
    if (plan->missing)
        printf("%s%s to go, predicted %s%s%s\n", limit ? "at most " : "",
               counted_print(plan->missing < full ? plan->missing : full, "point", c),
               limit ? "at most " : "", duration_print(plan->seconds, duration),
               plan->workload_count ? "" : "; points that share simulations take less");
    if (plan->verify_seconds > 0)
        printf("verification: predicted %s%s\n", limit ? "at most " : "about ",
               duration_print(plan->verify_seconds, duration));
    fflush(stdout);
}

/* ---- for programs ---- */

/* For each stage, how many settings must be simulated and how many are remembered. */
static json_t *stages_json(const struct sweep_plan *plan)
{
    json_t *object = json_object();
    for (unsigned left = depth_results_all(); object && left; left &= left - 1) {
        const size_t i = stage_index(stage_lowest(left));
        uint64_t remembered = 0;
        for (size_t w = 0; w < plan->workload_count; w++)
            remembered += plan->workloads[w].stages[i].remembered;
        json_t *stage = json_pack("{s:I, s:I}", "simulations", (json_int_t)plan->stages[i],
                                  "remembered", (json_int_t)remembered);
        if (json_object_set_new(object, reader_name(1u << i), stage)) {
            json_decref(object);
            object = NULL;
        }
    }
    return object;
}

static json_t *removals_json(const struct sweep_plan *plan)
{
    json_t *array = json_array();
    for (size_t i = 0; array && i < plan->setup.census.removal_count; i++) {
        const struct removal *removal = &plan->setup.census.removals[i];
        json_t *object =
            json_pack("{s:o, s:o, s:I}", "by", text_json(removal->kind), "what",
                      text_json(removal->what), "machines", (json_int_t)removal->machines);
        if (json_array_append_new(array, object)) {
            json_decref(array);
            array = NULL;
        }
    }
    return array;
}

/* The contents of sweep_plan_print, as JSON. */
static json_t *plan_json(const struct study *study, const struct sweep_plan *plan,
                         const char *store)
{
    const bool counted = plan->workload_count > 0; /* false: known only while the search runs */
    return json_pack(
        "{s:o, s:o, s:s, s:s, s:b, s:I, s:I, s:I, s:I, s:I, s:o, s:I, s:I, s:o, s:I, s:o, s:o}",
        "study", text_json(study->name), "store", text_json(store), "depth",
        depth_name(study->depth), "search", search_table[study->search.method].name, "prune",
        (int)study->search.prune, "axes", (json_int_t)study->axis_count, "workloads",
        (json_int_t)study->workload_count, "machines", (json_int_t)plan->machines, "points",
        (json_int_t)plan->machines * (json_int_t)study->workload_count, "wanted",
        (json_int_t)plan->points, "stored",
        counted ? json_integer((json_int_t)(plan->points - plan->missing)) : json_null(), "missing",
        (json_int_t)plan->missing, "threads", (json_int_t)plan->threads, "removed",
        removals_json(plan), "passes", (json_int_t)plan->passes, "stages", stages_json(plan),
        "seconds", number_json(plan->seconds));
}

static enum status plan_table(json_t *plan, enum table_format format, FILE *out)
{
    static const char *const headers[] = {"key", "value", NULL};
    struct table *table = table_create(headers);
    json_t *value;
    const char *key;
    if (!table)
        return STATUS_MEMORY;
    json_object_foreach(plan, key, value)
    {
        if (json_is_object(value) || json_is_array(value))
            continue;
        table_text(table, key);
        if (json_is_string(value))
            table_text(table, json_string_value(value));
        else if (json_is_boolean(value))
            table_flag(table, json_is_true(value));
        else
            table_number(table, json_is_null(value) ? NAN : json_number_value(value), NULL);
    }
    return table_finish(table, format, out);
}

enum status sweep_plan_write(const struct study *study, const struct sweep_plan *plan,
                             const char *store, enum table_format format, FILE *out)
{
    json_t *object = plan_json(study, plan, store);
    if (!object || format == TABLE_JSON)
        return json_print(object, out);
    const enum status status = plan_table(object, format, out);
    json_decref(object);
    return status;
}
