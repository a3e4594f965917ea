/* A line of comma-separated values, cut into cells in place. Quotes may hold separators, and two of
 * them inside of quotes are one (RFC 4180); a quoted cell does not continue on the next line. */
#pragma once

#include <stddef.h>

/* Returns the number of cells, or `most` + 1 if there are more. `separator` is ',' or ';'. */
size_t csv_line_cut(char *line, char separator, char **cells, size_t most);
