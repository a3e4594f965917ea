#include "config/machine_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/data_files.h"
#include "base/printable.h"
#include "base/text_stream.h"
#include "config/exploration.h"
#include "config/gpgpusim.h"
#include "config/parameter_keys.h"
#include "config/provenance.h"

/* ---- rules ---- */

/* A rule is about the groups in its name and about its parameter. If one of these could not be
 * read, the rule would only repeat that error in other words. */
static bool is_suspect(const struct violation *violation, const struct parameter_keys *keys)
{
    size_t length = strcspn(violation->rule, " ");
    for (size_t i = 0; i < parameter_count; i++) {
        bool named = &parameters[i] == violation->parameter ||
                     (!strncmp(parameters[i].path, violation->rule, length) &&
                      parameters[i].path[length] == '.');
        if (named && keys->suspect[i])
            return true;
    }
    return false;
}

/* How many leading words two paths have in common: 1 for "l1d.size" and "l1d.ways". */
static size_t shared_words(const char *a, const char *b)
{
    size_t words = 0;
    for (size_t i = 0; a[i] && a[i] == b[i]; i++)
        words += a[i] == '.';
    return words;
}

/* The value in the file of the parameter, or of the parameter with the most similar path; of those
 * with equally similar ones, of one that the message names. */
static const struct node *nearest_entry(const struct parameter_keys *keys,
                                        const struct violation *violation)
{
    const struct parameter_entry *entry = parameter_keys_find(keys, violation->parameter);
    if (entry)
        return entry->node;
    const struct node *nearest = NULL;
    size_t most = 0;
    for (size_t i = 0; i < keys->count; i++) {
        const char *path = keys->items[i].parameter->path, *dot = strrchr(path, '.');
        const char *name = dot ? dot + 1 : path;
        const size_t words = shared_words(path, violation->parameter->path);
        const size_t named = strstr(violation->message, name) ? strlen(name) : 0;
        const size_t score = (words << 8) + named;
        if (words && score > most) {
            most = score;
            nearest = keys->items[i].node;
        }
    }
    return nearest;
}

static void check_rules(const struct document *document, const struct parameter_keys *keys,
                        const struct machine *machine, struct diagnostics *diagnostics)
{
    struct violation found[VIOLATION_MAX];
    size_t count = machine_check(machine, found);
    for (size_t i = 0; i < count && i < VIOLATION_MAX; i++) {
        if (is_suspect(&found[i], keys))
            continue;
        const struct node *node = nearest_entry(keys, &found[i]);
        struct place place = node_place(document, node ? node : document_root(document));
        if (!node)
            place = (struct place){.file = place.file};
        diagnostics_add(diagnostics, SEVERITY_ERROR, &place, "%s: %s", found[i].parameter->path,
                        found[i].message);
    }
}

/* ---- reading ---- */

enum status machine_from_document(const struct document *document, struct machine *machine,
                                  struct diagnostics *diagnostics)
{
    struct diagnostics found = DIAGNOSTICS_INIT;
    struct parameter_keys keys;
    machine_defaults(machine);
    enum status status = parameter_keys_read(document, document_root(document), "", &keys, &found);
    if (!status) {
        parameter_keys_apply(document, &keys, machine, &found);
        check_rules(document, &keys, machine, &found);
        struct number_origins about;
        struct exploration exploration;
        provenance_read(document, &about, &found);
        exploration_read(document, machine, &exploration, &found);
        diagnostics_sort(&found, 0);
        if (found.errors)
            status = STATUS_INVALID;
    }
    parameter_keys_free(&keys);
    if (diagnostics)
        diagnostics_move(diagnostics, &found);
    else
        diagnostics_free(&found);
    return status;
}

/* Finds the file of a machine; *path is malloc'ed, and NULL if it is built in or there is none. A
 * plain word is a built-in machine first and a file second, so that "gtx480" means the same
 * everywhere. */
static enum status find_file(const char *name, const char *base_folder, char **path)
{
    *path = NULL;
    if (embedded_find(embedded_machines, name))
        return STATUS_OK;
    if (base_folder && name[0] != '/') {
        if (asprintf(path, "%s/%s", base_folder, name) < 0) {
            *path = NULL;
            return STATUS_MEMORY;
        }
        if (file_exists(*path))
            return STATUS_OK;
        free(*path);
    }
    return data_file_find(DATA_MACHINES, DATA_ALL, name, path);
}

/* A gpgpusim.config becomes a document without a path: saving the machine must not overwrite it. */
static enum status convert(const char *path, const char *config, struct machine *machine,
                           struct document **document, struct diagnostics *diagnostics)
{
    char *title = NULL, *text = NULL;
    enum status status = gpgpusim_read_beside(config, path, false, machine, diagnostics);
    if (status)
        return status;
    if (asprintf(&title, "Converted from %s", path) < 0)
        return STATUS_MEMORY;
    status = machine_to_yaml(machine, title, &text);
    if (!status)
        status = document_parse(text, strlen(text), path, document, diagnostics);
    free(title);
    free(text);
    return status;
}

static enum status check_document(enum status opened, const struct document *document,
                                  struct machine *machine, struct diagnostics *diagnostics)
{
    enum status read = document ? machine_from_document(document, machine, diagnostics) : STATUS_OK;
    return opened ? opened : read;
}

