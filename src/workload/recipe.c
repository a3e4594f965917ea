#include "workload/recipe.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/data_files.h"
#include "base/embedded.h"
#include "config/document.h"
#include "trace/assumed.h"
#include "trace/trace_file.h"
#include "workload/simt/simt_source.h"

static const char *const recipe_keys[] = {"name",   "help",   "workload", "parameters", "file",
                                          "assume", "digest", "origin",   "licence"};
enum { RECIPE_KEYS = sizeof recipe_keys / sizeof *recipe_keys };

void recipe_free(struct recipe *recipe)
{
    free(recipe->name);
    free(recipe->help);
    free(recipe->origin);
    free(recipe->licence);
    free(recipe->digest);
    free(recipe->path);
    free(recipe->file);
    *recipe = (struct recipe){0};
}

/* The state of reading one recipe. */
struct reading {
    struct recipe *recipe;
    const struct document *document;
    const struct node *root;
    struct diagnostics *diagnostics;
    enum status status;
};

static void __attribute__((format(printf, 3, 4)))
fail_at(struct reading *reading, const struct place *place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    diagnostics_vadd(reading->diagnostics, SEVERITY_ERROR, place, NULL, format, arguments);
    va_end(arguments);
    reading->status = STATUS_INVALID;
}

static void check_keys(struct reading *reading)
{
    for (size_t i = 0; i < node_count(reading->root); i++) {
        const char *key = node_key(reading->root, i);
        size_t known = 0;
        while (known < RECIPE_KEYS && strcmp(recipe_keys[known], key))
            known++;
        if (known < RECIPE_KEYS)
            continue;
        char hint[SUGGESTION_TEXT];
        struct place place = node_key_place(reading->document, reading->root, i);
        fail_at(reading, &place, "unknown key '%s' in a recipe%s", key,
                suggestion(nearest_name(key, recipe_keys, RECIPE_KEYS), hint));
    }
}

/* Copies the text of a scalar, or `fallback` if the key is missing. A NULL fallback gives NULL. */
static char *recipe_read_text(struct reading *reading, const char *key, const char *fallback)
{
    const struct node *node = node_find(reading->root, key);
    if (node && node_kind(node) != NODE_SCALAR) {
        struct place place = node_place(reading->document, node);
        fail_at(reading, &place, "%s of a recipe is a text", key);
        node = NULL;
    }
    const char *text = node ? node_text(node) : fallback;
    char *copy = text ? strdup(text) : NULL;
    if (text && !copy)
        reading->status = STATUS_MEMORY;
    return copy;
}

static void read_workload(struct reading *reading, const struct node *node)
{
    struct place place = node_place(reading->document, node);
    const char *name = node_kind(node) == NODE_SCALAR ? node_text(node) : "";
    const struct workload *workload = workload_find(name);
    if (!workload) {
        char hint[SUGGESTION_TEXT];
        fail_at(reading, &place, "there is no program '%s'%s", name,
                suggestion(workload_nearest(name), hint));
        return;
    }
    workload_arguments_init(&reading->recipe->arguments, workload);
    const struct node *given = node_find(reading->root, "parameters");
    if (!given)
        return;
    if (node_kind(given) != NODE_MAPPING) {
        place = node_place(reading->document, given);
        fail_at(reading, &place, "parameters of %s are a mapping, {n: 512}", workload->name);
        return;
    }
    for (size_t i = 0; i < node_count(given); i++) {
        const struct node *value = node_at(given, i);
        struct place key_place = node_key_place(reading->document, given, i);
        struct place value_place = node_place(reading->document, value);
        enum status status =
            workload_arguments_set(&reading->recipe->arguments, node_key(given, i),
                                   node_kind(value) == NODE_SCALAR ? node_text(value) : "a list",
                                   &key_place, &value_place, reading->diagnostics);
        if (status)
            reading->status = status;
    }
}

static void read_assumption(struct reading *reading)
{
    const struct node *node = node_find(reading->root, "assume");
    if (!node)
        return;
    const char *text = node_kind(node) == NODE_SCALAR ? node_text(node) : "a list", *near;
    struct place place = node_place(reading->document, node);
    char hint[SUGGESTION_TEXT];
    if (!assumed_find(text, &reading->recipe->assumed, &near))
        fail_at(reading, &place, "assume: there is no assumption '%s'%s", text,
                suggestion(near, hint));
    else if (!node_find(reading->root, "file"))
        fail_at(reading, &place,
                "assume belongs to a trace file: programs know their instructions");
}

/* `file` and `workload` exclude each other, and parameters belong to a workload only. */
static void read_fields(struct reading *reading, const char *stem)
{
    struct recipe *recipe = reading->recipe;
    struct place place = node_place(reading->document, reading->root);
    if (node_kind(reading->root) != NODE_MAPPING) {
        fail_at(reading, &place, "a recipe is a mapping with a %s key", "workload or file");
        return;
    }
    check_keys(reading);
    recipe->name = recipe_read_text(reading, "name", stem);
    recipe->help = recipe_read_text(reading, "help", "");
    recipe->origin = recipe_read_text(reading, "origin", "");
    recipe->licence = recipe_read_text(reading, "licence", "");
    recipe->digest = recipe_read_text(reading, "digest", NULL);
    recipe->file = recipe_read_text(reading, "file", NULL);
    read_assumption(reading);
    const struct node *workload = node_find(reading->root, "workload");
    if (!workload == !node_find(reading->root, "file"))
        fail_at(reading, &place, "a recipe has either workload or file, this one has %s",
                workload ? "both" : "neither");
    else if (workload)
        read_workload(reading, workload);
    else if (node_find(reading->root, "parameters"))
        fail_at(reading, &place, "parameters belong to a workload, this recipe has %s", "file");
}

