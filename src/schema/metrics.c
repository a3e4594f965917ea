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
#define STRUCTURE_ROW(X, path, field, stage, copies, traits, ...)                                  \
    {path, stage, copies, ((traits)&METRIC_SPARSE) != 0, offsetof(struct metrics, field##_bits)},
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
    return metric->provenance != FROM_CACTI && metric->provenance != FROM_FPGA;
}

/* By an evaluation or a comparison. */
static bool metric_known(const struct metric *metric, enum depth depth)
{
    const unsigned stages = depth_table[depth].stages | STAGE_AREA;
    return metric->stage & stages && metric->depths & DEPTH_BIT(depth);
}

const char *metric_source(const struct metric *metric, enum depth depth)
{
    static const char *const names[] = {[FROM_STREAM] = "stream",
                                        [FROM_FORMULA] = "formula",
                                        [FROM_CACTI] = "CACTI 7",
                                        [FROM_FPGA] = "UltraScale"};
    if (metric->provenance != FROM_MODEL)
        return names[metric->provenance];
    for (int i = 0; i < DEPTH_COUNT && !metric_known(metric, depth); i++)
        if (metric_known(metric, (enum depth)i))
            depth = (enum depth)i;
    return depth_name(depth);
}

const char *metric_sources(const struct metric *metric, char text[METRIC_SOURCES])
{
    size_t used = 0;
    for (int depth = 0; depth < DEPTH_COUNT; depth++)
        if (metric_known(metric, (enum depth)depth) &&
            (!used || metric->provenance == FROM_MODEL) && used < METRIC_SOURCES)
            used += (size_t)snprintf(text + used, METRIC_SOURCES - used, "%s%s", used ? ", " : "",
                                     metric_source(metric, (enum depth)depth));
    return text;
}

bool metric_answered(const struct metric *metric, enum depth depth)
{
    return !(metric->traits & METRIC_COMPARED) && metric_known(metric, depth);
}

bool metric_compared(const struct metric *metric, enum depth depth)
{
    return metric->traits & METRIC_COMPARED && metric_known(metric, depth);
}

const char *metric_unanswered(const struct metric *metric, enum depth depth,
                              char text[METRIC_UNANSWERED])
{
    const struct metric *own = metric_compares(metric);
    if (own)
        snprintf(text, METRIC_UNANSWERED, "compares two machines: of one it is %s", own->path);
    else
        snprintf(text, METRIC_UNANSWERED, "is not counted at depth %s, but at %s",
                 depth_name(depth), metric_source(metric, depth));
    return text;
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

struct rule {
    size_t result;
    enum derivation_kind kind;
    size_t count;
    size_t inputs[DERIVATION_INPUTS]; /* offsets in struct metrics */
};

/* A rule comes after those whose results it uses. */
static const struct rule rules[] = {
#define OFFSETS(first, second) offsetof(struct metrics, first), offsetof(struct metrics, second)
#define ENERGY_INPUTS(X, path, field, stage, copies, traits, accesses, fills, ...)                 \
    OFFSETS(accesses, field##_read_energy), OFFSETS(fills, field##_fill_energy),
#define ENERGY(X, path, field, ...)                                                                \
    {offsetof(struct metrics, field##_energy),                                                     \
     DERIVE_PRODUCTS,                                                                              \
     4,                                                                                            \
     {ENERGY_INPUTS(X, path, field, __VA_ARGS__)}},
#define RULE(result, kind, first, second)                                                          \
    {offsetof(struct metrics, result), kind, 2, {OFFSETS(first, second)}},
    STRUCTURE_LIST(ENERGY, ){offsetof(struct metrics, energy_accesses),
                             DERIVE_PRODUCTS,
                             DERIVATION_INPUTS,
                             {STRUCTURE_LIST(ENERGY_INPUTS, )}},
    DERIVATION_LIST(RULE)
#undef RULE
#undef ENERGY_INPUTS
#undef ENERGY
#undef OFFSETS
};
enum { RULES = sizeof rules / sizeof *rules };

static const struct metric *row_of(size_t offset)
{
    return &metric_table[offset / sizeof(double)];
}

bool parameter_dead(const struct parameter *parameter, const struct machine *machine,
                    enum depth depth, char why[VALUE_TEXT])
{
    if (parameter_answers(parameter, depth))
        return machine && parameter_idle(parameter, machine, why);
    snprintf(why, VALUE_TEXT, "%s at the %s depth",
             parameter->stages & STAGE_AREA ? " but on the area" : "", depth_name(depth));
    return true;
}

bool metric_derivation(const struct metric *metric, struct derivation *derivation)
{
    for (size_t i = 0; i < RULES; i++)
        if (rules[i].result == metric->offset) {
            derivation->kind = rules[i].kind;
            derivation->count = rules[i].count;
            for (size_t k = 0; k < rules[i].count; k++)
                derivation->inputs[k] = row_of(rules[i].inputs[k]);
            return true;
        }
    return false;
}

/* Adds what has to be counted for a metric to a list without repetitions. */
static size_t add_counted(const struct metric *metric, const struct metric **list, size_t count)
{
    struct derivation derivation;
    if (metric_derivation(metric, &derivation)) {
        for (size_t i = 0; i < derivation.count; i++)
            count = add_counted(derivation.inputs[i], list, count);
        return count;
    }
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
    for (size_t i = 0; i < count; i++)
        made = add_counted(columns[i], counted, made);
    return made;
}

unsigned metric_stages(const struct metric *metric)
{
    const struct metric *counted[METRIC_COUNT];
    const size_t count = metrics_counted(&metric, 1, counted);
    unsigned stages = 0;
    for (size_t i = 0; i < count; i++)
        stages |= (unsigned)counted[i]->stage;
    return stages;
}

static double input(const struct rule *rule, size_t i, const struct metrics *metrics)
{
    return metric_get(row_of(rule->inputs[i]), metrics);
}

/* What takes nothing takes nothing however often; nobody has to have counted that. */
static double sum_of_products(const struct rule *rule, const struct metrics *metrics)
{
    double sum = NAN;
    for (size_t i = 0; i < rule->count; i += 2) {
        const double unit = input(rule, i + 1, metrics);
        if (!isnan(unit))
            sum = (isnan(sum) ? 0 : sum) + (unit != 0 ? input(rule, i, metrics) * unit : 0);
    }
    return sum;
}

static double derive(const struct rule *rule, const struct metrics *metrics)
{
    const double first = input(rule, 0, metrics), second = input(rule, 1, metrics);
    if (rule->kind == DERIVE_PRODUCTS)
        return sum_of_products(rule, metrics);
    if (rule->kind == DERIVE_SUM)
        return first + second;
    if (rule->kind == DERIVE_DIFFERENCE)
        return first - second;
    if (rule->kind == DERIVE_SAVED || !(second > 0))
        return NAN;
    switch (rule->kind) {
    case DERIVE_RATIO:
        return first / second;
    case DERIVE_COMPLEMENT:
        return (second - first) / second;
    default:
        return 1000 * first / second;
    }
}

void metrics_derive(struct metrics *metrics)
{
    for (size_t i = 0; i < RULES; i++)
        metric_set(row_of(rules[i].result), metrics, derive(&rules[i], metrics));
}

void metrics_compare(struct metrics *metrics, const struct metrics *with, enum depth depth)
{
    for (size_t i = 0; i < RULES; i++)
        if (rules[i].kind == DERIVE_SAVED)
            metric_set(row_of(rules[i].result), metrics,
                       with && metric_compared(row_of(rules[i].result), depth)
                           ? input(&rules[i], 0, with) - input(&rules[i], 1, metrics)
                           : NAN);
}

const struct metric *metric_compares(const struct metric *metric)
{
    struct derivation derivation;
    return metric->traits & METRIC_COMPARED && metric_derivation(metric, &derivation)
               ? derivation.inputs[0]
               : NULL;
}

bool metric_saves(const struct metric *metric)
{
    size_t i = 0;
    while (i < RULES && !(rules[i].kind == DERIVE_SAVED && rules[i].inputs[0] == metric->offset))
        i++;
    return i < RULES;
}
