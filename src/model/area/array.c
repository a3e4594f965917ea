#include "model/area/array.h"

#include <math.h>
#include <stddef.h>

#include "model/area/coefficients.h"

/* Results of the forms that are fitted per node, in ns, nJ and mW. */
struct measures {
    double time, energy, leak;
};

/* Inputs of the forms for caches and RAMs. Numbers of bits, except the area. */
struct shape {
    const double (*time)[TIME_TERMS], (*energy)[ENERGY_TERMS], (*leak)[LEAK_TERMS];
    double data_bits, all_bits, output, ways, ports;
    double area; /* in F^2 */
};

struct fa_shape {
    const double (*time)[FA_TIME_TERMS], (*energy)[FA_ENERGY_TERMS], (*leak)[FA_LEAK_TERMS];
    double entries, tag, payload;
    double area; /* in F^2 */
};

static double dot(const double *a, const double *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Area of CACTI's bit cell with x extra ports, in F^2: each port widens the cell in both
 * directions. */
static double cell_area(double x)
{
    return (10 + 5 * x) * (14.6 + 5 * x);
}

static double array_area(const double *terms, double bits, double width, double ways, double x)
{
    double cells = bits * cell_area(x), square = width * width;
    const double features[AREA_TERMS] = {cells,
                                         sqrt(cells),
                                         bits / width,
                                         square * ways,
                                         square * ways * x,
                                         square * ways * x * x,
                                         square * sqrt(ways),
                                         width * ways * (1 + x),
                                         width * ways * width * ways};
    return dot(terms, features, AREA_TERMS);
}

static struct measures measure_array(const struct shape *shape, int node)
{
    double feature = node_nm[node] / 1000;
    double bits = shape->data_bits, width = shape->output, ways = shape->ways, x = shape->ports;
    double side = sqrt(shape->area) * feature;
    double millions = shape->all_bits / 1e6;
    const double time[TIME_TERMS] = {1, fmax(0, log2(bits) - 9), side, width * ways * feature,
                                     sqrt(shape->all_bits * cell_area(x)) * feature};
    const double energy[ENERGY_TERMS] = {width * side, width * ways,       width * ways * side,
                                         sqrt(bits),   sqrt(width * bits), width * width * ways,
                                         bits};
    const double leak[LEAK_TERMS] = {millions, millions * x, sqrt(millions), width * ways * x / 1e3,
                                     width * width * ways / 1e6};
    return (struct measures){dot(shape->time[node], time, TIME_TERMS),
                             dot(shape->energy[node], energy, ENERGY_TERMS),
                             dot(shape->leak[node], leak, LEAK_TERMS)};
}

static struct measures measure_fa(const struct fa_shape *shape, int node)
{
    double feature = node_nm[node] / 1000;
    double n = shape->entries, tag = shape->tag, payload = shape->payload;
    double side = sqrt(shape->area) * feature;
    const double time[FA_TIME_TERMS] = {1, log2(n), side};
    const double energy[FA_ENERGY_TERMS] = {1,    n,        n * tag * feature, payload * side,
                                            side, n * side, tag * side};
    const double leak[FA_LEAK_TERMS] = {1,       n,          tag, payload, payload * payload,
                                        n * tag, n * payload};
    return (struct measures){dot(shape->time[node], time, FA_TIME_TERMS),
                             dot(shape->energy[node], energy, FA_ENERGY_TERMS),
                             dot(shape->leak[node], leak, FA_LEAK_TERMS)};
}

/* ---- between the fitted nodes ---------------------------------------------------------------- */

/* Index of the fitted node at or above nm, so that nm lies between it and the next. */
static int node_above(double nm)
{
    int node = 0;
    while (node < NODES - 2 && node_nm[node + 1] >= nm)
        node++;
    return node;
}

/* Interpolates on a straight line in log-log space through (x0, y0) and (x1, y1). */
static double log_between(double x, double x0, double y0, double x1, double y1)
{
    return exp(log(y0) + (log(y1) - log(y0)) * log(x / x0) / log(x1 / x0));
}

/* CACTI interpolates device parameters linearly in nm, so leakage / nm is nearly linear between its
 * nodes but far from log-log (leakage peaks at 65 nm). Time and energy are close to log-log. */
static struct measures blend(struct measures high, struct measures low, int node, double nm)
{
    double above = node_nm[node], below = node_nm[node + 1];
    double share = (above - nm) / (above - below);
    return (struct measures){log_between(nm, above, high.time, below, low.time),
                             log_between(nm, above, high.energy, below, low.energy),
                             nm * ((1 - share) * high.leak / above + share * low.leak / below)};
}

/* ---- below 22 nm ------------------------------------------------------------------------------
 */

double effective_feature(double nm)
{
    if (nm >= bit_cells[0].nm)
        return nm;
    size_t i = 1;
    while (i < BIT_CELLS - 1 && bit_cells[i].nm > nm)
        i++;
    const struct bit_cell *above = &bit_cells[i - 1], *below = &bit_cells[i];
    double clamped = fmax(nm, below->nm);
    double um2 = log_between(clamped, above->nm, above->um2, below->nm, below->um2);
    return 1000 * sqrt(um2 / 146);
}

/* A 64-entry page-walk cache was measured at 147 ps at 16 nm, where CACTI says 86 ps at 22 nm.
 * Wires dominate, so time does not improve below 22 nm: it grows by that factor of 1.7 down to 16
 * nm and then stays. */
static double time_factor(double nm)
{
    return log_between(fmax(nm, 16), 22, 1, 16, 1.7);
}

/* Ratio of published 64-bit read energies at 7 nm to CACTI's at 22 nm, for 8 KiB, 32 KiB and 1 MiB;
 * interpolated log-log between sizes and nodes. */
static double energy_factor(double bits, double nm)
{
    double size = fmin(fmax(bits, 65536), 8388608);
    double factor = size < 262144 ? log_between(size, 65536, 5.0, 262144, 2.4)
                                  : log_between(size, 262144, 2.4, 8388608, 0.78);
    return log_between(fmax(nm, 7), 22, 1, 7, factor);
}

/* FinFETs leak about 0.79 of what the square root of the feature size predicts. Good to one digit
 * at best. */
static double leakage_factor(double nm)
{
    double finfet = log_between(fmax(nm, 16), 22, 1, 16, 0.79);
    return sqrt(nm / 22) * finfet;
}

static struct array_estimate finish(struct measures measures, double area, double bits, double nm)
{
    double feature = effective_feature(nm) / 1000;
    struct array_estimate estimate = {.area = 1e-6 * feature * feature * area,
                                      .time = 1e-9 * measures.time,
                                      .energy = 1e-9 * measures.energy,
                                      .leakage = 1e-3 * measures.leak};
    if (nm < 22) {
        estimate.time *= time_factor(nm);
        estimate.energy *= energy_factor(bits, nm);
        estimate.leakage *= leakage_factor(nm);
        estimate.outside = true;
    }
    return estimate;
}

/* Nobody compiles an SRAM for an array this small, and CACTI was not run for any. Its area is that
 * of flip-flops if they are smaller. */
enum { FLOP_BITS = 4096 };

static void consider_flops(struct array_estimate *estimate, double plain, double searched, double x,
                           double nm)
{
    if (plain + searched > FLOP_BITS)
        return;
    double feature = effective_feature(nm) / 1000;
    /* Each extra read port is one more multiplexer, about an eighth of the flip-flop. */
    double cells = flop_cells * (plain * (1 + x / 8) + searched * flop_search);
    double area = 1e-6 * feature * feature * 146 * cells;
    if (area >= estimate->area)
        return;
    estimate->area = area;
    estimate->flops = true;
}

static struct array_estimate estimate_shape(const struct shape *shape, double nm)
{
    double fitted = fmax(nm, 22);
    int node = node_above(fitted);
    struct measures measures =
        blend(measure_array(shape, node), measure_array(shape, node + 1), node, fitted);
    return finish(measures, shape->area, shape->all_bits, nm);
}

static struct array_estimate estimate_fa(const struct fa_shape *shape, double nm)
{
    double fitted = fmax(nm, 22);
    int node = node_above(fitted);
    struct measures measures =
        blend(measure_fa(shape, node), measure_fa(shape, node + 1), node, fitted);
    return finish(measures, shape->area, shape->entries * (shape->tag + shape->payload), nm);
}

/* ---- the kinds of arrays ----------------------------------------------------------------------
 */

struct array_estimate ram_estimate(double bits, double width, double extra_ports, double nm)
{
    width = fmin(width, bits);
    struct shape shape = {.time = ram_time,
                          .energy = ram_energy,
                          .leak = ram_leak,
                          .data_bits = bits,
                          .all_bits = bits,
                          .output = width,
                          .ways = 1,
                          .ports = extra_ports,
                          .area = array_area(ram_area, bits, width, 1, extra_ports)};
    struct array_estimate estimate = estimate_shape(&shape, nm);
    estimate.outside |= bits < 512 || bits > 8.0 * (4 << 20) || width > 1024 || bits / width < 32;
    consider_flops(&estimate, bits, 0, extra_ports, nm);
    return estimate;
}

struct array_estimate associative_estimate(double entries, double tag, double payload, double nm)
{
    double rounded = 4 * ceil(tag / 4);
    double cam = entries * rounded * 292, ram = entries * payload * 146;
    const double features[FA_AREA_TERMS] = {
        cam, ram, entries, payload * payload, payload + rounded, sqrt(cam + ram)};
    double area = dot(fa_area_small, features, FA_AREA_TERMS);
    if (entries > 128)
        area = fmax(area, dot(fa_area_large, features, FA_AREA_TERMS));
    struct fa_shape shape = {.time = fa_time,
                             .energy = fa_energy,
                             .leak = fa_leak,
                             .entries = entries,
                             .tag = rounded,
                             .payload = payload,
                             .area = area};
    struct array_estimate estimate = estimate_fa(&shape, nm);
    estimate.outside |= entries < 2 || entries > 128 || payload < 64 || payload > 2048;
    consider_flops(&estimate, entries * payload, entries * tag, 0, nm);
    return estimate;
}

struct array_estimate cam_estimate(double entries, double tag, double nm)
{
    double rounded = 8 * ceil(tag / 8);
    const double features[CAM_AREA_TERMS] = {entries * rounded * 292, entries, rounded * rounded,
                                             rounded, 1};
    struct fa_shape shape = {.time = cam_time,
                             .energy = cam_energy,
                             .leak = cam_leak,
                             .entries = entries,
                             .tag = rounded,
                             .area = dot(cam_area, features, CAM_AREA_TERMS)};
    struct array_estimate estimate = estimate_fa(&shape, nm);
    estimate.outside |= entries < 2 || entries > 1024 || entries * rounded < 512;
    consider_flops(&estimate, 0, entries * tag, 0, nm);
    return estimate;
}

/* Looks up the tags first and then reads one data way, so the times add up. */
static struct array_estimate sequential(struct array_estimate tags, struct array_estimate data)
{
    return (struct array_estimate){.area = tags.area + data.area,
                                   .time = tags.time + data.time,
                                   .energy = tags.energy + data.energy,
                                   .leakage = tags.leakage + data.leakage,
                                   .flops = data.flops,
                                   .outside = true};
}

struct array_estimate cache_bank_estimate(const struct cache_bank *bank, double nm)
{
    double x = bank->extra_ports;
    if (bank->associative && bank->ways > 1)
        return sequential(cam_estimate(bank->entries, bank->state_width, nm),
                          ram_estimate(bank->data_bits, bank->output, x, nm));
    if (bank->ways > 16) {
        struct array_estimate tags = ram_estimate(bank->state_bits, bank->state_width, x, nm);
        /* The tags of a set are compared as a CAM does it, not read as one word that is `ways` tags
         * wide. */
        tags.energy = cam_estimate(bank->ways, bank->state_width, nm).energy;
        struct cache_bank data = *bank;
        data.ways = 1;
        struct array_estimate all = cache_bank_estimate(&data, nm);
        all.time += tags.time;
        all.energy += tags.energy;
        all.outside = true;
        return all;
    }
    double data = array_area(data_area, bank->data_bits, bank->output, bank->ways, x);
    double tags = array_area(tag_area, bank->state_bits, bank->state_width, 1, x);
    struct shape shape = {.time = cache_time,
                          .energy = cache_energy,
                          .leak = cache_leak,
                          .data_bits = bank->data_bits,
                          .all_bits = bank->data_bits + bank->state_bits,
                          .output = bank->output,
                          .ways = bank->ways,
                          .ports = x,
                          .area = data + tags};
    struct array_estimate estimate = estimate_shape(&shape, nm);
    estimate.outside |= bank->data_bits < 8192 || bank->data_bits > 8.0 * (4 << 20) ||
                        bank->output < 64 || bank->output > 1024;
    consider_flops(&estimate, shape.all_bits, 0, x, nm);
    return estimate;
}
