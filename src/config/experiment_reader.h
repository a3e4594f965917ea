/* Internal to config/experiment_file.h: what the readers of an experiment's parts have in common.
 *
 * Invariant: what is wrong in a file is reported and left out; a function that returns a status
 * fails only with STATUS_MEMORY. */
#pragma once

#include "config/experiment_file.h"

enum { EXPERIMENT_LIST_MAX = 1024 };

struct experiment_reader {
    const struct document *document;
    struct experiment *experiment;
    struct diagnostics found;
    size_t variant_capacity;
    struct machine machine; /* what variants begin with */
    enum depth depth;
};

/* ---- keys of a mapping ---- */

enum key_kind { KEY_TEXT, KEY_SWITCH, KEY_LIST, KEY_ITEMS, KEY_MAPPING };

struct experiment_key {
    const char *name;
    enum key_kind kind;
    bool required;
    size_t offset; /* of a `const struct node *` in the struct that is read */
};
#define EXPERIMENT_KEY(type, member, kind, required)                                               \
    {                                                                                              \
#member, kind, required, offsetof(struct type, member)                                     \
    }

/* Reads a mapping, called `what` in messages, into the nodes of a struct. `others` (may be NULL)
 * are further keys that are legal. Returns whether nothing is wrong. */
bool experiment_keys_read(struct experiment_reader *reader, const struct node *node,
                          const char *what, const struct experiment_key *keys, size_t count,
                          const char *const *others, size_t other_count, void *result);

/* Whether the key of a child can stand in an expression: letters, digits and '_', a letter first.
 */
bool experiment_name_check(struct experiment_reader *reader, const struct node *mapping,
                           size_t index);

/* The children of a node (may be NULL), or 0 after reporting that there are more than `most`. */
size_t experiment_children(struct experiment_reader *reader, const struct node *node,
                           const char *what, size_t most);

/* ---- parts of a file ---- */

enum status experiment_machine_read(struct experiment_reader *reader, const struct node *node,
                                    struct machine *machine);
void experiment_depth_read(struct experiment_reader *reader, const struct node *node,
                           enum depth *depth);
enum status experiment_variants_read(struct experiment_reader *reader, const struct node *node);
enum status experiment_readings_read(struct experiment_reader *reader, const struct node *roles,
                                     const struct node *node);
enum status experiment_subjects_read(struct experiment_reader *reader, const struct node *node);
void experiment_values_read(struct experiment_reader *reader, const struct node *node);
void experiment_claims_read(struct experiment_reader *reader, const struct node *node);
void experiment_tables_read(struct experiment_reader *reader, const struct node *node);
void experiment_figures_read(struct experiment_reader *reader, const struct node *node);
