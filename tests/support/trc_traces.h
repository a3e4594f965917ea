/* Generates the synthetic .trc traces that the published reuse-distance program was measured on.
 * They are byte for byte those of the generator that the reference results name, so they need not
 * be shipped. */
#pragma once

#include <stdio.h>

/* Writes the trace `name` ("gemmrow_s", "rand_1m", ...). Returns 0 if there is no such trace. */
int trc_trace_write(const char *name, FILE *out);
