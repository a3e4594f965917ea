/* The parameter table: the only list of the knobs of a machine.
 *
 * YAML keys and their errors, the form on the screen, sweep axes, constraints, `--set`, CSV headers
 * and the manual all read it. A new knob is one row in parameters.c and one field in
 * schema/machine.h. Invariant: a row's `stages` name every stage and depth whose results the knob
 * can change; caches of results rely on it. Look-ups by path search the table linearly. */
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
    STEP_DOUBLE, /* to the next power of two; other values can still be typed */
    STEP_POWER   /* only powers of two are legal */
};

/* What a parameter is to somebody who looks for a better machine (explore/explain):
 * X(constant, name, help). */
#define ROLE_LIST(X)                                                                               \
    X(ROLE_FACT, "fact", "part of the question, not something to choose")                          \
    X(ROLE_TECHNOLOGY, "technology",                                                               \
      "set by what can be manufactured: latencies, clocks, standards")                             \
    X(ROLE_LEVER, "lever", "an architect chooses it")
enum parameter_role { ROLE_LIST(FAMILY_ENUM) };
extern const struct choice parameter_roles[];

/* What a change of a parameter does to the counts of its cache and of those after it. Two machines
 * that count different things are not compared by them: X(constant, why). */
#define COUNTING_LIST(X)                                                                           \
    X(COUNTS_ALIKE, "")                                                                            \
    X(COUNTS_OTHER_SIZES, "a request is then for another number of bytes")                         \
    X(COUNTS_OTHER_REQUESTS, "other requests then come to it")
enum parameter_counting {
#define COUNTING_ENUM(id, why) id,
    COUNTING_LIST(COUNTING_ENUM)
#undef COUNTING_ENUM
};
extern const char *const counting_whys[];

/* The capacity and the ways of a cache or TLB: together they determine its number of sets. */
enum geometry_part { NO_GEOMETRY, GEOMETRY_CAPACITY, GEOMETRY_WAYS };

struct value {     /* the parameter's type says which member is valid */
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
    struct value fallback;        /* the value if a file does not set it */
    const struct choice *choices; /* ENUM */
    size_t choice_count;
    const char *top; /* UINT: the name of the value `max`, or NULL */
    enum parameter_role role;
    unsigned stages; /* the stages whose results it can change, of enum stage, and bits such as
                      * AT_REUSE for depths that read it besides */
    enum geometry_part geometry;
    enum parameter_counting counting;
    size_t offset;                                   /* of the field in struct machine */
    bool (*relevant)(const struct machine *machine); /* NULL: always */
    const char *help;                                /* one line */
};

enum { VALUE_TEXT = 400 }; /* a buffer of this size holds every printed value */

extern const struct parameter parameters[];
extern const size_t parameter_count;

/* Whether a parameter has a meaning for this machine. */
static inline bool parameter_relevant(const struct parameter *parameter,
                                      const struct machine *machine)
{
    return !parameter->relevant || parameter->relevant(machine);
}

/* Whether an evaluation at `depth`, or the area model, reads a parameter. */
bool parameter_answers(const struct parameter *parameter, enum depth depth);

/* Finds the row of a path; NULL if there is none. */
const struct parameter *parameter_find(const char *path);

/* The legal path nearest to a mistyped one, or NULL. */
const char *parameter_nearest(const char *path);

struct value parameter_get(const struct parameter *parameter, const struct machine *machine);
void parameter_set(const struct parameter *parameter, struct machine *machine, struct value value);
bool parameter_equal(const struct parameter *parameter, struct value a, struct value b);

/* Parses a value and checks its range. On STATUS_INVALID `why` (if not NULL) says what was expected
 * and what was found, ready to follow the path: "expected a power of two from 16B to 512B, got
 * 'four'". */
enum status parameter_parse(const struct parameter *parameter, const char *text,
                            struct value *value, char why[VALUE_TEXT]);

/* Prints a value as text that parameter_parse reads back to the same value. Returns `text`. */
const char *parameter_print(const struct parameter *parameter, struct value value,
                            char text[VALUE_TEXT]);

