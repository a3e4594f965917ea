/* The families of designs: every member once, as X(CONSTANT, "name", "help").
 * The enum, the names in YAML and the manual come from here; a model keeps its descriptors in a
 * table indexed by the enum and asserts that it has them all. */
#pragma once

#define REPLACEMENT_LIST(X)                                                                        \
    X(REPLACEMENT_LRU, "lru", "least recently used")                                               \
    X(REPLACEMENT_FIFO, "fifo", "first in, first out")                                             \
    X(REPLACEMENT_RANDOM, "random", "a way drawn from the seed")                                   \
    X(REPLACEMENT_PLRU, "plru", "tree pseudo-LRU; needs a power of two of ways")                   \
    X(REPLACEMENT_RR, "rr", "round robin: a counter a set picks the victim")                       \
    X(REPLACEMENT_OPT, "opt", "Belady's optimum: needs the future, a limit and not a design")

#define INDEX_LIST(X)                                                                              \
    X(INDEX_MODULO, "linear", "low bits of the line number, modulo the sets")                      \
    X(INDEX_XOR, "xor", "low bits exclusive-or the next higher bits")                              \
    X(INDEX_FERMI, "fermi", "the hash measured on Fermi; 32 or 64 sets")                           \
    X(INDEX_IPOLY, "ipoly", "line number modulo an irreducible polynomial over GF(2)")

#define WRITE_LIST(X)                                                                              \
    X(WRITE_READ_ONLY, "read_only", "no stores come here; they pass to the next level")            \
    X(WRITE_BACK, "write_back", "a store stays until its line is evicted")                         \
    X(WRITE_THROUGH, "write_through", "a store also goes to the next level at once")               \
    X(WRITE_EVICT, "write_evict", "a store goes to the next level and drops the line")             \
    X(WRITE_LOCAL_BACK, "local_back", "write-back for local memory, write-evict for global")

#define ALLOCATE_LIST(X)                                                                           \
    X(ALLOCATE_ON_MISS, "on_miss", "a miss reserves its line at once")                             \
    X(ALLOCATE_ON_FILL, "on_fill", "a line is taken when its data arrive")                         \
    X(ALLOCATE_STREAMING, "streaming", "on_fill, but on_miss where no shared memory is used")

#define WRITE_ALLOCATE_LIST(X)                                                                     \
    X(WRITE_ALLOCATE_NONE, "none", "a store that misses passes by")                                \
    X(WRITE_ALLOCATE_FETCH, "write_allocate",                                                      \
      "a store that misses fetches the line and writes it")                                        \
    X(WRITE_ALLOCATE_ON_WRITE, "fetch_on_write", "a partial store that misses fetches first")      \
    X(WRITE_ALLOCATE_LAZY, "lazy_fetch", "a store that misses fetches only when it is read")

#define MSHR_LIST(X)                                                                               \
    X(MSHR_ASSOCIATIVE, "associative", "one entry a block in flight")                              \
    X(MSHR_SECTOR, "sector", "associative; misses leave as 32 B sector requests")                  \
    X(MSHR_FIFO, "fifo", "texture FIFO")                                                           \
    X(MSHR_SECTOR_FIFO, "sector_fifo", "texture FIFO with sector requests")

#define SCHEDULER_LIST(X)                                                                          \
    X(SCHEDULER_LRR, "lrr", "loose round robin")                                                   \
    X(SCHEDULER_GTO, "gto", "greedy then oldest")                                                  \
    X(SCHEDULER_TWO_LEVEL, "two_level", "two-level active (scheduler.active warps)")               \
    X(SCHEDULER_RRR, "rrr", "strict round robin")                                                  \
    X(SCHEDULER_OLD, "old", "oldest first")                                                        \
    X(SCHEDULER_SWL, "swl", "static warp limiting over gto (scheduler.active warps)")

#define PARTITION_LIST(X)                                                                          \
    X(PARTITION_LINEAR, "linear", "address bits above the interleave, modulo the slices")          \
    X(PARTITION_XOR, "xor", "exclusive-or with the next higher bits")                              \
    X(PARTITION_IPOLY, "ipoly", "irreducible polynomial over GF(2)")

#define PORTS_LIST(X)                                                                              \
    X(PORTS_1RW, "1rw", "one port that reads or writes")                                           \
    X(PORTS_1R1W, "1r1w", "one read and one write port")                                           \
    X(PORTS_2R2W, "2r2w", "two read and two write ports")

#define PWC_LIST(X)                                                                                \
    X(PWC_NONE, "none", "every walk reads all levels")                                             \
    X(PWC_TPC, "tpc", "translation-path cache: one entry a path, three levels in parallel")        \
    X(PWC_STC, "stc", "split translation cache: a bank a level, tagged with all indices so far")   \
    X(PWC_UPTC, "uptc", "unified page-table cache: page-table entries, one level after another")   \
    X(PWC_CPWC, "cpwc", "compressed page-walk cache: a tree without redundant indices")

#define PWC_MASK_LIST(X)                                                                           \
    X(PWC_MASK_FORMULA, "formula", "one mask bit an entry, as the paper's size formula counts")    \
    X(PWC_MASK_BLOCKS, "blocks", "one mask bit a block, as the paper's figure draws")

#define WALKER_LIST(X)                                                                             \
    X(WALKER_FCFS, "fcfs", "first come, first served: in the order of the TLBs' misses")           \
    X(WALKER_SJF, "sjf", "warp-aware shortest job first: the instruction with least walk cost")

#define REUSE_MODE_LIST(X)                                                                         \
    X(REUSE_TEXTBOOK, "textbook", "as the paper defines it; the miss classes add up")              \
    X(REUSE_PUBLISHED, "published", "number for number the authors' program")

#define FAMILY_ENUM(constant, name, help)  constant,
#define FAMILY_COUNT(constant, name, help) +1

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

struct choice {
    const char *name, *help;
};
