/* The families of designs: every member once, as X(CONSTANT, "name", "help", facts...).
 *
 * The enum, the names in YAML and the manual come from here, and so does what else is known of a
 * member: rules, area and every fast path of the models read its facts and name no member. A wrong
 * fact makes a fast path count something else than cache_run; the property tests find that, because
 * they draw the members from these lists. docs/HOWTO.md says how to add one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAMILY_ANY UINT64_MAX /* no limit */

/* What a machine is for decides which stages it may have (schema/stages.h). */
#define KIND_LIST(X)                                                                               \
    X(KIND_COMPUTE, "compute", "a GPU that runs kernels: caches and address translation")          \
    X(KIND_SIMT, "simt", "a SIMT processor: caches, no address translation")                       \
    X(KIND_GRAPHICS, "graphics", "an embedded GPU that draws: caches, no address translation")

/* What holds of a replacement policy. */
enum replacement_trait {
    /* The victim is the line that was used longest ago. So the lines that w ways hold are among
     * those that w + 1 hold, and one list of the lines by their last use is every number of ways
     * at once (model/lru/stack.h). */
    REPLACEMENT_RECENCY = 1 << 0,
    /* The victim is the line that came first, whatever was used since. */
    REPLACEMENT_QUEUE = 1 << 1,
    /* The same, as long as a line goes for another one only: no flush, no store that drops it. */
    REPLACEMENT_ROTATION = 1 << 2,
    /* Accessing the line that its set accessed last changes nothing, so repeats may be skipped. */
    REPLACEMENT_REPEAT_IDLE = 1 << 3,
    /* The policy chooses the way even while some are invalid. */
    REPLACEMENT_ANY_WAY = 1 << 4,
    REPLACEMENT_POWER_OF_TWO = 1 << 5, /* of ways only */
    /* Needs the whole stream (model/cache/opt.h): a limit, which no design reaches. */
    REPLACEMENT_FUTURE = 1 << 6
};

/* Behind the help: traits; the most ways with which it is LRU; the most ways; the bits of state of
 * a set of `ways` ways, of which `pointer` bits name one. */
#define REPLACEMENT_LIST(X)                                                                        \
    X(REPLACEMENT_LRU, "lru", "least recently used",                                               \
      REPLACEMENT_RECENCY | REPLACEMENT_REPEAT_IDLE, FAMILY_ANY, FAMILY_ANY, ways * pointer)       \
    X(REPLACEMENT_FIFO, "fifo", "first in, first out",                                             \
      REPLACEMENT_QUEUE | REPLACEMENT_ROTATION | REPLACEMENT_REPEAT_IDLE, 1, FAMILY_ANY, pointer)  \
    X(REPLACEMENT_RANDOM, "random", "a way drawn from the seed", REPLACEMENT_REPEAT_IDLE, 1,       \
      FAMILY_ANY, 0)                                                                               \
    X(REPLACEMENT_PLRU, "plru", "tree pseudo-LRU; needs a power of two of ways",                   \
      REPLACEMENT_REPEAT_IDLE | REPLACEMENT_POWER_OF_TWO, 2, 64, ways - 1)                         \
    X(REPLACEMENT_RR, "rr", "round robin: a counter a set picks the victim",                       \
      REPLACEMENT_ROTATION | REPLACEMENT_REPEAT_IDLE | REPLACEMENT_ANY_WAY, 1, FAMILY_ANY,         \
      pointer)                                                                                     \
    X(REPLACEMENT_SRRIP, "srrip", "re-reference interval prediction, 2 bits a way, hit priority",  \
      0, 1, FAMILY_ANY, 2 * ways)                                                                  \
    X(REPLACEMENT_OPT, "opt", "Belady's optimum: needs the future, a limit and not a design",      \
      REPLACEMENT_FUTURE | REPLACEMENT_REPEAT_IDLE, 0, FAMILY_ANY, 0)