/* Describes the legal values: "a power of two from 16B to 512B", "lru, fifo, random, plru, rr or
 * opt". Returns `text`. */
const char *parameter_expects(const struct parameter *parameter, char text[VALUE_TEXT]);

/* Whether its values are replacement policies (enum replacement). */
bool parameter_chooses_replacement(const struct parameter *parameter);
/* Whether a value is a limit that nobody can build, such as Belady's optimum, which needs the
 * future. */
bool parameter_is_limit(const struct parameter *parameter, struct value value);

/* Whether a value is the maximum that has a name instead of a number, such as "full" ways. */
bool parameter_is_top(const struct parameter *parameter, struct value value);

/* Whether a parameter has no meaning for this machine, and which other parameter causes that: `why`
 * becomes " while tlb.enabled is no", or " in this machine" if no single parameter does. */
bool parameter_idle(const struct parameter *parameter, const struct machine *machine,
                    char why[VALUE_TEXT]);

/* The next legal value up (direction > 0) or down; false at the end of the range. Leaves *next
 * alone then. */
bool parameter_next(const struct parameter *parameter, struct value value, int direction,
                    struct value *next);

/* Any value as a number for expressions, charts and columns: the value itself, 0 or 1, or the index
 * of the choice. */
double parameter_number(const struct parameter *parameter, struct value value);

/* Sets every field to its fallback. */
void machine_defaults(struct machine *machine);

/* A broken rule that involves several fields. `parameter` is the one to blame in a message. */
struct violation {
    const char *rule; /* short, stable name of the rule: "l1d geometry" */
    const struct parameter *parameter;
    char message[200];
};

enum { VIOLATION_MAX = 16 };

/* Checks every rule that involves several parameters. Returns the number of broken ones and puts
 * the first VIOLATION_MAX of them in `found`. A machine without violations can be evaluated. */
size_t machine_check(const struct machine *machine, struct violation found[VIOLATION_MAX]);

/* A hash of the values of all rows that any of `stages` reads. It is the same on every platform, so
 * files may hold it. */
uint64_t machine_hash(const struct machine *machine, unsigned stages);

/* Whether two machines agree in all those rows. */
bool machine_same(const struct machine *a, const struct machine *b, unsigned stages);

/* Whether page walks go through the L2. If so, neither the caches nor the translation can be
 * simulated without the other. */
bool machine_couples(const struct machine *machine);

/* The ways of a TLB: all its entries if it is fully associative. */
uint64_t tlb_ways(const struct tlb_config *tlb);
uint64_t pwc_ways(const struct pwc_config *pwc);

/* The clock of the L2 in Hz. */
static inline uint64_t l2_clock(const struct machine *machine)
{
    return machine->l2.clock ? machine->l2.clock : machine->network.clock;
}

/* The core cycles from the L2 to a controller of the DRAM. */
static inline uint64_t dram_latency(const struct machine *machine)
{
    const double clock = (double)machine->dram.latency_clock;
    return clock ? (uint64_t)((double)machine->dram.latency * (double)machine->gpu.clock / clock +
                              0.5)
                 : machine->dram.latency;
}

/* The sets of one instance: an L1D, or one slice of an L2 (an L1D has `slices` = 1). */
uint64_t cache_sets(const struct cache_config *cache);

/* Whether each set is a list of lines in recency order (REPLACEMENT_RECENCY). */
static inline bool cache_keeps_recency(const struct cache_config *cache)
{
    return replacement_facts[cache->replacement].traits & REPLACEMENT_RECENCY;
}

/* Whether it is an L2 in two halves, whose slices depend on each other (model/cache/partition.h).
 */
static inline bool cache_in_halves(const struct cache_config *cache)
{
    return cache->enabled && cache->halves;
}

/* Whether its replacement needs the future. Such a cache knows its hits and misses only at the end
 * of the stream, so no other cache can follow it. */
static inline bool cache_is_offline(const struct cache_config *cache)
{
    return replacement_facts[cache->replacement].traits & REPLACEMENT_FUTURE;
}
