/* One memory array: area, access time, energy of one access and leakage, as closed forms in its
 * geometry that are fitted to CACTI 7 (docs/MODELS.md, Area). Pure arithmetic; estimates never fall
 * when an array gets more bits. */
#pragma once

#include <stdbool.h>

struct array_estimate {
    double area;    /* mm2 */
    double time;    /* s */
    double energy;  /* J, one read or search */
    double leakage; /* W */
    bool flops;     /* the area is that of flip-flops, which is smaller here */
    bool outside;   /* the geometry is outside what was fitted */
};

/* A bank of a cache: data array and tag array (valid, dirty and replacement bits stand beside the
 * tags). */
struct cache_bank {
    double data_bits;
    double state_bits;  /* tag array */
    double state_width; /* bits read per way */
    double output;      /* data bits read per way and access */
    double ways;        /* read in parallel; above 16 the tags are read first, then one way */
    double extra_ports; /* ports besides the first */
    bool associative;   /* one set: the tags are searched */
    double entries;     /* where associative */
};

/* nm: feature size, from 3 to 90. */
struct array_estimate cache_bank_estimate(const struct cache_bank *bank, double nm);

/* A plain RAM of `bits`, read `width` at a time. */
struct array_estimate ram_estimate(double bits, double width, double extra_ports, double nm);

/* `entries` with a searched tag and a payload each, one port. */
struct array_estimate associative_estimate(double entries, double tag, double payload, double nm);

/* `entries` searched tags without payload. */
struct array_estimate cam_estimate(double entries, double tag, double nm);

/* The feature size, in nm, whose 146 F^2 is the bit cell of that node: nm itself down to 22 nm. */
double effective_feature(double nm);
