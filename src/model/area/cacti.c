#include "model/area/cacti.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "model/area/cacti_data.h"

enum metric_id { AREA, TIME, ENERGY, LEAKAGE, LATE, METRICS };
enum { TERMS_MAX = 9, AXES_MAX = 4, CORNERS_MAX = 1 << AXES_MAX, SHAPE = 4 };

struct axis {
    const double *at; /* ascending */
    size_t count;
    bool squared; /* linear in the square */
};

/* One kind of array: its closed form and its table, as cacti_data.h has them. */
struct fit {
    size_t axes, metrics, points;
    struct axis axis[AXES_MAX];
    /* The terms of a metric of an array of this shape; `feature` in um, `side` the root of its area
     * in um. Returns their number. */
    size_t (*terms)(enum metric_id metric, const double shape[SHAPE], double feature, double side,
                    double terms[TERMS_MAX]);
    const double *coefficients[METRICS]; /* of the first node; AREA: of all */
    const uint16_t *codes;               /* [node][metric][point] */
    /* Where a shape stands in the table, and the shape that stands there. */
    void (*place)(const double shape[SHAPE], double at[AXES_MAX]);
    void (*shape)(const double at[AXES_MAX], double shape[SHAPE]);
};

/* ---- closed forms ---------------------------------------------------------------------------- */

/* Area of CACTI's bit cell with x extra ports, in F^2: each port widens it in both directions. */
static double cell_area(double x)
{
    return (10 + 5 * x) * (14.6 + 5 * x);
}

static size_t cacti_fill(double terms[TERMS_MAX], const double *values, size_t count)
{
    memcpy(terms, values, count * sizeof *values);
    return count;
}

#define FILL(...)                                                                                  \
    cacti_fill(terms, (const double[]){__VA_ARGS__},                                               \
               sizeof((double[]){__VA_ARGS__}) / sizeof(double))

static size_t array_terms(enum metric_id metric, const double shape[SHAPE], double feature,
                          double side, double terms[TERMS_MAX])
{
    const double bits = shape[0], width = shape[1], ways = shape[2], x = shape[3];
    const double cells = bits * cell_area(x), square = width * width, millions = bits / 1e6;
    switch (metric) {
    case AREA:
        return FILL(cells, sqrt(cells), bits / width, square * ways, square * ways * x,
                    square * ways * x * x, square * sqrt(ways), width * ways * (1 + x),
                    square * ways * ways);
    case ENERGY:
        return FILL(width * side, width * ways, width * ways * side, sqrt(bits), sqrt(width * bits),
                    square * ways, bits);
    case LEAKAGE:
        return FILL(millions, millions * x, sqrt(millions), width * ways * x / 1e3,
                    square * ways / 1e6);
    default:
        return FILL(1, fmax(0, log2(bits) - 9), side, width * ways * feature,
                    sqrt(cells) * feature);
    }
}

static size_t associative_terms(enum metric_id metric, const double shape[SHAPE], double feature,
                                double side, double terms[TERMS_MAX])
{
    const double entries = shape[0], tag = shape[1], payload = shape[2];
    const double cam = entries * tag * 292, ram = entries * payload * 146;
    switch (metric) {
    case AREA:
        return FILL(cam, ram, entries, payload * payload, payload + tag, sqrt(cam + ram), tag * tag,
                    1);
    case ENERGY:
        return FILL(1, entries, entries * tag * feature, payload * side, side, entries * side,
                    tag * side);
    case LEAKAGE:
        return FILL(1, entries, tag, payload, payload * payload, entries * tag, entries * payload);
    default:
        return FILL(1, log2(entries), side);
    }
}

static double closed_metric(const struct fit *fit, enum metric_id metric, size_t node,
                            const double shape[SHAPE], double area)
{
    double terms[TERMS_MAX], sum = 0;
    const double feature = node_nm[node] / 1000;
    const size_t count = fit->terms(metric, shape, feature, sqrt(area) * feature, terms);
    const double *coefficients = fit->coefficients[metric] + (metric == AREA ? 0 : node * count);
    for (size_t i = 0; i < count; i++)
        sum += coefficients[i] * terms[i];
    return sum;
}

/* Multiplies what two neighbouring nodes say by the closed form of one shape over that of another.
 * The ratio of areas is the same at all nodes. */
