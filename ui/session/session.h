/* What is being edited, without a screen: a machine in its document, the undo history, the pinned
 * baseline, and the axes marked for a sweep.
 *
 * Invariants: the machine is always legal; an edit that breaks a rule is refused as a whole.
 * Document and machine agree after every edit, comments and order of the file included. Cost: an
 * edit keeps two copies of the document's text for undo. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/document.h"
#include "config/exploration.h"
#include "schema/metrics.h"
#include "schema/study.h"

enum { SESSION_TEXT = 520, SESSION_NAME = 64, ASSIGNMENTS_MAX = 512 };

struct assignment {
    const struct parameter *parameter;
    struct value value;
};

struct axis_list {
    struct axis *items;
    size_t count;
};

struct edit {
    char *before, *after; /* the text of the document; NULL: this edit changed the axes */
    struct machine made;  /* by an edit of the text */
    struct axis_list axes_before, axes_after;
    char what[SESSION_NAME];
};

/* The name of the pin while it is the machine as loaded from the file. */
#define PIN_FILE "file"

enum { PINS_MAX = 4 };

/* How exact the metrics of a pin are: nothing, estimated, exact except for miss classes, all exact.
 */
enum pin_values { PIN_EMPTY, PIN_ESTIMATE, PIN_COUNTED, PIN_EXACT };

struct pin {
    enum pin_values values;
    uint64_t asked; /* the request for its values, of the engine; 0: none */
    char name[SESSION_NAME];
    struct machine machine;
    struct metrics metrics; /* of the workload on the screen, at its depth */
};

struct session {
    struct document *document;
    struct machine machine;
    struct machine file;            /* the machine as loaded or last saved */
    struct exploration exploration; /* what the file says of it */
    char *saved_text;
    char *name;        /* name in the header: "gtx480.yaml" */
    char *path;        /* NULL: built in; saving then needs a file name */
    uint64_t revision; /* increases with every change of the machine */

    struct edit *edits;
    size_t edit_count, edit_capacity, edit_position; /* edits[edit_position..] can be redone */

    struct assignment proposal[2]; /* an edit that would be legal in place of the refused one */
    size_t proposal_count;

    struct pin pins[PINS_MAX]; /* each name once; changes are shown against the first */
    size_t pin_count;

    struct axis *axes; /* in the order in which they were marked */
    size_t axis_count, axis_capacity;
    uint64_t axes_revision; /* increases with every change of the axes */
    struct study study;     /* from a file, or empty: objectives, conditions, columns, seed */
    bool slow_said;         /* that runs of this machine take long */
};

/* Opens a machine: a path or the name of a built-in one. */
enum status session_create(const char *machine, struct session **session,
                           struct diagnostics *diagnostics);
/* A machine that is in no file yet, from its YAML; saving it asks for a file name. */
enum status session_create_text(const char *text, const char *name, struct session **session,
                                struct diagnostics *diagnostics);
/* Opens a study. If `machine` is NULL, uses the machine of the study, with its changes as one edit.
 * Axes, objectives and conditions come from the study. */
enum status session_create_study(const char *study, const char *machine, struct session **session,
                                 struct diagnostics *diagnostics);
void session_free(struct session *session);

/* Pins (session_pins.c). */
/* The first pin is the machine as it was opened, a study's changes included. */
void session_pin_file(struct session *session);
/* Pins the machine under this name, before the others. `gone` is the name of the pin that had to go
 * for it, "" if none had. */
void session_pin(struct session *session, const char *name, char gone[SESSION_NAME]);
/* The pin of this name, or NULL. */
struct pin *session_find_pin(struct session *session, const char *name);
/* Makes a pin the first; STATUS_NOT_FOUND if none has this name. */
enum status session_pin_again(struct session *session, const char *name);
/* Their values are of another workload or depth. */
void session_pins_forget_values(struct session *session);
/* Copies all pins to a session that has none of its own. */
void session_move_pins(const struct session *from, struct session *to);
/* Stores metrics of the pinned machine if they are more exact than the ones that it has. */
void pin_take(struct pin *pin, enum pin_values values, const struct metrics *metrics);

/* Whether there are unsaved edits of the machine. */
bool session_dirty(const struct session *session);
/* Whether the value differs from the one in the file. */
bool session_changed(const struct session *session, const struct parameter *parameter);

/* Edits (session_values.c). Each is one step of undo. A refused edit changes nothing; `text` then
 * says why, and there may be a proposal. On success `text` describes side effects ("" if there are
 * none). */
enum status session_set(struct session *session, const struct assignment *assignments, size_t count,
                        char text[SESSION_TEXT]);
/* Steps to the next legal value, skipping values that break a rule. STATUS_NOT_FOUND at the end of
 * the range; also from undo, redo and accept if there is nothing to do. */
enum status session_step(struct session *session, const struct parameter *parameter, int direction,
                         char text[SESSION_TEXT]);
/* "PATH VALUE [PATH VALUE ...]" or "PATH=VALUE ...". */
enum status session_set_text(struct session *session, const char *assignments,
                             char text[SESSION_TEXT]);
/* Sets all in which the machine differs from `wanted`. */
enum status session_become(struct session *session, const struct machine *wanted,
                           char text[SESSION_TEXT]);
enum status session_accept(struct session *session, char text[SESSION_TEXT]);
/* Makes an edit that is known to be legal; for session_values.c. `machine` is what it makes. */
enum status session_commit(struct session *session, const struct assignment *assignments,
                           size_t count, const struct machine *machine, char text[SESSION_TEXT]);
