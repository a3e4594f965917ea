#include "explore/papers/experiment_terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum term_kind { TERM_METRIC, TERM_PARAMETER, TERM_VALUE, TERM_LOAD, TERM_FIELD, TERM_SUBJECT };
enum term_place { AT_HAND, AT_VARIANT, AT_ROLE };

/* A name that some expression uses. */
struct term {
    enum term_kind kind;
    enum term_place place;
    size_t index; /* variant or role */
    const struct metric *metric;
    const struct parameter *parameter;
    size_t value;
    enum load_count count;
    char field[32];
};

struct experiment_terms {
    const struct experiment_runs *runs;
    struct term *items;
    size_t count, capacity;
    struct expression_cell *cells; /* of one row each; room for every chosen subject */
    const struct expression_cell **rows;
    size_t cell_capacity;
    struct expression **values; /* of the experiment's values */
    double *numbers;            /* [subject][variant][value] */
    struct experiment_demand demand;
    bool *visited;               /* [variant][value]: its needs are marked */
    enum expression_scope scope; /* of the expression that is being read */
    size_t readable;             /* values that it may name: those before it */
    char near[96];
};

size_t experiment_role_variant(const struct experiment *experiment, size_t reading, size_t role)
{
    return experiment->reading_first + reading * experiment->role_count + role;
}

size_t experiment_variant_find(const struct experiment *experiment, const char *name,
                               size_t reading)
{
    for (size_t i = 0; i < experiment->variant_count; i++)
        if (!strcmp(experiment->variants[i].name, name))
            return i;
    for (size_t i = 0; i < experiment->role_count && experiment->reading_count; i++)
        if (!strcmp(experiment->roles[i], name))
            return experiment_role_variant(experiment, reading, i);
    return NO_VARIANT;
}

/* ---- names ---- */

static bool find_place(const struct experiment *experiment, const char *name, struct term *term)
{
    for (size_t i = 0; i < experiment->role_count; i++)
        if (!strcmp(experiment->roles[i], name)) {
            term->place = AT_ROLE;
            term->index = i;
            return true;
        }
    term->place = AT_VARIANT;
    term->index = experiment_variant_find(experiment, name, 0);
    return term->index != NO_VARIANT;
}

static bool find_value(const struct experiment_terms *terms, const char *name, struct term *term)
{
    const struct experiment *experiment = terms->runs->experiment;
    for (size_t i = 0; i < terms->readable && i < experiment->value_count; i++)
        if (!strcmp(experiment->values[i].name, name)) {
            term->kind = TERM_VALUE;
            term->value = i;
            return true;
        }
    return false;
}

static bool find_field(const struct experiment *experiment, const char *name, struct term *term)
{
    term->kind = strcmp(name, "subject") != 0 ? TERM_FIELD : TERM_SUBJECT;
    if (term->kind == TERM_FIELD)
        snprintf(term->field, sizeof term->field, "%s", name);
    return strlen(name) < sizeof term->field && experiment_has_field(experiment, name);
}

static bool find_load_count(const char *name, struct term *term)
{
    term->kind = TERM_LOAD;
    term->count = load_count_find(name);
    return term->count < LOAD_COUNTS;
}

static bool read_term(const struct experiment_terms *terms, const char *word, struct term *term)
{
    const struct experiment *experiment = terms->runs->experiment;
    const char *at = strchr(word, '@');
    char name[64];
    *term = (struct term){.place = AT_HAND};
    if (!at)
        return (terms->scope != SCOPE_ROWS &&
                (find_value(terms, word, term) || find_load_count(word, term))) ||
               find_field(experiment, word, term);
    snprintf(name, sizeof name, "%.*s", (int)(at - word), word);
    if (!find_place(experiment, at + 1, term))
        return false;
    if (find_value(terms, name, term) || find_load_count(name, term))
        return true;
    term->kind = TERM_METRIC;
    term->metric = metric_find(name);
    if (term->metric)
        return true;
    term->kind = TERM_PARAMETER;
    term->parameter = parameter_find(name);
    return term->parameter && term->parameter->type != PARAMETER_SIZES;
}

