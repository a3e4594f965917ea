#include "schema/metrics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const struct metric metric_table[METRIC_COUNT] = {
#define METRIC_ROW(path, field, unit, direction, provenance, stage, traits, help)                  \
    {path, unit, direction, provenance, stage, traits, offsetof(struct metrics, field), help},
    METRIC_LIST(METRIC_ROW)
#undef METRIC_ROW
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

void metrics_clear(struct metrics *metrics)
{
    for (size_t i = 0; i < METRIC_COUNT; i++)
        metric_set(&metric_table[i], metrics, NAN);
}

bool metric_exact(const struct metric *metric)
{
    return metric->provenance != FROM_CLOSED_FORM;
}

const char *provenance_name(enum provenance provenance)
{
    static const char *const names[] = {[FROM_STREAM] = "stream",
                                        [FROM_FUNCTIONAL] = "functional",
                                        [FROM_REUSE] = "reuse",
                                        [FROM_FORMULA] = "formula",
                                        [FROM_CLOSED_FORM] = "closed form"};
    return names[provenance];
}

const char *depth_name(enum depth depth)
{
    return depth == DEPTH_REUSE ? "reuse" : "functional";
}

const char *metric_source(const struct metric *metric, enum depth depth)
{
    return metric->provenance == FROM_FUNCTIONAL ? depth_name(depth)
                                                 : provenance_name(metric->provenance);
}

bool metric_answered(const struct metric *metric, enum depth depth)
{
    if (metric->stage == STAGE_AREA)
        return true;
    if (depth == DEPTH_FUNCTIONAL || metric->provenance == FROM_REUSE)
        return (depth == DEPTH_REUSE) == (metric->provenance == FROM_REUSE);
    return metric->traits & METRIC_BOTH_DEPTHS && metric->stage & (STAGE_STREAM | STAGE_L1D);
}

unsigned metric_headline_stages(const struct metric *metric, enum depth depth)
{
    if (!(metric->traits & METRIC_HEADLINE) || !metric_answered(metric, depth))
        return 0;
    if (metric->stage != STAGE_L1D)
        return metric->stage;
    return STAGE_STREAM | STAGE_L1D | (depth == DEPTH_REUSE ? STAGE_REUSE : 0);
}

bool parameter_answers(const struct parameter *parameter, enum depth depth)
{
    const unsigned read = STAGE_STREAM | STAGE_L1D | STAGE_REUSE | STAGE_AREA;
    return depth == DEPTH_REUSE ? parameter->stages & read : parameter_functional(parameter);
}

bool parameter_dead(const struct parameter *parameter, const struct machine *machine,
                    enum depth depth, char why[VALUE_TEXT])
{
    if (parameter_answers(parameter, depth))
        return machine && parameter_idle(parameter, machine, why);
    snprintf(why, VALUE_TEXT, " at the %s depth", depth_name(depth));
    return true;
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

void metrics_derive(struct metrics *metrics)
{
    metrics->stream_transactions_per_instruction =
        ratio(metrics->stream_transactions, metrics->stream_memory_instructions);
    metrics->l1d_miss_rate = ratio(metrics->l1d_misses, metrics->l1d_accesses);
    metrics->l2_miss_rate = ratio(metrics->l2_misses, metrics->l2_accesses);
    metrics->tlb_hit_rate =
        ratio(metrics->tlb_accesses - metrics->tlb_misses, metrics->tlb_accesses);
    metrics->l2tlb_hit_rate =
        ratio(metrics->l2tlb_accesses - metrics->l2tlb_misses, metrics->l2tlb_accesses);
    metrics->walk_accesses_per_walk = ratio(metrics->walk_memory_accesses, metrics->walk_count);
    metrics->pwc_lookup_cycles = ratio(metrics->pwc_cycles, metrics->walk_count);
    metrics->walk_reduction = 1 - ratio(metrics->walk_memory_accesses, metrics->walk_tpc_accesses);
}
