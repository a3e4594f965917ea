#include "explore/store/difference.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_stream.h"

struct comparison {
    struct store *stores[2];
    const struct study *studies[2];
    difference_function report;
    void *argument;
    struct difference_summary *summary;
    struct diagnostics *diagnostics;
};

static enum status report_texts(const struct comparison *comparison, enum difference_kind kind,
                                const char *name, const char *a, const char *b)
{
    const struct difference difference = {
        .kind = kind, .name = name, .a_point = NO_POINT, .b_point = NO_POINT, .a = a, .b = b};
    return comparison->report(comparison->argument, &difference);
}

static enum status compare_keys(const struct comparison *comparison)
{
    static const char *const keys[] = {"name",         "machine_name",      "seed", "host",
                                       "tool_version", "evaluator_version", "shard"};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !status; i++) {
        char *a, *b;
        const enum status second =
            store_provenance(comparison->stores[1], keys[i], &b, comparison->diagnostics);
        status = store_provenance(comparison->stores[0], keys[i], &a, comparison->diagnostics);
        status = status ? status : second;
        if (!status && (a || b) && (!a || !b || strcmp(a, b) != 0))
            status = report_texts(comparison, DIFFERENCE_STUDY, keys[i], a, b);
        free(a);
        free(b);
    }
    return status;
}

static enum status compare_depths(const struct comparison *comparison)
{
    const struct study *a = comparison->studies[0], *b = comparison->studies[1];
    enum status status = STATUS_OK;
    if (a->depth != b->depth)
        status = report_texts(comparison, DIFFERENCE_STUDY, "depth", depth_name(a->depth),
                              depth_name(b->depth));
    if (!status && a->assumed != b->assumed)
        status = report_texts(comparison, DIFFERENCE_STUDY, "assume",
                              assumed_table[a->assumed].name, assumed_table[b->assumed].name);
    return status;
}

/* Reports the conditions that only one of the studies has. */
static enum status compare_conditions(const struct comparison *comparison, const char *kind,
                                      const struct condition *const lists[2],
                                      const size_t counts[2])
{
    enum status status = STATUS_OK;
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < counts[side] && !status; i++) {
            const char *text = lists[side][i].text;
            bool found = false;
            for (size_t k = 0; k < counts[!side]; k++)
                found = found || !strcmp(lists[!side][k].text, text);
            if (!found)
                status = report_texts(comparison, DIFFERENCE_STUDY, kind, side ? NULL : text,
                                      side ? text : NULL);
        }
    return status;
}

static const char *column_role(const struct comparison *comparison, size_t side,
                               const struct metric *metric)
{
    const struct study *study = comparison->studies[side];
    const struct metric *const *columns;
    size_t count = store_columns(comparison->stores[side], &columns);
    for (size_t i = 0; i < study->objective_count; i++)
        if (study->objectives[i].metric == metric)
            return study->objectives[i].direction == HIGHER_IS_BETTER ? "maximize" : "minimize";
    for (size_t i = 0; i < count; i++)
        if (columns[i] == metric)
            return "column";
    return NULL;
}

static enum status compare_columns(const struct comparison *comparison)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < METRIC_COUNT && !status; i++) {
        const char *a = column_role(comparison, 0, &metric_table[i]);
        const char *b = column_role(comparison, 1, &metric_table[i]);
        if (a || b ? !a || !b || strcmp(a, b) : false)
            status = report_texts(comparison, DIFFERENCE_STUDY, metric_table[i].path, a, b);
    }
    return status;
}

static const struct axis *find_axis(const struct study *study, const struct parameter *parameter)
{
    for (size_t a = 0; a < study->axis_count; a++)
        if (study->axes[a].parameter == parameter)
            return &study->axes[a];
    return NULL;
}

/* The values of an axis as text ("16KiB, 32KiB"), or the one value of a machine without that axis.
 * The caller frees it. */
