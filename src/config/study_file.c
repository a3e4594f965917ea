#include "config/study_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "config/document_tree.h"
#include "config/machine_file.h"
#include "config/parameter_keys.h"
#include "config/study_axis.h"
#include "config/study_search.h"

struct reader {
    const struct document *document;
    const char *base_folder;
    struct study *study;
    struct diagnostics found;   /* in the study's file */
    struct diagnostics machine; /* in the machine's file */
};

/* ---- machine and set ---- */

static enum status read_machine(struct reader *reader, const struct node *node)
{
    struct study *study = reader->study;
    const char *name = node_text(node);
    if (node_kind(node) != NODE_SCALAR || !*name) {
        document_complain(reader->document, &reader->found, node,
                          "machine: expected the name of a machine or of its file");
        return STATUS_OK;
    }
    study->machine_name = strdup(name);
    if (!study->machine_name)
        return STATUS_MEMORY;
    enum status status =
        machine_load(name, reader->base_folder, &study->machine, NULL, &reader->machine);
    /* The name is wrong: say so where the study names it. Any other error has its place in the
     * machine's file. */
    if (status == STATUS_NOT_FOUND && reader->machine.count == 1) {
        document_complain(reader->document, &reader->found, node, "machine: %s",
                          reader->machine.items[0].message);
        diagnostics_free(&reader->machine);
    } else if (status && status != STATUS_MEMORY) {
        document_complain(reader->document, &reader->found, node, "machine: '%.80s' cannot be used",
                          name);
    }
    return status == STATUS_MEMORY ? status : STATUS_OK;
}

static enum status read_set(struct reader *reader, const struct node *node)
{
    struct parameter_keys keys;
    enum status status = parameter_keys_read(reader->document, node, "set", &keys, &reader->found);
    if (!status)
        parameter_keys_apply(reader->document, &keys, &reader->study->machine, &reader->found);
    parameter_keys_free(&keys);
    return status;
}

static enum status read_baseline(struct reader *reader, const struct node *node)
{
    struct study *study = reader->study;
    struct machine machine = study->machine;
    struct parameter_keys keys;
    size_t capacity = 0;
    enum status status =
        parameter_keys_read(reader->document, node, "baseline", &keys, &reader->found);
    if (!status)
        parameter_keys_apply(reader->document, &keys, &machine, &reader->found);
    if (!status && keys.count)
        status = array_reserve(&study->baseline, &capacity, keys.count);
    for (size_t i = 0; i < keys.count && !status; i++)
        study->baseline[study->baseline_count++] = (struct baseline_value){
            keys.items[i].parameter, parameter_get(keys.items[i].parameter, &machine)};
    parameter_keys_free(&keys);
    return status;
}

/* ---- lists of words ---- */

/* A single scalar counts as a list of one. */
static size_t item_count(const struct node *node)
{
    return node_kind(node) == NODE_SCALAR ? !node_is_empty(node) : node_count(node);
}

static const struct node *item_at(const struct node *node, size_t index)
{
    return node_kind(node) == NODE_SCALAR ? node : node_at(node, index);
}

/* The text of an item; NULL after reporting that it has none. */
static const char *item_text(struct reader *reader, const struct node *node, size_t index,
                             const char *what)
{
    const struct node *item = item_at(node, index);
    if (node_kind(node) != NODE_MAPPING && node_kind(item) == NODE_SCALAR && *node_text(item))
        return node_text(item);
    document_complain(reader->document, &reader->found, item, "expected %s", what);
    return NULL;
}

/* Compares with every earlier item; LIST_MAX bounds the quadratic cost. */
static bool is_repeated(struct reader *reader, const struct node *node, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (!strcmp(node_text(item_at(node, i)), node_text(item_at(node, index)))) {
            document_complain(reader->document, &reader->found, item_at(node, index),
                              "'%.80s' is listed twice", node_text(item_at(node, index)));
            return true;
        }
    return false;
}

enum { LIST_MAX = 1024 };

static size_t bounded_count(struct reader *reader, const struct node *node)
{
    size_t count = item_count(node);
    if (count <= LIST_MAX)
        return count;
    document_complain(reader->document, &reader->found, node, "more than %d items", LIST_MAX);
    return 0;
}

