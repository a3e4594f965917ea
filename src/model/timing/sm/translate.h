/* The TLB of an SM: instructions look their pages up and step aside until translations come. */
#pragma once

#include "model/timing/cache/cache_unit.h"

struct sm;

struct translate {
    struct cache_unit tlb;
    struct packet_queue untranslated; /* pages asked for, with their cycle */
    /* Translations, with the cycle in which they come; `id` NO_OP: a walker took a miss. */
    struct packet_queue answers;
    bool refused;      /* the TLB has refused an access of the latch, from `access_at` on */
    uint64_t tried;    /* the changes that the TLB had seen then */
    uint32_t *retries; /* ops that got their translations */
    size_t retry_first, retry_count, retry_capacity;
};

/* Translates the accesses of the latch. An op that lacks translations then steps aside, and others
 * go on meanwhile. */
void sm_translate(struct sm *sm, uint64_t now);
/* Takes what comes from the walkers in this cycle. */
void sm_take_translations(struct sm *sm, uint64_t now);
/* Takes the first of the instructions that waited for translations and have them. They go before
 * others. */
uint32_t translate_retry(struct translate *translate);
