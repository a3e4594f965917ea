/* What makes the parts of a model relocatable, so that a simulation under way can be copied.
 *
 * A part is a struct of numbers, of pointers to arrays that it alone uses, and of pointers to what
 * all copies share and nobody changes. Its arrays name what they mean by number, so that nothing in
 * them points into the simulation; where an array's elements own arrays themselves, whoever copies
 * it says so. Such a part is copied as bytes, and then its arrays: `struct arrays` knows those that
 * never grow, by where their pointers stand in the struct around it, and array_copy is for others.
 *
 * Invariant: after a copy that failed, too, the copy has no array of the original's, so that both
 * can be freed. Cost: 16 bytes an array, and nothing while the simulation goes on. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/must_check.h"

enum { ARRAYS_MAX = 40 };

struct arrays { /* zero-initialize */
    uint32_t count;
    bool failed; /* there was no memory for one of them */
    struct owned_array {
        int32_t place; /* from here to the pointer to it, bytes */
        size_t bytes;
    } items[ARRAYS_MAX];
};

/* Makes an array of zeros and sets the pointer, which stands in the same struct as `arrays`. */
void arrays_add(struct arrays *arrays, void *pointer, size_t count, size_t size);
/* The struct around `arrays` is a copy of another one's bytes, and gets arrays of its own; those
 * for which there is no memory are NULL. False: there are such. */
MUST_CHECK bool arrays_copy(struct arrays *arrays);
void arrays_free(struct arrays *arrays);
size_t arrays_bytes(const struct arrays *arrays);

/* Adds the bytes of all arrays to a hash (base/mix.h). */
void arrays_mix(const struct arrays *arrays, uint64_t *hash);
/* The same of the struct around `arrays`, from `from` up to `end`, which are whole words: its
 * numbers, and the arrays to which its pointers there lead. */
void arrays_mix_part(const struct arrays *arrays, const void *from, const void *end,
                     uint64_t *hash);

/* A copy of a single array, NULL if it has none. */
MUST_CHECK bool array_copy(void *pointer, size_t bytes);