static bool same_term(const struct term *a, const struct term *b)
{
    return a->kind == b->kind && a->place == b->place && a->index == b->index &&
           a->metric == b->metric && a->parameter == b->parameter && a->value == b->value &&
           a->count == b->count && !strcmp(a->field, b->field);
}

static bool find_name(void *argument, const char *word, size_t *number)
{
    struct experiment_terms *terms = argument;
    struct term term;
    if (!read_term(terms, word, &term))
        return false;
    for (*number = 0; *number < terms->count; ++*number)
        if (same_term(&terms->items[*number], &term))
            return true;
    terms->items[terms->count++] = term; /* experiment_expression made room */
    return true;
}

/* The nearest name after '@', or the nearest value or metric before it. */
static const char *find_nearest(void *argument, const char *word)
{
    struct experiment_terms *terms = argument;
    const struct experiment *experiment = terms->runs->experiment;
    const char *at = strchr(word, '@'), *names[1024];
    char name[64];
    size_t count = 0;
    struct term term;
    snprintf(name, sizeof name, "%.*s", at ? (int)(at - word) : 63, word);
    if (at && find_place(experiment, at + 1, &term)) {
        for (size_t i = 0; i < terms->readable && i < experiment->value_count && count < 512; i++)
            names[count++] = experiment->values[i].name;
        for (size_t i = 0; i < LOAD_COUNTS; i++)
            names[count++] = load_counts[i].name;
        const char *near = nearest_name(name, names, count);
        near = near ? near : metric_nearest(name);
        if (near)
            snprintf(terms->near, sizeof terms->near, "%s%s", near, at);
        return near ? terms->near : NULL;
    }
    for (size_t i = 0; i < experiment->role_count && count < 1024; i++)
        names[count++] = experiment->roles[i];
    for (size_t i = 0; i < experiment->variant_count && count < 1024; i++)
        names[count++] = experiment->variants[i].name;
    const char *near = at ? nearest_name(at + 1, names, count) : NULL;
    for (size_t i = 0; !at && i < experiment->value_count; i++)
        if (!strcmp(experiment->values[i].name, name))
            near = "VARIANT";
    if (near)
        snprintf(terms->near, sizeof terms->near, "%s@%s", name, near);
    return near ? terms->near : NULL;
}

enum status experiment_expression(struct experiment_terms *terms, const struct node *node,
                                  const char *text, enum expression_scope scope,
                                  struct expression **expression, struct diagnostics *diagnostics)
{
    const struct expression_own own = {find_name, find_nearest, terms};
    const struct place whole = node_place(terms->runs->experiment->document, node);
    const struct place place = {.file = whole.file, .line = whole.line};
    /* For find_name, which cannot say that there is no memory: a text has no more names than
     * characters. */
    if (array_reserve(&terms->items, &terms->capacity, terms->count + strlen(text) + 1))
        return STATUS_MEMORY;
    terms->scope = scope;
    return expression_create_own(text, &place, scope, &own, expression, diagnostics);
}

/* ---- the terms of an experiment ---- */

