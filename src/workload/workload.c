#include "workload/workload.h"

#include <stdlib.h>
#include <string.h>

#include "base/data_files.h"
#include "base/embedded.h"
#include "base/memory.h"
#include "schema/study.h"
#include "trace/assumed.h"
#include "trace/trace_file.h"
#include "workload/part.h"
#include "workload/raster/scene_source.h"
#include "workload/recipe.h"
#include "workload/simt/simt_source.h"

static bool is_recipe_path(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (!strcmp(dot, ".yaml") || !strcmp(dot, ".yml"));
}

static enum status open_program(const struct workload *workload, const char *text,
                                struct trace_source **source, struct diagnostics *diagnostics)
{
    struct arguments arguments;
    workload_arguments_init(&arguments, workload);
    enum status status = workload_arguments_parse(&arguments, text, diagnostics);
    return status ? status : workload_arguments_open(&arguments, source, diagnostics);
}

/* Prefers a program with exactly this name, then a file of that name, which is no recipe and opened
 * elsewhere, then a recipe, then a program whose name differs only in case. So a user's trace or
 * recipe named "gemm" is not hidden by the program GEMM. */
static enum status open_known(const char *name, const char *arguments, struct trace_source **source,
                              struct diagnostics *diagnostics)
{
    const struct workload *workload = workload_find(name);
    if (workload && !strcmp(workload->name, name))
        return open_program(workload, arguments, source, diagnostics);
    struct recipe recipe = {0};
    size_t errors = diagnostics ? diagnostics->errors : 0;
    char *path = NULL;
    enum status status = data_file_find(DATA_TRACES, DATA_ALL, name, &path);
    const bool is_file = path && !is_recipe_path(path);
    if (!status && !is_file)
        status = path && is_recipe_path(name) ? recipe_load(path, &recipe, diagnostics)
                                              : recipe_find(name, &recipe, diagnostics);
    free(path);
    if (is_file)
        return STATUS_NOT_FOUND;
    /* A recipe that exists but names a missing trace file is found, and its own error counts. */
    bool found = status != STATUS_NOT_FOUND || (diagnostics && diagnostics->errors > errors);
    if (!found && workload)
        return open_program(workload, arguments, source, diagnostics);
    if (!status)
        status = recipe_open(&recipe, arguments, source, diagnostics);
    recipe_free(&recipe);
    return status;
}

/* Opens a file that takes arguments: a program of the SIMT processor or a mesh. STATUS_NOT_FOUND
 * without a message if it is neither. */
static enum status open_file(const char *name, const char *arguments, struct trace_source **source,
                             struct diagnostics *diagnostics)
{
    char *path;
    enum status status = data_file_find(DATA_TRACES, DATA_ALL, name, &path);
    if (status)
        return status;
    if (path && mesh_recognise(path))
        status = raster_source_open(path, name, arguments, source, diagnostics);
    else if (path && simt_recognise(path))
        status = simt_source_open(path, name, arguments, source, diagnostics);
    else
        status = STATUS_NOT_FOUND;
    free(path);
    return status;
}

static enum status unknown_workload(const char *name, struct diagnostics *diagnostics)
{
    struct workload_entry *entries = NULL;
    size_t count = 0;
    if (folder_exists(name))
        return diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                                 "%s: a directory; name a file in it, as its kernelslist.g", name);
    enum status status = workload_list(&entries, &count);
    const char **names = status ? NULL : calloc(count, sizeof *names);
    if (names) {
        char hint[SUGGESTION_TEXT];
        for (size_t i = 0; i < count; i++)
            names[i] = entries[i].name;
        status = diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                                   "'%s' is no workload, recipe or file%s", name,
                                   suggestion(nearest_name_any_case(name, names, count), hint));
    } else {
        status = STATUS_MEMORY;
    }
    free(names);
    workload_list_free(entries, count);
    return status;
}

static bool nothing_said(enum status status, const struct diagnostics *diagnostics, size_t errors)
{
    return status == STATUS_NOT_FOUND && (!diagnostics || diagnostics->errors == errors);
}

/* Opens a trace by its path, or by its name if it is in a trace folder. A path may contain colons,
 * so the whole text is tried before what stands before the arguments. */
static enum status open_trace(const char *text, const struct part *part,
                              struct trace_source **source, struct diagnostics *diagnostics)
{
    const struct trace_part what = {.format = part->format, .choice = part->choice};
    char *whole = NULL, *path = NULL;
    enum status status = data_file_find(DATA_TRACES, DATA_ALL, text, &whole);
    if (!status && !whole)
        status = data_file_find(DATA_TRACES, DATA_ALL, part->name, &path);
    if (!status && whole)
        status = trace_open(whole, NULL, source, diagnostics);
    else if (!status && path && *part->others)
        status = diagnostics_error(diagnostics, STATUS_INVALID,
                                   "%s is a trace, which takes format=NAME and kernel=NAME|NUMBER, "
                                   "not '%s'",
                                   part->name, part->others);
    else if (!status && path)
        status = trace_open_part(path, NULL, &what, source, diagnostics);
    else if (!status && part->format)
        status = diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                                   "'%s' is no trace file, which alone has a format", part->name);
    else if (!status)
        status = unknown_workload(part->name, diagnostics);
    if (!status && path) /* it was opened */
        status = part_apply(part, source, diagnostics);
    free(whole);
    free(path);
    return status;
}

