#include "config/experiment_file.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "config/machine_file.h"
#include "config/parameter_keys.h"
#include "schema/depths.h"

enum { LIST_MAX = 1024, NAME_MAX_LENGTH = 24 };

struct reader {
    const struct document *document;
    struct experiment *experiment;
    struct diagnostics found;
    struct machine machine; /* what variants begin with */
    enum depth depth;
};

__attribute__((format(printf, 3, 4))) static void
complain(struct reader *reader, const struct node *node, const char *format, ...)
{
    if (reader->found.errors >= FILE_ERRORS_MAX)
        return;
    struct place place = {.file = document_name(reader->document)};
    if (node)
        place = node_place(reader->document, node);
    va_list arguments;
    va_start(arguments, format);
    diagnostics_vadd(&reader->found, SEVERITY_ERROR, &place, NULL, format, arguments);
    va_end(arguments);
}

size_t experiment_list_count(const struct node *node)
{
    if (!node || node_kind(node) == NODE_MAPPING)
        return 0;
    return node_kind(node) == NODE_SCALAR ? !node_is_empty(node) : node_count(node);
}

const struct node *experiment_list_at(const struct node *node, size_t index)
{
    return node_kind(node) == NODE_SCALAR ? node : node_at(node, index);
}

/* ---- keys ---- */

enum key_kind { KEY_TEXT, KEY_LIST, KEY_ITEMS, KEY_MAPPING };

struct key {
    const char *name;
    enum key_kind kind;
    bool required;
    size_t offset; /* of a `const struct node *` in the struct that is read */
};

static bool has_kind(const struct node *node, enum key_kind kind)
{
    switch (kind) {
    case KEY_TEXT:
        return node_kind(node) == NODE_SCALAR;
    case KEY_LIST:
        if (node_kind(node) == NODE_MAPPING)
            return false;
        for (size_t i = 0; i < experiment_list_count(node); i++)
            if (node_kind(experiment_list_at(node, i)) != NODE_SCALAR)
                return false;
        return true;
    case KEY_ITEMS:
        return node_kind(node) == NODE_SEQUENCE;
    case KEY_MAPPING:
        return node_kind(node) == NODE_MAPPING;
    }
    return false;
}

static const char *kind_name(enum key_kind kind)
{
    static const char *const names[] = {[KEY_TEXT] = "a text",
                                        [KEY_LIST] = "a list of texts",
                                        [KEY_ITEMS] = "a list",
                                        [KEY_MAPPING] = "keys with values"};
    return names[kind];
}

/* Reads a mapping into the nodes of a struct. `other` (may be NULL) says which further keys are
 * legal. Returns whether nothing is wrong. */
