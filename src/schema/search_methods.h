/* How a study explores its space: the searches, and the one table of their parameters. YAML,
 * `--search`, the manual and the rules for resuming a sweep read it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "schema/parameters.h"

/* X(CONSTANT, "name", "help") */
#define SEARCH_LIST(X)                                                                             \
    X(SEARCH_EXHAUSTIVE, "exhaustive", "every legal point; the answer is exact")                   \
    X(SEARCH_RANDOM, "random", "random legal points, without repetition")                          \
    X(SEARCH_LATIN_HYPERCUBE, "latin_hypercube",                                                   \
      "a sample spread evenly over the values of every axis")                                      \
    X(SEARCH_NSGA2, "nsga2", "a population that evolves towards the Pareto front")                 \
    X(SEARCH_HALVING, "halving",                                                                   \
      "every point on windows of its workload, those near the front in full")                      \
    X(SEARCH_WALK, "walk", "machines whose guessed objectives go furthest beyond the front")

enum search_method { SEARCH_LIST(FAMILY_ENUM) };
enum { SEARCH_COUNT = 0 SEARCH_LIST(FAMILY_COUNT) };

extern const struct choice search_table[SEARCH_COUNT];

struct search {
    int method;  /* enum search_method */
    bool chosen; /* set by the study or the user rather than by default */
    uint64_t prune, verify_bounds;
    uint64_t points;
    uint64_t population, evaluations, patience, front;
    double crossover, mutation;
    double share, slack;
};

/* A parameter of one or more searches. */
struct search_parameter {
    const char *name;
    enum parameter_type type; /* BOOL and UINT: uint64_t, REAL: double */
    enum unit unit;
    double min, max, fallback;
    unsigned methods; /* a mask of 1 << enum search_method */
    size_t offset;    /* of the field in struct search */
    const char *help;
};

extern const struct search_parameter search_parameter_table[];
extern const size_t search_parameter_count;

static inline bool search_has(int method, const struct search_parameter *parameter)
{
    return parameter->methods >> method & 1;
}

/* Exhaustive, with every parameter at its fallback. */
void search_defaults(struct search *search);

/* Sets a parameter of search->method from text. STATUS_INVALID if the method has no such parameter
 * or the value is out of range; `why` says what was expected. */
enum status search_set(struct search *search, const char *name, const char *text,
                       char why[VALUE_TEXT]);

/* Parses "nsga2" or "nsga2:population=50,evaluations=1000" and makes it the chosen search.
 * Parameters keep their values if the same search was already chosen. STATUS_INVALID explains
 * itself in `why`. */
enum status search_parse(const char *text, struct search *search, char why[VALUE_TEXT]);

/* Prints the value of a parameter as text that search_set reads back. Returns `text`. */
const char *search_print(const struct search *search, const struct search_parameter *parameter,
                         char text[VALUE_TEXT]);
