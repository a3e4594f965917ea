/* The parameter table: the only list of the knobs of a machine.
 *
 * YAML keys and their errors, the form on the screen, sweep axes, constraints, `--set`, CSV headers
 * and the manual are all read from here. A new knob is one row in parameters.c and one field in
 * schema/machine.h. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "base/units.h"
#include "schema/depths.h"
#include "schema/machine.h"
#include "schema/stages.h"

enum parameter_type {
    PARAMETER_BOOL, /* int: off or on */
    PARAMETER_ENUM, /* int: index into choices */
    PARAMETER_UINT, /* uint64_t */
    PARAMETER_REAL, /* double */
    PARAMETER_SIZES /* struct sizes: a list, never a sweep axis */
};

enum parameter_step {
    STEP_NONE,
    STEP_ADD,    /* to the next multiple of `step` */
    STEP_DOUBLE, /* to the next power of two; other values may be typed */
    STEP_POWER   /* only powers of two are legal */
};

/* Capacity and ways of a cache or TLB, which make its number of sets between them. */
enum geometry_part { NO_GEOMETRY, GEOMETRY_CAPACITY, GEOMETRY_WAYS };

struct value {     /* which member holds is decided by the parameter's type */
    uint64_t uint; /* BOOL, ENUM, UINT */
    double real;   /* REAL */
    struct sizes sizes;
};

struct parameter {
    const char *path; /* "l1d.size" */
    enum parameter_type type;
    enum unit unit;
    double min, max; /* inclusive, in base units */
    enum parameter_step stepping;
    double step;
    struct value fallback;        /* the value where a file says nothing */
    const struct choice *choices; /* ENUM */
    size_t choice_count;
    const char *top; /* UINT: what `max` is called, or NULL */
    unsigned stages; /* whose results it can change, of enum stage; and the depths that read it
                      * besides, as AT_REUSE */
    enum geometry_part geometry;
    size_t offset;                                   /* of the field in struct machine */
    bool (*relevant)(const struct machine *machine); /* NULL: always */
    const char *help;                                /* one line */
};

enum { VALUE_TEXT = 160 }; /* a buffer of this size holds every printed value */

extern const struct parameter parameters[];
extern const size_t parameter_count;

/* Whether a parameter says anything about this machine. */
static inline bool parameter_relevant(const struct parameter *parameter,
                                      const struct machine *machine)
{
    return !parameter->relevant || parameter->relevant(machine);
}

/* Whether an evaluation at `depth`, or the area beside it, reads a parameter. */
bool parameter_answers(const struct parameter *parameter, enum depth depth);

/* The row of a path, or NULL. */
const struct parameter *parameter_find(const char *path);

/* The legal path nearest to a wrong one, or NULL. */
const char *parameter_nearest(const char *path);

struct value parameter_get(const struct parameter *parameter, const struct machine *machine);
void parameter_set(const struct parameter *parameter, struct machine *machine, struct value value);
bool parameter_equal(const struct parameter *parameter, struct value a, struct value b);

/* Reads a value and checks its range. On STATUS_INVALID `why` (if not NULL) says what was expected
 * and what was found, ready to stand behind the path: "expected a power of two from 16B to 512B,
 * got 'four'". */
enum status parameter_parse(const struct parameter *parameter, const char *text,
                            struct value *value, char why[VALUE_TEXT]);

/* The text that parameter_parse reads back to the same value. Returns `text`. */
const char *parameter_print(const struct parameter *parameter, struct value value,
                            char text[VALUE_TEXT]);

/* "a power of two from 16B to 512B", "lru, fifo, random, plru, rr or opt". Returns `text`. */
const char *parameter_expects(const struct parameter *parameter, char text[VALUE_TEXT]);

/* A choice that nobody can build: Belady's optimum, which needs the future. */
bool parameter_is_limit(const struct parameter *parameter, struct value value);

/* The greatest value of a parameter that has a name for it, as full ways: no number. */
bool parameter_is_top(const struct parameter *parameter, struct value value);

/* Whether a parameter says nothing about this machine, and because of which other one: `why`
 * becomes " while tlb.enabled is no", or " in this machine" where no single one is to blame. */
bool parameter_idle(const struct parameter *parameter, const struct machine *machine,
                    char why[VALUE_TEXT]);

/* The next legal value up (direction > 0) or down; false at the end of the range. */
bool parameter_next(const struct parameter *parameter, struct value value, int direction,
                    struct value *next);

/* A number for every value of a parameter, for expressions, charts and columns: the value itself,
 * 0/1, or the index of the choice. */
double parameter_number(const struct parameter *parameter, struct value value);

/* Every field at its fallback. */
void machine_defaults(struct machine *machine);

/* A broken cross-field rule. `parameter` is where to point. */
struct violation {
    const char *rule; /* short stable name: "l1d geometry" */
    const struct parameter *parameter;
    char message[200];
};

enum { VIOLATION_MAX = 16 };

/* Checks every rule that ties several parameters together; returns how many are broken, the first
 * VIOLATION_MAX of them in `found`. A machine without violations can be evaluated. */
size_t machine_check(const struct machine *machine, struct violation found[VIOLATION_MAX]);

/* A hash of the values of all rows that any of `stages` depends on. Equal machines hash equal on
 * every platform. */
uint64_t machine_hash(const struct machine *machine, unsigned stages);

/* True where all those rows have equal values. */
bool machine_same(const struct machine *a, const struct machine *b, unsigned stages);

/* Whether page walks go through the L2: then neither the caches nor the translation can be
 * simulated without the other. */
bool machine_couples(const struct machine *machine);

/* The ways of a TLB: all its entries where it is fully associative. */
uint64_t tlb_ways(const struct tlb_config *tlb);
uint64_t pwc_ways(const struct pwc_config *pwc);

/* Sets of one instance: an L1D, or one slice of an L2 (slices of an L1D count as 1). */
uint64_t cache_sets(const struct cache_config *cache);

/* Whether its sets are lists of lines by their last use (REPLACEMENT_RECENCY). */
static inline bool cache_keeps_recency(const struct cache_config *cache)
{
    return replacement_facts[cache->replacement].traits & REPLACEMENT_RECENCY;
}

/* Whether its replacement needs the future, so that it has hits and misses only at the end of the
 * stream and nothing can stand behind it. */
static inline bool cache_is_offline(const struct cache_config *cache)
{
    return replacement_facts[cache->replacement].traits & REPLACEMENT_FUTURE;
}