static bool read_keys(struct reader *reader, const struct node *node, const char *what,
                      const struct key *keys, size_t count, const char *const *others,
                      size_t other_count, void *result)
{
    const size_t before = reader->found.errors;
    const char *names[32 + LIST_MAX];
    size_t known = 0;
    if (node_kind(node) != NODE_MAPPING) {
        complain(reader, node, "expected %s: keys such as '%s'", what, keys[0].name);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        names[known++] = keys[i].name;
    for (size_t i = 0; i < other_count && known < sizeof names / sizeof *names; i++)
        names[known++] = others[i];
    for (size_t i = 0; i < node_count(node); i++) {
        size_t k = 0;
        while (k < known && strcmp(names[k], node_key(node, i)) != 0)
            k++;
        if (k < count) {
            const struct node *value = node_at(node, i);
            if (has_kind(value, keys[k].kind))
                memcpy((char *)result + keys[k].offset, &value, sizeof value);
            else
                complain(reader, value, "%s: expected %s", keys[k].name, kind_name(keys[k].kind));
        } else if (k == known) {
            const char *near = nearest_name(node_key(node, i), names, known);
            char hint[SUGGESTION_TEXT];
            struct place place = node_key_place(reader->document, node, i);
            if (reader->found.errors < FILE_ERRORS_MAX)
                diagnostics_add(&reader->found, SEVERITY_ERROR, &place,
                                "unknown key '%.80s' of %s%s", node_key(node, i), what,
                                suggestion(near, hint));
        }
    }
    for (size_t k = 0; k < count; k++)
        if (keys[k].required && !node_find(node, keys[k].name))
            complain(reader, node, "%s needs the key '%s'", what, keys[k].name);
    return reader->found.errors == before;
}

#define KEY(type, member, kind, required)                                                          \
    {                                                                                              \
#member, kind, required, offsetof(struct type, member)                                     \
    }
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Whether a name can stand in an expression: letters, digits and '_', a letter first. */
static bool check_name(struct reader *reader, const struct node *mapping, size_t index)
{
    const char *name = node_key(mapping, index);
    bool good = isalpha((unsigned char)*name) && strlen(name) <= NAME_MAX_LENGTH;
    for (const char *at = name; *at; at++)
        good = good && (isalnum((unsigned char)*at) || *at == '_');
    if (!good)
        complain(reader, node_at(mapping, index),
                 "'%.40s' is no name: expected a letter, then letters, digits and '_', at most %d",
                 name, NAME_MAX_LENGTH);
    return good;
}

/* Room for the children of a mapping, or 0 after reporting that there are too many. */
static size_t children(struct reader *reader, const struct node *node, const char *what)
{
    if (!node)
        return 0;
    if (node_count(node) <= LIST_MAX)
        return node_count(node);
    complain(reader, node, "more than %d %s", LIST_MAX, what);
    return 0;
}

/* ---- variants ---- */

struct variant_keys {
    const struct node *name, *machine, *set, *depth, *workload, *equal, *why;
};

static const struct key variant_keys[] = {
    KEY(variant_keys, name, KEY_TEXT, false),     KEY(variant_keys, machine, KEY_TEXT, false),
    KEY(variant_keys, set, KEY_MAPPING, false),   KEY(variant_keys, depth, KEY_TEXT, false),
    KEY(variant_keys, workload, KEY_TEXT, false), KEY(variant_keys, equal, KEY_MAPPING, false),
    KEY(variant_keys, why, KEY_TEXT, false),
};

static enum status read_machine(struct reader *reader, const struct node *node,
                                struct machine *machine)
{
    struct diagnostics found = DIAGNOSTICS_INIT;
    char *folder = NULL;
    const char *path = document_path(reader->document), *slash = path ? strrchr(path, '/') : NULL;
    if (slash && !(folder = strndup(path, (size_t)(slash - path) + 1)))
        return STATUS_MEMORY;
    enum status status = machine_load(node_text(node), folder, machine, NULL, &found);
    if (status && status != STATUS_MEMORY) {
        complain(reader, node, "machine: %s", diagnostics_first(&found, status));
        status = STATUS_OK;
    }
    diagnostics_free(&found);
    free(folder);
    return status;
}

enum status experiment_set(const struct document *document, const struct node *settings,
                           struct machine *machine, struct diagnostics *diagnostics)
{
    struct parameter_keys keys;
    enum status status = parameter_keys_read(document, settings, "set", &keys, diagnostics);
    if (!status)
        parameter_keys_apply(document, &keys, machine, diagnostics);
    parameter_keys_free(&keys);
    machine_apply_kind(machine);
    return status;
}

static void read_depth(struct reader *reader, const struct node *node, enum depth *depth)
{
    char names[DEPTH_NAMES];
    if (!depth_find(node_text(node), depth))
        complain(reader, node, "depth: expected %s, got '%.40s'", depth_names(names),
                 node_text(node));
}

static void read_equal(struct reader *reader, const struct node *node, struct budget *budget)
{
    struct equal_keys {
        const struct node *metric, *at_most, *solve;
    } equal = {0};
    static const struct key keys[] = {KEY(equal_keys, metric, KEY_TEXT, true),
                                      KEY(equal_keys, at_most, KEY_TEXT, true),
                                      KEY(equal_keys, solve, KEY_TEXT, true)};
    char hint[SUGGESTION_TEXT];
    if (!read_keys(reader, node, "equal", keys, COUNT(keys), NULL, 0, &equal))
        return;
    budget->line = node_place(reader->document, node).line;
    const struct metric *metric = metric_find(node_text(equal.metric));
    if (!metric)
        complain(reader, equal.metric, "unknown metric '%.80s'%s", node_text(equal.metric),
                 suggestion(metric_nearest(node_text(equal.metric)), hint));
    else if (quantity_parse_real(node_text(equal.at_most), metric->unit, &budget->limit))
        complain(reader, equal.at_most, "at_most: expected what %s may be at most, got '%.40s'",
                 metric->path, node_text(equal.at_most));
    budget->metric = metric;
    budget->parameter = parameter_find(node_text(equal.solve));
    if (!budget->parameter) {
        struct place place = node_place(reader->document, equal.solve);
        parameter_unknown(&place, node_text(equal.solve), &reader->found);
    }
}

/* Applies the keys of a variant, or of what several variants share, to one. */
static enum status apply_variant(struct reader *reader, const struct variant_keys *keys,
                                 struct experiment_variant *variant)
{
    enum status status = STATUS_OK;
    if (keys->machine)
        status = read_machine(reader, keys->machine, &variant->machine);
    if (keys->set && !status)
        status = experiment_set(reader->document, keys->set, &variant->machine, &reader->found);
    if (keys->depth)
        read_depth(reader, keys->depth, &variant->depth);
    if (keys->equal)
        read_equal(reader, keys->equal, &variant->budget);
    if (keys->workload)
        variant->workload = keys->workload;
    return status;
}

static enum status read_variants(struct reader *reader, const struct node *node)
{
    struct experiment *experiment = reader->experiment;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < children(reader, node, "variants") && !status; i++) {
        struct variant_keys keys = {0};
        const struct node *item = node_at(node, i);
        if (!check_name(reader, node, i) ||
            (!node_is_empty(item) && !read_keys(reader, item, "a variant", variant_keys,
                                                COUNT(variant_keys), NULL, 0, &keys)))
            continue;
        struct experiment_variant *variant = &experiment->variants[experiment->variant_count++];
        *variant = (struct experiment_variant){.name = node_key(node, i),
                                               .label = keys.name ? node_text(keys.name)
                                                                  : node_key(node, i),
                                               .place = item,
                                               .machine = reader->machine,
                                               .depth = reader->depth};
        status = apply_variant(reader, &keys, variant);
    }
    return status;
}

