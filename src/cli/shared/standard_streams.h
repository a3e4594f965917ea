/* Standard output and error as streams that print nothing which a terminal would obey: whatever a
 * command prints, names of files and what stands in them included, is escaped on its way out
 * (base/printable.h), so that no printf has to think of it. Cost: a look at every byte. */
#pragma once

#include <stdio.h>

/* Puts such streams in the place of stdout and stderr; without memory these stay as they are. */
void standard_streams_guard(void);

/* Writes a sequence of ours that a terminal is meant to obey, behind what was printed to `stream`
 * (stdout or stderr). */
void standard_streams_control(FILE *stream, const char *sequence);
