/* What is being edited, without a screen: a machine in its document, undo, the pinned baseline, the
 * axes marked for a sweep. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/document.h"
#include "schema/metrics.h"
#include "schema/study.h"

enum { SESSION_TEXT = 400, SESSION_NAME = 64, ASSIGNMENTS_MAX = 128 };

struct assignment {
    const struct parameter *parameter;
    struct value value;
};

struct axis_list {
    struct axis *items;
    size_t count;
};

struct edit {
    char *before, *after; /* the document, to the byte; NULL: the axes changed instead */
    struct axis_list axes_before, axes_after;
    char what[SESSION_NAME];
};

/* The pin's name as long as it is what the machine's file says. */
#define PIN_FILE "file"

/* How sure the metrics of a pin are: an estimate, all but the classes of misses, everything. */
enum pin_values { PIN_EMPTY, PIN_ESTIMATE, PIN_COUNTED, PIN_EXACT };

struct pin {
    bool set;
    enum pin_values values;
    char name[SESSION_NAME];
    char workload[256];
    struct machine machine;
    struct metrics metrics;
};

/* Takes metrics of the pinned machine where they are surer than those that it has. */
void pin_take(struct pin *pin, enum pin_values values, const struct metrics *metrics);

struct session {
    struct document *document;
    struct machine machine;
    struct machine file; /* as loaded or last saved */
    char *saved_text;
    char *name;        /* for the header: "gtx480.yaml" */
    char *path;        /* NULL: built in, saving needs a file name */
    uint64_t revision; /* grows with every change of the machine */

    struct edit *edits;
    size_t edit_count, edit_capacity, edit_position; /* edits[position..] can be made again */

    struct assignment proposal[2]; /* an edit that would be legal where the last one was not */
    size_t proposal_count;

    struct pin pin;

    struct axis *axes; /* in the order of marking */
    size_t axis_count, axis_capacity;
    uint64_t axes_revision; /* grows with every change of the axes */
    struct study study; /* loaded from a file, or empty: objectives, conditions, columns, seed */
};

/* `machine` is a path or the name of a built-in machine. */
enum status session_create(const char *machine, struct session **session,
                           struct diagnostics *diagnostics);
/* `machine` NULL: the machine of the study, with its changes as one edit. Axes, objectives and
 * conditions come from the study. */
enum status session_create_study(const char *study, const char *machine, struct session **session,
                                 struct diagnostics *diagnostics);
void session_free(struct session *session);
/* The pin is the machine as it was opened, a study's changes included. */
void session_pin_file(struct session *session);

bool session_dirty(const struct session *session);
/* The value differs from the file's. */
bool session_changed(const struct session *session, const struct parameter *parameter);

/* Edits. Each is one step of undo, and is refused as a whole: then the machine is as it was, `text`
 * says why, and there may be a proposal. On success `text` says what was done beside the obvious
 * ("" where there is nothing to say). */
enum status session_set(struct session *session, const struct assignment *assignments, size_t count,
                        char text[SESSION_TEXT]);
/* To the next legal value; values that break a rule with other parameters are stepped over.
 * STATUS_NOT_FOUND at the end of the range, as with nothing to undo, redo or accept. */
enum status session_step(struct session *session, const struct parameter *parameter, int direction,
                         char text[SESSION_TEXT]);
/* "PATH VALUE [PATH VALUE ...]" or "PATH=VALUE ...". */
enum status session_set_text(struct session *session, const char *assignments,
                             char text[SESSION_TEXT]);
enum status session_accept(struct session *session, char text[SESSION_TEXT]);
enum status session_undo(struct session *session, char text[SESSION_TEXT]);
enum status session_redo(struct session *session, char text[SESSION_TEXT]);

/* To `path`, or to where it came from. */
/* The newest edit of the machine that was not taken back, in words; NULL: there is none. */
const char *session_last_edit(const struct session *session);

enum status session_save(struct session *session, const char *path,
                         struct diagnostics *diagnostics);

/* Axes (session_axes.c). */
struct axis *session_axis(const struct session *session, const struct parameter *parameter);
/* `values` NULL: about seven legal values around the current one. */
enum status session_mark(struct session *session, const struct parameter *parameter,
                         const char *values, char text[SESSION_TEXT]);
void session_unmark(struct session *session, const struct parameter *parameter);
/* A copy of the axes as they are; free it with axis_list_free, or hand it to session_keep_axes,
 * which makes what changed since then one step of undo. */
enum status session_copy_axes(const struct session *session, struct axis_list *list);
void axis_list_free(struct axis_list *list);
void session_keep_axes(struct session *session, const char *what, struct axis_list *before);
/* What changes with an axis of this parameter so that its values are legal at all (curve_follower);
 * NULL, most of the time: nothing does (session_follow.c). */
const struct parameter *session_follower(const struct session *session,
                                         const struct parameter *parameter);
/* Whether a condition of the study stands for a follower. */
bool session_is_following(const struct session *session, const char *condition);
enum status session_add_followers(const struct session *session, struct study *study);
/* "4KiB 8KiB 16KiB" or "9 values, 1 to 16". Returns `text`. */
const char *axis_print(const struct axis *axis, char text[SESSION_TEXT]);
/* '-' in front of a metric: larger is better; else its own direction. "" chooses by the axes. */
enum status session_objectives(struct session *session, const char *metrics,
                               char text[SESSION_TEXT]);
/* What a sweep runs over beside the workload on the screen, names with blanks between; "" or "off":
 * that one alone. */
enum status session_workloads(struct session *session, const char *names, char text[SESSION_TEXT]);
/* How many workloads a sweep runs over: those of the study, as long as `workload` is one of them.
 */
size_t session_workload_count(const struct session *session, const char *workload);
/* How a sweep explores: "nsga2" or "nsga2 population=64 evaluations=2000". STATUS_INVALID, and the
 * old search stays, with the reason in `text`; else `text` is session_search_print. */
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