/* One variant of a reading: what the role says, then the reading, then the reading of its role. */
static enum status read_reading_role(struct reader *reader, const struct node *role,
                                     const struct variant_keys *shared, const struct node *own,
                                     struct experiment_variant *variant)
{
    struct variant_keys keys = {0};
    enum status status = STATUS_OK;
    if (!node_is_empty(role) &&
        read_keys(reader, role, "a role", variant_keys, COUNT(variant_keys), NULL, 0, &keys))
        status = apply_variant(reader, &keys, variant);
    if (keys.name)
        variant->label = node_text(keys.name);
    if (!status)
        status = apply_variant(reader, shared, variant);
    keys = (struct variant_keys){0};
    if (!status && own && !node_is_empty(own) &&
        read_keys(reader, own, "a role", variant_keys, COUNT(variant_keys), NULL, 0, &keys))
        status = apply_variant(reader, &keys, variant);
    return status;
}

static enum status read_reading(struct reader *reader, const struct node *roles,
                                const struct node *node, const char *name)
{
    struct experiment *experiment = reader->experiment;
    struct variant_keys shared = {0};
    if (!node_is_empty(node))
        (void)read_keys(reader, node, "a reading", variant_keys, COUNT(variant_keys),
                        experiment->roles, experiment->role_count, &shared);
    struct experiment_reading *reading = &experiment->readings[experiment->reading_count++];
    *reading =
        (struct experiment_reading){name, shared.name ? node_text(shared.name) : name, shared.why};
    enum status status = STATUS_OK;
    for (size_t k = 0; k < experiment->role_count && !status; k++) {
        struct experiment_variant *variant = &experiment->variants[experiment->variant_count++];
        const struct node *own =
            node_kind(node) == NODE_MAPPING ? node_find(node, experiment->roles[k]) : NULL;
        char *full = NULL;
        if (asprintf(&full, "%s.%s", name, experiment->roles[k]) < 0)
            return STATUS_MEMORY;
        *variant = (struct experiment_variant){.name = full,
                                               .label = full,
                                               .place = node,
                                               .machine = reader->machine,
                                               .depth = reader->depth};
        status = read_reading_role(reader, node_at(roles, k), &shared, own, variant);
    }
    return status;
}

