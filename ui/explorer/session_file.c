#include "ui/explorer/session_file.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/text_stream.h"
#include "config/machine_file.h"
#include "config/parameter_keys.h"

#define STEPS_KEY  "steps"
#define UNDONE_KEY "undone"

/* ---- writing ---- */

struct writer {
    struct document *document;
    const struct session_state *state;
    enum status status; /* the first failure */
};

static void file_put(struct writer *writer, const char *key, const char *value)
{
    if (!writer->status && value && *value)
        writer->status = document_set(writer->document, key, value, NULL);
}

/* A file by its whole path, what is built in by its name. */
static void put_file(struct writer *writer, const char *key, const char *path, const char *name)
{
    char *whole = path ? realpath(path, NULL) : NULL;
    file_put(writer, key, whole ? whole : path ? path : name);
    free(whole);
}

/* A list of texts in brackets. */
struct list_text {
    struct text_stream stream;
    size_t count;
};

static void file_list_add(struct list_text *list, const char *text)
{
    FILE *out = list->count ? list->stream.out : text_stream_open(&list->stream);
    const char *before = list->count++ ? ", \"" : "[\"";
    if (!out)
        return;
    fputs(before, out);
    for (; *text; text++)
        fprintf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    fputc('"', out);
}

static void put_list(struct writer *writer, const char *key, struct list_text *list)
{
    if (!list->count)
        return;
    if (list->stream.out)
        fputc(']', list->stream.out);
    char *text = text_stream_take(&list->stream);
    if (text)
        file_put(writer, key, text);
    else if (!writer->status)
        writer->status = STATUS_MEMORY;
    free(text);
}

/* What has to be set to get from one machine to the other, below `key`. */
/* Of the first pin, against which changes are shown, and of the others. */
static const struct {
    const char *changes, *name;
} pin_keys[PINS_MAX] = {
    {"pinned", "pin"}, {"pinned2", "pin2"}, {"pinned3", "pin3"}, {"pinned4", "pin4"}};

static void put_changes(struct writer *writer, const char *key, const struct machine *from,
                        const struct machine *to)
{
    char path[128], value[VALUE_TEXT];
    for (size_t i = 0; i < parameter_count; i++) {
        const struct value wanted = parameter_get(&parameters[i], to);
        if (parameter_equal(&parameters[i], wanted, parameter_get(&parameters[i], from)))
            continue;
        snprintf(path, sizeof path, "%s.%s", key, parameters[i].path);
        file_put(writer, path, parameter_print(&parameters[i], wanted, value));
    }
}

/* What the machine in the file, each pin, the last one first, and the machine on the screen change
 * of the one before. */
static void put_pins(struct writer *writer, const struct session *session)
{
    const struct machine *from = &session->file;
    for (size_t i = session->pin_count; i-- > 0; from = &session->pins[i].machine) {
        put_changes(writer, pin_keys[i].changes, from, &session->pins[i].machine);
        file_put(writer, pin_keys[i].name, session->pins[i].name);
    }
    put_changes(writer, "set", from, &session->machine);
}

/* Edits of the machine, each as what it changes of the one before it, the first of `from`. */
static void put_edits(struct writer *writer, const char *key, const struct machine *from,
                      const struct edit *edits, size_t count)
{
    for (size_t i = 0, number = 1; i < count; i++) {
        char path[16];
        if (!edits[i].after) /* of axes */
            continue;
        snprintf(path, sizeof path, "%s.%zu", key, number++);
        put_changes(writer, path, from, &edits[i].made);
        from = &edits[i].made;
    }
}

/* The newest edits that undo takes back, and the next that redo makes again; each the oldest first.
 */
enum { STEPS_MAX = 50 };
static void put_steps(struct writer *writer, const struct session *session)
{
    const size_t end = session->edit_position, undone = session->edit_count - end;
    const size_t first = end > STEPS_MAX ? end - STEPS_MAX : 0;
    put_edits(writer, STEPS_KEY, &session->file, session->edits + first, end - first);
    put_edits(writer, UNDONE_KEY, &session->machine, session->edits + end,
              undone < STEPS_MAX ? undone : STEPS_MAX);
}

static void put_axes(struct writer *writer, const struct session *session)
{
    char path[128], value[VALUE_TEXT];
    for (size_t i = 0; i < session->axis_count; i++) {
        const struct axis *axis = &session->axes[i];
        struct list_text list = {0};
        for (size_t k = 0; k < axis->count; k++)
            file_list_add(&list, parameter_print(axis->parameter, axis->values[k], value));
        snprintf(path, sizeof path, "axes.%s", axis->parameter->path);
        put_list(writer, path, &list);
    }
}

