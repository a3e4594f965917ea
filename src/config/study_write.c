/* Writes studies as YAML (study_to_yaml of config/study_file.h). */
#include <stdlib.h>
#include <string.h>

#include "base/text_stream.h"
#include "config/document_tree.h"
#include "config/machine_file.h"
#include "config/study_axis.h"
#include "config/study_file.h"
#include "config/study_search.h"

static enum status write_list(FILE *out, const char *key, size_t count,
                              const char *(*text_at)(const struct study *study, size_t index),
                              const struct study *study)
{
    if (count)
        fprintf(out, "\n%s:\n", key);
    for (size_t i = 0; i < count; i++) {
        char *yaml;
        enum status status = scalar_to_yaml(text_at(study, i), &yaml);
        if (status)
            return status;
        fprintf(out, "  - %s\n", yaml);
        free(yaml);
    }
    return STATUS_OK;
}

static const char *workload_text(const struct study *study, size_t index)
{
    return study->workloads[index];
}

static const char *where_text(const struct study *study, size_t index)
{
    return study->where[index].text;
}

static const char *filter_text(const struct study *study, size_t index)
{
    return study->filters[index].text;
}

static const char *column_text(const struct study *study, size_t index)
{
    return study->columns[index]->path;
}

/* Writes the machine's name, and under `set` how the study's machine differs from the one that the
 * name loads. */
static enum status write_machine(FILE *out, const struct study *study)
{
    const char *name = study->machine_name ? study->machine_name : "gtx480";
    struct machine base;
    const char *slash = study->path ? strrchr(study->path, '/') : NULL;
    char *folder = slash ? strndup(study->path, (size_t)(slash - study->path) + 1) : NULL;
    char *yaml = NULL;
    enum status status = slash && !folder ? STATUS_MEMORY : scalar_to_yaml(name, &yaml);
    /* A machine that cannot be loaded leaves the defaults as base, and `set` then lists all
     * differences from those. */
    if (!status && machine_load(name, folder, &base, NULL, NULL))
        machine_defaults(&base);
    free(folder);
    if (status)
        return status;
    fprintf(out, "machine: %s\n", yaml);
    free(yaml);
    bool any = false;
    for (size_t i = 0; i < parameter_count; i++) {
        struct value value = parameter_get(&parameters[i], &study->machine);
        char text[VALUE_TEXT];
        if (parameter_equal(&parameters[i], value, parameter_get(&parameters[i], &base)))
            continue;
        fprintf(out, "%s  %s: %s\n", any ? "" : "\nset:\n", parameters[i].path,
                parameter_print(&parameters[i], value, text));
        any = true;
    }
    return STATUS_OK;
}

static void write_baseline(FILE *out, const struct study *study)
{
    char text[VALUE_TEXT];
    for (size_t i = 0; i < study->baseline_count; i++)
        fprintf(out, "%s  %s: %s\n", i ? "" : "\nbaseline:\n", study->baseline[i].parameter->path,
                parameter_print(study->baseline[i].parameter, study->baseline[i].value, text));
}

static void write_depth(FILE *out, const struct study *study)
{
    if (study->depth_said || study->depth != DEPTH_FUNCTIONAL)
        fprintf(out, "\ndepth: %s\n", depth_name(study->depth));
    if (study->assumed != ASSUMED_NOTHING)
        fprintf(out, "\nassume: %s\n", assumed_table[study->assumed].name);
}

static void write_study_axes(FILE *out, const struct study *study)
{
    if (study->axis_count)
        fputs("\naxes:\n", out);
    for (size_t i = 0; i < study->axis_count; i++) {
        fprintf(out, "  %s: ", study->axes[i].parameter->path);
        study_axis_write(&study->axes[i], out);
        fputc('\n', out);
    }
}

static void write_budgets(FILE *out, const struct study *study)
{
    if (study->budget_count)
        fputs("\nequal:\n", out);
    for (size_t i = 0; i < study->budget_count; i++) {
        const struct budget *budget = &study->budgets[i];
        char limit[QUANTITY_TEXT];
        fprintf(out, "  - {metric: %s, at_most: %s, solve: %s}\n", budget->metric->path,
                quantity_print_real(budget->limit, budget->metric->unit, limit),
                budget->parameter->path);
    }
}

static void write_objectives(FILE *out, const struct study *study)
{
    if (study->objective_count)
        fputs("\nobjectives:\n", out);
    for (size_t i = 0; i < study->objective_count; i++)
        fprintf(out, "  - %s: %s\n", study->objectives[i].metric->path,
                study->objectives[i].direction == HIGHER_IS_BETTER ? "maximize" : "minimize");
}

/* In the order in which people write studies. */
static enum status write_study(FILE *out, const struct study *study)
{
    enum status status = write_machine(out, study);
    if (!status)
        write_baseline(out, study);
    if (!status)
        status = write_list(out, "workloads", study->workload_count, workload_text, study);
    write_depth(out, study);
    write_study_axes(out, study);
    write_budgets(out, study);
    if (!status)
        status = write_list(out, "where", study->where_count, where_text, study);
    if (!status)
        status = write_list(out, "filters", study->filter_count, filter_text, study);
    write_objectives(out, study);
    if (!status)
        status = write_list(out, "metrics", study->column_count, column_text, study);
    study_search_write(&study->search, out);
    fprintf(out, "\nseed: %llu\n", (unsigned long long)study->seed);
    return status;
}

enum status study_to_yaml(const struct study *study, char **text)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    return text_stream_finish(&stream, out ? write_study(out, study) : STATUS_MEMORY, text);
}
