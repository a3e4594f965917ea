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

/* A program, or one of its loads, whose fields hide those of the program. */
struct experiment_subject {
    const char *name;          /* of the program */
    const struct node *fields; /* mapping: `workload`, `full` and whatever cells and tests name */
    const struct node *load;   /* mapping; NULL: the subject is a program */
    const char *number;        /* of the load, from 1 */
    size_t program;            /* the index of the subject that is the program */
};

struct experiment_variant {
    char *name;                  /* "design", "READING.design" or "FAMILY.VALUE" */
    char *label;                 /* for people */
    const struct node *place;    /* where the file defines it */
    const struct node *workload; /* template over the fields of a subject; NULL: "{workload}" */
    const struct node *load;     /* the same, of the number of a load; NULL: "{load}" */
    /* For each subject it is the one of its family that is best by this metric; NULL: it is itself.
     */
    const struct metric *best;
    size_t family; /* that it belongs to, or is the best of; NO_FAMILY: none */
    bool member;   /* of the family; its machine may break a rule, which is a reason then */
    struct machine machine;
    struct budget budget; /* budget.metric is NULL: none */
    enum depth depth;
};

#define NO_FAMILY SIZE_MAX

/* Variants that take the values of parameters in turn. */
struct experiment_family {
    const char *name;
    size_t first, count; /* variants */
};

struct experiment_reading {
    const char *name, *label;
    const struct node *why;    /* or NULL */
    const struct node *chosen; /* switch: to fit the paper */
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
    /* "yes": judged for each reading; "first": for the first one. Both rank the readings. */
    const struct node *readings;
    const struct node *loads;  /* switch: the rows are loads */
    const struct node *chosen; /* switch: ours was chosen to fit the paper */
};

struct experiment_table {
    const char *name;
    const struct node *title, *rows, *means, *group, *subjects, *loads, *where, *columns;
};

struct experiment_figure {
    const char *name;
    const struct node *title, *bars, *unit;
};

enum { EXPERIMENT_TABLES_MAX = 64, EXPERIMENT_LOADS_MAX = 64 };

struct experiment {
    struct document *document;
    const struct node *paper;
    const struct node *notes; /* sequence, or NULL */
    const struct node *small; /* settings of all machines where full sizes are not asked for */
    struct experiment_subject *subjects;
    struct experiment_variant *variants;
    struct experiment_family *families;
    struct machine machine; /* what variants begin with */
    struct experiment_reading *readings;
    const char **roles;
    struct experiment_value *values;
    struct experiment_claim *claims;
    struct experiment_table *tables;
    struct experiment_figure *figures;
    size_t subject_count, variant_count, family_count, reading_first, reading_count, role_count,
        value_count, claim_count, table_count, figure_count;
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

/* Whether a switch (may be NULL) is on. */
bool experiment_is_yes(const struct node *node);

/* The items of a list; a scalar is a list of one. */
size_t experiment_list_count(const struct node *node);
const struct node *experiment_list_at(const struct node *node, size_t index);
