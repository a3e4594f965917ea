/* Between what factors of an estimate the truth lies, as far as anybody knows: 95 of 100 runs of
 * CACTI within the box of its table, more with every octave outside it, and below its last node
 * what published measurements and scaling laws leave open. CACTI itself may be off from silicon
 * (docs/AREA.md). Pure arithmetic. */
#pragma once

/* What an estimate rests on, the firmest first (area_confidence_help says more). */
enum area_confidence {
    AREA_TABLE,        /* runs of CACTI around it */
    AREA_CLOSED_FORM,  /* the nearest runs, carried on by a closed form */
    AREA_EXTRAPOLATED, /* a node that CACTI does not have, or a composition of arrays that it
                          refuses */
    AREA_FLOPS,        /* most of its arrays are so small that flip-flops are smaller */
    AREA_FPGA,         /* primitives of an FPGA, which are counted and not measured in mm2 */
    AREA_EXACT,        /* bits, and what is counted from them */
    AREA_CONFIDENCES
};

enum area_measure { MEASURE_AREA, MEASURE_TIME, MEASURE_ENERGY, MEASURE_LEAKAGE, AREA_MEASURES };

struct area_band { /* factors of the estimate; both 1 where it is exact */
    double low, high;
};

/* octaves: how far the array lies beyond the runs of CACTI (struct array_estimate). */
struct area_band area_band(enum area_confidence confidence, double nm, double octaves,
                           enum area_measure measure);
