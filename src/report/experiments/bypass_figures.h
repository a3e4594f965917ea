/* Rates and changes of the study of Jia et al. (explore/papers/bypass_study.h), and what the paper
 * says of its loads. The tables and the comparison with the paper take their numbers from here, so
 * that they agree. A figure is NaN if it was not run. */
#pragma once

#include "explore/papers/bypass_study.h"

struct bypass_rates {      /* shares of the accesses, loads and stores, as GPGPU-Sim counts */
    double misses, joined; /* joined: misses and accesses that join a line in flight */
    double fails, ipc;
};
struct bypass_rates bypass_rates_of(const struct bypass_result *result); /* NULL is allowed */

/* The design against the base of a change of the study, as ratios less 1; `misses` and `joined`
 * are differences of shares too. */
struct bypass_gain {
    struct bypass_rates base, design;
    double fails, ipc, misses_ratio, joined_ratio, misses_points, joined_points;
};
struct bypass_gain bypass_gain_of(const struct bypass_study *study, size_t subject, size_t change);

/* ---- loads ---- */

enum bypass_sign { SIGN_NONE, SIGN_FALLS, SIGN_RISES };

struct bypass_paper_load {
    uint32_t pc;           /* the paper's; in PTX of 8 bytes an instruction, three a load */
    enum bypass_sign sign; /* of its miss rate under the design; NONE: the text does not say */
    bool bypassed;         /* by the design */
};
/* What the paper says of a load of its programs, from 1; pc is 0 where its place is not known. */
struct bypass_paper_load bypass_paper_load(size_t program, unsigned load);
unsigned bypass_load_count(size_t program);
const char *bypass_sign_name(enum bypass_sign sign);

typedef bool bypass_test(const struct pc_count *load, unsigned threshold);
/* Whether the evicted lines and their hits, summed over the L1Ds, speak for a bypass. */
bool bypass_in_sum(const struct pc_count *load, unsigned threshold);
/* Whether most of the L1Ds in which it missed bypassed it, counted launch by launch. */
bool bypass_by_most(const struct pc_count *load, unsigned threshold);
/* The loads of a change's design for which `test` holds: "1, 5, 10". Returns `text` of `size`
 * bytes. */
const char *bypass_loads_text(const struct bypass_study *study, size_t subject, size_t change,
                              bypass_test *test, char *text, size_t size);
/* For how many loads `test` holds of which the paper says so, and for how many others. */
void bypass_compare_loads(const struct bypass_study *study, size_t subject, size_t change,
                          bypass_test *test, size_t *agree, size_t *others);
/* How the miss rates of the loads change, in points, of which the paper has a sign: "0x1d0 -0.50,
 * ..."; returns of how many. *holds: how many have that sign. */
size_t bypass_signs_text(const struct bypass_study *study, size_t subject, size_t change,
                         size_t *holds, char *text, size_t size);
/* The miss rate of a load; NaN: it was not run. */
double bypass_load_misses(const struct bypass_result *result, unsigned load);