enum status experiment_terms_create(const struct experiment_runs *runs,
                                    struct experiment_terms **result,
                                    struct diagnostics *diagnostics)
{
    const struct experiment *experiment = runs->experiment;
    const size_t values = experiment->value_count, variants = experiment->variant_count;
    *result = NULL;
    if (variants * runs->subject_count > EXPERIMENT_NUMBERS_MAX / (values + 1))
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "%s: subjects x variants x values are more than %d numbers",
                                 document_name(experiment->document), EXPERIMENT_NUMBERS_MAX);
    struct experiment_terms *terms = calloc(1, sizeof *terms);
    *result = terms;
    if (!terms)
        return STATUS_MEMORY;
    terms->runs = runs;
    terms->values = calloc(values + 1, sizeof(struct expression *));
    terms->numbers = calloc(runs->subject_count * variants * values + 1, sizeof *terms->numbers);
    terms->demand.metrics = calloc(variants * METRIC_COUNT + 1, sizeof *terms->demand.metrics);
    terms->demand.loads = calloc(variants + 1, sizeof *terms->demand.loads);
    terms->visited = calloc(variants * values + 1, sizeof *terms->visited);
    terms->rows = calloc(runs->subject_count + 1, sizeof(struct expression_cell *));
    enum status status = terms->values && terms->numbers && terms->demand.metrics &&
                                 terms->demand.loads && terms->visited && terms->rows
                             ? STATUS_OK
                             : STATUS_MEMORY;
    for (size_t i = 0; i < values && status != STATUS_MEMORY; i++) {
        const struct node *node = experiment->values[i].text;
        terms->readable = i;
        const enum status read = experiment_expression(terms, node, node_text(node), SCOPE_POINT,
                                                       &terms->values[i], diagnostics);
        status = status ? status : read;
    }
    terms->readable = values;
    if (status) {
        experiment_terms_free(terms);
        *result = NULL;
    }
    return status;
}

void experiment_terms_free(struct experiment_terms *terms)
{
    if (!terms)
        return;
    for (size_t i = 0; terms->values && i < terms->runs->experiment->value_count; i++)
        expression_free(terms->values[i]);
    free(terms->values);
    free(terms->items);
    free(terms->cells);
    free(terms->rows);
    free(terms->numbers);
    free(terms->demand.metrics);
    free(terms->demand.loads);
    free(terms->visited);
    free(terms);
}

static size_t variant_of(const struct experiment_terms *terms, const struct term *term,
                         const struct experiment_spot *spot)
{
    return term->place == AT_HAND ? spot->variant
           : term->place == AT_VARIANT
               ? term->index
               : experiment_role_variant(terms->runs->experiment, spot->reading, term->index);
}

size_t experiment_reading_of(const struct experiment *experiment, size_t variant)
{
    return experiment->reading_count && variant >= experiment->reading_first
               ? (variant - experiment->reading_first) / experiment->role_count
               : 0;
}

const struct experiment_runs *experiment_terms_runs(const struct experiment_terms *terms)
{
    return terms->runs;
}

struct experiment_demand *experiment_asked(struct experiment_terms *terms)
{
    return &terms->demand;
}

static void ask_metric(struct experiment_terms *terms, size_t variant, const struct metric *metric)
{
    terms->demand.metrics[variant * METRIC_COUNT + (size_t)(metric - metric_table)] = true;
}

void experiment_ask(struct experiment_terms *terms, const struct expression *expression,
                    const struct experiment_spot *spot)
{
    const struct experiment *experiment = terms->runs->experiment;
    const struct expression_name *names;
    const size_t count = expression ? expression_names(expression, &names) : 0;
    for (size_t i = 0; i < count; i++) {
        if (names[i].kind == NAME_METRIC && spot->variant != NO_VARIANT)
            ask_metric(terms, spot->variant, names[i].metric);
        if (names[i].kind != NAME_OWN)
            continue;
        const struct term *term = &terms->items[names[i].own];
        const size_t variant = variant_of(terms, term, spot);
        if (term->kind == TERM_METRIC)
            ask_metric(terms, variant, term->metric);
        if (term->kind == TERM_LOAD)
            terms->demand.loads[variant] = true;
        if (term->kind != TERM_VALUE)
            continue;
        bool *visited = &terms->visited[variant * experiment->value_count + term->value];
        if (*visited)
            continue;
        *visited = true;
        const struct experiment_spot inner = {
            .variant = variant, .reading = experiment_reading_of(experiment, variant)};
        experiment_ask(terms, terms->values[term->value], &inner);
    }
}

