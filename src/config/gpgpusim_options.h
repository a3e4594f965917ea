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
    const char *path;   /* of the current option */
    uint64_t clusters, cores, channels;
    uint64_t chips;   /* of a memory channel */
    bool tensor_unit; /* a specialized unit executes tensor instructions */
    bool adaptive;
    uint64_t unified; /* KiB */
    struct sizes carveouts;
    char *unknown; /* the names of options that are not modelled, each after ", " */
    size_t unknown_size, unknown_capacity, unknown_count;
};

/* What writes the value of one option. */
struct gpgpusim_writer {
    FILE *out;
    const struct machine *machine;
    const char *path; /* of the option */
};

/* `path` is the parameter of an option that is a plain number (then `read` and `write` are NULL).
 * For other options it is the parameter that broken rules blame; a path that ends with a dot means
 * its whole group. */
struct gpgpusim_option {
    const char *heading; /* a comment to write above, or NULL */
    const char *name, *path;
    void (*read)(struct gpgpusim_reader *reader, const char *text);
    void (*write)(const struct gpgpusim_writer *writer);
    bool (*written)(const struct machine *machine); /* NULL: always */
    const char *only; /* the one value that is modelled, of an option without a parameter */
};

enum { GPGPUSIM_OPTIONS = 93 };

/* In the order of writing, which is the order of reading too: an option may rely on those above
 * it. */
extern const struct gpgpusim_option gpgpusim_options[GPGPUSIM_OPTIONS];

/* Reports an error at the current option. Returns false. */
__attribute__((format(printf, 2, 3))) bool gpgpusim_refuse(struct gpgpusim_reader *reader,
                                                           const char *format, ...);

/* Reads a whole number up to `max`. */
bool gpgpusim_parse_number(const char *text, uint64_t max, uint64_t *number);

/* Reads 0 or 1, or reports that it is neither. */
bool gpgpusim_read_switch(struct gpgpusim_reader *reader, const char *text, bool *on);

/* Reads an option that is exactly one parameter; the range of the parameter applies. */
void gpgpusim_read_parameter(struct gpgpusim_reader *reader, const char *path, const char *text);

/* Sets a parameter to a number; its range applies. */
void gpgpusim_set_number(struct gpgpusim_reader *reader, const char *path, uint64_t number);

/* The value of a parameter that is a whole number. */
uint64_t gpgpusim_number(const char *path, const struct machine *machine);

/* Splits `text` at `separator` into up to `max` numbers; 0 if a field is no number or there are
 * more. */
size_t gpgpusim_split(const char *text, char separator, uint64_t *numbers, size_t max);

/* Whether GPGPU-Sim has a word for the scheduler. */
bool gpgpusim_has_scheduler(int policy);