static enum status read_readings(struct reader *reader, const struct node *roles,
                                 const struct node *node)
{
    struct experiment *experiment = reader->experiment;
    enum status status = STATUS_OK;
    const size_t role_count = children(reader, roles, "roles");
    const size_t reading_count = children(reader, node, "readings");
    experiment->reading_first = experiment->variant_count;
    if (!role_count != !reading_count)
        complain(reader, roles ? roles : node, "roles and readings belong together");
    for (size_t k = 0; k < role_count; k++)
        if (!check_name(reader, roles, k))
            return STATUS_OK;
        else
            experiment->roles[experiment->role_count++] = node_key(roles, k);
    for (size_t i = 0; role_count && i < reading_count && !status; i++)
        if (check_name(reader, node, i))
            status = read_reading(reader, roles, node_at(node, i), node_key(node, i));
    return status;
}

/* ---- subjects, values, claims, tables, figures ---- */

static void read_subjects(struct reader *reader, const struct node *node)
{
    struct experiment *experiment = reader->experiment;
    if (node && !node_count(node))
        complain(reader, node, "an experiment needs subjects");
    for (size_t i = 0; i < children(reader, node, "subjects"); i++) {
        const struct node *fields = node_at(node, i);
        if (node_kind(fields) != NODE_MAPPING || !node_find(fields, "workload")) {
            complain(reader, fields, "%.40s: expected the fields of a subject, such as 'workload'",
                     node_key(node, i));
            continue;
        }
        for (size_t k = 0; k < node_count(fields); k++)
            if (node_kind(node_at(fields, k)) != NODE_SCALAR)
                complain(reader, node_at(fields, k), "%s: expected a text", node_key(fields, k));
        experiment->subjects[experiment->subject_count++] =
            (struct experiment_subject){node_key(node, i), fields};
    }
}

static void read_values(struct reader *reader, const struct node *node)
{
    struct experiment *experiment = reader->experiment;
    for (size_t i = 0; i < children(reader, node, "values"); i++)
        if (node_kind(node_at(node, i)) != NODE_SCALAR)
            complain(reader, node_at(node, i), "expected an expression");
        else if (check_name(reader, node, i))
            experiment->values[experiment->value_count++] =
                (struct experiment_value){node_key(node, i), node_at(node, i)};
}

static void read_claims(struct reader *reader, const struct node *node)
{
    static const struct key keys[] = {
        KEY(experiment_claim, what, KEY_TEXT, true),
        KEY(experiment_claim, paper, KEY_TEXT, true),
        KEY(experiment_claim, mark, KEY_TEXT, false),
        KEY(experiment_claim, remark, KEY_TEXT, false),
        KEY(experiment_claim, where, KEY_TEXT, false),
        KEY(experiment_claim, ours, KEY_TEXT, false),
        KEY(experiment_claim, value, KEY_TEXT, false),
        KEY(experiment_claim, number, KEY_TEXT, false),
        KEY(experiment_claim, within, KEY_TEXT, false),
        KEY(experiment_claim, holds, KEY_TEXT, false),
        KEY(experiment_claim, most, KEY_TEXT, false),
        KEY(experiment_claim, agrees, KEY_TEXT, false),
        KEY(experiment_claim, readings, KEY_TEXT, false),
    };
    struct experiment *experiment = reader->experiment;
    for (size_t i = 0; i < children(reader, node, "claims"); i++) {
        struct experiment_claim *claim = &experiment->claims[experiment->claim_count];
        const struct node *item = node_at(node, i);
        if (!read_keys(reader, item, "a claim", keys, COUNT(keys), NULL, 0, claim))
            continue;
        experiment->claim_count++;
        if (!claim->value != !claim->number || !claim->number != !claim->within)
            complain(reader, item, "a number of the paper needs 'value', 'number' and 'within'");
        if (!!claim->value + !!claim->holds + !!claim->agrees > 1)
            complain(reader, item, "a claim has one of value, holds and agrees");
        if (!claim->value && !claim->holds && !claim->agrees && !claim->ours)
            complain(reader, item, "a claim needs value, holds, agrees, or at least ours");
    }
}

