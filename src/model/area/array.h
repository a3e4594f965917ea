/* Area, access time, energy of one access and leakage of the memory arrays that structures consist
 * of, at any node: CACTI 7 (cacti.h) from 90 to 22 nm, scaled by published measurements below.
 * Arrays so small that nobody would compile an SRAM for them take the area of flip-flops.
 *
 * Invariant: area and leakage never fall when an array gets more bits, except where it becomes
 * another kind of array (docs/AREA.md). Pure arithmetic. */
#pragma once

#include <stdbool.h>

/* What an estimate rests on, the firmest first. */
enum array_basis {
    ARRAY_TABLE,       /* runs of CACTI around it */
    ARRAY_CLOSED_FORM, /* the nearest runs, carried on by a closed form */
    ARRAY_EXTRAPOLATED /* a node that CACTI does not have, or a composition of arrays that it
                          refuses */
};

struct array_estimate {
    double area;    /* mm2 */
    double time;    /* s */
    double energy;  /* J, one read or search */
    double leakage; /* W */
    double octaves; /* how far beyond the runs of CACTI; 0: between them */
    bool flops;     /* the area is that of flip-flops, which is smaller */
    enum array_basis basis;
};

/* A cache of equal banks, one of which serves an access: a data array, and a tag array that also
 * holds valid, dirty and replacement bits. */
struct cache_array {
    double banks;
    /* Of one bank: */
    double data_bits;
    double state_bits;  /* all bits of the tag array */
    double state_width; /* bits read per way */
    double output;      /* data bits read per way and access */
    double ways;        /* read in parallel; above 16, tags first and then one data way */
    double extra_ports; /* ports besides the first */
    bool associative;   /* one set: the tags are a CAM */
    double entries;     /* number of lines; used if associative */
};

/* nm: feature size, from 3 to 90. Area and leakage of all banks; time and energy of an access to
 * the farthest. */
struct array_estimate cache_estimate(const struct cache_array *cache, double nm);

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

/* Access times at a node below 22 nm over those at 22 nm. */
double array_time_factor(double nm);
