/* What CACTI 7 says of one memory array: area, access time, read energy and leakage.
 *
 * Two layers, both made from about 11,000 of its runs by cacti_fit.py (docs/ACCURACY.md has the
 * errors). Inside a box of geometries a table of the runs themselves, linear between its points;
 * outside it what the table says at the nearest place of the box, times the ratio between a closed
 * form here and there. So nothing jumps at the edge.
 *
 * Invariant: area and leakage never fall when an array gets more bits. The table ascends with them,
 * and the closed form has only terms that do, with non-negative coefficients. Where CACTI chooses
 * other rows and columns, its times and energies fall, and so do those of the table.
 *
 * Cost: half a microsecond at most, without allocation or state. */
#pragma once

enum cacti_kind {
    CACTI_DATA, /* a RAM, or the data array of a cache, all of whose ways are read */
    CACTI_TAG,  /* the tags of a cache, with their comparators */
    CACTI_FA,   /* searched tags that each select a payload; one port */
    CACTI_CAM   /* searched tags alone; one port */
};

struct cacti_array {
    enum cacti_kind kind;
    /* CACTI_DATA and CACTI_TAG: bits in all, bits read of each way, ways (1 to 16), ports beyond
     * the first (0 to 3). CACTI_FA and CACTI_CAM: entries, bits of a tag, bits of a payload. */
    double shape[4];
};

struct cacti_estimate {
    double area;    /* squares of the feature size */
    double time;    /* ns from the address to the data, or to the match */
    double energy;  /* nJ of a read or search */
    double leakage; /* mW at 350 K */
    double late;    /* ns of `time` that come after the ways are selected; CACTI_DATA only */
    double octaves; /* how far beyond the table, along all its axes; 0: within */
};

enum { CACTI_LAST_NODE = 22, CACTI_FIRST_NODE = 90 }; /* nm */

/* nm: from CACTI_LAST_NODE to CACTI_FIRST_NODE. */
struct cacti_estimate cacti_estimate(const struct cacti_array *array, double nm);

/* The wires that lead to the banks of a cache and back. */
struct cacti_wire {
    double time;   /* ns a um */
    double energy; /* nJ a um and bit */
};

struct cacti_wire cacti_bank_wire(double nm);

/* Squares of the feature size that the wires take between `banks` banks which deliver `width` bits.
 */
double cacti_bank_tree_area(double width, double banks);