static enum status read_workloads(struct reader *reader, const struct node *node)
{
    struct study *study = reader->study;
    size_t capacity = 0, line_capacity = 0, count = bounded_count(reader, node);
    for (size_t i = 0; i < count; i++) {
        const char *text = item_text(reader, node, i, "a list of workloads, recipes or traces");
        if (!text || is_repeated(reader, node, i))
            continue;
        size_t next = study->workload_count;
        if (array_reserve(&study->workloads, &capacity, next + 1) ||
            array_reserve(&study->workload_lines, &line_capacity, next + 1) ||
            !(study->workloads[next] = strdup(text)))
            return STATUS_MEMORY;
        study->workload_lines[next] = node_place(reader->document, item_at(node, i)).line;
        study->workload_count++;
    }
    if (!count)
        document_complain(reader->document, &reader->found, node,
                          "workloads: a study needs at least one");
    return STATUS_OK;
}

static enum status read_conditions(struct reader *reader, const struct node *node,
                                   struct condition **conditions, size_t *condition_count)
{
    size_t capacity = 0, count = bounded_count(reader, node);
    for (size_t i = 0; i < count; i++) {
        const char *text = item_text(reader, node, i, "an expression, for example 'l1d.ways <= 8'");
        if (!text || is_repeated(reader, node, i))
            continue;
        if (array_reserve(conditions, &capacity, *condition_count + 1))
            return STATUS_MEMORY;
        struct condition *condition = &(*conditions)[*condition_count];
        *condition = (struct condition){
            .text = strdup(text), .line = node_place(reader->document, item_at(node, i)).line};
        if (!condition->text)
            return STATUS_MEMORY;
        ++*condition_count;
    }
    return STATUS_OK;
}

static enum status read_where(struct reader *reader, const struct node *node)
{
    return read_conditions(reader, node, &reader->study->where, &reader->study->where_count);
}

static enum status read_filters(struct reader *reader, const struct node *node)
{
    return read_conditions(reader, node, &reader->study->filters, &reader->study->filter_count);
}

/* ---- metrics ---- */

static const struct metric *read_metric(struct reader *reader, const struct node *node,
                                        const char *path)
{
    const struct metric *metric = metric_find(path);
    if (metric && reader->study->depth_said && !metric_answered(metric, reader->study->depth)) {
        char why[METRIC_UNANSWERED];
        document_complain(reader->document, &reader->found, node, "metric '%.80s' %s", path,
                          metric_unanswered(metric, reader->study->depth, why));
        return NULL;
    }
    if (metric)
        return metric;
    const char *near = metric_nearest(path);
    char hint[SUGGESTION_TEXT];
    document_complain(reader->document, &reader->found, node, "unknown metric '%.80s'%s", path,
                      suggestion(near, hint));
    return NULL;
}

static enum status read_columns(struct reader *reader, const struct node *node)
{
    struct study *study = reader->study;
    size_t capacity = 0, count = bounded_count(reader, node);
    for (size_t i = 0; i < count; i++) {
        const char *text = item_text(reader, node, i, "a list of metrics");
        if (!text || is_repeated(reader, node, i))
            continue;
        const struct metric *metric = read_metric(reader, item_at(node, i), text);
        if (!metric)
            continue;
        if (array_reserve(&study->columns, &capacity, study->column_count + 1))
            return STATUS_MEMORY;
        study->columns[study->column_count++] = metric;
    }
    return STATUS_OK;
}

static bool read_direction(struct reader *reader, const struct node *node,
                           const struct metric *metric, enum direction *direction)
{
    const char *text = node_text(node);
    *direction = metric->direction;
    if (!strcmp(text, "minimize"))
        *direction = LOWER_IS_BETTER;
    else if (!strcmp(text, "maximize"))
        *direction = HIGHER_IS_BETTER;
    else if (!node_is_empty(node)) {
        document_complain(reader->document, &reader->found, node,
                          "%s: expected minimize or maximize, got '%.40s'", metric->path, text);
        return false;
    }
    if (*direction != NO_DIRECTION)
        return true;
    document_complain(reader->document, &reader->found, node,
                      "%s is neither better low nor high: write minimize or maximize",
                      metric->path);
    return false;
}

/* `value` is the direction after "metric: ", or the metric itself if no direction is given. */
static enum status add_objective(struct reader *reader, size_t *capacity, const char *path,
                                 const struct node *value)
{
    struct study *study = reader->study;
    const struct metric *metric = read_metric(reader, value, path);
    if (!metric)
        return STATUS_OK;
    enum direction direction = metric->direction;
    bool bare = node_kind(value) == NODE_SCALAR && node_text(value) == path;
    if (bare && direction == NO_DIRECTION) {
        document_complain(reader->document, &reader->found, value,
                          "%s is neither better low nor high: write minimize or maximize",
                          metric->path);
        return STATUS_OK;
    }
    if (!bare && !read_direction(reader, value, metric, &direction))
        return STATUS_OK;
    for (size_t i = 0; i < study->objective_count; i++)
        if (study->objectives[i].metric == metric) {
            document_complain(reader->document, &reader->found, value, "%s is an objective already",
                              metric->path);
            return STATUS_OK;
        }
    if (array_reserve(&study->objectives, capacity, study->objective_count + 1))
        return STATUS_MEMORY;
    study->objectives[study->objective_count++] = (struct objective){metric, direction};
    return STATUS_OK;
}

