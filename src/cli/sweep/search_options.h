/* The options of a sweep that choose its search. */
#pragma once

#include <argp.h>

#include "base/diag.h"
#include "schema/study.h"

struct search_arguments {
    const char *search, *points;
    bool prune, verify_bounds;
};

/* A child of a command's parser; its input is a struct search_arguments. */
extern const struct argp search_argp;

/* Puts them over what the study says. */
enum status search_options_apply(const struct search_arguments *arguments, struct study *study,
                                 struct diagnostics *diagnostics);
