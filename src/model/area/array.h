/* Area, access time, energy of one access and leakage of one memory array, as closed forms in its
 * geometry that are fitted to CACTI 7 (docs/MODELS.md, Area). Between the five fitted nodes the
 * results are interpolated, below 22 nm they are scaled by published measurements.
 *
 * Invariant: estimates never fall when an array gets more bits, because all coefficients are
 * non-negative. Pure arithmetic, constant time. */
#pragma once

#include <stdbool.h>

struct array_estimate {
    double area;    /* mm2 */
    double time;    /* s */
    double energy;  /* J, one read or search */
    double leakage; /* W */
    bool flops;     /* the area is that of flip-flops, which is smaller */
    bool outside;   /* the geometry or node is outside the fitted range */
};

/* One bank of a cache: a data array, and a tag array that also holds valid, dirty and replacement
 * bits. */
struct cache_bank {
    double data_bits;
    double state_bits;  /* all bits of the tag array */
    double state_width; /* bits read per way */
    double output;      /* data bits read per way and access */
    double ways;        /* read in parallel; above 16, tags first and then one data way */
    double extra_ports; /* ports besides the first */
    bool associative;   /* one set: the tags are a CAM */
    double entries;     /* number of lines; used if associative */
};

/* nm: feature size, from 3 to 90. */
struct array_estimate cache_bank_estimate(const struct cache_bank *bank, double nm);

/* A plain RAM of `bits` bits that reads `width` bits per access. */
struct array_estimate ram_estimate(double bits, double width, double extra_ports, double nm);

/* A fully associative array: `entries` entries, each with a searched tag and a payload (in bits);
 * one port. */
struct array_estimate associative_estimate(double entries, double tag, double payload, double nm);

/* A CAM: `entries` searched tags of `tag` bits without payload. */
struct array_estimate cam_estimate(double entries, double tag, double nm);

/* The feature size, in nm, at which 146 F^2 is the bit cell of this node. Down to 22 nm that is nm
 * itself. */
double effective_feature(double nm);