size_t experiment_named(const struct experiment_terms *terms, const struct expression *expression,
                        const struct experiment_spot *spot, size_t *variants, size_t count,
                        size_t most)
{
    const struct expression_name *names;
    const size_t name_count = expression ? expression_names(expression, &names) : 0;
    for (size_t i = 0; i < name_count && count < most; i++) {
        if (names[i].kind != NAME_OWN || terms->items[names[i].own].place == AT_HAND)
            continue;
        const size_t variant = variant_of(terms, &terms->items[names[i].own], spot);
        size_t same = 0;
        while (same < count && variants[same] != variant)
            same++;
        variants[same] = variant;
        count += same == count;
    }
    return count;
}

/* ---- evaluating ---- */

static size_t number_index(const struct experiment_terms *terms, size_t subject, size_t variant,
                           size_t value)
{
    const struct experiment *experiment = terms->runs->experiment;
    return (subject * experiment->variant_count + variant) * experiment->value_count + value;
}

static struct expression_cell parameter_cell(const struct parameter *parameter,
                                             const struct machine *machine)
{
    const struct value value = parameter_get(parameter, machine);
    if (parameter->type == PARAMETER_ENUM)
        return (struct expression_cell){NAN, parameter->choices[value.uint].name};
    return (struct expression_cell){
        parameter->type == PARAMETER_REAL ? value.real : (double)value.uint, NULL};
}

/* What is known of any subject of the experiment. */
static struct expression_cell text_cell(const struct experiment_runs *runs, const struct term *term,
                                        size_t subject)
{
    const struct experiment_subject *row = &runs->experiment->subjects[subject];
    return (struct expression_cell){
        NAN, term->kind == TERM_SUBJECT ? row->name : experiment_field(runs, row, term->field)};
}

static struct expression_cell cell_of(const struct experiment_terms *terms, const struct term *term,
                                      const struct experiment_spot *spot)
{
    const struct experiment_runs *runs = terms->runs;
    const size_t variant = variant_of(terms, term, spot);
    switch (term->kind) {
    case TERM_METRIC:
        return (struct expression_cell){
            metric_get(term->metric, &experiment_run_at(runs, spot->subject, variant)->metrics),
            NULL};
    case TERM_PARAMETER:
        return parameter_cell(
            term->parameter,
            &runs->machines[experiment_run_at(runs, spot->subject, variant)->variant]);
    case TERM_VALUE:
        return (struct expression_cell){
            terms->numbers[number_index(terms, spot->subject, variant, term->value)], NULL};
    case TERM_LOAD:
        return (struct expression_cell){
            experiment_load_count(runs, spot->subject, variant, term->count), NULL};
    case TERM_FIELD:
    case TERM_SUBJECT:
        return text_cell(runs, term, runs->subjects[spot->subject]);
    }
    return (struct expression_cell){NAN, NULL};
}

/* Fills one row of cells with the names that the expression uses. */
static void fill_row(const struct experiment_terms *terms, const struct expression *expression,
                     const struct experiment_spot *spot, struct expression_cell *row)
{
    const struct expression_name *names;
    const size_t count = expression_names(expression, &names);
    for (size_t i = 0; i < count; i++)
        if (names[i].kind == NAME_OWN)
            row[names[i].own] = cell_of(terms, &terms->items[names[i].own], spot);
}

static enum status reserve_cells(struct experiment_terms *terms)
{
    return array_reserve(&terms->cells, &terms->cell_capacity,
                         terms->runs->subject_count * terms->count + 1);
}