static void file_put_study(struct writer *writer, const struct session *session)
{
    const struct study *study = &session->study;
    struct list_text workloads = {0}, budgets = {0}, objectives = {0};
    char text[SESSION_TEXT];
    for (size_t i = 0; study->workload_count > 1 && i < study->workload_count; i++)
        file_list_add(&workloads, study->workloads[i]);
    for (size_t i = 0; i < study->budget_count; i++)
        file_list_add(&budgets, budget_print(&study->budgets[i], text));
    for (size_t i = 0; i < study->objective_count; i++) {
        snprintf(text, sizeof text, "%s%s",
                 study->objectives[i].direction == HIGHER_IS_BETTER ? "-" : "",
                 study->objectives[i].metric->path);
        file_list_add(&objectives, text);
    }
    put_list(writer, "workloads", &workloads);
    put_axes(writer, session);
    put_list(writer, "equal", &budgets);
    put_list(writer, "objectives", &objectives);
    if (study->search.chosen)
        file_put(writer, "search", session_search_print(session, text));
}

static void put_points(struct writer *writer, const struct points_query *points)
{
    if (!points->store[0] || access(points->store, R_OK))
        return;
    put_file(writer, "points.store", points->store, NULL);
    file_put(writer, "points.sort", points->sort);
    file_put(writer, "points.where", points->where);
    file_put(writer, "points.front", points->front ? "yes" : "");
    file_put(writer, "points.across", points->across ? aggregate_names[points->across] : "");
}

enum status session_file_write(const struct session_state *state, char **text)
{
    static const char head[] = "# What the explorer showed when it was closed last; :resume brings "
                               "it back.\nsession: 1\n";
    const struct session *session = state->session;
    const struct study *study = &session->study;
    struct writer writer = {.state = state};
    size_t size;
    *text = NULL;
    writer.status = document_parse(head, strlen(head), "session", &writer.document, NULL);
    if (writer.status)
        return writer.status;
    if (study->path)
        put_file(&writer, "study", study->path, NULL);
    put_file(&writer, "machine", session->path, session->name);
    put_pins(&writer, session);
    put_steps(&writer, session);
    file_put(&writer, "workload", state->workload);
    file_put(&writer, "depth", depth_name(study->depth));
    if (study->assumed != ASSUMED_NOTHING)
        file_put(&writer, "assume", assumed_table[study->assumed].name);
    file_put_study(&writer, session);
    file_put(&writer, "metric", state->metric ? state->metric->path : "");
    file_put(&writer, "chart", chart_names[state->chart]);
    put_points(&writer, &state->points);
    file_put(&writer, "view", view_names[state->view]);
    if (!writer.status && !(*text = strdup(document_text(writer.document, &size))))
        writer.status = STATUS_MEMORY;
    document_free(writer.document);
    return writer.status;
}

/* ---- reading ---- */

struct reader {
    const struct document *document;
    struct session_state *state;
    struct diagnostics *found;
};

/* An unsigned, as diagnostics_error. */
__attribute__((format(printf, 3, 4))) static unsigned
complain(struct reader *reader, const struct node *node, const char *format, ...)
{
    const struct place place = node_place(reader->document, node);
    va_list arguments;
    va_start(arguments, format);
    diagnostics_vadd(reader->found, SEVERITY_ERROR, &place, NULL, format, arguments);
    va_end(arguments);
    return STATUS_INVALID;
}

/* The text of a key; NULL where it has none, after a complaint if it has something else. */
static const char *file_text_of(struct reader *reader, const struct node *mapping, const char *key)
{
    const struct node *node = node_find(mapping, key);
    if (!node)
        return NULL;
    if (node_kind(node) == NODE_SCALAR && *node_text(node))
        return node_text(node);
    complain(reader, node, "%s: expected one value", key);
    return NULL;
}

/* Copies the text of a key; complains of one that is too long. */
static void copy_of(struct reader *reader, const struct node *mapping, const char *key, char *to,
                    size_t size)
{
    const char *text = file_text_of(reader, mapping, key);
    if (text && strlen(text) >= size)
        complain(reader, node_find(mapping, key), "%s: longer than %zu bytes", key, size - 1);
    else if (text)
        snprintf(to, size, "%s", text);
}

