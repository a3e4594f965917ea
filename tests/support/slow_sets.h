/* What the slow replacement policies (slow_policy.h) know of sets, shared by their parts: for each
 * way and for each line that left what any policy could ask, in the plainest form. */
#pragma once

#include "slow_policy.h"

enum { SLOW_GHOSTS = 4096, SLOW_TABLE = 1 << 14 };

struct slow_way {
    bool held;
    uint64_t line;
    int64_t stamp, filled;
    unsigned interval, uses, signature;
    bool used, second; /* second: protected, kept, seen again, close */
    int left;          /* mockingjay */
};

struct ghost { /* a line that left, or in lirs any line of the stack */
    uint64_t line;
    int64_t stamp;
    bool second;
};

struct slow_use {
    uint64_t line;
    unsigned signature, taken;
};

struct slow_history {
    struct slow_use *uses;
    size_t count;
};

struct slow_set {
    struct slow_way *ways;
    bool tree[128];            /* node 1 is the root: true = the victim is in the upper half */
    bool order[8][8];          /* plru_simt: the first group is the less recent */
    bool front[8], odd[16];    /* ... and what is the less recent */
    uint64_t next, draws, mru; /* next: of rr and the hands, a way */
    bool hand;                 /* sieve: `next` is one */
    int64_t target;            /* arc */
    unsigned clock;
    struct ghost *ghosts;
    size_t ghost_count;
    struct slow_history history;
};

struct slow_cachewide {
    unsigned fills, balance; /* balance: from 512 */
    int table[SLOW_TABLE];
    bool known[SLOW_TABLE];
};

struct slow_policy {
    int replacement;
    uint64_t ways, sets, seed;
    unsigned instances;
    int64_t time;
    struct slow_set *all;
    struct slow_cachewide *wide;
};

struct slow_set *slow_set_of(const struct slow_policy *policy, const struct slow_access *access);
struct slow_cachewide *slow_wide_of(const struct slow_policy *policy,
                                    const struct slow_access *access);

/* The held way with the least stamp among those whose `second` is as given, or all; `ways` if none.
 */
enum slow_which { SLOW_FIRSTS, SLOW_SECONDS, SLOW_ANY };
uint64_t slow_oldest(const struct slow_policy *policy, const struct slow_set *set,
                     enum slow_which which);
/* How many held ways have `second` as given. */
uint64_t slow_count(const struct slow_policy *policy, const struct slow_set *set, bool second);

/* Lines that left, in no order. */
struct ghost *slow_ghost_find(struct slow_set *set, uint64_t line);
void slow_ghost_forget(struct slow_set *set, struct ghost *ghost);
void slow_ghost_add(struct slow_policy *policy, struct slow_set *set, uint64_t line, bool second);
uint64_t slow_ghost_count(const struct slow_set *set, bool second);
void slow_ghost_forget_oldest(struct slow_set *set, bool second);