static void carry(const struct fit *fit, size_t node, const double shape[SHAPE],
                  const double base[SHAPE], double values[2][METRICS])
{
    bool same = true;
    for (int i = 0; i < SHAPE; i++)
        same &= shape[i] == base[i];
    if (same)
        return;
    const double area = closed_metric(fit, AREA, node, shape, 0),
                 base_area = closed_metric(fit, AREA, node, base, 0);
    for (size_t n = 0; n < 2; n++) {
        double ratio[METRICS] = {[AREA] = area / base_area};
        for (enum metric_id i = TIME; i <= LEAKAGE; i++)
            ratio[i] = closed_metric(fit, i, node + n, shape, area) /
                       closed_metric(fit, i, node + n, base, base_area);
        ratio[LATE] = ratio[TIME];
        for (int i = 0; i < METRICS; i++)
            values[n][i] *= ratio[i];
    }
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* The number with this code: a mantissa of 10 bits without the leading one, and an exponent that
 * counts from 2^-24. */
static double decode(uint16_t code)
{
    return ldexp(1024 + (code & 1023), (code >> 10) - 34);
}

static double clip(const struct axis *axis, double value)
{
    return fmin(fmax(value, axis->at[0]), axis->at[axis->count - 1]);
}

/* The points around a place and their weights, which add up to 1. */
struct corners {
    size_t count;
    size_t point[CORNERS_MAX];
    double weight[CORNERS_MAX];
};

/* The point of an axis below `value`, which lies on it, and the share of the point above. */
static size_t below(const struct axis *axis, double value, double *share)
{
    size_t low = 0;
    while (low + 2 < axis->count && axis->at[low + 1] <= value)
        low++;
    const double from = axis->at[low], to = axis->at[low + 1];
    *share = axis->squared ? (value * value - from * from) / (to * to - from * from)
                           : (value - from) / (to - from);
    return low;
}

static struct corners corners_around(const struct fit *fit, const double at[AXES_MAX])
{
    struct corners corners = {0};
    size_t low[AXES_MAX];
    double share[AXES_MAX];
    for (size_t i = 0; i < fit->axes; i++)
        low[i] = below(&fit->axis[i], at[i], &share[i]);
    for (unsigned mask = 0; mask < 1u << fit->axes; mask++) {
        double weight = 1;
        size_t point = 0;
        for (size_t i = 0; i < fit->axes; i++) {
            const unsigned side = mask >> i & 1;
            weight *= side ? share[i] : 1 - share[i];
            point = point * fit->axis[i].count + low[i] + side;
        }
        if (weight > 0) {
            corners.point[corners.count] = point;
            corners.weight[corners.count++] = weight;
        }
    }
    return corners;
}

/* All metrics at one fitted node. */
static void at_node(const struct fit *fit, const struct corners *corners, size_t node,
                    double found[METRICS])
{
    const uint16_t *codes = fit->codes + node * fit->metrics * fit->points;
    for (size_t metric = 0; metric < fit->metrics; metric++, codes += fit->points) {
        double sum = 0;
        for (size_t i = 0; i < corners->count; i++)
            sum += corners->weight[i] * decode(codes[corners->point[i]]);
        found[metric] = sum;
    }
}

/* ---- the kinds of arrays --------------------------------------------------------------------- */

static void place_data(const double shape[SHAPE], double at[AXES_MAX])
{
    at[0] = shape[0];
    at[1] = shape[2];
    at[2] = shape[3];
    at[3] = shape[1];
}

static void shape_data(const double at[AXES_MAX], double shape[SHAPE])
{
    shape[0] = at[0];
    shape[1] = at[3];
    shape[2] = at[1];
    shape[3] = at[2];
}

static void place_tag(const double shape[SHAPE], double at[AXES_MAX])
{
    at[0] = shape[0] / shape[1];
    at[1] = shape[2];
    at[2] = shape[3];
}

static void shape_tag(const double at[AXES_MAX], double shape[SHAPE])
{
    shape[0] = at[0] * tag_bits_of_table;
    shape[1] = tag_bits_of_table;
    shape[2] = at[1];
    shape[3] = at[2];
}

static void place_fa(const double shape[SHAPE], double at[AXES_MAX])
{
    at[0] = shape[0];
    at[1] = shape[2];
}

/* CACTI gives an entry the tag that 47 bits of address leave of a line of this size. */
static void shape_fa(const double at[AXES_MAX], double shape[SHAPE])
{
    shape[0] = at[0];
    shape[1] = 4 * ceil((47 - log2(at[1] / 8)) / 4);
    shape[2] = at[1];
}

static void place_cam(const double shape[SHAPE], double at[AXES_MAX])
{
    at[0] = shape[0];
    at[1] = shape[1];
}

static void shape_cam(const double at[AXES_MAX], double shape[SHAPE])
{
    shape[0] = at[0];
    shape[1] = at[1];
    shape[2] = 0;
}

#define AXIS(points)                                                                               \
    {                                                                                              \
        .at = (points), .count = sizeof(points) / sizeof *(points)                                 \
    }
#define FIT(kind)                                                                                  \
    .metrics = kind##_metrics, .points = kind##_points,                                            \
    .coefficients = {kind##_area_terms, kind##_time_terms[0], kind##_energy_terms[0],              \
                     kind##_leakage_terms[0], kind##_time_terms[0]},                               \
    .codes = kind##_table, .place = place_##kind, .shape = shape_##kind

static const struct fit fits[] = {
    [CACTI_DATA] = {.axes = 4,
                    .axis = {AXIS(data_bits),
                             AXIS(data_ways),
                             AXIS(data_ports),
                             {data_width, sizeof data_width / sizeof *data_width, true}},
                    .terms = array_terms,
                    FIT(data)},
    [CACTI_TAG] = {.axes = 3,
                   .axis = {AXIS(tag_lines), AXIS(tag_ways), AXIS(tag_ports)},
                   .terms = array_terms,
                   FIT(tag)},
    [CACTI_FA] = {.axes = 2,
                  .axis = {AXIS(fa_entries), AXIS(fa_payload)},
                  .terms = associative_terms,
                  FIT(fa)},
    [CACTI_CAM] = {.axes = 2,
                   .axis = {AXIS(cam_entries), AXIS(cam_tag)},
                   .terms = associative_terms,
                   FIT(cam)},
};

/* ---- between the nodes ----------------------------------------------------------------------- */

/* The fitted node at or above nm, so that nm lies between it and the next. */
static size_t node_above(double nm)
{
    size_t node = 0;
    while (node < NODES - 2 && node_nm[node + 1] >= nm)
        node++;
    return node;
}

/* Where nm lies between a node and the next, in logarithms. */
static double log_share(size_t node, double nm)
{
    return log(node_nm[node] / nm) / log(node_nm[node] / node_nm[node + 1]);
}

/* On a straight line in logarithms. */
static double log_between(double high, double low, double share)
{
    return high > 0 && low > 0 ? pow(high, 1 - share) * pow(low, share) : 0;
}

/* CACTI interpolates device parameters linearly in nm, so leakage / nm is nearly linear between its
 * nodes but far from log-log (it peaks at 65 nm). Time and energy are close to log-log, and the
 * area in squares of the feature size hardly changes. */
static void blend(const double high[METRICS], const double low[METRICS], size_t node, double nm,
                  double found[METRICS])
{
    const double above = node_nm[node], under = node_nm[node + 1],
                 share = (above - nm) / (above - under), in_logs = log_share(node, nm);
    found[AREA] = (1 - share) * high[AREA] + share * low[AREA];
    found[LEAKAGE] = nm * ((1 - share) * high[LEAKAGE] / above + share * low[LEAKAGE] / under);
    found[TIME] = log_between(high[TIME], low[TIME], in_logs);
    found[ENERGY] = log_between(high[ENERGY], low[ENERGY], in_logs);
    found[LATE] = log_between(high[LATE], low[LATE], in_logs);
}

/* Outside the table the closed form carries a value on from the nearest place in it. What it says
 * of the width of a tag, which is no axis of an associative array, and of ways, which always lie in
 * the table, must not depend on the capacity, or the product might fall with it: the former is
 * asked of an array of this many entries, the latter not at all. */
enum { ENTRIES_ASKED = 64 };

static void carry_on(const struct fit *fit, size_t node, const double wanted[SHAPE],
                     const double nearest[SHAPE], double values[2][METRICS])
{
    double from[SHAPE], to[SHAPE];
    memcpy(from, nearest, sizeof from);
    memcpy(to, wanted, sizeof to);
    if (fit->terms == array_terms) {
        from[2] = to[2] = 1;
        carry(fit, node, to, from, values);
        return;
    }
    to[1] = from[1];
    carry(fit, node, to, from, values);
    to[0] = from[0] = ENTRIES_ASKED;
    to[1] = wanted[1];
    to[2] = from[2];
    carry(fit, node, to, from, values);
}

struct cacti_estimate cacti_estimate(const struct cacti_array *array, double nm)
{
    const struct fit *fit = &fits[array->kind];
    double at[AXES_MAX] = {0}, nearest[SHAPE] = {0}, found[METRICS] = {0},
           values[2][METRICS] = {{0}};
    double octaves = 0;
    fit->place(array->shape, at);
    for (size_t i = 0; i < fit->axes; i++) {
        const double clipped = clip(&fit->axis[i], at[i]);
        octaves += clipped == at[i] ? 0 : fabs(log2(at[i] / clipped));
        at[i] = clipped;
    }
    fit->shape(at, nearest);
    const struct corners corners = corners_around(fit, at);
    const size_t node = node_above(nm);
    for (size_t i = 0; i < 2; i++)
        at_node(fit, &corners, node + i, values[i]);
    carry_on(fit, node, array->shape, nearest, values);
    blend(values[0], values[1], node, nm, found);
    return (struct cacti_estimate){.area = found[AREA],
                                   .time = found[TIME],
                                   .energy = found[ENERGY],
                                   .leakage = found[LEAKAGE],
                                   .late = found[LATE],
                                   .octaves = octaves};
}

struct cacti_wire cacti_bank_wire(double nm)
{
    const size_t node = node_above(nm);
    const double share = log_share(node, nm);
    return (struct cacti_wire){
        .time = log_between(bank_wire_time[node], bank_wire_time[node + 1], share),
        .energy = log_between(bank_wire_energy[node], bank_wire_energy[node + 1], share)};
}

double cacti_bank_tree_area(double width, double banks)
{
    return bank_tree_area * width * width * log2(banks);
}
