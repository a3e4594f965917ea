/* Experiments in YAML (docs/FORMATS.md, "Experiments"): what a paper or a user measured or claims,
 * and the runs that answer it: subjects (workloads), variants (machines), values over their
 * metrics, claims with their numbers, tables and figures.
 *
 * A *role* stands for one variant under each *reading* of what a paper leaves open: the variant of
 * reading r and role k is variants[reading_first + r * role_count + k].
 *
 * Invariant: everything that is text here is a node of `document`, which the experiment owns, so
 * messages can point at it. Expressions stay text; explore/papers/experiment_terms.h reads them.
 * Reading reports every problem of the file, up to FILE_ERRORS_MAX. */
#pragma once

#include "config/document.h"
#include "schema/study.h"

struct experiment_subject {
    const char *name;
    const struct node *fields; /* mapping: `workload`, `full` and whatever cells and tests name */
};

struct experiment_variant {
    const char *name;            /* "design", or "READING.design" */
    const char *label;           /* for people */
    const struct node *place;    /* where the file defines it */
    const struct node *workload; /* template over the fields of a subject; NULL: "{workload}" */
    struct machine machine;
    struct budget budget; /* budget.metric is NULL: none */
    enum depth depth;
};

struct experiment_reading {
    const char *name, *label;
    const struct node *why; /* or NULL */
};

struct experiment_value {
    const char *name;
    const struct node *text;
};

/* Members are NULL where the file does not have them. */
struct experiment_claim {
    const struct node *what, *paper, *mark, *remark;
    const struct node *where; /* the subjects that count */
    const struct node *ours;  /* template of what is printed */
    /* One of these gives the verdict: a number beside the paper's, a test of each subject, or a
     * test of all of them together. */
    const struct node *value, *number, *within;
    const struct node *holds, *most, *agrees;
    const struct node *readings; /* once for each reading */
};

struct experiment_table {
    const char *name;
    const struct node *title, *rows, *means, *subjects, *where, *columns;
};

struct experiment_figure {
    const char *name;
    const struct node *title, *bars, *unit;
};

struct experiment {
    struct document *document;
    const struct node *paper;
    const struct node *notes; /* sequence, or NULL */
    const struct node *small; /* settings of all machines where full sizes are not asked for */
    struct experiment_subject *subjects;
    struct experiment_variant *variants;
    struct experiment_reading *readings;
    const char **roles;
    struct experiment_value *values;
    struct experiment_claim *claims;
    struct experiment_table *tables;
    struct experiment_figure *figures;
    size_t subject_count, variant_count, reading_first, reading_count, role_count, value_count,
        claim_count, table_count, figure_count;
};

/* Loads the experiment called `name`, or a file, as document_open finds it. After an error
 * *experiment owns nothing. */
enum status experiment_load(const char *name, struct experiment *experiment,
                            struct diagnostics *diagnostics);
enum status experiment_from_document(struct document *document, struct experiment *experiment,
                                     struct diagnostics *diagnostics);
void experiment_free(struct experiment *experiment);

/* Applies a mapping of parameters to a machine. Reports what is wrong. */
enum status experiment_set(const struct document *document, const struct node *settings,
                           struct machine *machine, struct diagnostics *diagnostics);

/* The items of a list; a scalar is a list of one. */
size_t experiment_list_count(const struct node *node);
const struct node *experiment_list_at(const struct node *node, size_t index);