/* The place of a key's text in a list of names that ends with NULL; `otherwise` where it has none.
 */
static int file_word_of(struct reader *reader, const struct node *mapping, const char *key,
                        const char *const *names, int otherwise)
{
    const char *text = file_text_of(reader, mapping, key);
    size_t count = 0;
    if (!text)
        return otherwise;
    for (; names[count]; count++)
        if (!strcmp(names[count], text))
            return (int)count;
    char hint[SUGGESTION_TEXT];
    complain(reader, node_find(mapping, key), "%s: '%.60s' is none of its words%s", key, text,
             suggestion(nearest_name(text, names, count), hint));
    return otherwise;
}

/* The items of a list with blanks between them, malloc'ed; NULL: there is none, or it is wrong. */
static char *joined(struct reader *reader, const struct node *node, const char *key)
{
    bool legal = node_kind(node) == NODE_SEQUENCE;
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    for (size_t i = 0; out && legal && i < node_count(node); i++) {
        legal = node_kind(node_at(node, i)) == NODE_SCALAR && *node_text(node_at(node, i));
        fprintf(out, "%s%s", i ? " " : "", legal ? node_text(node_at(node, i)) : "");
    }
    char *text = text_stream_take(&stream);
    if (text && legal && stream.size < SESSION_TEXT * 8)
        return text;
    complain(reader, node, "%s: expected a list of words", key);
    free(text);
    return NULL;
}

/* Hands the text of a key, or the items of its list, to a function of the session. */
static void file_hand_over(struct reader *reader, const struct node *root, const char *key,
                           enum status (*take)(struct session *, const char *, char[SESSION_TEXT]))
{
    const struct node *node = node_find(root, key);
    char why[SESSION_TEXT] = "";
    if (!node)
        return;
    char *text =
        node_kind(node) == NODE_SCALAR ? strdup(node_text(node)) : joined(reader, node, key);
    if (text && take(reader->state->session, text, why))
        complain(reader, node, "%s: %s", key, why);
    free(text);
}

static enum status file_read_workloads(struct reader *reader, const struct node *node)
{
    const size_t count = node_count(node);
    char **names = calloc(count + 1, sizeof *names);
    size_t taken = 0;
    for (size_t i = 0; names && i < count; i++) {
        const struct node *item = node_at(node, i);
        if (node_kind(item) != NODE_SCALAR || !*node_text(item))
            complain(reader, item, "workloads: expected a list of names");
        else if ((names[taken] = strdup(node_text(item))))
            taken++;
    }
    if (!names)
        return STATUS_MEMORY;
    session_take_workloads(reader->state->session, names, taken);
    return STATUS_OK;
}

/* Each budget is a text of its own. */
static void read_budgets(struct reader *reader, const struct node *node)
{
    char why[SESSION_TEXT];
    for (size_t i = 0; i < node_count(node); i++) {
        const struct node *item = node_at(node, i);
        if (node_kind(item) != NODE_SCALAR)
            complain(reader, item, "equal: expected 'METRIC at_most LIMIT solve PARAMETER'");
        else if (session_equal(reader->state->session, node_text(item), why))
            complain(reader, item, "equal: %s", why);
    }
}

static enum status file_read_axes(struct reader *reader, const struct node *node)
{
    struct parameter_keys keys;
    enum status status = parameter_keys_read(reader->document, node, "axes", &keys, reader->found);
    for (size_t i = 0; !status && i < keys.count; i++) {
        const struct parameter *parameter = keys.items[i].parameter;
        char why[SESSION_TEXT], *values = joined(reader, keys.items[i].node, parameter->path);
        if (values && session_mark(reader->state->session, parameter, values, why))
            complain(reader, keys.items[i].node, "%s", why);
        free(values);
    }
    parameter_keys_free(&keys);
    return status;
}

/* Makes the changes below `key` to the machine, as one edit. */
static enum status read_changes(struct reader *reader, const struct node *root, const char *key)
{
    struct session *session = reader->state->session;
    const struct node *node = node_find(root, key);
    struct machine wanted = session->machine;
    struct parameter_keys keys;
    char why[SESSION_TEXT];
    const size_t before = reader->found->errors;
    if (!node)
        return STATUS_OK;
    enum status status = parameter_keys_read(reader->document, node, key, &keys, reader->found);
    if (!status)
        parameter_keys_apply(reader->document, &keys, &wanted, reader->found);
    parameter_keys_free(&keys);
    if (!status && reader->found->errors == before && session_become(session, &wanted, why))
        complain(reader, node, "%s: %s", key, why);
    return status;
}