/* Opens a program or a recipe, a file that is executed or drawn, or a trace. */
static enum status open_part(const char *text, const struct part *part,
                             struct trace_source **source, struct diagnostics *diagnostics)
{
    const size_t errors = diagnostics ? diagnostics->errors : 0;
    enum status status = STATUS_NOT_FOUND;
    if (!part->format)
        status = open_known(part->name, part->others, source, diagnostics);
    if (!part->format && nothing_said(status, diagnostics, errors))
        status = open_file(part->name, part->others, source, diagnostics);
    if (nothing_said(status, diagnostics, errors))
        return open_trace(text, part, source, diagnostics);
    return status ? status : part_apply(part, source, diagnostics);
}

enum status workload_open(const char *text, struct trace_source **source,
                          struct diagnostics *diagnostics)
{
    struct part part;
    *source = NULL;
    enum status status = part_parse(text, &part, diagnostics);
    if (status)
        return status;
    status = open_part(text, &part, source, diagnostics);
    if (status) {
        trace_source_free(*source);
        *source = NULL;
    }
    part_free(&part);
    return status;
}

enum status workload_check(const char *text, struct diagnostics *diagnostics)
{
    struct trace_source *source;
    struct part part;
    char *whole = NULL, *path = NULL;
    enum status status = part_parse(text, &part, diagnostics);
    if (status)
        return status;
    status = data_file_find(DATA_TRACES, DATA_ALL, text, &whole);
    if (!status && !whole)
        status = data_file_find(DATA_TRACES, DATA_ALL, part.name, &path);
    if (!status && !whole && !path && !(status = workload_open(text, &source, diagnostics)))
        trace_source_free(source);
    part_free(&part);
    free(whole);
    free(path);
    return status;
}

enum status workload_open_assumed(const char *text, enum assumed_dependences assumed,
                                  struct trace_source **source, struct diagnostics *diagnostics)
{
    enum status status = workload_open(text, source, diagnostics);
    if (!status)
        status = trace_source_replace_assumed(source, assumed, diagnostics);
    if (status) {
        trace_source_free(*source);
        *source = NULL;
    }
    return status;
}

enum status workload_open_listed(const struct study *study, size_t index,
                                 struct trace_source **source, struct diagnostics *diagnostics)
{
    struct diagnostics found = DIAGNOSTICS_INIT;
    const struct place place = {.file = study->path,
                                .line = study->workload_lines ? study->workload_lines[index] : 0};
    enum status status =
        workload_open_assumed(study->workloads[index], study->assumed, source, &found);
    diagnostics_locate(&found, &place);
    diagnostics_move(diagnostics, &found);
    return status;
}

static bool fill_entry(struct workload_entry *entry, const char *name, const char *kind,
                       const char *help, const char *origin)
{
    *entry = (struct workload_entry){strdup(name), strdup(kind), strdup(help), strdup(origin)};
    return entry->name && entry->kind && entry->help && entry->origin;
}

/* A recipe that cannot be read stays in the list; opening it says what is wrong. */
static bool fill_recipe(struct workload_entry *entry, const char *name)
{
    struct recipe recipe;
    if (recipe_find(name, &recipe, NULL))
        return fill_entry(entry, name, "recipe", "(cannot be read)", "");
    bool filled =
        fill_entry(entry, name, "recipe", recipe.help, recipe.path ? recipe.path : "built in");
    recipe_free(&recipe);
    return filled;
}

enum status workload_list(struct workload_entry **entries, size_t *count)
{
    struct data_names names;
    *entries = NULL;
    *count = 0;
    enum status status = data_names_list(DATA_TRACES, embedded_recipes, &names);
    if (status)
        return status;
    size_t programs = 0;
    while (workloads[programs])
        programs++;
    struct workload_entry *list = calloc(programs + names.count, sizeof *list);
    bool filled = list;
    for (size_t i = 0; i < programs && filled; i++)
        filled = fill_entry(&list[i], workloads[i]->name, "program", workloads[i]->help,
                            workloads[i]->suite);
    for (size_t i = 0; i < names.count && filled; i++)
        filled = fill_recipe(&list[programs + i], names.items[i]);
    *count = programs + names.count;
    data_names_free(&names);
    if (!filled) {
        workload_list_free(list, *count);
        *count = 0;
        return STATUS_MEMORY;
    }
    *entries = list;
    return STATUS_OK;
}

void workload_list_free(struct workload_entry *entries, size_t count)
{
    for (size_t i = 0; entries && i < count; i++) {
        free(entries[i].name);
        free(entries[i].kind);
        free(entries[i].help);
        free(entries[i].origin);
    }
    free(entries);
}