/* Reads the file once: it may be a pipe. */
static enum status load_file(const char *path, struct machine *machine, struct document **document,
                             struct diagnostics *diagnostics)
{
    char *text;
    size_t size;
    enum status status = file_read(path, &text, &size, diagnostics);
    if (status)
        return status;
    if (gpgpusim_is_blank(text) && strlen(text) == size) {
        free(text);
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "no option of gpgpusim.config found in %s, nor a parameter of "
                                 "a machine",
                                 path);
    }
    if (gpgpusim_recognize(text) && strlen(text) == size) {
        status = convert(path, text, machine, document, diagnostics);
        free(text);
        return status;
    }
    const size_t before = diagnostics ? diagnostics->count : 0;
    status = document_inspect_text(path, text, size, document, diagnostics);
    status = check_document(status, *document, machine, diagnostics);
    if (status && diagnostics)
        diagnostics_sort(diagnostics, before);
    return status;
}

enum status machine_load(const char *name, const char *base_folder, struct machine *machine,
                         struct document **document, struct diagnostics *diagnostics)
{
    struct document *opened = NULL;
    char *path;
    if (document)
        *document = NULL;
    machine_defaults(machine);
    enum status status = find_file(name, base_folder, &path);
    if (!status && path) {
        status = load_file(path, machine, &opened, diagnostics);
    } else if (!status) {
        status = document_open(DATA_MACHINES, name, &opened, diagnostics);
        status = check_document(status, opened, machine, diagnostics);
    }
    free(path);
    if (status || !document)
        document_free(opened);
    else
        *document = opened;
    return status;
}

enum status machine_warn_idle(const struct document *document, const struct machine *machine,
                              struct diagnostics *diagnostics)
{
    struct parameter_keys keys;
    char why[VALUE_TEXT];
    enum status status =
        parameter_keys_read(document, document_root(document), "", &keys, diagnostics);
    for (size_t i = 0; i < keys.count; i++) {
        const struct parameter *parameter = keys.items[i].parameter;
        struct place place = node_place(document, keys.items[i].node);
        bool usual =
            parameter_equal(parameter, parameter_get(parameter, machine), parameter->fallback);
        if (!usual && parameter_idle(parameter, machine, why))
            diagnostics_add(diagnostics, SEVERITY_WARNING, &place, "%s has no effect%s",
                            parameter->path, why);
    }
    parameter_keys_free(&keys);
    return status;
}

enum status machine_set_text(struct machine *machine, const char *assignment,
                             struct diagnostics *diagnostics)
{
    const char *equals = strchr(assignment, '=');
    if (!equals)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "expected path=value, for example l1d.size=32KiB, got '%.80s'",
                                 assignment);
    char *path = strndup(assignment, (size_t)(equals - assignment));
    if (!path)
        return STATUS_MEMORY;
    enum status status = STATUS_INVALID;
    const struct moved_setting *moved = moved_setting_find(path, equals + 1);
    const struct parameter *parameter = parameter_find(path);
    struct value value;
    char why[VALUE_TEXT];
    if (moved) {
        if (moved_setting_apply(moved, machine))
            parameter_moved(NULL, moved, diagnostics);
        status = STATUS_OK;
    } else if (!parameter) {
        parameter_unknown(NULL, path, diagnostics);
    } else if (parameter_parse(parameter, equals + 1, &value, why)) {
        diagnostics_error(diagnostics, status, "%s: %s", path, why);
    } else {
        parameter_set(parameter, machine, value);
        status = STATUS_OK;
    }
    free(path);
    return status;
}

/* ---- writing ---- */

enum { COMMENT_COLUMN = 30 };

/* Writes the headings that `path` needs and `last` has not opened ("l1d:", "  mshr:"). Returns the
 * depth. */
static int write_headings(FILE *out, const char *last, const char *path)
{
    int depth = 0;
    bool same = true;
    const char *word = path;
    for (const char *dot; (dot = strchr(word, '.')) != NULL; word = dot + 1, depth++) {
        size_t end = (size_t)(dot - path) + 1;
        same = same && !strncmp(last, path, end);
        if (!same) {
            if (!depth)
                fputc('\n', out);
            fprintf(out, "%*s%.*s:\n", 2 * depth, "", (int)(dot - word), word);
        }
    }
    if (!depth)
        fputc('\n', out);
    return depth;
}

static void write_parameter(FILE *out, const struct parameter *parameter, struct value value,
                            int depth, const char *mark)
{
    char text[VALUE_TEXT];
    const char *word = strrchr(parameter->path, '.');
    word = word ? word + 1 : parameter->path;
    int used =
        fprintf(out, "%*s%s: %s", 2 * depth, "", word, parameter_print(parameter, value, text));
    int gap = used < COMMENT_COLUMN - 1 ? COMMENT_COLUMN - used : 1;
    fprintf(out, "%*s# %s%s%s\n", gap, "", mark ? mark : "", mark ? ": " : "", parameter->help);
}

enum status machine_to_yaml(const struct machine *machine, const char *title, char **text)
{
    return machine_to_yaml_marked(machine, title, NULL, NULL, text);
}

enum status machine_to_yaml_marked(const struct machine *machine, const char *title,
                                   const char *about, const char *const *marks, char **text)
{
    *text = NULL;
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return STATUS_MEMORY;
    printable_comment(title ? title : "A machine", out);
    if (about)
        fprintf(out, "\n%s", about);
    const char *last = "";
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        if (!parameter_relevant(parameter, machine))
            continue;
        int depth = write_headings(out, last, parameter->path);
        write_parameter(out, parameter, parameter_get(parameter, machine), depth,
                        marks ? marks[i] : NULL);
        last = parameter->path;
    }
    return text_stream_finish(&stream, STATUS_OK, text);
}