static void read_tables(struct reader *reader, const struct node *node)
{
    static const struct key keys[] = {
        KEY(experiment_table, title, KEY_TEXT, true),
        KEY(experiment_table, rows, KEY_LIST, false),
        KEY(experiment_table, means, KEY_TEXT, false),
        KEY(experiment_table, subjects, KEY_TEXT, false),
        KEY(experiment_table, where, KEY_TEXT, false),
        KEY(experiment_table, columns, KEY_MAPPING, true),
    };
    struct experiment *experiment = reader->experiment;
    for (size_t i = 0; i < children(reader, node, "tables"); i++) {
        struct experiment_table *table = &experiment->tables[experiment->table_count];
        if (!check_name(reader, node, i) ||
            !read_keys(reader, node_at(node, i), "a table", keys, COUNT(keys), NULL, 0, table))
            continue;
        table->name = node_key(node, i);
        experiment->table_count++;
        for (size_t k = 0; k < children(reader, table->columns, "columns"); k++)
            if (node_kind(node_at(table->columns, k)) != NODE_SCALAR)
                complain(reader, node_at(table->columns, k), "expected the text of a cell");
    }
}

static void read_figures(struct reader *reader, const struct node *node)
{
    static const struct key keys[] = {
        KEY(experiment_figure, title, KEY_TEXT, true),
        KEY(experiment_figure, bars, KEY_MAPPING, true),
        KEY(experiment_figure, unit, KEY_TEXT, false),
    };
    struct experiment *experiment = reader->experiment;
    for (size_t i = 0; i < children(reader, node, "figures"); i++) {
        struct experiment_figure *figure = &experiment->figures[experiment->figure_count];
        if (!read_keys(reader, node_at(node, i), "a figure", keys, COUNT(keys), NULL, 0, figure))
            continue;
        figure->name = node_key(node, i);
        experiment->figure_count++;
        for (size_t k = 0; k < children(reader, figure->bars, "bars"); k++)
            if (node_kind(node_at(figure->bars, k)) != NODE_SCALAR)
                complain(reader, node_at(figure->bars, k), "expected an expression");
    }
}

/* ---- the file ---- */

struct file_keys {
    const struct node *paper, *notes, *small, *machine, *set, *depth, *subjects, *variants, *roles,
        *readings, *values, *claims, *tables, *figures;
};

static const struct key file_keys[] = {
    KEY(file_keys, paper, KEY_TEXT, true),
    KEY(file_keys, notes, KEY_LIST, false),
    KEY(file_keys, small, KEY_MAPPING, false),
    KEY(file_keys, machine, KEY_TEXT, true),
    KEY(file_keys, set, KEY_MAPPING, false),
    KEY(file_keys, depth, KEY_TEXT, false),
    KEY(file_keys, subjects, KEY_MAPPING, true),
    KEY(file_keys, variants, KEY_MAPPING, false),
    KEY(file_keys, roles, KEY_MAPPING, false),
    KEY(file_keys, readings, KEY_MAPPING, false),
    KEY(file_keys, values, KEY_MAPPING, false),
    {"claims", KEY_ITEMS, true, offsetof(struct file_keys, claims)},
    KEY(file_keys, tables, KEY_MAPPING, false),
    KEY(file_keys, figures, KEY_MAPPING, false),
};

static size_t count_of(const struct node *node)
{
    return node && node_count(node) <= LIST_MAX ? node_count(node) : 0;
}

/* Each is a whole machine, so those of roles and readings count, too. */
static size_t variants_of(const struct file_keys *keys)
{
    return count_of(keys->variants) + count_of(keys->roles) * count_of(keys->readings);
}

