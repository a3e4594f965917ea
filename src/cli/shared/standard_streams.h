/* Standard output and error that never send a control sequence to the terminal by accident. Names
 * of files, kernels and parameters may contain escape sequences; everything a command prints is
 * escaped on its way out (base/printable.h), so no printf has to think of it.
 *
 * Cost: a look at every byte, and a copy of it. */
#pragma once

#include <stdio.h>

/* Replaces stdout and stderr by such streams. If memory is short, they stay as they are. */
void standard_streams_guard(void);

/* Flushes `stream` (stdout or stderr) and sends a control sequence to the terminal unescaped. */
void standard_streams_control(FILE *stream, const char *sequence);
