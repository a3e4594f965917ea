/* The machines of an experiment: variants, families of them over the values of parameters, and
 * roles under readings (config/experiment_reader.h). */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "config/experiment_reader.h"
#include "config/machine_file.h"
#include "config/parameter_keys.h"
#include "config/study_axis.h"
#include "schema/depths.h"

struct variant_keys {
    const struct node *chosen, *name, *machine, *set, *depth, *workload, *load, *equal, *why, *over,
        *best;
};

static const struct experiment_key variant_keys[] = {
    EXPERIMENT_KEY(variant_keys, chosen, KEY_SWITCH, false),
    EXPERIMENT_KEY(variant_keys, name, KEY_TEXT, false),
    EXPERIMENT_KEY(variant_keys, machine, KEY_TEXT, false),
    EXPERIMENT_KEY(variant_keys, set, KEY_MAPPING, false),
    EXPERIMENT_KEY(variant_keys, depth, KEY_TEXT, false),
    EXPERIMENT_KEY(variant_keys, workload, KEY_TEXT, false),
    EXPERIMENT_KEY(variant_keys, load, KEY_TEXT, false),
    EXPERIMENT_KEY(variant_keys, equal, KEY_MAPPING, false),
    EXPERIMENT_KEY(variant_keys, why, KEY_TEXT, false),
    EXPERIMENT_KEY(variant_keys, over, KEY_MAPPING, false),
    EXPERIMENT_KEY(variant_keys, best, KEY_TEXT, false),
};
enum {
    READING_KEYS = 1, /* the first one: variants and roles have none */
    FAMILY_KEYS = 2   /* the last ones: roles and readings have none */
};

