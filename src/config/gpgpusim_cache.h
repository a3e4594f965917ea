/* The cache strings of gpgpusim.config, read and written:
 *
 *     <type>:<sets>:<line>:<ways>,<replacement>:<write>:<allocate>:<write allocate>:<index>,
 *     <mshr>:<entries>:<merge>,<miss queue>[:<result fifo>[,<port>]] */
#pragma once

#include <stdio.h>

#include "base/diag.h"
#include "schema/parameters.h"

enum { CACHE_STRING = 160 };

/* What messages point at and what they call the cache. */
struct cache_context {
    struct diagnostics *diagnostics;
    const struct place *place; /* NULL when writing */
    const char *group;         /* "l1d", "l2" or "l1i" */
};

/* Reads a string into machine->l1d or machine->l2. The size becomes that of one L1D or one L2
 * slice. "none" switches the cache off. False after an error, which has been reported. */
bool cache_string_read(const struct cache_context *context, const char *text,
                       struct machine *machine);

/* Writes the string of machine->l1d or machine->l2. False after reporting what cannot be
 * expressed. */
bool cache_string_write(const struct cache_context *context, const struct machine *machine,
                        char text[CACHE_STRING]);

/* The same of the instruction cache, machine->l1i, of which only the geometry and the limits are
 * modelled. */
bool instruction_string_read(const struct cache_context *context, const char *text,
                             struct machine *machine);
void instruction_string_write(const struct machine *machine, FILE *out);
