#include "model/area/band.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "model/area/array.h"
#include "model/area/cacti.h"

/* A little above the 95th percentiles of cacti_fit.py --unseen: between runs, and of the closed
 * form alone where arrays are put together that CACTI refuses. The area of a flip-flop is known
 * from two cell libraries. */
static const double errors[AREA_CONFIDENCES][AREA_MEASURES] = {
    [AREA_TABLE] = {0.10, 0.18, 0.18, 0.10},
    [AREA_CLOSED_FORM] = {0.10, 0.18, 0.18, 0.10},
    [AREA_EXTRAPOLATED] = {0.22, 0.38, 0.64, 0.27},
    [AREA_FLOPS] = {0.08, 0.38, 0.64, 0.27},
};

/* By what factor a band widens with each octave beyond the runs (the same program: capacities above
 * 128 KiB from those below). */
static const double octave[AREA_MEASURES] = {1.2, 1.25, 1.35, 1.05};

/* Gate delays over those of 22 nm, by the polynomials of Stillmaker and Baas (2017). */
static const struct {
    double nm, ratio;
} gate_delays[] = {{22, 1}, {16, 0.69}, {14, 0.49}, {10, 0.42}, {7, 0.35}};
enum { GATE_DELAYS = sizeof gate_delays / sizeof *gate_delays };

static double gate_delay(double nm)
{
    size_t i = 1;
    while (i < GATE_DELAYS - 1 && gate_delays[i].nm > nm)
        i++;
    const double from = gate_delays[i - 1].nm, to = gate_delays[i].nm,
                 share = log(fmax(nm, to) / from) / log(to / from);
    return pow(gate_delays[i - 1].ratio, 1 - share) * pow(gate_delays[i].ratio, share);
}

/* What is open below 22 nm, growing to its full width at 16 nm: a finished cache is 1.9 times its
 * macros (64 MiB at 7 nm), gates are as much faster as their scaling law says while wires are
 * not, energies are within a factor of 2, leakages of 10. */
static struct area_band below(double nm, enum area_measure measure)
{
    const double way = fmin(log(CACTI_LAST_NODE / nm) / log(CACTI_LAST_NODE / 16.0), 1);
    switch (measure) {
    case MEASURE_AREA:
        return (struct area_band){1, pow(1.9, way)};
    case MEASURE_TIME:
        return (struct area_band){gate_delay(nm) / array_time_factor(nm), 1};
    case MEASURE_ENERGY:
        return (struct area_band){pow(2, -way), pow(2, way)};
    default:
        return (struct area_band){pow(10, -way), pow(10, way)};
    }
}

struct area_band area_band(enum area_confidence confidence, double nm, double octaves,
                           enum area_measure measure)
{
    if (confidence >= AREA_FPGA)
        return (struct area_band){1, 1};
    const bool flops = confidence == AREA_FLOPS && measure == MEASURE_AREA;
    const double factor =
        (1 + errors[confidence][measure]) * (flops ? 1 : pow(octave[measure], octaves));
    const struct area_band band = {1 / factor, factor};
    if (nm >= CACTI_LAST_NODE)
        return band;
    const struct area_band node = below(nm, measure);
    return (struct area_band){band.low * node.low, band.high * node.high};
}