/* Opens what the session is about; what the study marks is said again by the session. */
static enum status open_session(struct reader *reader, const struct node *root)
{
    const char *study = file_text_of(reader, root, "study"),
               *machine = file_text_of(reader, root, "machine");
    struct session **session = &reader->state->session;
    if (!machine)
        return complain(reader, root, "machine: expected the name of a machine or of its file");
    enum status status = study ? session_create_study(study, machine, session, reader->found)
                               : session_create(machine, session, reader->found);
    if (status)
        return status;
    char ignored[SESSION_TEXT];
    while ((*session)->axis_count)
        session_unmark(*session, (*session)->axes[0].parameter);
    if ((*session)->study.budget_count)
        status = session_equal(*session, "off", ignored);
    return status ? status : session_objectives(*session, "", ignored);
}

static enum status file_read_machine(struct reader *reader, const struct node *root)
{
    struct session *session = reader->state->session;
    char gone[SESSION_NAME];
    enum status status = STATUS_OK;
    session->pin_count = 0;
    for (size_t i = PINS_MAX; i-- > 0 && !status;) {
        const char *name = file_text_of(reader, root, pin_keys[i].name);
        status = read_changes(reader, root, pin_keys[i].changes);
        if (name || !i)
            session_pin(session, name ? name : PIN_FILE, gone);
    }
    return status ? status : read_changes(reader, root, "set");
}

/* Makes the edits anew, so that undo takes them back, and ends at the machine that is there. */
static enum status read_steps(struct reader *reader, const struct node *root)
{
    struct session *session = reader->state->session;
    const struct node *steps = node_find(root, STEPS_KEY);
    const struct machine wanted = session->machine;
    char why[SESSION_TEXT];
    if (!steps)
        return STATUS_OK;
    if (node_kind(steps) != NODE_MAPPING)
        return complain(reader, steps, STEPS_KEY ": expected a mapping of changes");
    enum status status = session_become(session, &session->file, why);
    session_forget_edits(session);
    for (size_t i = 0; i < node_count(steps) && !status; i++)
        status = read_changes(reader, steps, node_key(steps, i));
    if (!status && session_become(session, &wanted, why))
        status = complain(reader, steps, STEPS_KEY ": %s", why);
    return status;
}

/* Makes edits that were undone, and undoes them, so that redo makes them again. */
static enum status read_undone(struct reader *reader, const struct node *root)
{
    struct session *session = reader->state->session;
    const struct node *undone = node_find(root, UNDONE_KEY);
    const size_t position = session->edit_position;
    char why[SESSION_TEXT];
    if (!undone)
        return STATUS_OK;
    if (node_kind(undone) != NODE_MAPPING)
        return complain(reader, undone, UNDONE_KEY ": expected a mapping of changes");
    enum status status = STATUS_OK;
    for (size_t i = 0; i < node_count(undone) && !status; i++)
        status = read_changes(reader, undone, node_key(undone, i));
    while (!status && session->edit_position > position)
        status = session_undo(session, why);
    return status;
}

static void file_read_depth(struct reader *reader, const struct node *root)
{
    struct study *study = &reader->state->session->study;
    const char *depth = file_text_of(reader, root, "depth"),
               *assume = file_text_of(reader, root, "assume");
    const char *near = NULL;
    char names[DEPTH_NAMES], hint[SUGGESTION_TEXT];
    if (depth && !depth_find(depth, &study->depth))
        complain(reader, node_find(root, "depth"), "depth: expected %s, got '%.60s'",
                 depth_names(names), depth);
    if (assume && !assumed_find(assume, &study->assumed, &near))
        complain(reader, node_find(root, "assume"), "assume: '%.60s' is none of its words%s",
                 assume, suggestion(near, hint));
}

static const char *const root_keys[] = {
    "session",  "study", "machine", "pinned",    "pin",        "pinned2", "pin2",
    "pinned3",  "pin3",  "pinned4", "pin4",      "set",        STEPS_KEY, UNDONE_KEY,
    "workload", "depth", "assume",  "workloads", "axes",       "equal",   "search",
    "metric",   "chart", "points",  "view",      "objectives", NULL};
static const char *const point_keys[] = {"store", "sort", "where", "front", "across", NULL};

