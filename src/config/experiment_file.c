#include "config/experiment_file.h"

#include <stdlib.h>

#include "config/experiment_reader.h"

struct file_keys {
    const struct node *paper, *notes, *small, *machine, *set, *depth, *subjects, *variants, *roles,
        *readings, *values, *claims, *tables, *figures;
};

static const struct experiment_key file_keys[] = {
    EXPERIMENT_KEY(file_keys, paper, KEY_TEXT, true),
    EXPERIMENT_KEY(file_keys, notes, KEY_LIST, false),
    EXPERIMENT_KEY(file_keys, small, KEY_MAPPING, false),
    EXPERIMENT_KEY(file_keys, machine, KEY_TEXT, true),
    EXPERIMENT_KEY(file_keys, set, KEY_MAPPING, false),
    EXPERIMENT_KEY(file_keys, depth, KEY_TEXT, false),
    EXPERIMENT_KEY(file_keys, subjects, KEY_MAPPING, true),
    EXPERIMENT_KEY(file_keys, variants, KEY_MAPPING, false),
    EXPERIMENT_KEY(file_keys, roles, KEY_MAPPING, false),
    EXPERIMENT_KEY(file_keys, readings, KEY_MAPPING, false),
    EXPERIMENT_KEY(file_keys, values, KEY_MAPPING, false),
    {"claims", KEY_ITEMS, true, offsetof(struct file_keys, claims)},
    EXPERIMENT_KEY(file_keys, tables, KEY_MAPPING, false),
    EXPERIMENT_KEY(file_keys, figures, KEY_MAPPING, false),
};

static size_t count_of(const struct node *node)
{
    return node && node_count(node) <= EXPERIMENT_LIST_MAX ? node_count(node) : 0;
}

static enum status experiment_make_room(struct experiment *experiment, const struct file_keys *keys)
{
    experiment->readings = calloc(count_of(keys->readings) + 1, sizeof *experiment->readings);
    experiment->roles = calloc(count_of(keys->roles) + 1, sizeof(char *));
    experiment->values = calloc(count_of(keys->values) + 1, sizeof *experiment->values);
    experiment->claims = calloc(count_of(keys->claims) + 1, sizeof *experiment->claims);
    experiment->tables = calloc(count_of(keys->tables) + 1, sizeof *experiment->tables);
    experiment->figures = calloc(count_of(keys->figures) + 1, sizeof *experiment->figures);
    return experiment->readings && experiment->roles && experiment->values && experiment->claims &&
                   experiment->tables && experiment->figures
               ? STATUS_OK
               : STATUS_MEMORY;
}

static enum status read_file(struct experiment_reader *reader, const struct file_keys *keys)
{
    struct experiment *experiment = reader->experiment;
    enum status status = experiment_make_room(experiment, keys);
    if (!status && keys->machine)
        status = experiment_machine_read(reader, keys->machine, &reader->machine);
    if (!status && keys->set)
        status = experiment_set(reader->document, keys->set, &reader->machine, &reader->found);
    if (!status && keys->small) { /* only to see what is wrong; runs apply it */
        struct machine scratch = reader->machine;
        status = experiment_set(reader->document, keys->small, &scratch, &reader->found);
    }
    if (keys->depth)
        experiment_depth_read(reader, keys->depth, &reader->depth);
    experiment->machine = reader->machine;
    if (!status)
        status = experiment_subjects_read(reader, keys->subjects);
    if (!status)
        status = experiment_variants_read(reader, keys->variants);
    if (!status)
        status = experiment_readings_read(reader, keys->roles, keys->readings);
    if (status)
        return status;
    experiment_values_read(reader, keys->values);
    experiment_claims_read(reader, keys->claims);
    experiment_tables_read(reader, keys->tables);
    experiment_figures_read(reader, keys->figures);
    if (!reader->found.errors && !experiment->variant_count)
        document_complain(reader->document, &reader->found, NULL,
                          "an experiment needs variants, or roles and readings");
    return STATUS_OK;
}

enum status experiment_from_document(struct document *document, struct experiment *experiment,
                                     struct diagnostics *diagnostics)
{
    struct experiment_reader reader = {.document = document, .experiment = experiment};
    struct file_keys keys = {0};
    *experiment = (struct experiment){.document = document};
    machine_defaults(&reader.machine);
    (void)experiment_keys_read(&reader, document_root(document), "an experiment", file_keys,
                               sizeof file_keys / sizeof *file_keys, NULL, 0, &keys);
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
    for (size_t i = 0; i < experiment->variant_count; i++) {
        free(experiment->variants[i].name);
        free(experiment->variants[i].label);
    }
    free(experiment->subjects);
    free(experiment->variants);
    free(experiment->families);
    free(experiment->readings);
    free(experiment->roles);
    free(experiment->values);
    free(experiment->claims);
    free(experiment->tables);
    free(experiment->figures);
    document_free(experiment->document);
    *experiment = (struct experiment){0};
}
