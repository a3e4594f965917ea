#include "cli/sweep_explain.h"

#include "cli/results.h"

static void add_count(struct table *table, uint64_t count)
{
    char text[COUNT_TEXT];
    table_number(table, (double)count, count_print(count, text));
}

static void add_seconds(struct table *table, double seconds)
{
    char text[32];
    snprintf(text, sizeof text, "%.3g", seconds);
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
    enum status status = table_print(table, format, out);
    table_free(table);
    return status;
}
