/* The options that choose how a sweep searches its space: --search, --points, --seed, --prune
 * and --verify-bounds. They replace what the study says. */
#pragma once

#include "base/diag.h"
#include "schema/study.h"

struct search_arguments {
    const char *search, *points, *seed;
    bool prune, verify_bounds;
};

/* Their rows for the table of a command. */
#define OPTIONS_SEARCH(arguments_)                                                                 \
    {"search",                                                                                     \
     0,                                                                                            \
     "SEARCH[:KEY=VALUE,...]",                                                                     \
     "how to explore: exhaustive, random, latin_hypercube, nsga2, halving or walk (default: the "  \
     "study's)",                                                                                   \
     option_text,                                                                                  \
     &(arguments_)->search,                                                                        \
     NULL},                                                                                        \
        {"points",    0,                                                                           \
         "COUNT",     "maximum number of points that the search evaluates",                        \
         option_text, &(arguments_)->points,                                                       \
         NULL},                                                                                    \
        {"seed",      0,                                                                           \
         "NUMBER",    "seed of what a search decides by chance (default: the study's)",            \
         option_text, &(arguments_)->seed,                                                         \
         NULL},                                                                                    \
        {"prune",     0,                                                                           \
         NULL,        "exhaustive: skip points that a proved bound keeps out of the front",        \
         option_flag, &(arguments_)->prune,                                                        \
         NULL},                                                                                    \
    {                                                                                              \
        "verify-bounds", 0, NULL, "simulate one in a hundred of the skipped points and compare",   \
            option_flag, &(arguments_)->verify_bounds, NULL                                        \
    }

/* Applies the options to the study. An illegal value is an error that names the option. */
enum status search_options_apply(const struct search_arguments *arguments, struct study *study,
                                 struct diagnostics *diagnostics);