static void file_check_keys(struct reader *reader, const struct node *mapping,
                            const char *const *legal)
{
    size_t count = 0, i;
    while (legal[count])
        count++;
    for (size_t k = 0; k < node_count(mapping); k++) {
        const char *key = node_key(mapping, k);
        for (i = 0; i < count && strcmp(legal[i], key) != 0;)
            i++;
        if (i < count)
            continue;
        const struct place place = node_key_place(reader->document, mapping, k);
        char hint[SUGGESTION_TEXT];
        diagnostics_add(reader->found, SEVERITY_ERROR, &place,
                        "unknown key '%.60s': a session holds no commands%s", key,
                        suggestion(nearest_name(key, legal, count), hint));
    }
}

static void read_points(struct reader *reader, const struct node *root)
{
    static const char *const answers[] = {"no", "yes", NULL};
    const struct node *node = node_find(root, "points");
    struct points_query *points = &reader->state->points;
    if (!node)
        return;
    if (node_kind(node) != NODE_MAPPING) {
        complain(reader, node, "points: expected store, sort, where, front and across");
        return;
    }
    file_check_keys(reader, node, point_keys);
    copy_of(reader, node, "store", points->store, sizeof points->store);
    copy_of(reader, node, "sort", points->sort, sizeof points->sort);
    copy_of(reader, node, "where", points->where, sizeof points->where);
    points->front = file_word_of(reader, node, "front", answers, 0) == 1;
    points->across =
        (enum aggregate)file_word_of(reader, node, "across", aggregate_names, AGGREGATE_NONE);
}

static void read_screen(struct reader *reader, const struct node *root)
{
    struct session_state *state = reader->state;
    const char *metric = file_text_of(reader, root, "metric");
    char hint[SUGGESTION_TEXT];
    if (metric && !(state->metric = metric_find(metric)))
        complain(reader, node_find(root, "metric"), "unknown metric '%.60s'%s", metric,
                 suggestion(metric_nearest(metric), hint));
    state->chart = (enum chart_kind)file_word_of(reader, root, "chart", chart_names, CHART_CURVE);
    state->view = (enum view)file_word_of(reader, root, "view", view_names, VIEW_WORKSPACE);
    copy_of(reader, root, "workload", state->workload, sizeof state->workload);
    read_points(reader, root);
}

static enum status file_read_all(struct reader *reader, const struct node *root)
{
    const struct node *axes = node_find(root, "axes"), *equal = node_find(root, "equal"),
                      *workloads = node_find(root, "workloads");
    file_check_keys(reader, root, root_keys);
    enum status status = open_session(reader, root);
    if (!status)
        status = file_read_machine(reader, root);
    if (status)
        return status;
    file_read_depth(reader, root);
    if (workloads)
        status = file_read_workloads(reader, workloads);
    if (!status && axes)
        status = file_read_axes(reader, axes);
    if (equal)
        read_budgets(reader, equal);
    file_hand_over(reader, root, "objectives", session_objectives);
    file_hand_over(reader, root, "search", session_search);
    read_screen(reader, root);
    if (!status) /* after the axes, whose marks are not among them */
        status = read_steps(reader, root);
    if (!status) /* at last: any edit forgets what was undone */
        status = read_undone(reader, root);
    return status ? status : reader->found->errors ? STATUS_INVALID : STATUS_OK;
}

/* Whether this is a session, of this version. */
static enum status check_version(struct reader *reader, const struct node *root)
{
    const struct node *version =
        node_kind(root) == NODE_MAPPING ? node_find(root, "session") : NULL;
    if (!version)
        return complain(reader, root,
                        "expected 'session: 1'; sessions of commands, as earlier versions wrote "
                        "them, are not run");
    if (node_kind(version) != NODE_SCALAR || strcmp(node_text(version), "1") != 0)
        return complain(reader, version, "this version reads sessions of version 1");
    return STATUS_OK;
}

enum status session_file_read(const char *text, size_t size, const char *name,
                              struct session_state *state, struct diagnostics *diagnostics)
{
    struct document *document;
    struct diagnostics found = DIAGNOSTICS_INIT;
    *state = (struct session_state){0};
    enum status status = document_parse(text, size, name, &document, &found);
    if (!status) {
        struct reader reader = {document, state, &found};
        status = check_version(&reader, document_root(document));
        if (!status)
            status = file_read_all(&reader, document_root(document));
        document_free(document);
    }
    diagnostics_move(diagnostics, &found);
    diagnostics_free(&found);
    if (status) {
        session_free(state->session);
        state->session = NULL;
    }
    return status;
}