static enum status add_objective_mapping(struct reader *reader, size_t *capacity,
                                         const struct node *mapping)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; !status && i < node_count(mapping); i++)
        status = add_objective(reader, capacity, node_key(mapping, i), node_at(mapping, i));
    return status;
}

static enum status read_objectives(struct reader *reader, const struct node *node)
{
    size_t capacity = 0;
    if (node_kind(node) == NODE_MAPPING)
        return add_objective_mapping(reader, &capacity, node);
    enum status status = STATUS_OK;
    size_t count = bounded_count(reader, node);
    for (size_t i = 0; !status && i < count; i++) {
        const struct node *item = item_at(node, i);
        if (node_kind(item) == NODE_MAPPING)
            status = add_objective_mapping(reader, &capacity, item);
        else if (item_text(reader, node, i, "a metric, or 'metric: minimize'"))
            status = add_objective(reader, &capacity, node_text(item), item);
    }
    return status;
}

/* ---- axes and seed ---- */

static enum status read_axes(struct reader *reader, const struct node *node)
{
    struct study *study = reader->study;
    struct parameter_keys keys;
    enum status status = parameter_keys_read(reader->document, node, "axes", &keys, &reader->found);
    if (!status && keys.count) {
        study->axes = calloc(keys.count, sizeof *study->axes);
        if (!study->axes)
            status = STATUS_MEMORY;
    }
    for (size_t i = 0; !status && i < keys.count; i++) {
        if (reader->found.errors >= FILE_ERRORS_MAX)
            break;
        struct axis *axis = &study->axes[study->axis_count++];
        axis->parameter = keys.items[i].parameter;
        status = study_axis_read(reader->document, keys.items[i].node, axis, &reader->found);
    }
    parameter_keys_free(&keys);
    return status;
}

/* Reads one item of `equal`: {metric: pwc.bits, at_most: 5280, solve: pwc.entries}. */
static bool read_budget(struct reader *reader, const struct node *node, struct budget *budget)
{
    static const char *const legal[] = {"metric", "at_most", "solve"};
    const char *texts[3] = {NULL};
    size_t before = reader->found.errors;
    for (size_t i = 0; node_kind(node) == NODE_MAPPING && i < node_count(node); i++) {
        size_t k = 0;
        while (k < 3 && strcmp(node_key(node, i), legal[k]) != 0)
            k++;
        if (k < 3 && node_kind(node_at(node, i)) == NODE_SCALAR)
            texts[k] = node_text(node_at(node, i));
        else
            document_complain(reader->document, &reader->found, node_at(node, i),
                              "equal: expected metric, at_most and solve, got '%.40s'",
                              node_key(node, i));
    }
    if (reader->found.errors == before && (!texts[0] || !texts[1] || !texts[2]))
        document_complain(reader->document, &reader->found, node,
                          "equal: expected a metric, the most that it may be, and the parameter "
                          "to solve, as {metric: pwc.bits, at_most: 5280, solve: pwc.entries}");
    if (reader->found.errors > before)
        return false;
    budget->line = node_place(reader->document, node).line;
    budget->metric = read_metric(reader, node_find(node, "metric"), texts[0]);
    if (budget->metric && quantity_parse_real(texts[1], budget->metric->unit, &budget->limit))
        document_complain(reader->document, &reader->found, node_find(node, "at_most"),
                          "equal: expected what %s may be at most, got '%.40s'",
                          budget->metric->path, texts[1]);
    budget->parameter = parameter_find(texts[2]);
    if (!budget->parameter) {
        struct place place = node_place(reader->document, node_find(node, "solve"));
        parameter_unknown(&place, texts[2], &reader->found);
    }
    return reader->found.errors == before;
}