static char *print_values(const struct study *study, const struct parameter *parameter)
{
    const struct axis *axis = find_axis(study, parameter);
    char text[VALUE_TEXT];
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return NULL;
    if (!axis)
        fputs(parameter_print(parameter, parameter_get(parameter, &study->machine), text), out);
    for (size_t i = 0; axis && i < axis->count; i++)
        fprintf(out, "%s%s", i ? ", " : "", parameter_print(parameter, axis->values[i], text));
    return text_stream_take(&stream);
}

static enum status compare_parameters(const struct comparison *comparison, bool axes)
{
    const struct study *const *studies = comparison->studies;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < parameter_count && !status; i++) {
        const struct parameter *parameter = &parameters[i];
        bool axis = find_axis(studies[0], parameter) || find_axis(studies[1], parameter);
        if (axis != axes)
            continue;
        char *a = print_values(studies[0], parameter), *b = print_values(studies[1], parameter);
        if (!a || !b)
            status = STATUS_MEMORY;
        else if (strcmp(a, b) != 0)
            status = report_texts(comparison, axis ? DIFFERENCE_AXIS : DIFFERENCE_MACHINE,
                                  parameter->path, a, b);
        free(a);
        free(b);
    }
    return status;
}

static size_t find_workload(const struct study *study, const char *name)
{
    size_t w = 0;
    while (w < study->workload_count && strcmp(study->workloads[w], name))
        w++;
    return w;
}

/* Workloads are equal if their digests are, whatever their names promise. The second side reports
 * only those that the first one does not have. */
static enum status compare_workloads(const struct comparison *comparison)
{
    enum status status = STATUS_OK;
    for (size_t side = 0; side < 2; side++) {
        const struct study *own = comparison->studies[side], *other = comparison->studies[!side];
        for (size_t w = 0; w < own->workload_count && !status; w++) {
            size_t match = find_workload(other, own->workloads[w]);
            if (side && match < other->workload_count)
                continue; /* the first side has compared it */
            char *mine, *theirs = NULL;
            status = store_digest(comparison->stores[side], w, &mine, comparison->diagnostics);
            if (!status && match < other->workload_count)
                status = store_digest(comparison->stores[!side], match, &theirs,
                                      comparison->diagnostics);
            if (!status && (!mine || !theirs || strcmp(mine, theirs) != 0))
                status = report_texts(comparison, DIFFERENCE_WORKLOAD, own->workloads[w],
                                      side ? theirs : mine, side ? mine : theirs);
            free(mine);
            free(theirs);
        }
    }
    return status;
}

/* Translates point indices of one space into those of another. */
struct translation {
    const struct space *from, *to;
    uint64_t *parts;   /* what each value of each axis, and each workload, adds to the index, one
                        * axis after another; NO_POINT if the other space does not have it */
    uint64_t constant; /* what axes add that only the other has; NO_POINT if no point matches */
};

static size_t value_index(const struct axis *axis, struct value value)
{
    size_t i = 0;
    while (i < axis->count && !parameter_equal(axis->parameter, axis->values[i], value))
        i++;
    return i;
}

/* The stride of this parameter's axis in a machine index. */
static uint64_t axis_stride(const struct space *space, const struct parameter *parameter)
{
    const struct study *study = space->study;
    uint64_t stride = 1;
    for (size_t a = study->axis_count; a-- > 0; stride *= study->axes[a].count)
        if (study->axes[a].parameter == parameter)
            break;
    return stride;
}

/* What a value adds to an index of `to`. A parameter that is no axis there adds nothing, but must
 * have this value in its machine. */
static uint64_t translate_value(const struct space *to, const struct parameter *parameter,
                                struct value value)
{
    const struct axis *axis = find_axis(to->study, parameter);
    if (!axis) {
        struct value fixed = parameter_get(parameter, &to->study->machine);
        return parameter_equal(parameter, fixed, value) ? 0 : NO_POINT;
    }
    size_t digit = value_index(axis, value);
    return digit < axis->count ? digit * axis_stride(to, parameter) : NO_POINT;
}

/* The number of a point is a sum of a part for each axis and one for the workload, so its number in
 * the other space is the sum of their translations: one per value, worked out once. An axis that
 * only the other space has adds a constant, as long as it has the fixed value of this one. */
