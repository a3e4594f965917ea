#include "cli/sweep/sweep_explain.h"

#include <string.h>

#include "cli/results/results.h"

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

static void add_row(struct table *table, const char *workload, enum stage stage,
                    const struct stage_plan *row)
{
    table_text(table, workload);
    table_text(table, stage_name(stage));
    add_count(table, row->settings);
    add_count(table, row->remembered);
    add_count(table, row->simulations);
    add_seconds(table, row->seconds);
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
        for (size_t s = 0; s < STAGE_COUNT; s++) {
            const struct stage_plan *row = &plan->workloads[w].stages[s];
            if (row->settings)
                add_row(table, study->workloads[w], simulated_stages[s], row);
        }
    bool for_people = format == TABLE_TEXT || format == TABLE_MARKDOWN;
    enum status status =
        for_people && !table_rows(table) ? STATUS_OK : table_print(table, format, out);
    table_free(table);
    return status;
}

/* "2 streams, 24 L1Ds, ...": what has to be simulated; stages without work are left out. */
static void print_stages(const struct sweep_plan *plan)
{
    static const char *const names[STAGE_COUNT] = {"stream",          "L1D",      "L2", "TLB",
                                                   "page-walk cache", "timed L1D"};
    char count[COUNT_TEXT];
    uint64_t remembered = 0;
    const char *join = "simulations: ";
    for (size_t i = 0; i < STAGE_COUNT; i++)
        if (plan->stages[i]) {
            printf("%s%s", join, counted_print(plan->stages[i], names[i], count));
            join = ", ";
        }
    if (plan->missing && plan->passes)
        printf("%s%s\n", *join == 's' ? "" : " in ", counted_print(plan->passes, "pass", count));
    for (size_t w = 0; w < plan->workload_count; w++)
        for (size_t i = 0; i < STAGE_COUNT; i++)
            remembered += plan->workloads[w].stages[i].remembered;
    if (remembered)
        printf("%s of stages remembered\n", counted_print(remembered, "result", count));
}

void sweep_plan_print(const struct study *study, const struct sweep_plan *plan, const char *store)
{
    char a[COUNT_TEXT], b[COUNT_TEXT], c[COUNT_TEXT], d[COUNT_TEXT], duration[DURATION_TEXT];
    uint64_t machines = plan->machines;
    const struct search *search = &study->search;
    bool limit = search->method != SEARCH_EXHAUSTIVE || search->prune;
    printf("%s: %s, %s x %s = %s\n", study->name, counted_print(study->axis_count, "axis", a),
           counted_print(machines, "machine", b),
           counted_print(study->workload_count, "workload", c),
           counted_print(machines * study->workload_count, "point", d));
    if (study->depth != DEPTH_FUNCTIONAL)
        printf("  depth %s\n", depth_name(study->depth));
    for (size_t i = 0; i < plan->census.removal_count; i++) {
        const struct removal *removal = &plan->census.removals[i];
        printf("  %s removed by %s %s\n", counted_print(removal->machines, "machine", a),
               removal->kind, removal->what);
    }
    if (limit)
        printf("  search %s: %s%s\n", search_table[search->method].name,
               search->prune ? "pruned; " : "", search_table[search->method].help);
    if (plan->workload_count) /* not where nobody knows which points come */
        printf("  %s to have, of these %s in %s already\n", counted_print(plan->points, "point", a),
               count_print(plan->points - plan->missing, b), store);
    print_stages(plan);
    if (plan->missing)
        printf("%s%s to go, predicted %s%s%s\n", limit ? "at most " : "",
               counted_print(plan->missing, "point", c), limit ? "at most " : "",
               duration_print(plan->seconds, duration),
               plan->workload_count ? "" : "; points that share simulations take less");
    if (plan->verify_seconds > 0)
        printf("verification: predicted %s%s\n", limit ? "at most " : "about ",
               duration_print(plan->verify_seconds, duration));
    fflush(stdout);
}