/* What holds of a set index function. */
enum index_trait {
    /* The set among S follows from the set among any multiple of S, so that more sets refine fewer
     * ones. */
    INDEX_NESTS = 1 << 0,
    /* The set of a ^ b is that of a, exclusive-or that of b; and lines that differ in the lowest
     * log2(sets) bits alone lie in different sets. */
    INDEX_XORS = 1 << 1,
    /* The set is the remainder of the line number by the number of sets that are reached. */
    INDEX_REMAINDER = 1 << 2,
    INDEX_POWER_OF_TWO = 1 << 3 /* of sets only */
};

/* Behind the help: traits; the fewest and the most sets; how many of `sets` sets it reaches. */
#define INDEX_LIST(X)                                                                              \
    X(INDEX_MODULO, "linear", "low bits of the line number, modulo the sets",                      \
      INDEX_NESTS | INDEX_REMAINDER, 1, FAMILY_ANY, sets)                                          \
    X(INDEX_XOR, "xor", "low bits exclusive-or the next higher bits",                              \
      INDEX_XORS | INDEX_POWER_OF_TWO, 1, FAMILY_ANY, sets)                                        \
    X(INDEX_FERMI, "fermi", "the hash measured on Fermi; 32 or 64 sets",                           \
      INDEX_XORS | INDEX_POWER_OF_TWO, 32, 64, sets)                                               \
    X(INDEX_IPOLY, "ipoly", "line number modulo an irreducible polynomial over GF(2)",             \
      INDEX_XORS | INDEX_POWER_OF_TWO, 1, 1048576, sets)                                           \
    X(INDEX_PRIME, "prime", "modulo the largest prime up to the sets; those beyond stay empty",    \
      INDEX_REMAINDER, 1, FAMILY_ANY, prime_floor(sets))

/* What holds of a write policy. */
enum write_trait {
    WRITE_TAKES = 1 << 0,   /* stores come here */
    WRITE_DIRTIES = 1 << 1, /* a store, perhaps to local memory only, leaves its line dirty */
    WRITE_DROPS = 1 << 2    /* a store, perhaps to global memory only, drops the line it finds */
};

#define WRITE_LIST(X)                                                                              \
    X(WRITE_READ_ONLY, "read_only", "no stores come here; they pass to the next level", 0)         \
    X(WRITE_BACK, "write_back", "a store stays until its line is evicted",                         \
      WRITE_TAKES | WRITE_DIRTIES)                                                                 \
    X(WRITE_THROUGH, "write_through", "a store also goes to the next level at once", WRITE_TAKES)  \
    X(WRITE_EVICT, "write_evict", "a store goes to the next level and drops the line",             \
      WRITE_TAKES | WRITE_DROPS)                                                                   \
    X(WRITE_LOCAL_BACK, "local_back", "write-back for local memory, write-evict for global",       \
      WRITE_TAKES | WRITE_DIRTIES | WRITE_DROPS)

#define ALLOCATE_LIST(X)                                                                           \
    X(ALLOCATE_ON_MISS, "on_miss", "a miss reserves its line at once")                             \
    X(ALLOCATE_ON_FILL, "on_fill", "a line is taken when its data arrive")                         \
    X(ALLOCATE_STREAMING, "streaming", "on_fill, but on_miss where no shared memory is used")

/* What a store that misses does. */
enum write_allocate_trait {
    WRITE_ALLOCATE_BRINGS = 1 << 0, /* takes a line */
    WRITE_ALLOCATE_LATE = 1 << 1,   /* fetches later than it takes the line, or never */
    WRITE_ALLOCATE_PARTIAL = 1 << 2 /* leaves lines that are there and yet miss when read */
};

#define WRITE_ALLOCATE_LIST(X)                                                                     \
    X(WRITE_ALLOCATE_NONE, "none", "a store that misses passes by", 0)                             \
    X(WRITE_ALLOCATE_FETCH, "write_allocate",                                                      \
      "a store that misses fetches the line and writes it", WRITE_ALLOCATE_BRINGS)                 \
    X(WRITE_ALLOCATE_ON_WRITE, "fetch_on_write", "a partial store that misses fetches first",      \
      WRITE_ALLOCATE_BRINGS | WRITE_ALLOCATE_LATE)                                                 \
    X(WRITE_ALLOCATE_LAZY, "lazy_fetch", "a store that misses fetches only when it is read",       \
      WRITE_ALLOCATE_BRINGS | WRITE_ALLOCATE_LATE | WRITE_ALLOCATE_PARTIAL)

