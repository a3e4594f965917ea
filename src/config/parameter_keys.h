/* A YAML mapping whose keys are parameter paths, nested ("l1d: {size: 16KiB}") or dotted
 * ("l1d.size: 16KiB"): machines, and the axes and overrides of studies. */
#pragma once

#include "config/document.h"
#include "schema/parameters.h"

enum { FILE_ERRORS_MAX = 100 }; /* a reader stops after so many errors in one file */

struct parameter_entry {
    const struct parameter *parameter;
    const struct node *node; /* its value */
};

struct parameter_keys {
    struct parameter_entry *items; /* in the order of the file */
    size_t count, capacity;
    bool *suspect; /* for each parameter: something in its group could not be read */
};

/* Collects the keys of `mapping`, whose own path is `where` ("" for the root of a machine). Unknown
 * keys and parameters that are set twice are diagnostics, and the rest is collected all the same.
 */
enum status parameter_keys_read(const struct document *document, const struct node *mapping,
                                const char *where, struct parameter_keys *keys,
                                struct diagnostics *diagnostics);
void parameter_keys_free(struct parameter_keys *keys);

/* The entry of a parameter, or NULL. */
const struct parameter_entry *parameter_keys_find(const struct parameter_keys *keys,
                                                  const struct parameter *parameter);

/* Sets every entry's value in *machine. Values that are not legal are diagnostics. */
void parameter_keys_apply(const struct document *document, struct parameter_keys *keys,
                          struct machine *machine, struct diagnostics *diagnostics);

/* The value of one node: a scalar, or a list of scalars for PARAMETER_SIZES. */
enum status parameter_node_value(const struct document *document, const struct parameter *parameter,
                                 const struct node *node, struct value *value,
                                 struct diagnostics *diagnostics);

/* The error about a path that is not in the parameter table, with the nearest one. `place` may be
 * NULL. */
void parameter_unknown(const struct place *place, const char *path,
                       struct diagnostics *diagnostics);