/* A file name without its folder and extension. */
static char *stem_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot ? strndup(name, (size_t)(dot - name)) : strdup(name);
}

static enum status read_document(struct document *document, const char *stem, struct recipe *recipe,
                                 struct diagnostics *diagnostics)
{
    struct reading reading = {recipe, document, document_root(document), diagnostics, STATUS_OK};
    read_fields(&reading, stem);
    if (reading.status)
        recipe_free(recipe);
    return reading.status;
}

enum status recipe_load(const char *path, struct recipe *recipe, struct diagnostics *diagnostics)
{
    struct document *document = NULL;
    *recipe = (struct recipe){0};
    char *stem = stem_of(path);
    enum status status = stem ? document_load(path, &document, diagnostics) : STATUS_MEMORY;
    if (!status)
        status = read_document(document, stem, recipe, diagnostics);
    if (!status) {
        recipe->path = strdup(path);
        if (!recipe->path) {
            recipe_free(recipe);
            status = STATUS_MEMORY;
        }
    }
    document_free(document);
    free(stem);
    return status;
}

static enum status load_embedded(const struct embedded_file *file, struct recipe *recipe,
                                 struct diagnostics *diagnostics)
{
    struct document *document = NULL;
    enum status status = document_parse(file->text, file->size, file->name, &document, diagnostics);
    if (!status)
        status = read_document(document, file->name, recipe, diagnostics);
    document_free(document);
    return status;
}

enum status recipe_find(const char *name, struct recipe *recipe, struct diagnostics *diagnostics)
{
    char *file, *path = NULL;
    *recipe = (struct recipe){0};
    if (!*name || strchr(name, '/'))
        return STATUS_NOT_FOUND;
    if (asprintf(&file, "%s.yaml", name) < 0)
        return STATUS_MEMORY;
    enum status status = data_file_find(DATA_TRACES, DATA_OWN, file, &path);
    free(file);
    const bool found = path;
    if (found)
        status = recipe_load(path, recipe, diagnostics);
    free(path);
    if (status || found)
        return status;
    const struct embedded_file *embedded = embedded_find(embedded_recipes, name);
    return embedded ? load_embedded(embedded, recipe, diagnostics) : STATUS_NOT_FOUND;
}

/* The path of a recipe's trace file: relative to the recipe, or for a built-in recipe the first
 * match in the trace folders. NULL if there is no memory. */
static char *trace_path(const struct recipe *recipe)
{
    if (recipe->file[0] == '/')
        return strdup(recipe->file);
    if (recipe->path) {
        const char *slash = strrchr(recipe->path, '/');
        char *path;
        int folder = slash ? (int)(slash - recipe->path) + 1 : 0;
        return asprintf(&path, "%.*s%s", folder, recipe->path, recipe->file) < 0 ? NULL : path;
    }
    char *path;
    if (data_file_find(DATA_TRACES, DATA_ALL, recipe->file, &path))
        return NULL;
    return path ? path : strdup(recipe->file);
}

static enum status open_file(const struct recipe *recipe, const char *overrides,
                             struct trace_source **source, struct diagnostics *diagnostics)
{
    char *path = trace_path(recipe);
    enum status status = path ? STATUS_OK : STATUS_MEMORY;
    const bool simt = path && simt_recognise(path);
    if (*overrides && !simt)
        status = diagnostics_error(diagnostics, STATUS_INVALID,
                                   "recipe %s names a trace file, which has no parameters ('%s')",
                                   recipe->name, overrides);
    if (!status && simt)
        status = simt_source_open(path, recipe->name, overrides, source, diagnostics);
    else if (!status)
        status = trace_open(path, recipe->name, source, diagnostics);
    free(path);
    if (status)
        return status;
    status = trace_source_replace_assumed(source, recipe->assumed, diagnostics);
    if (status) {
        trace_source_free(*source);
        *source = NULL;
    }
    return status;
}

static enum status open_program(const struct recipe *recipe, const char *overrides,
                                struct trace_source **source, struct diagnostics *diagnostics)
{
    struct arguments arguments = recipe->arguments;
    enum status status = workload_arguments_parse(&arguments, overrides, diagnostics);
    if (!status)
        status = workload_arguments_open(&arguments, source, diagnostics);
    if (status)
        return status;
    char *name;
    int length = asprintf(&name, "%s%s%s", recipe->name, *overrides ? ":" : "", overrides);
    if (length < 0) {
        trace_source_free(*source);
        *source = NULL;
        return STATUS_MEMORY;
    }
    free((*source)->name);
    (*source)->name = name;
    return STATUS_OK;
}

enum status recipe_open(const struct recipe *recipe, const char *overrides,
                        struct trace_source **source, struct diagnostics *diagnostics)
{
    *source = NULL;
    enum status status = recipe->file ? open_file(recipe, overrides, source, diagnostics)
                                      : open_program(recipe, overrides, source, diagnostics);
    /* Overrides change the stream, so the digest of the recipe says nothing about it. */
    if (status || *overrides || !recipe->digest)
        return status;
    assert(*source);
    if (!strcasecmp(recipe->digest, (*source)->digest))
        return STATUS_OK;
    diagnostics_error(diagnostics, STATUS_CORRUPT,
                      "recipe %s expects a stream with digest %s, %s has %s", recipe->name,
                      recipe->digest, recipe->file ? recipe->file : "its program",
                      (*source)->digest);
    trace_source_free(*source);
    *source = NULL;
    return STATUS_CORRUPT;
}