static enum status read_equal(struct reader *reader, const struct node *node)
{
    struct study *study = reader->study;
    bool alone = node_kind(node) == NODE_MAPPING;
    size_t capacity = 0, count = alone ? 1 : bounded_count(reader, node);
    for (size_t i = 0; i < count; i++) {
        if (array_reserve(&study->budgets, &capacity, study->budget_count + 1))
            return STATUS_MEMORY;
        struct budget *budget = &study->budgets[study->budget_count];
        study->budget_count += read_budget(reader, alone ? node : item_at(node, i), budget);
    }
    return STATUS_OK;
}

static enum status read_seed(struct reader *reader, const struct node *node)
{
    if (node_kind(node) != NODE_SCALAR ||
        quantity_parse_uint(node_text(node), UNIT_NONE, &reader->study->seed))
        document_complain(reader->document, &reader->found, node,
                          "seed: expected a whole number, got '%.40s'", node_text(node));
    reader->study->machine.seed = reader->study->seed;
    return STATUS_OK;
}

static enum status read_depth(struct reader *reader, const struct node *node)
{
    char names[DEPTH_NAMES];
    if (node_kind(node) == NODE_SCALAR && depth_find(node_text(node), &reader->study->depth))
        reader->study->depth_said = true;
    else
        document_complain(reader->document, &reader->found, node, "depth: expected %s, got '%.40s'",
                          depth_names(names), node_text(node));
    return STATUS_OK;
}

static enum status read_assumed(struct reader *reader, const struct node *node)
{
    const char *text = node_kind(node) == NODE_SCALAR ? node_text(node) : "a list", *near;
    char hint[SUGGESTION_TEXT];
    if (!assumed_find(text, &reader->study->assumed, &near))
        document_complain(reader->document, &reader->found, node,
                          "assume: there is no assumption '%.40s'%s", text, suggestion(near, hint));
    return STATUS_OK;
}

static enum status read_search(struct reader *reader, const struct node *node)
{
    study_search_read(reader->document, node, &reader->study->search, &reader->found);
    return STATUS_OK;
}

/* ---- the file ---- */

/* In reading order: `set` changes what `machine` loaded. */
static const struct study_key {
    const char *name;
    enum status (*read)(struct reader *reader, const struct node *node);
    const char *missing; /* the error if the key is missing; NULL: it is optional */
} study_keys[] = {
    {"machine", read_machine, "a study needs a machine, for example 'machine: gtx480'"},
    {"seed", read_seed, NULL}, /* before `set`, which may give the machine another one */
    {"set", read_set, NULL},
    {"baseline", read_baseline, NULL},
    {"depth", read_depth, NULL}, /* before the keys that name metrics */
    {"assume", read_assumed, NULL},
    {"workloads", read_workloads, "a study needs workloads, for example 'workloads: [2DCONV]'"},
    {"axes", read_axes, NULL},
    {"equal", read_equal, NULL},
    {"where", read_where, NULL},
    {"filters", read_filters, NULL},
    {"objectives", read_objectives, NULL},
    {"metrics", read_columns, NULL},
    {"search", read_search, NULL},
};

enum { STUDY_KEY_COUNT = sizeof study_keys / sizeof *study_keys };

static void report_unknown_keys(struct reader *reader, const struct node *root)
{
    const char *names[STUDY_KEY_COUNT];
    for (size_t i = 0; i < STUDY_KEY_COUNT; i++)
        names[i] = study_keys[i].name;
    for (size_t i = 0; i < node_count(root) && reader->found.errors < FILE_ERRORS_MAX; i++) {
        const char *key = node_key(root, i);
        bool known = false;
        for (size_t k = 0; k < STUDY_KEY_COUNT; k++)
            known |= !strcmp(key, names[k]);
        if (known)
            continue;
        const char *near = nearest_name(key, names, STUDY_KEY_COUNT);
        char hint[SUGGESTION_TEXT];
        struct place place = node_key_place(reader->document, root, i);
        diagnostics_add(&reader->found, SEVERITY_ERROR, &place, "unknown key '%.80s' of a study%s",
                        key, suggestion(near, hint));
    }
}

/* Below a depth in which time passes nothing waits for an instruction. */
static void check_assumed(struct reader *reader, const struct node *node)
{
    const struct study *study = reader->study;
    if (study->assumed != ASSUMED_NOTHING && !depth_can(study->depth, DEPTH_TIMED))
        document_complain(
            reader->document, &reader->found, node,
            "assume: at depth %s no instruction waits for another: write 'depth: timing'",
            depth_name(study->depth));
}

/* If the study names no depth, its metrics determine one; then that depth must count all of
 * them. */
