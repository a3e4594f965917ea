#include "schema/metrics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const struct metric metric_table[METRIC_COUNT] = {
#define METRIC_ROW(path, field, unit, direction, provenance, stage, depths, traits, help)          \
    {path, unit, direction, provenance, stage, depths, traits, offsetof(struct metrics, field),    \
     help},
    METRIC_LIST(METRIC_ROW)
#undef METRIC_ROW
};

const struct structure_info structure_table[STRUCTURE_COUNT] = {
#define STRUCTURE_ROW(X, path, field, stage, copies, traits, who, one)                             \
    {path, stage, copies, offsetof(struct metrics, field##_bits)},
    STRUCTURE_LIST(STRUCTURE_ROW, )
#undef STRUCTURE_ROW
};

const struct metric *metric_find(const char *path)
{
    for (size_t i = 0; i < METRIC_COUNT; i++)
        if (!strcmp(metric_table[i].path, path))
            return &metric_table[i];
    return NULL;
}

const char *metric_nearest(const char *path)
{
    const char *names[METRIC_COUNT];
    for (size_t i = 0; i < METRIC_COUNT; i++)
        names[i] = metric_table[i].path;
    return nearest_name(path, names, METRIC_COUNT);
}

double metric_get(const struct metric *metric, const struct metrics *metrics)
{
    double value;
    memcpy(&value, (const char *)metrics + metric->offset, sizeof value);
    return value;
}

void metric_set(const struct metric *metric, struct metrics *metrics, double value)
{
    memcpy((char *)metrics + metric->offset, &value, sizeof value);
}

/* Where metrics_put_spaces finds the metric of each space. */
static const size_t space_offsets[SPACE_COUNT] = {
#define SPACE_OFFSET(X, constant, name, record, data, help)                                        \
    [constant] = offsetof(struct metrics, stream_records_##name),
    SPACE_LIST(SPACE_OFFSET, )
#undef SPACE_OFFSET
};

void metrics_put_spaces(struct metrics *metrics, const uint64_t counts[SPACE_COUNT])
{
    for (size_t i = 0; i < SPACE_COUNT; i++) {
        double count = (double)counts[i];
        memcpy((char *)metrics + space_offsets[i], &count, sizeof count);
    }
}

double metrics_space(const struct metrics *metrics, enum memory_space space)
{
    double count;
    memcpy(&count, (const char *)metrics + space_offsets[space], sizeof count);
    return count;
}

void metrics_clear(struct metrics *metrics)
{
    for (size_t i = 0; i < METRIC_COUNT; i++)
        metric_set(&metric_table[i], metrics, NAN);
}

bool metric_exact(const struct metric *metric)
{
    return metric->provenance != FROM_CACTI;
}

const char *metric_source(const struct metric *metric, enum depth depth)
{
    static const char *const names[] = {
        [FROM_STREAM] = "stream", [FROM_FORMULA] = "formula", [FROM_CACTI] = "CACTI 7"};
    if (metric->provenance != FROM_MODEL)
        return names[metric->provenance];
    for (int i = 0; i < DEPTH_COUNT && !metric_answered(metric, depth); i++)
        if (metric_answered(metric, (enum depth)i))
            depth = (enum depth)i;
    return depth_name(depth);
}

const char *metric_sources(const struct metric *metric, char text[METRIC_SOURCES])
{
    size_t used = 0;
    for (int depth = 0; depth < DEPTH_COUNT; depth++)
        if (metric_answered(metric, (enum depth)depth) &&
            (!used || metric->provenance == FROM_MODEL) && used < METRIC_SOURCES)
            used += (size_t)snprintf(text + used, METRIC_SOURCES - used, "%s%s", used ? ", " : "",
                                     metric_source(metric, (enum depth)depth));
    return text;
}

bool metric_answered(const struct metric *metric, enum depth depth)
{
    const unsigned stages = depth_table[depth].stages | STAGE_AREA;
    return metric->stage & stages && metric->depths & DEPTH_BIT(depth);
}

/* The headline that every parameter of a depth changes, in a depth that has one. */
static const struct metric *overall_headline(enum depth depth)
{
    for (size_t i = 0; i < METRIC_COUNT; i++)
        if (metric_table[i].traits & METRIC_HEADLINE && metric_table[i].stage == STAGE_STREAM &&
            metric_answered(&metric_table[i], depth))
            return &metric_table[i];
    return NULL;
}

unsigned metric_headline_stages(const struct metric *metric, enum depth depth)
{
    if (!(metric->traits & METRIC_HEADLINE) || !metric_answered(metric, depth))
        return 0;
    const struct metric *overall = overall_headline(depth);
    if (overall && metric->stage != STAGE_AREA)
        return metric == overall ? depth_reads(depth) : 0;
    if (metric->stage != STAGE_L1D)
        return metric->stage;
    return STAGE_STREAM | STAGE_L1D | DEPTH_BIT(depth);
}

/* ---- derived metrics ---- */

static const struct {
    size_t result;
    enum derivation_kind kind;
    size_t part, whole;
} rules[] = {
#define RULE(result, kind, part, whole)                                                            \
    {offsetof(struct metrics, result), kind, offsetof(struct metrics, part),                       \
     offsetof(struct metrics, whole)},
    DERIVATION_LIST(RULE)
#undef RULE
};

static const struct metric *row_of(size_t offset)
{
    return &metric_table[offset / sizeof(double)];
}

bool parameter_dead(const struct parameter *parameter, const struct machine *machine,
                    enum depth depth, char why[VALUE_TEXT])
{
    if (parameter_answers(parameter, depth))
        return machine && parameter_idle(parameter, machine, why);
    snprintf(why, VALUE_TEXT, " at the %s depth", depth_name(depth));
    return true;
}

bool metric_derivation(const struct metric *metric, struct derivation *derivation)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].result == metric->offset) {
            *derivation =
                (struct derivation){rules[i].kind, row_of(rules[i].part), row_of(rules[i].whole)};
            return true;
        }
    return false;
}

unsigned metric_stages(const struct metric *metric)
{
    struct derivation derivation;
    return metric_derivation(metric, &derivation)
               ? (unsigned)derivation.part->stage | derivation.whole->stage
               : (unsigned)metric->stage;
}

static size_t add_metric(const struct metric *metric, const struct metric **list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == metric)
            return count;
    list[count] = metric;
    return count + 1;
}

size_t metrics_counted(const struct metric *const *columns, size_t count,
                       const struct metric *counted[METRIC_COUNT])
{
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        struct derivation derivation;
        if (metric_derivation(columns[i], &derivation)) {
            made = add_metric(derivation.part, counted, made);
            made = add_metric(derivation.whole, counted, made);
        } else {
            made = add_metric(columns[i], counted, made);
        }
    }
    return made;
}

static double derive(enum derivation_kind kind, double part, double whole)
{
    if (!(whole > 0))
        return NAN;
    switch (kind) {
    case DERIVE_RATIO:
        return part / whole;
    case DERIVE_COMPLEMENT:
        return (whole - part) / whole;
    case DERIVE_PER_THOUSAND:
        return 1000 * part / whole;
    }
    return NAN;
}

void metrics_derive(struct metrics *metrics)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        metric_set(row_of(rules[i].result), metrics,
                   derive(rules[i].kind, metric_get(row_of(rules[i].part), metrics),
                          metric_get(row_of(rules[i].whole), metrics)));
}
