/* One memory of a structure, as the model that owns the structure describes it.
 *
 * The model says what is stored and how it is found; nothing else of it counts bits. Area, time and
 * energy (model/area), totals and listings read these descriptions, so a structure that describes
 * its memories appears in all of them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum memory_kind {
    MEMORY_RAM,      /* words found by their number */
    MEMORY_SEARCHED, /* entries found by comparing all keys at once */
    MEMORY_CACHE     /* lines found by comparing the keys of a set */
};

struct memory_array {
    const char *name; /* what an entry is, in the plural: "lines", "paths" */
    enum memory_kind kind;
    uint64_t count;    /* equal ones in an instance of the structure */
    bool all_accessed; /* an access reads all of them, not one */
    bool aside;        /* not on the way of an access: its time and energy do not count */
    /* Of each of them: */
    uint64_t entries;
    uint64_t key_bits;     /* compared bits and flags of an entry */
    uint64_t payload_bits; /* the other bits of an entry */
    uint64_t sets;         /* MEMORY_CACHE; others have one */
    uint64_t set_bits;     /* bits of replacement state of a set */
    uint64_t output;       /* bits of a payload that an access delivers; 0: all */
    uint64_t fill_bits;    /* bits that a fill writes, as many at once as an access reads; 0: what
                            * fills there are is not counted */
    uint64_t banks;        /* parts of which one serves an access; 0: one */
    unsigned extra_ports;  /* ports beyond the first */
};

/* Whether two are the same memories. */
static inline bool memory_array_equal(const struct memory_array *a, const struct memory_array *b)
{
    return a->name == b->name && a->kind == b->kind && a->count == b->count &&
           a->all_accessed == b->all_accessed && a->aside == b->aside && a->entries == b->entries &&
           a->key_bits == b->key_bits && a->payload_bits == b->payload_bits && a->sets == b->sets &&
           a->set_bits == b->set_bits && a->output == b->output && a->fill_bits == b->fill_bits &&
           a->banks == b->banks && a->extra_ports == b->extra_ports;
}

/* The most memories that a structure consists of. */
enum { MEMORY_ARRAYS = 8 };

/* Adds what the replacement policies of `instances` caches learn for all their sets, if they do.
 * Returns the number of memories added. */
static inline size_t memory_array_learned(uint64_t bits, uint64_t instances,
                                          struct memory_array *arrays)
{
    if (!bits)
        return 0;
    *arrays = (struct memory_array){.name = "bits of replacement state that all sets share",
                                    .kind = MEMORY_RAM,
                                    .count = instances,
                                    .aside = true,
                                    .entries = bits,
                                    .payload_bits = 1};
    return 1;
}

/* A memory of words that are found by their number. */
static inline struct memory_array memory_array_ram(const char *name, uint64_t entries,
                                                   uint64_t bits)
{
    return (struct memory_array){
        .name = name, .kind = MEMORY_RAM, .count = 1, .entries = entries, .payload_bits = bits};
}

/* Bits of all equal ones together. */
static inline uint64_t memory_array_bits(const struct memory_array *array)
{
    const uint64_t sets = array->kind == MEMORY_CACHE ? array->sets : 1;
    return array->count *
           (array->entries * (array->key_bits + array->payload_bits) + sets * array->set_bits);
}