static enum status translation_open(const struct space *from, const struct space *to,
                                    struct translation *translation)
{
    const struct study *study = from->study, *other = to->study;
    size_t count = study->workload_count, next = 0;
    for (size_t a = 0; a < study->axis_count; a++)
        count += study->axes[a].count;
    *translation = (struct translation){from, to, calloc(count, sizeof(uint64_t)), 0};
    if (!translation->parts)
        return STATUS_MEMORY;
    for (size_t a = 0; a < study->axis_count; a++)
        for (size_t i = 0; i < study->axes[a].count; i++)
            translation->parts[next++] =
                translate_value(to, study->axes[a].parameter, study->axes[a].values[i]);
    for (size_t w = 0; w < study->workload_count; w++) {
        size_t match = find_workload(other, study->workloads[w]);
        translation->parts[next++] =
            match < other->workload_count ? match * to->machines : NO_POINT;
    }
    for (size_t a = 0; a < other->axis_count; a++) {
        const struct parameter *parameter = other->axes[a].parameter;
        if (find_axis(study, parameter))
            continue;
        uint64_t part = translate_value(to, parameter, parameter_get(parameter, &study->machine));
        if (part == NO_POINT || translation->constant == NO_POINT)
            translation->constant = NO_POINT;
        else
            translation->constant += part;
    }
    return STATUS_OK;
}

/* Sums up what each digit of the point adds. Ends with NO_POINT if one has no counterpart. */
static uint64_t translate(const struct translation *translation, uint64_t point)
{
    const struct study *study = translation->from->study;
    uint64_t machine = point % translation->from->machines, result = translation->constant;
    size_t end = 0;
    for (size_t a = 0; a < study->axis_count; a++)
        end += study->axes[a].count;
    uint64_t part = translation->parts[end + point / translation->from->machines];
    for (size_t a = study->axis_count; result != NO_POINT && part != NO_POINT; a--) {
        result += part;
        if (!a)
            return result;
        end -= study->axes[a - 1].count;
        part = translation->parts[end + machine % study->axes[a - 1].count];
        machine /= study->axes[a - 1].count;
    }
    return NO_POINT;
}

/* The points of one side, looked up in the other. */
struct matching {
    const struct comparison *comparison;
    struct translation translation;
    size_t side;
    double *values; /* of the matching point */
    uint8_t *done;  /* bitmap of the other store's points if it is a summary; else NULL */
};

/* Compares the columns that both stores have. The values must be equal to the last bit. */
static enum status compare_values(const struct matching *matching, uint64_t a_point,
                                  const double *a_values, uint64_t b_point)
{
    const struct comparison *comparison = matching->comparison;
    const struct metric *const *a_columns, *const *b_columns;
    size_t a_count = store_columns(comparison->stores[0], &a_columns);
    size_t b_count = store_columns(comparison->stores[1], &b_columns);
    enum status status = STATUS_OK;
    bool differs = false;
    for (size_t i = 0; i < a_count && !status; i++) {
        size_t k = 0;
        while (k < b_count && b_columns[k] != a_columns[i])
            k++;
        if (k == b_count)
            continue;
        double a = a_values[i], b = matching->values[k];
        if (a == b || (isnan(a) && isnan(b)))
            continue;
        differs = true;
        const struct difference difference = {.kind = DIFFERENCE_METRIC,
                                              .name = a_columns[i]->path,
                                              .a_point = a_point,
                                              .b_point = b_point,
                                              .a_value = a,
                                              .b_value = b,
                                              .metric = a_columns[i]};
        status = comparison->report(comparison->argument, &difference);
    }
    comparison->summary->differing += differs;
    return status;
}

static enum status matching_look_up(struct matching *matching, const struct store_row *row,
                                    uint64_t *match, bool *found)
{
    const struct comparison *comparison = matching->comparison;
    *match = translate(&matching->translation, row->point);
    *found = false;
    if (*match == NO_POINT)
        return STATUS_OK;
    return store_get(comparison->stores[!matching->side], *match, matching->values, found,
                     comparison->diagnostics);
}

