/* Reads YAML mappings whose keys are parameter paths, nested ("l1d: {size: 16KiB}") or dotted
 * ("l1d.size: 16KiB"). Machines, and the axes and overrides of studies, have this form. The
 * functions below that report errors need a `diagnostics` that is not NULL: they stop at
 * FILE_ERRORS_MAX. */
#pragma once

#include "config/document.h"
#include "schema/moved_settings.h"
#include "schema/parameters.h"

/* The keys of a machine that hold no parameters but say where its numbers come from
 * (config/provenance.h), and how it is explored (config/exploration.h). */
#define ABOUT_KEY   "about"
#define EXPLORE_KEY "explore"

struct parameter_entry {
    const struct parameter *parameter;
    const struct node *node; /* its value */
    const char *text;        /* ... instead, of a setting that moved; else NULL */
    bool off;                /* ... and was off: another entry stands in its place */
};

struct parameter_keys {
    struct parameter_entry *items; /* in file order */
    size_t count, capacity;
    bool *suspect; /* for each parameter: something in its group could not be read, so a broken
                    * rule about it may only repeat that error */
};

/* Collects the keys of `mapping`. `where` is its path for messages, "" for the root of a machine.
 * Reports unknown keys and parameters that are set twice, and collects the rest. */
enum status parameter_keys_read(const struct document *document, const struct node *mapping,
                                const char *where, struct parameter_keys *keys,
                                struct diagnostics *diagnostics);
void parameter_keys_free(struct parameter_keys *keys);

/* The entry of a parameter; NULL if the mapping does not set it. */
const struct parameter_entry *parameter_keys_find(const struct parameter_keys *keys,
                                                  const struct parameter *parameter);

/* Sets the value of every entry in *machine. Reports illegal values and skips them. */
void parameter_keys_apply(const struct document *document, struct parameter_keys *keys,
                          struct machine *machine, struct diagnostics *diagnostics);

/* Reads the value of one node: a scalar, or a list of scalars for PARAMETER_SIZES. */
enum status parameter_node_value(const struct document *document, const struct parameter *parameter,
                                 const struct node *node, struct value *value,
                                 struct diagnostics *diagnostics);

/* Says what a setting that moved is called now. */
void parameter_moved(const struct place *place, const struct moved_setting *moved,
                     struct diagnostics *diagnostics);

/* Reports a path that is not in the parameter table and suggests the nearest. `place` may be
 * NULL. */
void parameter_unknown(const struct place *place, const char *path,
                       struct diagnostics *diagnostics);

/* The next name from number *at on that means what people also call `word`, of which three letters
 * are enough; moves *at behind it. NULL: there is none. */
const char *parameter_synonym(const char *word, unsigned *at);