enum status experiment_at(struct experiment_terms *terms, struct expression *expression,
                          const struct experiment_spot *spot, struct expression_answer *answer,
                          struct diagnostics *diagnostics)
{
    const struct experiment_runs *runs = terms->runs;
    const struct experiment_run *run = experiment_run_at(runs, spot->subject, spot->variant);
    if (reserve_cells(terms))
        return STATUS_MEMORY;
    const struct expression_values values = {
        .machine = &runs->machines[run->variant],
        .metrics = &run->metrics,
        .workload = runs->experiment->subjects[runs->subjects[spot->subject]].name,
        .own = terms->cells};
    fill_row(terms, expression, spot, terms->cells);
    return expression_evaluate(expression, &values, answer, diagnostics);
}

enum status experiment_over(struct experiment_terms *terms, struct expression *expression,
                            size_t reading, const bool *taken, struct expression_answer *answer,
                            struct diagnostics *diagnostics)
{
    size_t count = 0;
    if (reserve_cells(terms))
        return STATUS_MEMORY;
    for (size_t i = 0; i < terms->runs->subject_count; i++) {
        const struct experiment_spot spot = {i, NO_VARIANT, reading};
        if (!taken[i])
            continue;
        fill_row(terms, expression, &spot, &terms->cells[count * terms->count]);
        terms->rows[count] = &terms->cells[count * terms->count];
        count++;
    }
    return expression_over(expression, terms->rows, count, answer, diagnostics);
}

bool experiment_of_any(const struct expression *expression)
{
    const struct expression_name *names;
    const size_t count = expression_names(expression, &names);
    for (size_t i = 0; i < count; i++)
        if (!names[i].bare)
            return false;
    return true;
}

/* Whether the test holds for a subject, also one that was not chosen. */
static enum status holds_for(struct experiment_terms *terms, struct expression *where,
                             size_t subject, bool *holds, struct diagnostics *diagnostics)
{
    struct expression_answer answer = {.number = 1};
    const struct expression_name *names;
    const size_t count = expression_names(where, &names);
    *holds = true;
    for (size_t i = 0; i < count; i++) {
        const struct term *term = names[i].kind == NAME_OWN ? &terms->items[names[i].own] : NULL;
        if (!term || (term->kind != TERM_FIELD && term->kind != TERM_SUBJECT))
            return STATUS_OK;
        terms->cells[names[i].own] = text_cell(terms->runs, term, subject);
    }
    terms->rows[0] = terms->cells;
    const enum status status = expression_over(where, terms->rows, 1, &answer, diagnostics);
    *holds = answer.number != 0 && !isnan(answer.number);
    return status;
}

enum status experiment_covers(struct experiment_terms *terms, struct expression *where, bool loads,
                              bool *covers, struct diagnostics *diagnostics)
{
    const struct experiment_runs *runs = terms->runs;
    enum status status = reserve_cells(terms);
    *covers = true;
    for (size_t s = 0, chosen = 0; s < runs->experiment->subject_count && *covers && !status; s++) {
        bool holds = true;
        if (chosen < runs->subject_count && runs->subjects[chosen] == s) {
            chosen++;
            continue;
        }
        if ((runs->experiment->subjects[s].load != NULL) != loads)
            continue;
        if (where)
            status = holds_for(terms, where, s, &holds, diagnostics);
        *covers = !holds;
    }
    return status;
}

enum status experiment_values(struct experiment_terms *terms, struct diagnostics *diagnostics)
{
    const struct experiment_runs *runs = terms->runs;
    const struct experiment *experiment = runs->experiment;
    enum status status = STATUS_OK;
    for (size_t value = 0; value < experiment->value_count; value++)
        for (size_t v = 0; v < experiment->variant_count; v++)
            for (size_t s = 0; s < runs->subject_count && !status; s++) {
                const struct experiment_spot spot = {s, v, experiment_reading_of(experiment, v)};
                struct expression_answer answer = {.number = NAN};
                if (terms->visited[v * experiment->value_count + value])
                    status =
                        experiment_at(terms, terms->values[value], &spot, &answer, diagnostics);
                terms->numbers[number_index(terms, s, v, value)] = answer.number;
            }
    return status;
}
