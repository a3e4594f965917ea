/* One background thread for the questions of one pane, so that none blocks the keyboard: reading a
 * store, counting a stream. It holds at most one question that waits. A new one replaces it,
 * cancels the running one and drops an answer that nobody has taken, so that after a burst of edits
 * only the newest question is answered.
 *
 * Invariant: an answer is owned by the worker until worker_take returns it. The thread blocks all
 * signals. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "base/diag.h"

struct worker;

/* The head of every answer: whether it holds, and if not, why. */
enum { ANSWER_TEXT = 240 };
struct answer {
    enum status status;
    char message[ANSWER_TEXT];
    bool partial;          /* more of it comes (answer_publish) */
    struct worker *worker; /* that it was asked of */
};

/* What a kind of job does. A question and its answer are one object, which begins with a struct
 * answer; `run` should look at *cancel often. */
struct job_kind {
    void (*run)(void *answer, const atomic_bool *cancel);
    void (*free)(void *answer);
};

enum status worker_create(const struct job_kind *kind, struct worker **worker);
void worker_free(struct worker *worker);    /* cancels and joins; NULL is allowed */
int worker_fd(const struct worker *worker); /* readable when there is an answer */
/* Asks; NULL: nothing any more. A question is a new object with its head zero. */
void worker_start(struct worker *worker, void *question);
/* The answer, or what there is of it, which the caller owns from now on; NULL: there is none. */
void *worker_take(struct worker *worker);

/* For `run`: hands over `part`, an object of the same kind that the worker owns from now on, while
 * the answer is being worked out. It replaces an earlier part that nobody has taken. */
void answer_publish(const struct answer *answer, struct answer *part);
/* For `run`: the end of a job. Frees the diagnostics. */
void answer_end(struct answer *answer, enum status status, struct diagnostics *diagnostics);
