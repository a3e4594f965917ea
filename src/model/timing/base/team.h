/* Threads that share the loops of a run, thousands of short ones a second.
 *
 * The owner publishes a loop and takes part in it. Each item is claimed by whoever comes first: the
 * owner from the front, helpers from the back, so an item mostly stays with one processor's caches
 * from loop to loop. The owner waits for nothing but items that a helper has begun; so helpers that
 * get no processor, because other programs have them all, cost no time. Helpers without work look
 * for more for some microseconds and then sleep.
 *
 * Cost: a loop costs an atomic exchange an item, and a system call if a helper sleeps. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef void (*team_function)(void *context, uint32_t item);

struct team {
    /* The loop: its number modulo 2^32, its first and its last unclaimed item, 16 bits each. A
     * helper that was late with what it read below finds another number here and claims nothing. */
    _Atomic uint64_t claims;
    _Atomic team_function function;
    _Atomic(void *) context;
    _Atomic uint32_t finished; /* items */
    _Atomic bool over;
    _Atomic uint32_t sleeping;
    uint32_t loops, helpers;
    pthread_mutex_t lock;
    pthread_cond_t wake;
};

enum { TEAM_ITEMS = UINT16_MAX };

/* `threads`: how many will take part, the owner among them. */
void team_init(struct team *team, uint32_t threads);
void team_free(struct team *team);

/* The owner's: calls `function` for each item below `count` (up to TEAM_ITEMS) and returns when all
 * are done. */
void team_run(struct team *team, uint32_t count, team_function function, void *context);
/* The owner's: no loop follows. */
void team_end(struct team *team);
/* A helper's: takes part until there are no more loops. */
void team_help(struct team *team);
