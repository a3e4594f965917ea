/* The `search` of a study, from YAML and back: a name, or a name with its parameters. */
#pragma once

#include <stdio.h>

#include "config/document.h"
#include "schema/search_methods.h"

/* Reads the search from `node` and reports errors at their places. */
void study_search_read(const struct document *document, const struct node *node,
                       struct search *search, struct diagnostics *diagnostics);

/* Writes the key with the parameters that differ from their defaults; nothing if nobody chose a
 * search. */
void study_search_write(const struct search *search, FILE *out);