/* Counts a row as shared, as missing on the other side, or as done there without a row. */
static enum status match_row(void *argument, const struct store_row *row)
{
    struct matching *matching = argument;
    const struct comparison *comparison = matching->comparison;
    uint64_t match;
    bool found;
    enum status status = matching_look_up(matching, row, &match, &found);
    if (status || found) {
        comparison->summary->shared += !matching->side && found;
        return status;
    }
    if (matching->done && match != NO_POINT && bit_test(matching->done, match)) {
        comparison->summary->rowless++;
        return STATUS_OK;
    }
    *(matching->side ? &comparison->summary->only_b : &comparison->summary->only_a) += 1;
    const struct difference difference = {.kind = DIFFERENCE_POINT,
                                          .name = "point",
                                          .a_point = matching->side ? NO_POINT : row->point,
                                          .b_point = matching->side ? row->point : NO_POINT};
    return comparison->report(comparison->argument, &difference);
}

/* Compares the values of a row with those of its counterpart. */
static enum status value_row(void *argument, const struct store_row *row)
{
    struct matching *matching = argument;
    uint64_t match;
    bool found;
    enum status status = matching_look_up(matching, row, &match, &found);
    return status || !found ? status : compare_values(matching, row->point, row->values, match);
}

/* Calls `row` for every row of one side. Each looks up its counterpart in the other store by id. */
static enum status walk_points(const struct comparison *comparison, size_t side, row_function row)
{
    struct matching matching = {.comparison = comparison, .side = side};
    const struct metric *const *columns;
    const struct query everything = {0};
    struct store *other = comparison->stores[!side];
    matching.values = calloc(store_columns(other, &columns) + 1, sizeof *matching.values);
    enum status status = matching.values ? STATUS_OK : STATUS_MEMORY;
    if (!status && store_is_summary(other)) {
        matching.done = calloc(store_space(other)->points / 8 + 1, 1);
        status = matching.done ? store_done(other, matching.done, NULL, comparison->diagnostics)
                               : STATUS_MEMORY;
    }
    if (!status)
        status = translation_open(store_space(comparison->stores[side]), store_space(other),
                                  &matching.translation);
    if (!status)
        status = store_query(comparison->stores[side], &everything, row, &matching,
                             comparison->diagnostics);
    free(matching.translation.parts);
    free(matching.values);
    free(matching.done);
    return status;
}

enum status stores_compare(struct store *a, struct store *b, difference_function report,
                           void *argument, struct difference_summary *summary,
                           struct diagnostics *diagnostics)
{
    *summary = (struct difference_summary){0};
    const struct comparison comparison = {.stores = {a, b},
                                          .studies = {store_space(a)->study, store_space(b)->study},
                                          .report = report,
                                          .argument = argument,
                                          .summary = summary,
                                          .diagnostics = diagnostics};
    const struct study *const *studies = comparison.studies;
    const struct condition *const where[2] = {studies[0]->where, studies[1]->where};
    const struct condition *const filters[2] = {studies[0]->filters, studies[1]->filters};
    const size_t where_counts[2] = {studies[0]->where_count, studies[1]->where_count};
    const size_t filter_counts[2] = {studies[0]->filter_count, studies[1]->filter_count};
    enum status status = compare_keys(&comparison);
    status = status ? status : compare_depths(&comparison);
    if (!status)
        status = compare_conditions(&comparison, "where", where, where_counts);
    if (!status)
        status = compare_conditions(&comparison, "filters", filters, filter_counts);
    if (!status)
        status = compare_columns(&comparison);
    if (!status)
        status = compare_parameters(&comparison, false);
    if (!status)
        status = compare_parameters(&comparison, true);
    if (!status)
        status = compare_workloads(&comparison);
    for (size_t side = 0; side < 2 && !status; side++)
        status = walk_points(&comparison, side, match_row);
    return status ? status : walk_points(&comparison, 0, value_row);
}
