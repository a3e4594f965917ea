/* A pool of threads that help each other with passes.
 *
 * The owner of a pass issues its stream; what consumes it is cut into *groups*, which know nothing
 * of each other. A group takes every batch in order, by one thread at a time, whoever that is: so
 * the counts are those of one thread. A thread that has no pass of its own takes groups of those of
 * others; an owner that is far enough ahead of its groups takes some itself, and alone it runs them
 * batch by batch. Memory: a ring of batches for each pass that was ever helped with. */
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "model/gpu/request.h"

struct pass_pool;

/* NULL: no memory. */
struct pass_pool *pass_pool_create(void);
void pass_pool_free(struct pass_pool *pool); /* NULL is allowed */

/* Each thread of a pool joins before any of them is done, and is done once. */
void pass_pool_join(struct pass_pool *pool);
/* The caller has no more passes: helps with those of others, and returns when nobody has one. */
void pass_pool_done(struct pass_pool *pool);

/* Helps others until done(argument) says that it is enough, which is asked after each batch and at
 * each pass_pool_wake. */
void pass_pool_help(struct pass_pool *pool, bool (*done)(const void *argument),
                    const void *argument);
void pass_pool_wake(struct pass_pool *pool);

/* What the groups of a pass get, one after the other. */
struct pool_batch {
    const struct trace_launch *launch; /* that begins here, before the requests; or NULL */
    const struct request *requests;
    size_t count;
    bool last; /* nothing follows */
};

struct pool_work {
    /* STATUS_OK or why the pass fails. Not called again for any group after a failure. */
    enum status (*run)(void *argument, size_t group, const struct pool_batch *batch);
    void *argument;
    size_t groups;
};

struct pool_pass;

/* For its owner, who is alone where `pool` is NULL. */
enum status pass_pool_open(struct pass_pool *pool, const struct pool_work *work,
                           struct pool_pass **pass);
/* Gives a batch to all groups, which may run it later; the requests are copied where they do. The
 * status is the first failure so far. */
enum status pass_pool_put(struct pool_pass *pass, const struct pool_batch *batch);
/* Waits for the groups: until they have run what was put, or with `drop` only until none is
 * running. Frees the pass; NULL is allowed. Returns the first failure. */
enum status pass_pool_close(struct pool_pass *pass, bool drop);
