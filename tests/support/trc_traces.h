/* The synthetic .trc traces that the published reuse-distance program was measured on, made anew:
 * byte for byte those of the generator that the reference results name. */
#pragma once

#include <stdio.h>

/* Writes the trace `name` ("gemmrow_s", "rand_1m", ...). False: there is no such trace. */
int trc_trace_write(const char *name, FILE *out);