enum mshr_trait { MSHR_QUEUE = 1 << 0 /* misses wait in a FIFO, as in a texture cache */ };

#define MSHR_LIST(X)                                                                               \
    X(MSHR_ASSOCIATIVE, "associative", "one entry a block in flight", 0)                           \
    X(MSHR_SECTOR, "sector", "associative; misses leave as 32 B sector requests", 0)               \
    X(MSHR_FIFO, "fifo", "texture FIFO", MSHR_QUEUE)                                               \
    X(MSHR_SECTOR_FIFO, "sector_fifo", "texture FIFO with sector requests", MSHR_QUEUE)

enum scheduler_trait { SCHEDULER_ACTIVE = 1 << 0 /* reads scheduler.active */ };

#define SCHEDULER_LIST(X)                                                                          \
    X(SCHEDULER_LRR, "lrr", "loose round robin", 0)                                                \
    X(SCHEDULER_GTO, "gto", "greedy then oldest", 0)                                               \
    X(SCHEDULER_TWO_LEVEL, "two_level", "two-level active (scheduler.active warps)",               \
      SCHEDULER_ACTIVE)                                                                            \
    X(SCHEDULER_RRR, "rrr", "strict round robin", 0)                                               \
    X(SCHEDULER_OLD, "old", "oldest first", 0)                                                     \
    X(SCHEDULER_SWL, "swl", "static warp limiting over gto (scheduler.active warps)",              \
      SCHEDULER_ACTIVE)

/* Behind the help: the index function that spreads the chunks of addresses over the slices. */
#define PARTITION_LIST(X)                                                                          \
    X(PARTITION_LINEAR, "linear", "address bits above the interleave, modulo the slices",          \
      INDEX_MODULO)                                                                                \
    X(PARTITION_XOR, "xor", "exclusive-or with the next higher bits", INDEX_XOR)                   \
    X(PARTITION_IPOLY, "ipoly", "irreducible polynomial over GF(2)", INDEX_IPOLY)

/* Behind the help: ports beyond the first. */
#define PORTS_LIST(X)                                                                              \
    X(PORTS_1RW, "1rw", "one port that reads or writes", 0)                                        \
    X(PORTS_1R1W, "1r1w", "one read and one write port", 1)                                        \
    X(PORTS_2R2W, "2r2w", "two read and two write ports", 3)

/* What a page-walk cache has. */
enum pwc_trait {
    PWC_ENTRIES = 1 << 0, /* pwc.entries */
    PWC_LEVELS = 1 << 1,  /* and entries of its own for the levels above */
    PWC_BLOCKS = 1 << 2,  /* levels above that are direct-mapped and name blocks of the one below */
    PWC_SETS = 1 << 3     /* pwc.ways: its entries may be in sets */
};

#define PWC_LIST(X)                                                                                \
    X(PWC_NONE, "none", "every walk reads all levels", 0)                                          \
    X(PWC_TPC, "tpc", "translation-path cache: one entry a path, three levels in parallel",        \
      PWC_ENTRIES | PWC_SETS)                                                                      \
    X(PWC_STC, "stc", "split translation cache: a bank a level, tagged with all indices so far",   \
      PWC_ENTRIES | PWC_LEVELS)                                                                    \
    X(PWC_UPTC, "uptc", "unified page-table cache: page-table entries, one level after another",   \
      PWC_ENTRIES)                                                                                 \
    X(PWC_CPWC, "cpwc", "compressed page-walk cache: a tree without redundant indices",            \
      PWC_ENTRIES | PWC_LEVELS | PWC_BLOCKS)

#define PWC_MASK_LIST(X)                                                                           \
    X(PWC_MASK_FORMULA, "formula", "one mask bit an entry, as the paper's size formula counts")    \
    X(PWC_MASK_BLOCKS, "blocks", "one mask bit a block, as the paper's figure draws")