static enum status make_room(struct experiment *experiment, const struct file_keys *keys)
{
    experiment->subjects = calloc(count_of(keys->subjects) + 1, sizeof *experiment->subjects);
    experiment->variants = calloc(variants_of(keys) + 1, sizeof *experiment->variants);
    experiment->readings = calloc(count_of(keys->readings) + 1, sizeof *experiment->readings);
    experiment->roles = calloc(count_of(keys->roles) + 1, sizeof(char *));
    experiment->values = calloc(count_of(keys->values) + 1, sizeof *experiment->values);
    experiment->claims = calloc(count_of(keys->claims) + 1, sizeof *experiment->claims);
    experiment->tables = calloc(count_of(keys->tables) + 1, sizeof *experiment->tables);
    experiment->figures = calloc(count_of(keys->figures) + 1, sizeof *experiment->figures);
    return experiment->subjects && experiment->variants && experiment->readings &&
                   experiment->roles && experiment->values && experiment->claims &&
                   experiment->tables && experiment->figures
               ? STATUS_OK
               : STATUS_MEMORY;
}

static enum status read_file(struct reader *reader, const struct file_keys *keys)
{
    if (variants_of(keys) > LIST_MAX) {
        complain(reader, keys->readings, "more than %d variants, with those of readings", LIST_MAX);
        return STATUS_OK;
    }
    enum status status = make_room(reader->experiment, keys);
    if (!status && keys->machine)
        status = read_machine(reader, keys->machine, &reader->machine);
    if (!status && keys->set)
        status = experiment_set(reader->document, keys->set, &reader->machine, &reader->found);
    if (!status && keys->small) { /* only to see what is wrong; runs apply it */
        struct machine scratch = reader->machine;
        status = experiment_set(reader->document, keys->small, &scratch, &reader->found);
    }
    if (status)
        return status;
    if (keys->depth)
        read_depth(reader, keys->depth, &reader->depth);
    read_subjects(reader, keys->subjects);
    status = read_variants(reader, keys->variants);
    if (!status)
        status = read_readings(reader, keys->roles, keys->readings);
    if (status)
        return status;
    read_values(reader, keys->values);
    read_claims(reader, keys->claims);
    read_tables(reader, keys->tables);
    read_figures(reader, keys->figures);
    if (!reader->found.errors && !reader->experiment->variant_count)
        complain(reader, NULL, "an experiment needs variants, or roles and readings");
    return STATUS_OK;
}

enum status experiment_from_document(struct document *document, struct experiment *experiment,
                                     struct diagnostics *diagnostics)
{
    struct reader reader = {.document = document, .experiment = experiment};
    struct file_keys keys = {0};
    *experiment = (struct experiment){.document = document};
    machine_defaults(&reader.machine);
    (void)read_keys(&reader, document_root(document), "an experiment", file_keys, COUNT(file_keys),
                    NULL, 0, &keys);
    experiment->paper = keys.paper;
    experiment->notes = keys.notes;
    experiment->small = keys.small;
    enum status status = read_file(&reader, &keys);
    diagnostics_sort(&reader.found, 0);
    if (!status && reader.found.errors)
        status = STATUS_INVALID;
    diagnostics_move(diagnostics, &reader.found);
    if (status)
        experiment_free(experiment);
    return status;
}

enum status experiment_load(const char *name, struct experiment *experiment,
                            struct diagnostics *diagnostics)
{
    struct document *document;
    *experiment = (struct experiment){0};
    enum status faults = document_open(DATA_EXPERIMENTS, name, &document, diagnostics);
    if (!document)
        return faults;
    enum status status = experiment_from_document(document, experiment, diagnostics);
    if (!status && faults)
        experiment_free(experiment);
    return status ? status : faults;
}

void experiment_free(struct experiment *experiment)
{
    for (size_t i = experiment->reading_first;
         experiment->reading_count && i < experiment->variant_count; i++)
        free((char *)(uintptr_t)experiment->variants[i].name);
    free(experiment->subjects);
    free(experiment->variants);
    free(experiment->readings);
    free(experiment->roles);
    free(experiment->values);
    free(experiment->claims);
    free(experiment->tables);
    free(experiment->figures);
    document_free(experiment->document);
    *experiment = (struct experiment){0};
}
