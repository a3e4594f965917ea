/* The table of the options that gpgpusim.c reads and writes: one row per option. */
#pragma once

#include <stdio.h>

#include "base/diag.h"
#include "schema/parameters.h"

/* The state of reading a file. Values that several options determine together wait here until all
 * options are read. */
struct gpgpusim_reader {
    const char *text, *name;
    size_t size;
    struct machine *machine;
    struct diagnostics *diagnostics;
    struct place place; /* of the current option */
    uint64_t clusters, cores, channels;
    bool adaptive;
    uint64_t unified; /* KiB */
    struct sizes carveouts;
    char *unknown; /* the names of options that are not modelled, each after ", " */
    size_t unknown_size, unknown_capacity, unknown_count;
};

/* `path` is the parameter of an option that is a plain number (then `read` and `write` are NULL).
 * For other options it is the parameter that broken rules blame; a path that ends with a dot means
 * its whole group. */
struct gpgpusim_option {
    const char *heading; /* a comment to write above, or NULL */
    const char *name, *path;
    void (*read)(struct gpgpusim_reader *reader, const char *text);
    void (*write)(FILE *out, const struct machine *machine);
    bool (*written)(const struct machine *machine); /* NULL: always */
};

enum { GPGPUSIM_OPTIONS = 26 };

extern const struct gpgpusim_option
    gpgpusim_options[GPGPUSIM_OPTIONS]; /* in the order of writing */

/* Reports an error at the current option. Returns false. */
__attribute__((format(printf, 2, 3))) bool gpgpusim_refuse(struct gpgpusim_reader *reader,
                                                           const char *format, ...);

/* Reads an option that is exactly one parameter; the range of the parameter applies. */
void gpgpusim_read_parameter(struct gpgpusim_reader *reader, const char *path, const char *text);
