/* Threads that help each other with passes.
 *
 * The owner of a pass issues its stream; what consumes it is cut into *lanes*, which know nothing
 * of each other. A lane takes every batch in order, by one thread at a time, whoever that is: so
 * the counts are those of one thread. A thread that has no pass of its own takes lanes of those of
 * others; an owner that is far enough ahead of its lanes takes some itself, and alone it runs them
 * batch by batch. Memory: a ring of batches for each pass that was ever helped with. */
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "model/gpu/request.h"

struct crew;

/* NULL: no memory. */
struct crew *crew_create(void);
void crew_free(struct crew *crew); /* NULL is allowed */

/* Each thread of a crew joins before any of them is done, and is done once. */
void crew_join(struct crew *crew);
/* The caller has no more passes: helps with those of others, and returns when nobody has one. */
void crew_done(struct crew *crew);

/* Helps others until done(argument) says that it is enough, which is asked after each batch and at
 * each crew_wake. */
void crew_help(struct crew *crew, bool (*done)(const void *argument), const void *argument);
void crew_wake(struct crew *crew);

/* What the lanes of a pass get, one after the other. */
struct crew_batch {
    const struct trace_launch *launch; /* that begins here, before the requests; or NULL */
    const struct request *requests;
    size_t count;
    bool last; /* nothing follows */
};

struct crew_work {
    /* STATUS_OK or why the pass fails. Not called again for any lane after a failure. */
    enum status (*run)(void *argument, size_t lane, const struct crew_batch *batch);
    void *argument;
    size_t lanes;
};

struct crew_pass;

/* For its owner, who is alone where `crew` is NULL. */
enum status crew_open(struct crew *crew, const struct crew_work *work, struct crew_pass **pass);
/* Gives a batch to all lanes, which may run it later; the requests are copied where they do. The
 * status is the first failure so far. */
enum status crew_put(struct crew_pass *pass, const struct crew_batch *batch);
/* Waits for the lanes: until they have run what was put, or with `drop` only until none is running.
 * Frees the pass; NULL is allowed. Returns the first failure. */
enum status crew_close(struct crew_pass *pass, bool drop);