enum walker_trait { WALKER_REORDERS = 1 << 0 /* walks overtake others, up to walker.patience */ };

#define WALKER_LIST(X)                                                                             \
    X(WALKER_FCFS, "fcfs", "first come, first served: in the order of the TLBs' misses", 0)        \
    X(WALKER_SJF, "sjf", "warp-aware shortest job first: the instruction with least walk cost",    \
      WALKER_REORDERS)

#define REUSE_MODE_LIST(X)                                                                         \
    X(REUSE_TEXTBOOK, "textbook", "as the paper defines it; the miss classes add up")              \
    X(REUSE_PUBLISHED, "published", "number for number the authors' program")

#define FAMILY_ENUM(constant, ...)  constant,
#define FAMILY_COUNT(constant, ...) +1

enum machine_kind { KIND_LIST(FAMILY_ENUM) };
enum replacement { REPLACEMENT_LIST(FAMILY_ENUM) };
enum index_function { INDEX_LIST(FAMILY_ENUM) };
enum write_policy { WRITE_LIST(FAMILY_ENUM) };
enum allocate_policy { ALLOCATE_LIST(FAMILY_ENUM) };
enum write_allocate { WRITE_ALLOCATE_LIST(FAMILY_ENUM) };
enum mshr_kind { MSHR_LIST(FAMILY_ENUM) };
enum scheduler_policy { SCHEDULER_LIST(FAMILY_ENUM) };
enum partition_hash { PARTITION_LIST(FAMILY_ENUM) };
enum sram_ports { PORTS_LIST(FAMILY_ENUM) };
enum pwc_organization { PWC_LIST(FAMILY_ENUM) };
enum reuse_mode { REUSE_MODE_LIST(FAMILY_ENUM) };
enum pwc_mask { PWC_MASK_LIST(FAMILY_ENUM) };
enum walker_policy { WALKER_LIST(FAMILY_ENUM) };

enum { REPLACEMENT_COUNT = 0 REPLACEMENT_LIST(FAMILY_COUNT) };
enum { INDEX_COUNT = 0 INDEX_LIST(FAMILY_COUNT) };
enum { PWC_COUNT = 0 PWC_LIST(FAMILY_COUNT) };

#define KIND_BIT(kind) (1u << (kind))
#define ANY_KIND       (~0u)

struct choice {
    const char *name, *help;
};

/* ---- The facts as tables (families.c), by the member's enum. */

struct replacement_facts {
    const char *name;
    unsigned traits; /* of enum replacement_trait */
    uint64_t lru_ways, ways_max;
};

struct index_facts {
    const char *name;
    unsigned traits; /* of enum index_trait */
    uint64_t sets_min, sets_max;
};

extern const struct replacement_facts replacement_facts[REPLACEMENT_COUNT];
extern const struct index_facts index_facts[INDEX_COUNT];
extern const int partition_index[]; /* enum index_function */
extern const unsigned ports_extra[];
/* Of the enum trait of each family. */
extern const unsigned write_traits[], write_allocate_traits[], mshr_traits[], scheduler_traits[],
    pwc_traits[], walker_traits[];

enum { FAMILY_NEEDS = 80 }; /* a buffer of this size holds what a member needs, in words */

/* Whether there is such a policy, and it is defined for sets of so many ways. */
bool replacement_holds(int policy, uint64_t ways);
/* "a power of two of ways up to 64"; returns `text`. */
const char *replacement_needs(int policy, char text[FAMILY_NEEDS]);
/* Bits of replacement state of one set. */
uint64_t replacement_bits(int policy, uint64_t ways);

/* Whether there is such a function, and it is defined for so many sets. */
bool index_holds(int function, uint64_t sets);
/* "32 or 64 sets"; returns `text`. */
const char *index_needs(int function, char text[FAMILY_NEEDS]);
/* How many of the sets lines fall in: the others stay empty. */
uint64_t index_reach(int function, uint64_t sets);
