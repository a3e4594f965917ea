/* What an experiment is about and what it says: subjects with their loads, values, claims, tables
 * and figures (config/experiment_reader.h). */
#include <stdlib.h>
#include <string.h>

#include "config/experiment_reader.h"

/* The keys of a program or of one of its loads are texts; only the former may have `loads`. */
static void check_fields(struct experiment_reader *reader, const struct node *fields, bool load)
{
    for (size_t k = 0; k < node_count(fields); k++)
        if (node_kind(node_at(fields, k)) != NODE_SCALAR &&
            (load || strcmp(node_key(fields, k), "loads") != 0))
            document_complain(reader->document, &reader->found, node_at(fields, k),
                              "%s: expected a text", node_key(fields, k));
}

/* Only digits that begin with no 0: a load with two spellings would be two subjects. */
static bool is_load_number(const char *text)
{
    uint64_t number;
    return *text != '0' && !text[strspn(text, "0123456789")] &&
           !quantity_parse_uint(text, UNIT_NONE, &number) && number <= EXPERIMENT_LOADS_MAX;
}

static void read_loads(struct experiment_reader *reader, const struct node *loads, size_t program)
{
    struct experiment *experiment = reader->experiment;
    if (node_kind(loads) != NODE_MAPPING) {
        document_complain(reader->document, &reader->found, loads,
                          "loads: expected numbers of loads with their fields");
        return;
    }
    for (size_t i = 0; i < experiment_children(reader, loads, "loads", EXPERIMENT_LOADS_MAX); i++) {
        const struct node *fields = node_at(loads, i);
        if (!is_load_number(node_key(loads, i)) || node_kind(fields) != NODE_MAPPING) {
            document_complain(reader->document, &reader->found, fields,
                              "loads: expected a number from 1 to %d with fields, got '%.40s'",
                              EXPERIMENT_LOADS_MAX, node_key(loads, i));
            continue;
        }
        check_fields(reader, fields, true);
        experiment->subjects[experiment->subject_count++] =
            (struct experiment_subject){.name = experiment->subjects[program].name,
                                        .fields = experiment->subjects[program].fields,
                                        .load = fields,
                                        .number = node_key(loads, i),
                                        .program = program};
    }
}

/* Programs and their loads; 0 after reporting that there are too many. */
static size_t count_subjects(struct experiment_reader *reader, const struct node *node)
{
    const size_t programs = experiment_children(reader, node, "subjects", EXPERIMENT_LIST_MAX);
    size_t count = programs;
    for (size_t i = 0; i < programs; i++) {
        const struct node *loads = node_kind(node_at(node, i)) == NODE_MAPPING
                                       ? node_find(node_at(node, i), "loads")
                                       : NULL;
        count += loads ? node_count(loads) : 0;
    }
    if (count <= EXPERIMENT_LIST_MAX)
        return count;
    document_complain(reader->document, &reader->found, node,
                      "more than %d subjects, with their loads", EXPERIMENT_LIST_MAX);
    return 0;
}

enum status experiment_subjects_read(struct experiment_reader *reader, const struct node *node)
{
    struct experiment *experiment = reader->experiment;
    const size_t count = count_subjects(reader, node);
    experiment->subjects = calloc(count + 1, sizeof *experiment->subjects);
    if (!experiment->subjects)
        return STATUS_MEMORY;
    if (node && !node_count(node))
        document_complain(reader->document, &reader->found, node, "an experiment needs subjects");
    for (size_t i = 0; count && i < node_count(node); i++) {
        const struct node *fields = node_at(node, i);
        const size_t program = experiment->subject_count;
        if (node_kind(fields) != NODE_MAPPING || !node_find(fields, "workload")) {
            document_complain(reader->document, &reader->found, fields,
                              "%.40s: expected the fields of a subject, such as 'workload'",
                              node_key(node, i));
            continue;
        }
        check_fields(reader, fields, false);
        experiment->subjects[experiment->subject_count++] = (struct experiment_subject){
            .name = node_key(node, i), .fields = fields, .program = program};
        if (node_find(fields, "loads"))
            read_loads(reader, node_find(fields, "loads"), program);
    }
    return STATUS_OK;
}

void experiment_values_read(struct experiment_reader *reader, const struct node *node)
{
    struct experiment *experiment = reader->experiment;
    for (size_t i = 0; i < experiment_children(reader, node, "values", EXPERIMENT_LIST_MAX); i++)
        if (node_kind(node_at(node, i)) != NODE_SCALAR)
            document_complain(reader->document, &reader->found, node_at(node, i),
                              "expected an expression");
        else if (experiment_name_check(reader, node, i))
            experiment->values[experiment->value_count++] =
                (struct experiment_value){node_key(node, i), node_at(node, i)};
}

