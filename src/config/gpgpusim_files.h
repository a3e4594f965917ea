/* The files beside a gpgpusim.config: trace.config, and that of its network. */
#pragma once

#include "base/diag.h"

/* Reads the file called `name` in the folder of the file `path`, or at `name` itself if that is
 * absolute. *found becomes its path, and *text its text, both malloc'ed; *text is NULL if there is
 * no such regular file. */
enum status gpgpusim_read_neighbour(const char *path, const char *name, char **found, char **text);
