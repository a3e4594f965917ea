/* The table of the options that gpgpusim.c reads and writes: one row an option. */
#pragma once

#include <stdio.h>

#include "base/diag.h"
#include "schema/parameters.h"

/* What several options decide together is kept here until all are read. */
struct gpgpusim_reader {
    const char *text, *name;
    size_t size;
    struct machine *machine;
    struct diagnostics *diagnostics;
    struct place place; /* of the option at hand */
    uint64_t clusters, cores, channels;
    bool adaptive;
    uint64_t unified; /* KiB */
    struct sizes carveouts;
    char *unknown; /* the names of options that are not modelled, each behind ", " */
    size_t unknown_size, unknown_capacity, unknown_count;
};

/* `path` is the parameter of a plain number (no read, no write); for the others it is where broken
 * rules point, a whole group where it ends with a dot. */
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

/* An error at the option at hand; false. */
__attribute__((format(printf, 2, 3))) bool gpgpusim_refuse(struct gpgpusim_reader *reader,
                                                           const char *format, ...);

/* Reads the value of an option that is one parameter; the parameter's own range decides. */
void gpgpusim_read_parameter(struct gpgpusim_reader *reader, const char *path, const char *text);