void experiment_claims_read(struct experiment_reader *reader, const struct node *node)
{
    static const struct experiment_key keys[] = {
        EXPERIMENT_KEY(experiment_claim, what, KEY_TEXT, true),
        EXPERIMENT_KEY(experiment_claim, paper, KEY_TEXT, true),
        EXPERIMENT_KEY(experiment_claim, mark, KEY_TEXT, false),
        EXPERIMENT_KEY(experiment_claim, remark, KEY_TEXT, false),
        EXPERIMENT_KEY(experiment_claim, where, KEY_TEXT, false),
        EXPERIMENT_KEY(experiment_claim, ours, KEY_TEXT, false),
        EXPERIMENT_KEY(experiment_claim, value, KEY_TEXT, false),
        EXPERIMENT_KEY(experiment_claim, number, KEY_TEXT, false),
        EXPERIMENT_KEY(experiment_claim, within, KEY_TEXT, false),
        EXPERIMENT_KEY(experiment_claim, holds, KEY_TEXT, false),
        EXPERIMENT_KEY(experiment_claim, most, KEY_SWITCH, false),
        EXPERIMENT_KEY(experiment_claim, agrees, KEY_TEXT, false),
        EXPERIMENT_KEY(experiment_claim, readings, KEY_TEXT, false),
        EXPERIMENT_KEY(experiment_claim, loads, KEY_SWITCH, false),
        EXPERIMENT_KEY(experiment_claim, chosen, KEY_SWITCH, false),
    };
    struct experiment *experiment = reader->experiment;
    for (size_t i = 0; i < experiment_children(reader, node, "claims", EXPERIMENT_LIST_MAX); i++) {
        struct experiment_claim *claim = &experiment->claims[experiment->claim_count];
        const struct node *item = node_at(node, i);
        if (!experiment_keys_read(reader, item, "a claim", keys, sizeof keys / sizeof *keys, NULL,
                                  0, claim))
            continue;
        experiment->claim_count++;
        if (!claim->value != !claim->number || !claim->number != !claim->within)
            document_complain(reader->document, &reader->found, item,
                              "a number of the paper needs 'value', 'number' and 'within'");
        if (!!claim->value + !!claim->holds + !!claim->agrees > 1)
            document_complain(reader->document, &reader->found, item,
                              "a claim has one of value, holds and agrees");
        if (claim->readings && !experiment_is_yes(claim->readings) &&
            strcmp(node_text(claim->readings), "first") != 0)
            document_complain(reader->document, &reader->found, claim->readings,
                              "readings: expected yes or first");
        if (!claim->value && !claim->holds && !claim->agrees && !claim->ours)
            document_complain(reader->document, &reader->found, item,
                              "a claim needs value, holds, agrees, or at least ours");
    }
}

void experiment_tables_read(struct experiment_reader *reader, const struct node *node)
{
    static const struct experiment_key keys[] = {
        EXPERIMENT_KEY(experiment_table, title, KEY_TEXT, true),
        EXPERIMENT_KEY(experiment_table, rows, KEY_LIST, false),
        EXPERIMENT_KEY(experiment_table, means, KEY_TEXT, false),
        EXPERIMENT_KEY(experiment_table, group, KEY_TEXT, false),
        EXPERIMENT_KEY(experiment_table, subjects, KEY_SWITCH, false),
        EXPERIMENT_KEY(experiment_table, loads, KEY_SWITCH, false),
        EXPERIMENT_KEY(experiment_table, where, KEY_TEXT, false),
        EXPERIMENT_KEY(experiment_table, columns, KEY_MAPPING, true),
    };
    struct experiment *experiment = reader->experiment;
    for (size_t i = 0; i < experiment_children(reader, node, "tables", EXPERIMENT_TABLES_MAX);
         i++) {
        struct experiment_table *table = &experiment->tables[experiment->table_count];
        if (!experiment_name_check(reader, node, i) ||
            !experiment_keys_read(reader, node_at(node, i), "a table", keys,
                                  sizeof keys / sizeof *keys, NULL, 0, table))
            continue;
        if (table->means && table->group)
            document_complain(reader->document, &reader->found, table->group,
                              "a table has means or a group");
        table->name = node_key(node, i);
        experiment->table_count++;
        for (size_t k = 0;
             k < experiment_children(reader, table->columns, "columns", EXPERIMENT_LIST_MAX); k++)
            if (node_kind(node_at(table->columns, k)) != NODE_SCALAR)
                document_complain(reader->document, &reader->found, node_at(table->columns, k),
                                  "expected the text of a cell");
    }
}

void experiment_figures_read(struct experiment_reader *reader, const struct node *node)
{
    static const struct experiment_key keys[] = {
        EXPERIMENT_KEY(experiment_figure, title, KEY_TEXT, true),
        EXPERIMENT_KEY(experiment_figure, bars, KEY_MAPPING, true),
        EXPERIMENT_KEY(experiment_figure, unit, KEY_TEXT, false),
    };
    struct experiment *experiment = reader->experiment;
    for (size_t i = 0; i < experiment_children(reader, node, "figures", EXPERIMENT_LIST_MAX); i++) {
        struct experiment_figure *figure = &experiment->figures[experiment->figure_count];
        if (!experiment_keys_read(reader, node_at(node, i), "a figure", keys,
                                  sizeof keys / sizeof *keys, NULL, 0, figure))
            continue;
        figure->name = node_key(node, i);
        experiment->figure_count++;
        for (size_t k = 0;
             k < experiment_children(reader, figure->bars, "bars", EXPERIMENT_LIST_MAX); k++)
            if (node_kind(node_at(figure->bars, k)) != NODE_SCALAR)
                document_complain(reader->document, &reader->found, node_at(figure->bars, k),
                                  "expected an expression");
    }
}