enum status experiment_machine_read(struct experiment_reader *reader, const struct node *node,
                                    struct machine *machine)
{
    struct diagnostics found = DIAGNOSTICS_INIT;
    char *folder = NULL;
    const char *path = document_path(reader->document), *slash = path ? strrchr(path, '/') : NULL;
    if (slash && !(folder = strndup(path, (size_t)(slash - path) + 1)))
        return STATUS_MEMORY;
    enum status status = machine_load(node_text(node), folder, machine, NULL, &found);
    if (status && status != STATUS_MEMORY) {
        document_complain(reader->document, &reader->found, node, "machine: %s",
                          diagnostics_first(&found, status));
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

void experiment_depth_read(struct experiment_reader *reader, const struct node *node,
                           enum depth *depth)
{
    char names[DEPTH_NAMES];
    if (!depth_find(node_text(node), depth))
        document_complain(reader->document, &reader->found, node, "depth: expected %s, got '%.40s'",
                          depth_names(names), node_text(node));
}

static void read_equal(struct experiment_reader *reader, const struct node *node,
                       struct budget *budget)
{
    struct equal_keys {
        const struct node *metric, *at_most, *solve;
    } equal = {0};
    static const struct experiment_key equal_keys[] = {
        EXPERIMENT_KEY(equal_keys, metric, KEY_TEXT, true),
        EXPERIMENT_KEY(equal_keys, at_most, KEY_TEXT, true),
        EXPERIMENT_KEY(equal_keys, solve, KEY_TEXT, true)};
    char hint[SUGGESTION_TEXT];
    if (!experiment_keys_read(reader, node, "equal", equal_keys,
                              sizeof equal_keys / sizeof *equal_keys, NULL, 0, &equal))
        return;
    budget->line = node_place(reader->document, node).line;
    const struct metric *metric = metric_find(node_text(equal.metric));
    if (!metric)
        document_complain(reader->document, &reader->found, equal.metric,
                          "unknown metric '%.80s'%s", node_text(equal.metric),
                          suggestion(metric_nearest(node_text(equal.metric)), hint));
    else if (quantity_parse_real(node_text(equal.at_most), metric->unit, &budget->limit))
        document_complain(reader->document, &reader->found, equal.at_most,
                          "at_most: expected what %s may be at most, got '%.40s'", metric->path,
                          node_text(equal.at_most));
    budget->metric = metric;
    budget->parameter = parameter_find(node_text(equal.solve));
    if (!budget->parameter) {
        struct place place = node_place(reader->document, equal.solve);
        parameter_unknown(&place, node_text(equal.solve), &reader->found);
    }
}

/* Applies the keys of a variant, or of what several variants share, to one. */
static enum status apply_variant(struct experiment_reader *reader, const struct variant_keys *keys,
                                 struct experiment_variant *variant)
{
    enum status status = STATUS_OK;
    if (keys->machine)
        status = experiment_machine_read(reader, keys->machine, &variant->machine);
    if (keys->set && !status)
        status = experiment_set(reader->document, keys->set, &variant->machine, &reader->found);
    if (keys->depth)
        experiment_depth_read(reader, keys->depth, &variant->depth);
    if (keys->equal)
        read_equal(reader, keys->equal, &variant->budget);
    if (keys->workload)
        variant->workload = keys->workload;
    if (keys->load)
        variant->load = keys->load;
    return status;
}

/* Another variant, which begins as the experiment's machine; NULL: no memory, or too many, which is
 * reported. `label` NULL: its name. */
static struct experiment_variant *add_variant(struct experiment_reader *reader,
                                              const struct node *place, const char *name,
                                              const char *label)
{
    struct experiment *experiment = reader->experiment;
    if (experiment->variant_count == EXPERIMENT_LIST_MAX) {
        document_complain(reader->document, &reader->found, place,
                          "more than %d variants, with those of families and readings",
                          EXPERIMENT_LIST_MAX);
        return NULL;
    }
    if (array_reserve(&experiment->variants, &reader->variant_capacity,
                      experiment->variant_count + 1))
        return NULL;
    struct experiment_variant *variant = &experiment->variants[experiment->variant_count];
    *variant = (struct experiment_variant){.name = strdup(name),
                                           .label = strdup(label ? label : name),
                                           .place = place,
                                           .family = NO_FAMILY,
                                           .machine = reader->machine,
                                           .depth = reader->depth};
    if (!variant->name || !variant->label) {
        free(variant->name);
        free(variant->label);
        return NULL;
    }
    experiment->variant_count++;
    return variant;
}

/* What a variant that could not be added means: an error of the file was reported, or no memory. */
static enum status not_added(const struct experiment_reader *reader)
{
    return reader->experiment->variant_count == EXPERIMENT_LIST_MAX ? STATUS_OK : STATUS_MEMORY;
}

/* ---- families ---- */

enum { FAMILY_AXES = 4 };

static enum status read_axes(struct experiment_reader *reader, const struct node *over,
                             struct axis axes[FAMILY_AXES], size_t *count)
{
    enum status status = STATUS_OK;
    if (!node_count(over) || node_count(over) > FAMILY_AXES)
        document_complain(reader->document, &reader->found, over,
                          "over: expected 1 to %d parameters with their values", FAMILY_AXES);
    for (size_t i = 0; i < node_count(over) && i < FAMILY_AXES && !status; i++) {
        const struct place place = node_key_place(reader->document, over, i);
        struct axis *axis = &axes[*count];
        axis->parameter = parameter_find(node_key(over, i));
        if (!axis->parameter) {
            parameter_unknown(&place, node_key(over, i), &reader->found);
            continue;
        }
        ++*count;
        status = study_axis_read(reader->document, node_at(over, i), axis, &reader->found);
    }
    return status;
}

/* One variant per combination of values; the last parameter changes first. */
static enum status add_members(struct experiment_reader *reader, const struct node *node,
                               const char *name, const struct variant_keys *keys,
                               const struct axis *axes, size_t count)
{
    enum { TEXT = 32 + FAMILY_AXES * (VALUE_TEXT + 2) };
    size_t all = 1;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count; i++)
        all = all > EXPERIMENT_LIST_MAX ? all : all * axes[i].count;
    for (size_t member = 0; member < all && !status; member++) {
        char full[TEXT] = "", label[TEXT] = "";
        struct value values[FAMILY_AXES];
        size_t left = member, used = (size_t)snprintf(full, sizeof full, "%s", name), said = 0;
        for (size_t i = count; i--; left /= axes[i].count)
            values[i] = axes[i].values[left % axes[i].count];
        for (size_t i = 0; i < count; i++) {
            char text[VALUE_TEXT];
            parameter_print(axes[i].parameter, values[i], text);
            used += (size_t)snprintf(full + used, sizeof full - used, ".%s", text);
            said +=
                (size_t)snprintf(label + said, sizeof label - said, "%s%s", i ? ", " : "", text);
        }
        struct experiment_variant *variant = add_variant(reader, node, full, label);
        if (!variant)
            return not_added(reader);
        variant->family = reader->experiment->family_count;
        variant->member = true;
        status = apply_variant(reader, keys, variant);
        for (size_t i = 0; i < count; i++)
            parameter_set(axes[i].parameter, &variant->machine, values[i]);
        machine_apply_kind(&variant->machine); /* an axis may be what switches stages off */
    }
    return status;
}

/* The best one of a family follows its members. */
static enum status add_best(struct experiment_reader *reader, const struct node *node,
                            const char *name, const struct variant_keys *keys)
{
    const struct metric *best = metric_find(node_text(keys->best));
    char hint[SUGGESTION_TEXT];
    if (!best) {
        document_complain(reader->document, &reader->found, keys->best, "unknown metric '%.80s'%s",
                          node_text(keys->best),
                          suggestion(metric_nearest(node_text(keys->best)), hint));
        return STATUS_OK;
    }
    if (best->direction == NO_DIRECTION) {
        document_complain(reader->document, &reader->found, keys->best,
                          "best: neither more nor less of %s is better", best->path);
        return STATUS_OK;
    }
    struct experiment_variant *variant =
        add_variant(reader, node, name, keys->name ? node_text(keys->name) : NULL);
    if (!variant)
        return not_added(reader);
    variant->best = best;
    variant->family = reader->experiment->family_count;
    return apply_variant(reader, keys, variant);
}

static enum status read_family(struct experiment_reader *reader, const struct node *node,
                               const char *name, const struct variant_keys *keys)
{
    struct experiment *experiment = reader->experiment;
    struct axis axes[FAMILY_AXES] = {0};
    size_t count = 0;
    const size_t first = experiment->variant_count, errors = reader->found.errors;
    enum status status = read_axes(reader, keys->over, axes, &count);
    if (!status && reader->found.errors == errors)
        status = add_members(reader, node, name, keys, axes, count);
    for (size_t i = 0; i < count; i++)
        free(axes[i].values);
    const size_t members = experiment->variant_count - first;
    if (!status && keys->best && members)
        status = add_best(reader, node, name, keys);
    experiment->families[experiment->family_count++] =
        (struct experiment_family){name, first, members};
    return status;
}

/* ---- variants and readings ---- */

enum status experiment_variants_read(struct experiment_reader *reader, const struct node *node)
{
    const size_t count = experiment_children(reader, node, "variants", EXPERIMENT_LIST_MAX);
    enum status status = STATUS_OK;
    reader->experiment->families = calloc(count + 1, sizeof *reader->experiment->families);
    if (!reader->experiment->families)
        return STATUS_MEMORY;
    for (size_t i = 0; i < count && !status; i++) {
        struct variant_keys keys = {0};
        const struct node *item = node_at(node, i);
        if (!experiment_name_check(reader, node, i) ||
            (!node_is_empty(item) &&
             !experiment_keys_read(reader, item, "a variant", variant_keys + READING_KEYS,
                                   sizeof variant_keys / sizeof *variant_keys - READING_KEYS, NULL,
                                   0, &keys)))
            continue;
        if (!keys.over && keys.best)
            document_complain(reader->document, &reader->found, keys.best,
                              "'best' needs 'over', the family that it chooses from");
        if (keys.over) {
            status = read_family(reader, item, node_key(node, i), &keys);
            continue;
        }
        struct experiment_variant *variant =
            add_variant(reader, item, node_key(node, i), keys.name ? node_text(keys.name) : NULL);
        status = variant ? apply_variant(reader, &keys, variant) : not_added(reader);
    }
    return status;
}

static bool read_role_keys(struct experiment_reader *reader, const struct node *node,
                           struct variant_keys *keys)
{
    *keys = (struct variant_keys){0};
    return node && !node_is_empty(node) &&
           experiment_keys_read(reader, node, "a role", variant_keys + READING_KEYS,
                                sizeof variant_keys / sizeof *variant_keys - READING_KEYS -
                                    FAMILY_KEYS,
                                NULL, 0, keys);
}

/* One variant of a reading: what the role says, then the reading, then the reading of its role. */
static enum status read_reading_role(struct experiment_reader *reader, const struct node *role,
                                     const struct variant_keys *shared, const struct node *own,
                                     struct experiment_variant *variant)
{
    struct variant_keys keys;
    enum status status = STATUS_OK;
    if (read_role_keys(reader, role, &keys))
        status = apply_variant(reader, &keys, variant);
    if (keys.name) {
        free(variant->label);
        variant->label = strdup(node_text(keys.name));
        status = variant->label ? status : STATUS_MEMORY;
    }
    if (!status)
        status = apply_variant(reader, shared, variant);
    if (!status && read_role_keys(reader, own, &keys))
        status = apply_variant(reader, &keys, variant);
    return status;
}

static enum status read_reading(struct experiment_reader *reader, const struct node *roles,
                                const struct node *node, const char *name)
{
    struct experiment *experiment = reader->experiment;
    struct variant_keys shared = {0};
    if (!node_is_empty(node))
        (void)experiment_keys_read(reader, node, "a reading", variant_keys,
                                   sizeof variant_keys / sizeof *variant_keys - FAMILY_KEYS,
                                   experiment->roles, experiment->role_count, &shared);
    experiment->readings[experiment->reading_count++] = (struct experiment_reading){
        name, shared.name ? node_text(shared.name) : name, shared.why, shared.chosen};
    enum status status = STATUS_OK;
    for (size_t k = 0; k < experiment->role_count && !status; k++) {
        const struct node *own =
            node_kind(node) == NODE_MAPPING ? node_find(node, experiment->roles[k]) : NULL;
        char *full = NULL;
        if (asprintf(&full, "%s.%s", name, experiment->roles[k]) < 0)
            return STATUS_MEMORY;
        struct experiment_variant *variant = add_variant(reader, node, full, NULL);
        free(full);
        if (!variant)
            return not_added(reader);
        status = read_reading_role(reader, node_at(roles, k), &shared, own, variant);
    }
    return status;
}

enum status experiment_readings_read(struct experiment_reader *reader, const struct node *roles,
                                     const struct node *node)
{
    struct experiment *experiment = reader->experiment;
    enum status status = STATUS_OK;
    const size_t role_count = experiment_children(reader, roles, "roles", EXPERIMENT_LIST_MAX);
    const size_t reading_count = experiment_children(reader, node, "readings", EXPERIMENT_LIST_MAX);
    experiment->reading_first = experiment->variant_count;
    if (!role_count != !reading_count)
        document_complain(reader->document, &reader->found, roles ? roles : node,
                          "roles and readings belong together");
    if (role_count * reading_count > EXPERIMENT_LIST_MAX) {
        document_complain(reader->document, &reader->found, node,
                          "more than %d variants, with those of readings", EXPERIMENT_LIST_MAX);
        return STATUS_OK;
    }
    for (size_t k = 0; k < role_count; k++)
        if (!experiment_name_check(reader, roles, k))
            return STATUS_OK;
        else
            experiment->roles[experiment->role_count++] = node_key(roles, k);
    for (size_t i = 0; role_count && i < reading_count && !status; i++)
        if (experiment_name_check(reader, node, i))
            status = read_reading(reader, roles, node_at(node, i), node_key(node, i));
    return status;
}