enum status session_undo(struct session *session, char text[SESSION_TEXT]);
enum status session_redo(struct session *session, char text[SESSION_TEXT]);

/* The machine as text (session_text.c). */
/* Replaces all of it, as an editor left it: one step of undo. Text that is no legal machine changes
 * nothing. */
enum status session_replace_text(struct session *session, const char *text,
                                 struct diagnostics *diagnostics);
/* Whose value a parameter keeps that was edited here and changed by another program in the file. */
enum merge { MERGE_ASK, MERGE_MINE, MERGE_THEIRS };
/* Takes over the file that another program wrote, with the unsaved edits on top of it; `text` says
 * so. STATUS_CONFLICT, with the reason in `text`, changes nothing; where it was to ask, both values
 * of each parameter are notes at its line. STATUS_NOT_FOUND: the file is as it was saved. */
enum status session_follow_file(struct session *session, enum merge merge, char text[SESSION_TEXT],
                                struct diagnostics *diagnostics);
/* For session_text.c: the text is as saved; the edit took the place of `before`, which it takes
 * over; there is nothing to undo. */
enum status session_remember_saved(struct session *session);
enum status session_remember_text(struct session *session, const char *what, char *before,
                                  const struct machine *made);
void session_forget_edits(struct session *session);

/* The newest edit of the machine that was not undone, as text; NULL if there is none. */
const char *session_last_edit(const struct session *session);

/* Saves the machine to `path`, or if it is NULL to the file that it came from. */
enum status session_save(struct session *session, const char *path,
                         struct diagnostics *diagnostics);

/* The machine with all its parameters, and how it is explored, as YAML, malloc'ed; `title` is the
 * first comment. */
enum status session_to_yaml(const struct session *session, const char *title, char **text);

/* Axes (session_axes.c). */
struct axis *session_axis(const struct session *session, const struct parameter *parameter);
/* Marks an axis. `values` NULL: about seven legal values around the current one. */
enum status session_mark(struct session *session, const struct parameter *parameter,
                         const char *values, char text[SESSION_TEXT]);
void session_unmark(struct session *session, const struct parameter *parameter);
/* Copies the axes. Free the copy with axis_list_free, or pass it to session_keep_axes, which makes
 * all changes since then one step of undo. */
enum status session_copy_axes(const struct session *session, struct axis_list *list);
void axis_list_free(struct axis_list *list);
void session_keep_axes(struct session *session, const char *what, struct axis_list *before);
/* The parameter that must change along with an axis of this one for its values to be legal
 * (curve_follower); NULL if none must, which is usual (session_follow.c). */
const struct parameter *session_follower(const struct session *session,
                                         const struct parameter *parameter);
/* Whether this condition of the study only expresses a follower. */
bool session_is_following(const struct session *session, const char *condition);
enum status session_add_followers(const struct session *session, struct study *study);
/* "4KiB 8KiB 16KiB" or "9 values, 1 to 16". Returns `text`. */
const char *axis_print(const struct axis *axis, char text[SESSION_TEXT]);
/* Sets the objectives from names of metrics. A leading '-' means that larger is better; without it
 * the metric decides. "" chooses objectives by the axes. */
enum status session_objectives(struct session *session, const char *metrics,
                               char text[SESSION_TEXT]);
/* Makes `names`, malloc'ed, the workloads of a sweep; the session owns them from now on. */
void session_take_workloads(struct session *session, char **names, size_t count);
/* Sets the workloads of a sweep besides the one on the screen, separated by blanks; "" or "off":
 * only that one. */
enum status session_workloads(struct session *session, const char *names, char text[SESSION_TEXT]);
/* Gives `to`, which was just opened, the pins of `from`, and if both machines are of one kind its
 * axes, budgets and objectives: they belong to the question, not to the file. Axes of what the
 * machine does not have are dropped; returns how many. */
size_t session_carry_on(struct session *from, struct session *to);
/* The number of workloads of a sweep: those of the study if `workload` is one of them, else one. */
size_t session_workload_count(const struct session *session, const char *workload);
/* Sets the search: "nsga2" or "nsga2 population=64 evaluations=2000". STATUS_INVALID keeps the old
 * search, with the reason in `text`; otherwise `text` is that of session_search_print. */
enum status session_search(struct session *session, const char *search, char text[SESSION_TEXT]);
/* "nsga2 population=64 evaluations=2000 ...". Returns `text`. */
const char *session_search_print(const struct session *session, char text[SESSION_TEXT]);
/* "pwc.bits 5280 pwc.entries": METRIC, what it may be at most, the parameter that is solved for it,
 * in the words of a study (`equal`: metric, at_most, solve). One budget a parameter; "off" drops
 * them all, and so does "off" in the place of the limit the one of that metric. Refused where the
 * marked axes allow no solution. */
enum status session_equal(struct session *session, const char *budget, char text[SESSION_TEXT]);
/* "pwc.bits at_most 5280bit solve pwc.entries". Returns `text`. */
const char *budget_print(const struct budget *budget, char text[SESSION_TEXT]);
/* Those of a study that has none yet. */
enum status budgets_copy(const struct study *from, struct study *study);
/* The study that a sweep of the marked axes is, its budgets not yet solved. STATUS_INVALID with the
 * reason in `text`. */
enum status session_study(const struct session *session, const char *workload, struct study *study,
                          char text[SESSION_TEXT]);
