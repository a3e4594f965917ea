/* Searches on a table (explore/search/truth_table.h): rows are chosen one after the other, each
 * once, knowing the objectives of those chosen before and the digits of all.
 *
 * random and latin_hypercube know nothing; nsga2 breeds, and takes the row nearest to a child; walk
 * begins with a tenth by chance and goes on in rounds (explore/search/guesses.h).
 *
 * Invariant: what is chosen depends on table, method and seed alone. Cost of walk: a guess of every
 * row for each round; of nsga2 a comparison with every row for each child. */
#pragma once

#include "explore/search/truth_table.h"

/* X(CONSTANT, "name") */
#define ROW_SEARCH_LIST(X)                                                                         \
    X(ROW_RANDOM, "random")                                                                        \
    X(ROW_LATIN, "latin_hypercube")                                                                \
    X(ROW_NSGA2, "nsga2")                                                                          \
    X(ROW_WALK, "walk")
#define ROW_SEARCH_ENUM(constant, name) constant,
enum row_search { ROW_SEARCH_LIST(ROW_SEARCH_ENUM) ROW_SEARCHES };
#undef ROW_SEARCH_ENUM
extern const char *const row_search_names[ROW_SEARCHES];

/* Chooses `count` rows, which is at most all of them, into `chosen`. */
enum status row_search_run(const struct truth_table *table, enum row_search method, uint64_t seed,
                           size_t count, size_t *chosen);