static void check_depth(struct reader *reader)
{
    struct study *study = reader->study;
    if (study->depth_said)
        return;
    study_choose_depth(study);
    char why[METRIC_UNANSWERED];
    for (size_t i = 0; i < study->objective_count + study->column_count; i++) {
        const struct metric *metric = i < study->objective_count
                                          ? study->objectives[i].metric
                                          : study->columns[i - study->objective_count];
        if (!metric_answered(metric, study->depth))
            document_complain(reader->document, &reader->found, NULL, "metric '%s' %s%s%s",
                              metric->path, metric_unanswered(metric, study->depth, why),
                              metric_compares(metric) ? "" : "; others of the study need depth ",
                              metric_compares(metric) ? "" : depth_name(study->depth));
    }
}

static enum status read_keys(struct reader *reader, const struct node *root)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; !status && i < STUDY_KEY_COUNT; i++) {
        const struct node *node = node_find(root, study_keys[i].name);
        if (node)
            status = study_keys[i].read(reader, node);
        else if (study_keys[i].missing)
            document_complain(reader->document, &reader->found, NULL, "%s", study_keys[i].missing);
    }
    const struct study *study = reader->study;
    if (!status && !reader->found.errors && !study->objective_count && !study->column_count)
        document_complain(reader->document, &reader->found, NULL,
                          "a study needs objectives (or metrics to record)");
    if (!status)
        check_depth(reader);
    if (!status)
        check_assumed(reader, node_find(root, "assume"));
    return status;
}

static char *name_without_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    return strndup(base, dot && dot != base ? (size_t)(dot - base) : strlen(base));
}

static void hand_over(struct diagnostics *to, struct diagnostics *from)
{
    if (to)
        diagnostics_move(to, from);
    else
        diagnostics_free(from);
}

enum status study_from_document(const struct document *document, const char *base_folder,
                                struct study *study, struct diagnostics *diagnostics)
{
    *study = (struct study){.seed = 1, .name = name_without_folder(document_name(document))};
    machine_defaults(&study->machine);
    search_defaults(&study->search);
    struct reader reader = {.document = document, .base_folder = base_folder, .study = study};
    const struct node *root = document_root(document);
    enum status status = study->name ? STATUS_OK : STATUS_MEMORY;
    if (!status && node_kind(root) != NODE_MAPPING)
        document_complain(document, &reader.found, root, "expected the keys of a study");
    if (!status && node_kind(root) == NODE_MAPPING) {
        report_unknown_keys(&reader, root);
        status = read_keys(&reader, root);
    }
    diagnostics_sort(&reader.found, 0);
    if (!status && (reader.found.errors || reader.machine.errors))
        status = STATUS_INVALID;
    hand_over(diagnostics, &reader.machine);
    hand_over(diagnostics, &reader.found);
    if (status)
        study_free(study);
    return status;
}

enum status study_load(const char *name, struct study *study, struct diagnostics *diagnostics)
{
    struct document *document;
    *study = (struct study){0};
    size_t before = diagnostics ? diagnostics->count : 0;
    enum status faults = document_open(DATA_STUDIES, name, &document, diagnostics);
    if (!document)
        return faults;
    if (node_count(document_root(document)) && !document_is_study(document)) {
        document_free(document);
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "%s: no study: none of its keys is one, such as workloads or axes",
                                 name);
    }
    const char *path = document_path(document) ? document_path(document) : name;
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    enum status status =
        folder ? study_from_document(document, folder, study, diagnostics) : STATUS_MEMORY;
    if (!status && faults)
        study_free(study);
    status = status ? status : faults;
    if (status && diagnostics)
        diagnostics_sort(diagnostics, before);
    if (!status) {
        study->path = strdup(path);
        if (!study->path) {
            study_free(study);
            status = STATUS_MEMORY;
        }
    }
    free(folder);
    document_free(document);
    return status;
}

/* Whether a key of a machine file holds parameters: it is one, or it is a mapping of a group. */
static bool holds_parameters(const char *key, const struct node *value)
{
    const size_t length = strlen(key);
    for (size_t i = 0; i < parameter_count; i++)
        if (!strncmp(parameters[i].path, key, length) &&
            (!parameters[i].path[length] ||
             (parameters[i].path[length] == '.' && node_kind(value) == NODE_MAPPING)))
            return true;
    return false;
}

bool document_is_study(const struct document *document)
{
    const struct node *root = document_root(document);
    for (size_t i = 0; i < STUDY_KEY_COUNT; i++) {
        const struct node *value = node_find(root, study_keys[i].name);
        if (value && !holds_parameters(study_keys[i].name, value))
            return true;
    }
    return false;
}
