/* The `search` of a study, from YAML and back: a name, or a name and its parameters. */
#pragma once

#include <stdio.h>

#include "config/document.h"
#include "schema/search.h"

/* What is wrong is a diagnostic at its place. */
void study_search_read(const struct document *document, const struct node *node,
                       struct search *search, struct diagnostics *diagnostics);

/* The key with what differs from the defaults; nothing for a search that nobody chose. */
void study_search_write(const struct search *search, FILE *out);
