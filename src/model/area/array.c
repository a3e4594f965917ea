#include "model/area/array.h"

#include <math.h>
#include <stddef.h>

#include "model/area/cacti.h"

/* Below 22 nm a bit cell no longer has 146 F^2 of the drawn feature size. Real cells in um2 (16 to
 * 5 nm: as collected by WikiChip; 12 nm: that of 16 nm; 3 nm: N3B), with the 15 % that assist
 * circuits add. The first row is CACTI's own cell, so that the estimate is continuous. */
struct bit_cell {
    double nm, um2;
};
static const struct bit_cell bit_cells[] = {
    {22, 146 * 0.022 * 0.022}, {16, 0.074 * 1.15}, {14, 0.064 * 1.15}, {12, 0.074 * 1.15},
    {10, 0.042 * 1.15},        {7, 0.027 * 1.15},  {5, 0.021 * 1.15},  {3, 0.0199 * 1.15}};
enum { BIT_CELLS = sizeof bit_cells / sizeof *bit_cells };

/* The area of a flip-flop with its share of the read multiplexer, in bit cells (two open cell
 * libraries give 25 and 27), and the factor for a bit that is searched. */
static const double flop_cells = 25, flop_search = 1.35;

/* Interpolates on a straight line in log-log space through (x0, y0) and (x1, y1). */
static double log_between(double x, double x0, double y0, double x1, double y1)
{
    return exp(log(y0) + (log(y1) - log(y0)) * log(x / x0) / log(x1 / x0));
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
double array_time_factor(double nm)
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

/* What CACTI says, in SI units and carried below its last node. */
static struct array_estimate array_finish(const struct cacti_estimate *cacti, double bits,
                                          double nm)
{
    double feature = effective_feature(nm) / 1000;
    struct array_estimate estimate = {.area = 1e-6 * feature * feature * cacti->area,
                                      .time = 1e-9 * cacti->time,
                                      .energy = 1e-9 * cacti->energy,
                                      .leakage = 1e-3 * cacti->leakage,
                                      .octaves = cacti->octaves,
                                      .basis =
                                          cacti->octaves > 0 ? ARRAY_CLOSED_FORM : ARRAY_TABLE};
    if (nm < CACTI_LAST_NODE) {
        estimate.time *= array_time_factor(nm);
        estimate.energy *= energy_factor(bits, nm);
        estimate.leakage *= leakage_factor(nm);
        estimate.basis = ARRAY_EXTRAPOLATED;
    }
    return estimate;
}

/* Nobody compiles an SRAM for an array of so few bits, or of so few words that are read by number,
 * however wide they are, and CACTI was not run for any. Its area is that of flip-flops if they are
 * smaller. */
enum { FLOP_BITS = 4096, FLOP_WORDS = 8 };

static void consider_flops(struct array_estimate *estimate, double words, double plain,
                           double searched, double x, double nm)
{
    if (plain + searched > FLOP_BITS && words > FLOP_WORDS)
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

static struct cacti_estimate array_ask(enum cacti_kind kind, double a, double b, double c, double d,
                                       double nm)
{
    const struct cacti_array array = {.kind = kind, .shape = {a, b, c, d}};
    return cacti_estimate(&array, fmax(nm, CACTI_LAST_NODE));
}

/* ---- the kinds of arrays --------------------------------------------------------------------- */

struct array_estimate ram_estimate(double bits, double width, double extra_ports, double nm)
{
    const struct cacti_estimate ram =
        array_ask(CACTI_DATA, bits, fmin(width, bits), 1, extra_ports, nm);
    struct array_estimate estimate = array_finish(&ram, bits, nm);
    consider_flops(&estimate, bits / width, bits, 0, extra_ports, nm);
    return estimate;
}

struct array_estimate cam_estimate(double entries, double tag, double nm)
{
    const struct cacti_estimate searched =
        array_ask(CACTI_CAM, entries, 8 * ceil(tag / 8), 0, 0, nm);
    struct array_estimate estimate = array_finish(&searched, entries * tag, nm);
    consider_flops(&estimate, INFINITY, 0, entries * tag, 0, nm);
    return estimate;
}

/* The tags of CACTI's associative arrays have 40 bits or more, with drivers and buses for as many.
 * Up to here an array is no slower than a CAM and the word that it selects. */
enum { NARROW_TAG = 32 };

/* CACTI rounds the tag up to four bits, and that of a CAM to a byte. */
struct array_estimate associative_estimate(double entries, double tag, double payload, double nm)
{
    const struct cacti_estimate searched =
        array_ask(CACTI_FA, entries, 4 * ceil(tag / 4), payload, 0, nm);
    struct array_estimate estimate = array_finish(&searched, entries * (tag + payload), nm);
    consider_flops(&estimate, INFINITY, entries * payload, entries * tag, 0, nm);
    if (tag <= NARROW_TAG) {
        const struct array_estimate match = cam_estimate(entries, tag, nm),
                                    read = ram_estimate(entries * payload, payload, 0, nm);
        estimate.time = fmin(estimate.time, match.time + read.time);
        estimate.energy = fmin(estimate.energy, match.energy + read.energy);
    }
    return estimate;
}

/* Looks up the tags first and then reads one data way, so the times add up. */
static struct array_estimate sequential(struct array_estimate tags, struct array_estimate data)
{
    return (struct array_estimate){.area = tags.area + data.area,
                                   .time = tags.time + data.time,
                                   .energy = tags.energy + data.energy,
                                   .leakage = tags.leakage + data.leakage,
                                   .octaves = fmax(tags.octaves, data.octaves),
                                   .flops = data.flops,
                                   .basis = ARRAY_EXTRAPOLATED};
}

/* The most ways whose tags and data are read together; with more, and with one set, the tags select
 * one way first. */
enum { PARALLEL_WAYS = 16 };

static struct array_estimate one_bank(const struct cache_array *bank, double nm)
{
    const double x = bank->extra_ports, bits = bank->data_bits + bank->state_bits;
    if (bank->associative && bank->ways > 1)
        return sequential(cam_estimate(bank->entries, bank->state_width, nm),
                          ram_estimate(bank->data_bits, bank->output, x, nm));
    const bool tags_first = bank->ways > PARALLEL_WAYS;
    const double ways = tags_first ? 1 : bank->ways;
    const struct cacti_estimate data =
        array_ask(CACTI_DATA, bank->data_bits, bank->output, ways, x, nm);
    const struct cacti_estimate tags =
        array_ask(CACTI_TAG, bank->state_bits, bank->state_width, ways, x, nm);
    struct cacti_estimate both = {.area = data.area + tags.area,
                                  .time = tags_first ? tags.time + data.time
                                                     : fmax(data.time, tags.time + data.late),
                                  .energy = data.energy + tags.energy,
                                  .leakage = data.leakage + tags.leakage,
                                  .octaves = fmax(data.octaves, tags.octaves)};
    if (tags_first) /* a set's tags are compared like a CAM's, not read as one long word */
        both.energy =
            data.energy +
            array_ask(CACTI_CAM, bank->ways, 8 * ceil(bank->state_width / 8), 0, 0, nm).energy;
    struct array_estimate estimate = array_finish(&both, bits, nm);
    if (tags_first)
        estimate.basis = ARRAY_EXTRAPOLATED;
    consider_flops(&estimate, bank->data_bits / bank->output, bits, 0, x, nm);
    return estimate;
}

/* A tree of wires leads from the edge of a cache to its banks: as long as the side of all banks is
 * longer than that of one. */
struct array_estimate cache_estimate(const struct cache_array *cache, double nm)
{
    struct array_estimate all = one_bank(cache, nm);
    if (cache->banks <= 1)
        return all;
    const double fitted = fmax(nm, CACTI_LAST_NODE), feature = effective_feature(nm) / 1000;
    const double one_side = sqrt(all.area);
    all.area = cache->banks * all.area +
               1e-6 * feature * feature * cacti_bank_tree_area(cache->output, cache->banks);
    all.leakage *= cache->banks;
    const struct cacti_wire wire = cacti_bank_wire(fitted);
    const double length = 1000 * (sqrt(all.area) - one_side); /* um */
    all.time += 1e-9 * wire.time * length;
    all.energy += 1e-9 * wire.energy * length * cache->output;
    return all;
}
