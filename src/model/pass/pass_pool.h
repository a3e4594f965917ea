/* A pool of threads that help each other with passes.
 *
 * The owner of a pass issues its stream. The consumers of the stream are split into *groups*, which
 * are independent of each other. Invariant: each group runs every batch in order, on one thread at
 * a time, whichever that is; so the counts are those of a single thread. A thread without a pass of
 * its own takes groups of other passes. An owner that is 16 batches ahead of its groups runs some
 * itself, and without helpers it runs them batch by batch and copies nothing.
 *
 * Cost: one mutex per pool, locked about once per batch and group. Memory: a ring of 16 batches for
 * each open pass that helpers have taken part in. */
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "model/pass/stage_tree.h"

struct pass_pool;

/* Creates an empty pool. NULL: no memory. */
struct pass_pool *pass_pool_create(void);
void pass_pool_free(struct pass_pool *pool); /* NULL is allowed */

/* Every thread that opens passes joins once, before any thread calls pass_pool_done. */
void pass_pool_join(struct pass_pool *pool);
/* The caller will open no more passes: it helps the others and returns when no thread can open one.
 */
void pass_pool_done(struct pass_pool *pool);

/* What the groups of a pass receive, one after the other. */
struct pool_batch {
    const struct trace_launch *launch; /* launch that begins before the requests; or NULL */
    const struct request *requests;
    size_t count;
    enum feed feed; /* what the requests are */
    bool last;      /* no batch follows */
};

struct pool_work {
    /* Runs one batch of one group. After any failure no group runs again. */
    enum status (*run)(void *argument, size_t group, const struct pool_batch *batch);
    void *argument;
    size_t groups;
};

struct pool_pass;

/* Opens a pass for its owner. With `pool` NULL the owner is alone. STATUS_MEMORY. */
enum status pass_pool_open(struct pass_pool *pool, const struct pool_work *work,
                           struct pool_pass **pass);
/* Gives a batch to all groups, which may run it later; then its requests are copied. Returns the
 * first failure so far. */
enum status pass_pool_put(struct pool_pass *pass, const struct pool_batch *batch);
/* Waits until the groups have run everything, or with `drop` only until none is running. Frees the
 * pass; NULL is allowed. Returns the first failure. */
enum status pass_pool_close(struct pool_pass *pass, bool drop);
