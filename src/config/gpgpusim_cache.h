/* The cache strings of gpgpusim.config:
 *     <type>:<sets>:<line>:<ways>,<replacement>:<write>:<allocate>:<write allocate>:<index>,
 *     <mshr>:<entries>:<merge>,<miss queue>[:<result fifo>[,<port>]] */
#pragma once

#include "base/diag.h"
#include "schema/parameters.h"

enum { CACHE_STRING = 160 };

/* Where messages point and what they call the cache. */
struct cache_context {
    struct diagnostics *diagnostics;
    const struct place *place; /* NULL when writing */
    const char *group;         /* "l1d" or "l2" */
};

/* Reads a string into machine->l1d or machine->l2; the size is that of one L1D or one L2 slice.
 * "none" switches the cache off. False: a diagnostic says why. */
bool cache_string_read(const struct cache_context *context, const char *text,
                       struct machine *machine);

/* The string of machine->l1d or machine->l2. False: a diagnostic says what cannot be expressed. */
bool cache_string_write(const struct cache_context *context, const struct machine *machine,
                        char text[CACHE_STRING]);
