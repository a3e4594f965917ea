/* Which lines of a text another does not have: those outside of a longest common subsequence of
 * lines. Costs the product of both numbers of lines, after what both texts begin and end with;
 * where that is too many, all lines between count as changed. */
#pragma once

#include <stdbool.h>

/* One for each line of `now`, malloc'ed; NULL: no memory. */
bool *changed_lines(const char *before, const char *now);
