/* The families of designs. Each member is listed once, as X(CONSTANT, "name", "help", facts...).
 *
 * The enums, the names in YAML and the manual come from these lists, and so do the facts about a
 * member: rules, the area model and every fast path read facts and name no member. Invariant: the
 * facts describe what cache_run does. A wrong fact makes a fast path count something else; the
 * property tests find that, because they draw members from these lists. docs/HOWTO.md says how to
 * add one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAMILY_ANY UINT64_MAX /* no limit */

/* The purpose of a machine decides which stages it may have (schema/stages.h), and what runs on it
 * where no workload is named: the last word of a row. */
#define KIND_LIST(X)                                                                               \
    X(KIND_COMPUTE, "compute", "a GPU that runs kernels: caches and address translation",          \
      "2DCONV")                                                                                    \
    X(KIND_SIMT, "simt", "a SIMT processor: caches, no address translation", "simt-convolution")   \
    X(KIND_GRAPHICS, "graphics",                                                                   \
      "an embedded GPU's graphics back end: a tile cache in front of memory", "raster-jellyfish")

/* Properties of a replacement policy. */
enum replacement_trait {
    /* The victim is the least recently used line. So w ways hold a subset of the lines that w + 1
     * ways hold (inclusion: Mattson et al., 1970), and one recency list answers for every number of
     * ways at once (model/lru/stack.h). */
    REPLACEMENT_RECENCY = 1 << 0,
    /* The victim is the line that was filled first, whatever was used since. */
    REPLACEMENT_QUEUE = 1 << 1,
    /* Equivalent to a FIFO while lines only leave when another replaces them: no flush, no store
     * that drops its line. */
    REPLACEMENT_ROTATION = 1 << 2,
    /* Accessing the set's most recently accessed line again changes nothing, so a fast path may
     * skip repeats. */
    REPLACEMENT_REPEAT_IDLE = 1 << 3,
    /* The policy chooses the way even while some ways are invalid. */
    REPLACEMENT_ANY_WAY = 1 << 4,
    REPLACEMENT_POWER_OF_TWO = 1 << 5, /* only a power of two of ways is legal */
    /* Needs the whole stream in advance (model/cache/opt.h): a lower limit, not a design. */
    REPLACEMENT_FUTURE = 1 << 6,
    REPLACEMENT_BYPASSES = 1 << 7, /* a load miss need not allocate */
    /* Equivalent to LRU while lines only leave when another replaces them, or all at once. */
    REPLACEMENT_STACK = 1 << 8,
    REPLACEMENT_RESETS = 1 << 9, /* the state at power-up matters: a choice (RESET_LIST) */
    /* Its state is a permutation: started from equal bits it could not pick a victim. */
    REPLACEMENT_PERMUTES = 1 << 10,
    REPLACEMENT_READS_PC = 1 << 11, /* learns from the instructions of accesses */
    REPLACEMENT_WHOLE = 1 << 12     /* made for whole caches; here each set is one */
};

/* After the help: the traits; up to how many ways the policy equals LRU; the largest legal number
 * of ways; the state bits of a set of `ways` ways, where `pointer` bits number one way and `tag`
 * bits one line of the set; the bits that all `sets` sets of a cache share; whose it is. */
#define REPLACEMENT_LIST(X)                                                                        \
    X(REPLACEMENT_LRU, "lru", "least recently used",                                               \
      REPLACEMENT_RECENCY | REPLACEMENT_STACK | REPLACEMENT_REPEAT_IDLE, FAMILY_ANY, FAMILY_ANY,   \
      ways * pointer, 0, "Mattson et al., IBM Systems Journal 1970")                               \
    X(REPLACEMENT_FIFO, "fifo", "first in, first out",                                             \
      REPLACEMENT_QUEUE | REPLACEMENT_ROTATION | REPLACEMENT_REPEAT_IDLE, 1, FAMILY_ANY, pointer,  \
      0, "Belady, IBM Systems Journal 1966")                                                       \
    X(REPLACEMENT_RANDOM, "random", "a random way, drawn from the seed", REPLACEMENT_REPEAT_IDLE,  \
      1, FAMILY_ANY, 0, 0, "Belady, IBM Systems Journal 1966")                                     \
    X(REPLACEMENT_PLRU, "plru", "tree pseudo-LRU; needs a power of two of ways",                   \
      REPLACEMENT_REPEAT_IDLE | REPLACEMENT_POWER_OF_TWO | REPLACEMENT_RESETS, 2, 64, ways - 1, 0, \
      "So and Rechtschaffen, IEEE Trans. Computers 1988")                                          \
    X(REPLACEMENT_RR, "rr", "round robin: a counter per set picks the victim",                     \
      REPLACEMENT_ROTATION | REPLACEMENT_REPEAT_IDLE | REPLACEMENT_ANY_WAY | REPLACEMENT_RESETS,   \
      1, FAMILY_ANY, pointer, 0, "Xu et al., Computer Applications and Software 2019")             \
    X(REPLACEMENT_LRU_STACK, "lru_stack",                                                          \
      "LRU of a SIMT processor: a counter per way, blind to invalid ways",                         \
      REPLACEMENT_STACK | REPLACEMENT_REPEAT_IDLE | REPLACEMENT_ANY_WAY | REPLACEMENT_RESETS |     \
          REPLACEMENT_PERMUTES,                                                                    \
      1, 256, ways * pointer, 0, "Xu et al., Computer Applications and Software 2019")             \
    X(REPLACEMENT_LFU_STACK, "lfu_stack",                                                          \
      "its \"LFU\": the mirror of lru_stack, filled from the last way down",                       \
      REPLACEMENT_STACK | REPLACEMENT_REPEAT_IDLE | REPLACEMENT_ANY_WAY | REPLACEMENT_RESETS |     \
          REPLACEMENT_PERMUTES,                                                                    \
      1, 256, ways * pointer, 0, "Xu et al., Computer Applications and Software 2019")             \
    X(REPLACEMENT_PLRU_SIMT, "plru_simt",                                                          \
      "its pseudo-LRU: full order of groups, a bit per pair and per way",                          \
      REPLACEMENT_REPEAT_IDLE | REPLACEMENT_ANY_WAY | REPLACEMENT_RESETS |                         \
          REPLACEMENT_POWER_OF_TWO,                                                                \
      1, 32, ways / 2 + ways / 4 + (ways / 4) * (ways / 4 - 1) / 2, 0,                             \
      "Xu et al., Computer Applications and Software 2019")                                        \
    X(REPLACEMENT_MRU, "mru", "most recently used, for loops larger than the cache",               \
      REPLACEMENT_REPEAT_IDLE, 1, FAMILY_ANY, pointer, 0, "Chou and DeWitt, VLDB 1985")            \
    X(REPLACEMENT_LFU, "lfu", "least frequently used since its fill, counted to 65,535", 0, 1,     \
      FAMILY_ANY, 16 * ways, 0, "Robinson and Devarakonda, SIGMETRICS 1990")                       \
    X(REPLACEMENT_LFU_AGING, "lfu_aging",                                                          \
      "least frequently used, counted to 15; all counts halve when one overflows", 0, 1,           \
      FAMILY_ANY, 4 * ways, 0, "Robinson and Devarakonda, SIGMETRICS 1990")                        \
    X(REPLACEMENT_NRU, "nru", "not recently used: one bit per way", REPLACEMENT_REPEAT_IDLE, 1,    \
      FAMILY_ANY, ways, 0, "Jaleel et al., ISCA 2010")                                             \
    X(REPLACEMENT_CLOCK, "clock", "second chance: the hand skips referenced lines", 0, 1,          \
      FAMILY_ANY, ways + pointer, 0, "Corbato, 1968")                                              \
    X(REPLACEMENT_LIP, "lip", "LRU insertion: a new line is the next victim", 0, 1, 256,           \
      ways *pointer, 0, "Qureshi et al., ISCA 2007")                                               \
    X(REPLACEMENT_BIP, "bip", "bimodal insertion: lip, but 1 new line in 32 is inserted as MRU",   \
      0, 1, 256, ways *pointer, 5, "Qureshi et al., ISCA 2007")                                    \
    X(REPLACEMENT_DIP, "dip", "set dueling of lru and bip", 0, 1, 256, ways *pointer, 15,          \
      "Qureshi et al., ISCA 2007")                                                                 \
    X(REPLACEMENT_SRRIP, "srrip",                                                                  \
      "static re-reference interval prediction: 2-bit RRPV per way, hit priority", 0, 1,           \
      FAMILY_ANY, 2 * ways, 0, "Jaleel et al., ISCA 2010")                                         \
    X(REPLACEMENT_BRRIP, "brrip",                                                                  \
      "bimodal srrip: 31 of 32 new lines are inserted with the largest RRPV", 0, 1, FAMILY_ANY,    \
      2 * ways, 5, "Jaleel et al., ISCA 2010")                                                     \
    X(REPLACEMENT_DRRIP, "drrip", "set dueling of srrip and brrip", 0, 1, FAMILY_ANY, 2 * ways,    \
      15, "Jaleel et al., ISCA 2010")                                                              \
    X(REPLACEMENT_SHIP, "ship", "srrip with a hit predictor per PC signature",                     \
      REPLACEMENT_READS_PC, 1, FAMILY_ANY, 17 * ways, 3 << 14, "Wu et al., MICRO 2011")            \
    X(REPLACEMENT_HAWKEYE, "hawkeye",                                                              \
      "predictor per PC, trained on what Belady's optimum would keep", REPLACEMENT_READS_PC, 1,    \
      256, 16 * ways,                                                                              \
      (3 << 13) +                                                                                  \
          replacement_sampled(sets) * (8 * ways * (tag + 14 + log2_ceil(ways + 1)) + pointer + 3), \
      "Jain and Lin, ISCA 2016")                                                                   \
    X(REPLACEMENT_MOCKINGJAY, "mockingjay", "predictor of reuse distances per PC",                 \
      REPLACEMENT_READS_PC, 1, 256, ways *(pointer + 2) + 3,                                       \
      ((pointer + 4) << 11) + replacement_sampled(sets) * (8 * ways * (tag + 12) + pointer + 3),   \
      "Shah et al., HPCA 2022")                                                                    \
    X(REPLACEMENT_MDPP, "mdpp",                                                                    \
      "tree pseudo-LRU with minimal-disturbance placement and promotion",                          \
      REPLACEMENT_POWER_OF_TWO | REPLACEMENT_RESETS, 1, 64, ways - 1, 0,                           \
      "Teran et al., HPCA 2016")                                                                   \
    X(REPLACEMENT_SLRU, "slru",                                                                    \
      "segmented LRU: a hit promotes; half of the ways at most are protected", REPLACEMENT_WHOLE,  \
      1, 256, ways *pointer + log2_ceil(ways / 2 + 1), 0, "Karedla et al., IEEE Computer 1994")    \
    X(REPLACEMENT_2Q, "2q", "a probationary FIFO, and an LRU list for lines that return",          \
      REPLACEMENT_WHOLE | REPLACEMENT_REPEAT_IDLE, 1, 256,                                         \
      ways * pointer + log2_ceil(ways + 1) + (ways > 1 ? ways / 2 : 1) * tag +                     \
          log2_ceil(ways / 2 + 2),                                                                 \
      0, "Johnson and Shasha, VLDB 1994")                                                          \
    X(REPLACEMENT_ARC, "arc", "adaptive shares of lines seen once and seen again",                 \
      REPLACEMENT_WHOLE, 1, 256, ways *pointer + 2 * ways * tag + 5 * log2_ceil(ways + 1), 0,      \
      "Megiddo and Modha, FAST 2003")                                                              \
    X(REPLACEMENT_LIRS, "lirs", "keeps lines with a low inter-reference recency",                  \
      REPLACEMENT_WHOLE, 1, 256,                                                                   \
      2 * ways * (1 + log2_ceil(2 * ways)) + ways * tag + ways * pointer, 0,                       \
      "Jiang and Zhang, SIGMETRICS 2002")                                                          \
    X(REPLACEMENT_S3FIFO, "s3fifo",                                                                \
      "a small probationary FIFO in front of a main FIFO with reinsertion", REPLACEMENT_WHOLE, 1,  \
      256, ways *(pointer + 2) + log2_ceil(ways + 1) + ways * tag + log2_ceil(ways + 1), 0,        \
      "Yang et al., SOSP 2023")                                                                    \
    X(REPLACEMENT_SIEVE, "sieve", "a FIFO whose hand evicts unreferenced lines",                   \
      REPLACEMENT_WHOLE, 1, 256, ways *(pointer + 1) + pointer, 0, "Zhang et al., NSDI 2024")      \
    X(REPLACEMENT_OPT, "opt", "Belady's optimum: needs the future; a limit, not a design",         \
      REPLACEMENT_FUTURE | REPLACEMENT_REPEAT_IDLE, 0, FAMILY_ANY, 0, 0,                           \
      "Belady, IBM Systems Journal 1966")                                                          \
    X(REPLACEMENT_OPT_BYPASS, "opt_bypass",                                                        \
      "the optimum of replacement and bypass: loads need not allocate",                            \
      REPLACEMENT_FUTURE | REPLACEMENT_BYPASSES | REPLACEMENT_REPEAT_IDLE, 0, FAMILY_ANY, 0, 0,    \
      "Belady, IBM Systems Journal 1966")

/* What a set's replacement state is at power-up, where that matters. */
#define RESET_LIST(X)                                                                              \
    X(RESET_PAPER, "paper", "as the policy's paper says")                                          \
    X(RESET_ZEROS, "zeros", "every bit 0")                                                         \
    X(RESET_ONES, "ones", "every bit 1")

/* Properties of a set index function. */
enum index_trait {
    /* The set among S follows from the set among any multiple of S, so more sets refine fewer
     * sets. */
    INDEX_NESTS = 1 << 0,
    /* set(a ^ b) == set(a) ^ set(b), and lines that differ only in their lowest log2(sets) bits
     * fall in different sets. */
    INDEX_XORS = 1 << 1,
    /* The set is the line number modulo the number of sets that the function reaches. */
    INDEX_REMAINDER = 1 << 2,
    INDEX_POWER_OF_TWO = 1 << 3 /* only a power of two of sets is legal */
};

/* After the help: the traits; the fewest and the most sets; how many of `sets` sets the function
 * reaches. */
#define INDEX_LIST(X)                                                                              \
    X(INDEX_MODULO, "linear", "low bits of the line number, modulo the sets",                      \
      INDEX_NESTS | INDEX_REMAINDER, 1, FAMILY_ANY, sets)                                          \
    X(INDEX_XOR, "xor", "low bits XOR the next higher bits", INDEX_XORS | INDEX_POWER_OF_TWO, 1,   \
      FAMILY_ANY, sets)                                                                            \
    X(INDEX_FERMI, "fermi", "the hash measured on Fermi; 32 or 64 sets",                           \
      INDEX_XORS | INDEX_POWER_OF_TWO, 32, 64, sets)                                               \
    X(INDEX_IPOLY, "ipoly", "line number modulo an irreducible polynomial over GF(2)",             \
      INDEX_XORS | INDEX_POWER_OF_TWO, 1, 1048576, sets)                                           \
    X(INDEX_PRIME, "prime",                                                                        \
      "modulo the largest prime up to the sets; the remaining sets stay empty", INDEX_REMAINDER,   \
      1, FAMILY_ANY, prime_floor(sets))                                                            \
    X(INDEX_SCATTER, "scatter", "pseudo-random hash of the whole line number", 0, 1, 1048576,      \
      sets)                                                                                        \
    X(INDEX_ROTATE, "rotate", "low bits plus a pseudo-random hash of the rest", 0, 1, 1048576, sets)

/* Properties of a write policy. */
enum write_trait {
    WRITE_TAKES = 1 << 0,   /* stores come here */
    WRITE_DIRTIES = 1 << 1, /* stores, or only those to local memory, leave their lines dirty */
    WRITE_DROPS = 1 << 2    /* stores, or only those to global memory, drop the lines that they
                             * hit */
};

#define WRITE_LIST(X)                                                                              \
    X(WRITE_READ_ONLY, "read_only", "read-only: stores bypass to the next level", 0)               \
    X(WRITE_BACK, "write_back", "a store dirties its line, which is written on eviction",          \
      WRITE_TAKES | WRITE_DIRTIES)                                                                 \
    X(WRITE_THROUGH, "write_through", "a store also writes the next level", WRITE_TAKES)           \
    X(WRITE_EVICT, "write_evict", "a store writes the next level and invalidates the line",        \
      WRITE_TAKES | WRITE_DROPS)                                                                   \
    X(WRITE_LOCAL_BACK, "local_back", "write-back for local memory, write-evict for global",       \
      WRITE_TAKES | WRITE_DIRTIES | WRITE_DROPS)

#define ALLOCATE_LIST(X)                                                                           \
    X(ALLOCATE_ON_MISS, "on_miss", "a miss reserves its line immediately")                         \
    X(ALLOCATE_ON_FILL, "on_fill", "a line is allocated when its data arrive")                     \
    X(ALLOCATE_STREAMING, "streaming",                                                             \
      "on_fill, but on_miss while a unified L1D has no shared memory")

/* What happens on a store miss. */
enum write_allocate_trait {
    WRITE_ALLOCATE_BRINGS = 1 << 0, /* the store allocates a line */
    WRITE_ALLOCATE_LATE = 1 << 1,   /* the fetch comes later than the allocation, or never */
    WRITE_ALLOCATE_PARTIAL = 1 << 2 /* the store can leave a line that is present and still
                                     * misses when it is read */
};

#define WRITE_ALLOCATE_LIST(X)                                                                     \
    X(WRITE_ALLOCATE_NONE, "none", "a store miss does not allocate", 0)                            \
    X(WRITE_ALLOCATE_FETCH, "write_allocate", "a store miss fetches the line and writes it",       \
      WRITE_ALLOCATE_BRINGS)                                                                       \
    X(WRITE_ALLOCATE_ON_WRITE, "fetch_on_write",                                                   \
      "a partial store miss fetches first; a whole one only allocates",                            \
      WRITE_ALLOCATE_BRINGS | WRITE_ALLOCATE_LATE)                                                 \
    X(WRITE_ALLOCATE_LAZY, "lazy_fetch",                                                           \
      "a store miss allocates and fetches only when it is read",                                   \
      WRITE_ALLOCATE_BRINGS | WRITE_ALLOCATE_LATE | WRITE_ALLOCATE_PARTIAL)

enum mshr_trait { MSHR_QUEUE = 1 << 0 /* misses wait in a FIFO, as in a texture cache */ };

#define MSHR_LIST(X)                                                                               \
    X(MSHR_ASSOCIATIVE, "associative", "one entry per block in flight", 0)                         \
    X(MSHR_SECTOR, "sector", "associative; misses leave as 32 B sector requests", 0)               \
    X(MSHR_FIFO, "fifo", "texture FIFO", MSHR_QUEUE)                                               \
    X(MSHR_SECTOR_FIFO, "sector_fifo", "texture FIFO with sector requests", MSHR_QUEUE)

enum scheduler_trait {
    SCHEDULER_ACTIVE = 1 << 0, /* reads scheduler.active */
    SCHEDULER_LOOSE = 1 << 1   /* how the functional depth issues, whatever the machine says */
};

/* After the help: the traits; which ready warp issues; what decides between warps that the rule
 * ranks alike; whose it is. */
#define SCHEDULER_LIST(X)                                                                          \
    X(SCHEDULER_LRR, "lrr", "loose round robin", SCHEDULER_LOOSE,                                  \
      "the next ready warp in a circle of slots, from the slot after the last issue on",           \
      "no two warps have one slot", "Bakhoda et al., ISPASS 2009")                                 \
    X(SCHEDULER_GTO, "gto", "greedy then oldest", 0,                                               \
      "the warp that issued last while it is ready, else the oldest ready warp",                   \
      "no two warps have one age", "Rogers et al., MICRO 2012")                                    \
    X(SCHEDULER_GTY, "gty", "greedy then youngest", 0,                                             \
      "the warp that issued last while it is ready, else the youngest ready warp",                 \
      "no two warps have one age", "gto with ages reversed")                                       \
    X(SCHEDULER_TWO_LEVEL, "two_level", "two-level active (scheduler.active warps)",               \
      SCHEDULER_ACTIVE,                                                                            \
      "the first ready warp of a rotating list of scheduler.active warps; one that waits for "     \
      "memory or a barrier changes places with the first pending warp",                            \
      "the order of the list: a warp that issued goes to its end",                                 \
      "Gebhart et al., ISCA 2011, as GPGPU-Sim 4.2 has it")                                        \
    X(SCHEDULER_RRR, "rrr", "strict round robin", 0,                                               \
      "the next warp in a circle of slots, or none if it is not ready; only warps at a barrier "   \
      "or fence lose their turn",                                                                  \
      "no two warps have one slot", "GPGPU-Sim 4.2")                                               \
    X(SCHEDULER_OLD, "old", "oldest first", 0, "the oldest ready warp",                            \
      "no two warps have one age", "GPGPU-Sim 4.2")                                                \
    X(SCHEDULER_SWL, "swl", "static warp limiting over gto (scheduler.active warps)",              \
      SCHEDULER_ACTIVE,                                                                            \
      "gto among the scheduler.active oldest warps that are at no barrier, and the last one",      \
      "no two warps have one age", "Rogers et al., MICRO 2012")                                    \
    X(SCHEDULER_TB_PRIORITY, "tb_priority", "the oldest block's warps first, then round robin", 0, \
      "a ready warp of the oldest thread block, else any other ready warp",                        \
      "round robin from the slot after the last issue; from the block's first warp if that slot "  \
      "is not the block's, and for the others from its end if it is",                              \
      "Jia et al., Journal of Xidian University 2023")                                             \
    X(SCHEDULER_TB_FIRST, "tb_first",                                                              \
      "the warps of a launch's first block on the SM first, then round robin", 0,                  \
      "a ready warp of the launch's first thread block on the SM while that runs, else any other " \
      "ready warp",                                                                                \
      "as tb_priority", "a reading of Jia et al., 2023: the block is chosen once for a launch")

/* Which warps may issue no loads of global or local memory (model/throttle), whatever scheduler
 * picks among the others. */
#define THROTTLE_LIST(X)                                                                           \
    X(THROTTLE_NONE, "none", "every warp may issue loads")                                         \
    X(THROTTLE_CCWS, "ccws",                                                                       \
      "cache-conscious: warps wait while others lose locality in the L1D (MICRO 2012)")            \
    X(THROTTLE_CONGESTION, "congestion",                                                           \
      "the youngest warps wait while requests crowd the network (MICRO 2014)")

/* What a bypass policy reads of struct bypass_config, and what it does besides. */
enum bypass_trait {
    BYPASS_LOADS = 1 << 0,     /* l1d.bypass.loads */
    BYPASS_CHANCE = 1 << 1,    /* l1d.bypass.chance */
    BYPASS_THRESHOLD = 1 << 2, /* l1d.bypass.threshold and how it is found */
    BYPASS_ENTRIES = 1 << 3,   /* l1d.bypass.entries: it has a table of instructions */
    BYPASS_RESET = 1 << 4,     /* l1d.bypass.reset: what it learned may outlive a launch */
    BYPASS_TOKENS = 1 << 5,    /* l1d.bypass.tokens */
    BYPASS_DISTANCE = 1 << 6,  /* l1d.bypass.distance */
    BYPASS_QUEUES = 1 << 7,    /* l1d.bypass.queues and how they fill and drain */
    BYPASS_SKIPS = 1 << 8,     /* it bypasses: l1d.bypass.mshr */
    BYPASS_TAGS = 1 << 9,      /* l1d.bypass.tags and reuses */
    BYPASS_DYNAMIC = 1 << 10,  /* l1d.bypass.dynamic */
    BYPASS_SHARES = 1 << 11,   /* l1d.bypass.shared */
    BYPASS_FULL = 1 << 12      /* it lets every miss allocate until some set is full */
};

/* Which load misses bypass the L1D. */
#define BYPASS_LIST(X)                                                                             \
    X(BYPASS_NEVER, "never", "every load miss allocates", 0)                                       \
    X(BYPASS_ALWAYS, "always", "every load miss bypasses", BYPASS_SKIPS)                           \
    X(BYPASS_LISTED, "list", "the loads of l1d.bypass.loads bypass", BYPASS_LOADS | BYPASS_SKIPS)  \
    X(BYPASS_RANDOM, "chance", "a load miss bypasses with probability l1d.bypass.chance",          \
      BYPASS_CHANCE | BYPASS_SKIPS)                                                                \
    X(BYPASS_ON_FAIL, "on_fail", "a load miss bypasses if every line of its set is reserved",      \
      BYPASS_SKIPS | BYPASS_FULL)                                                                  \
    X(BYPASS_SAMPLED, "sampled",                                                                   \
      "loads whose lines saw few hits during the first block bypass (Jia et al., 2023)",           \
      BYPASS_THRESHOLD | BYPASS_ENTRIES | BYPASS_RESET | BYPASS_SKIPS | BYPASS_SHARES |            \
          BYPASS_FULL)                                                                             \
    X(BYPASS_TIAN, "tian",                                                                         \
      "loads whose lines a counter per PC predicts dead bypass (GPGPU-8, 2015)",                   \
      BYPASS_ENTRIES | BYPASS_RESET | BYPASS_SKIPS)                                                \
    X(BYPASS_PCAL, "pcal", "only the oldest l1d.bypass.tokens warps allocate (HPCA 2015)",         \
      BYPASS_TOKENS | BYPASS_DYNAMIC | BYPASS_SKIPS)                                               \
    X(BYPASS_PDP, "pdp",                                                                           \
      "protecting distance: lines stay for l1d.bypass.distance accesses to their set",             \
      BYPASS_DISTANCE | BYPASS_DYNAMIC | BYPASS_SKIPS)                                             \
    X(BYPASS_MRPB, "mrpb",                                                                         \
      "request queues in front of the L1D; what would stall bypasses (HPCA 2014)",                 \
      BYPASS_QUEUES | BYPASS_SKIPS)                                                                \
    X(BYPASS_LOCALITY, "locality",                                                                 \
      "blocks allocate from access l1d.bypass.reuses + 1 in reach on (ICS 2015)",                  \
      BYPASS_TAGS | BYPASS_SKIPS)                                                                  \
    X(BYPASS_CTRL_C, "ctrl_c", "a bypass probability per load, set by a control loop (ICCD 2016)", \
      BYPASS_ENTRIES | BYPASS_RESET | BYPASS_SKIPS)                                                \
    X(BYPASS_DACACHE, "dacache",                                                                   \
      "lines of old warps and of coherent loads are protected (ICS 2015)",                         \
      BYPASS_DYNAMIC | BYPASS_SKIPS)

/* How many evictions per hit make a load bypass. */
#define BYPASS_ADAPTIVE_LIST(X)                                                                    \
    X(BYPASS_FIXED, "fixed", "l1d.bypass.threshold")                                               \
    X(BYPASS_BY_LATENCY, "latency", "measured miss latency / hit latency")                         \
    X(BYPASS_BY_MEAN, "mean", "l1d.bypass.threshold x evictions per hit of all loads")

/* What chooses the queue in front of the L1D that a request enters. */
#define BYPASS_SIGNATURE_LIST(X)                                                                   \
    X(BYPASS_BY_WARP, "warp", "its warp")                                                          \
    X(BYPASS_BY_BLOCK, "block", "the thread block of its warp")                                    \
    X(BYPASS_BY_PC, "pc", "its instruction")

/* Which of these queues goes on. */
#define BYPASS_DRAIN_LIST(X)                                                                       \
    X(BYPASS_DRAIN_FIXED, "fixed", "the first queue that is not empty")                            \
    X(BYPASS_DRAIN_ROUND, "round_robin", "the next queue after the last")                          \
    X(BYPASS_DRAIN_GREEDY, "greedy", "the same queue until it is empty, then the first")           \
    X(BYPASS_DRAIN_LONGEST, "longest", "the queue with the most requests")

/* What stores do at these queues. */
#define BYPASS_STORES_LIST(X)                                                                      \
    X(BYPASS_STORES_QUEUE, "queue", "they wait in the queue of their signature")                   \
    X(BYPASS_STORES_FLUSH, "flush", "they wait until all queues are empty, then bypass them")

/* Which reservation fails make a miss bypass. */
#define BYPASS_STALLS_LIST(X)                                                                      \
    X(BYPASS_STALLS_LINE, "line", "every line of its set is reserved")                             \
    X(BYPASS_STALLS_ALL, "all", "or no MSHR can take it (helps with l1d.bypass.mshr: no)")

/* Properties of a network. */
enum network_trait {
    NETWORK_FLITS = 1 << 0,   /* packets are cut into flits */
    NETWORK_HEADERS = 1 << 1, /* ... of which one is a header; else data travel alone */
    NETWORK_ROUTER = 1 << 2,  /* they pass a router of several stages */
    NETWORK_SORTED = 1 << 3   /* an input has a queue for each output */
};

#define NETWORK_LIST(X)                                                                            \
    X(NETWORK_CROSSBAR, "crossbar", "one packet per output and cycle, whatever its size", 0)       \
    X(NETWORK_VOQ, "voq", "crossbar with virtual output queues: one per output at each input",     \
      NETWORK_SORTED)                                                                              \
    X(NETWORK_FLY, "fly", "BookSim's router, which packets pass flit by flit",                     \
      NETWORK_FLITS | NETWORK_HEADERS | NETWORK_ROUTER)                                            \
    X(NETWORK_AXI, "axi", "AXI: one cycle per address and per data beat (flit) of a burst",        \
      NETWORK_FLITS)

#define DRAM_SCHEDULER_LIST(X)                                                                     \
    X(DRAM_FRFCFS, "frfcfs", "open rows first, then the oldest request")                           \
    X(DRAM_FIFO, "fifo", "first come, first served")

#define BANK_HASH_LIST(X)                                                                          \
    X(BANK_PLAIN, "no", "no hash")                                                                 \
    X(BANK_FOLDED, "yes", "all row bits, folded by XOR")                                           \
    X(BANK_XOR, "xor", "XOR with as many of the lowest row bits")                                  \
    X(BANK_IPOLY, "ipoly", "irreducible polynomial over GF(2) on the row bits")

#define BANK_GROUP_LIST(X)                                                                         \
    X(BANK_GROUP_LOW, "low", "the lowest bits of the bank number")                                 \
    X(BANK_GROUP_HIGH, "high", "the highest bits of the bank number")

/* After the help: the index function that spreads chunks of addresses over the slices. */
#define PARTITION_LIST(X)                                                                          \
    X(PARTITION_LINEAR, "linear", "address bits above the interleave, modulo the slices",          \
      INDEX_MODULO)                                                                                \
    X(PARTITION_XOR, "xor", "XOR with the next higher bits", INDEX_XOR)                            \
    X(PARTITION_IPOLY, "ipoly", "irreducible polynomial over GF(2)", INDEX_IPOLY)                  \
    X(PARTITION_ROTATE, "rotate", "linear, with a pseudo-random start per round of slices",        \
      INDEX_ROTATE)                                                                                \
    X(PARTITION_RANDOM, "random", "a random slice per line, from the seed; functional: as rotate", \
      INDEX_ROTATE)                                                                                \
    X(PARTITION_IPOLY_REST, "ipoly_rest",                                                          \
      "ipoly of the next power of two, modulo the slices; functional: as rotate", INDEX_ROTATE)

/* After the help: the number of ports beyond the first. */
#define PORTS_LIST(X)                                                                              \
    X(PORTS_1RW, "1rw", "one port that reads or writes", 0)                                        \
    X(PORTS_1R1W, "1r1w", "one read and one write port", 1)                                        \
    X(PORTS_2R2W, "2r2w", "two read and two write ports", 3)

/* What a machine is made of (model/area). */
#define TARGET_LIST(X)                                                                             \
    X(TARGET_ASIC, "asic", "a chip: area, time and energy after CACTI 7")                          \
    X(TARGET_FPGA, "fpga", "an UltraScale FPGA: block RAM, look-up tables and registers")

/* What a page-walk cache consists of. */
enum pwc_trait {
    PWC_ENTRIES = 1 << 0, /* it has pwc.entries */
    PWC_LEVELS = 1 << 1,  /* it has separate entries for the upper levels */
    PWC_BLOCKS = 1 << 2,  /* the upper levels are direct-mapped and point at blocks of entries of
                           * the level below */
    PWC_SETS = 1 << 3     /* it has pwc.ways: its entries may form sets */
};

#define PWC_LIST(X)                                                                                \
    X(PWC_NONE, "none", "every walk reads all levels", 0)                                          \
    X(PWC_TPC, "tpc", "translation-path cache: one entry per path, three levels in parallel",      \
      PWC_ENTRIES | PWC_SETS)                                                                      \
    X(PWC_STC, "stc",                                                                              \
      "split translation cache: one bank per level, tagged with all indices so far",               \
      PWC_ENTRIES | PWC_LEVELS)                                                                    \
    X(PWC_UPTC, "uptc", "unified page-table cache: page-table entries, one level after another",   \
      PWC_ENTRIES)                                                                                 \
    X(PWC_CPWC, "cpwc", "compressed page-walk cache: a tree without redundant indices",            \
      PWC_ENTRIES | PWC_LEVELS | PWC_BLOCKS)

#define PWC_MASK_LIST(X)                                                                           \
    X(PWC_MASK_FORMULA, "formula", "one mask bit per entry, as the paper's size formula counts")   \
    X(PWC_MASK_BLOCKS, "blocks", "one mask bit per block, as the paper's figure draws")

enum walker_trait { WALKER_REORDERS = 1 << 0 /* walks overtake others, up to walker.patience */ };

#define WALKER_LIST(X)                                                                             \
    X(WALKER_FCFS, "fcfs", "first come, first served, in the order of the TLB misses", 0)          \
    X(WALKER_SJF, "sjf",                                                                           \
      "warp-aware shortest job first: the instruction with the least walk work", WALKER_REORDERS)

#define REUSE_MODE_LIST(X)                                                                         \
    X(REUSE_TEXTBOOK, "textbook", "as the paper defines it; the miss classes add up")              \
    X(REUSE_PUBLISHED, "published", "number for number the authors' program")

/* In which order the requests of an instruction leave. X(constant, name, help) */
#define REQUEST_ORDER_LIST(X)                                                                      \
    X(ORDER_FALLING, "falling", "the highest address first, as GPGPU-Sim does")                    \
    X(ORDER_RISING, "rising", "the lowest address first")

/* What a warp waits for at the reuse depth. X(constant, name, help) */
#define REUSE_WAIT_LIST(X)                                                                         \
    X(REUSE_WAIT_LOAD, "load", "the data of each load, as in the paper")                           \
    X(REUSE_WAIT_USE, "use", "the first use of a load's data")

/* What instructions wait for where a trace does not say it (trace/assumed.h). Never a default.
 * X(constant, name, help) */
#define ASSUMED_LIST(X)                                                                            \
    X(ASSUMED_NOTHING, "none", "a trace without instructions is not timed")                        \
    X(ASSUMED_SERIAL, "serial", "every instruction waits for the result of the one before it")     \
    X(ASSUMED_INDEPENDENT, "independent",                                                          \
      "no instruction waits for another, but a store for the last load")

/* What holds of a partition of the screen. */
enum tile_partition_trait {
    SCREEN_APART =
        1 << 0 /* with four banks, no tile shares its bank with one of its 8 neighbours */
};

/* Which bank of the tile cache draws a tile in column x and row y (model/tile/screen.h). */
#define TILE_PARTITION_LIST(X)                                                                     \
    X(SCREEN_SQUARES, "2x2", "low bits of x and y: squares of one tile per bank", SCREEN_APART)    \
    X(SCREEN_X_2Y, "x+2y", "(x + 2y) mod banks", SCREEN_APART)                                     \
    X(SCREEN_2X_Y, "2x+y", "(2x + y) mod banks", SCREEN_APART)                                     \
    X(SCREEN_DIAGONALS, "x+y", "(x + y) mod banks: diagonals", 0)                                  \
    X(SCREEN_ROWS, "row", "y mod banks: whole rows", 0)                                            \
    X(SCREEN_QUADRANTS, "quadrant", "each bank owns one part of the surface", 0)                   \
    X(SCREEN_HASHED, "hashed", "a pseudo-random order of the banks in each row of as many tiles", 0)

/* What the partition deals out. */
#define TILE_UNIT_LIST(X)                                                                          \
    X(TILE_UNIT_TILE, "tile", "4x4 pixels, whatever the samples")                                  \
    X(TILE_UNIT_QUAD, "quad", "lines: 2x2 pixels of four samples, or 4x4 pixels of one")

/* How a bank of the tile cache treats its misses. */
enum tile_queue_trait {
    TILE_JOINS = 1 << 0,   /* a miss joins those of its line that wait: one read for all */
    TILE_REFILLS = 1 << 1, /* returned data are written into the cache before they are used */
    TILE_BLOCKS = 1 << 2,  /* nothing passes a miss */
    TILE_MERGES = 1 << 3,  /* it has tile.queue.merge */
    TILE_ENTRIES = 1 << 4, /* it has tile.queue.entries */
    TILE_BINS = 1 << 5     /* no cache: a buffer of a block of the screen, drawn block by block */
};

/* After the help: the traits; the ports that tags and data need (enum sram_ports) to accept one
 * request per cycle. */
#define TILE_QUEUE_LIST(X)                                                                         \
    X(TILE_LINKED, "linked",                                                                       \
      "chained misses: one read per chain of a line, written back at its end",                     \
      TILE_JOINS | TILE_ENTRIES, PORTS_1R1W)                                                       \
    X(TILE_UNLINKED, "unlinked", "the same queue without chains: each miss reads for itself",      \
      TILE_ENTRIES, PORTS_1R1W)                                                                    \
    X(TILE_MSHR, "mshr", "conventional MSHRs: every miss refills the cache",                       \
      TILE_JOINS | TILE_REFILLS | TILE_MERGES | TILE_ENTRIES, PORTS_2R2W)                          \
    X(TILE_BLOCKING, "blocking", "in order: a bank waits for each miss",                           \
      TILE_REFILLS | TILE_BLOCKS, PORTS_1R1W)                                                      \
    X(TILE_BINNED, "binned",                                                                       \
      "tile-based (mobile): primitives binned by block, each drawn in a buffer", TILE_BINS,        \
      PORTS_1R1W)

#define FAMILY_ENUM(constant, ...)  constant,
#define FAMILY_COUNT(constant, ...) +1

enum machine_kind { KIND_LIST(FAMILY_ENUM) };
enum replacement { REPLACEMENT_LIST(FAMILY_ENUM) };
enum reset_value { RESET_LIST(FAMILY_ENUM) };
enum index_function { INDEX_LIST(FAMILY_ENUM) };
enum write_policy { WRITE_LIST(FAMILY_ENUM) };
enum allocate_policy { ALLOCATE_LIST(FAMILY_ENUM) };
enum write_allocate { WRITE_ALLOCATE_LIST(FAMILY_ENUM) };
enum mshr_kind { MSHR_LIST(FAMILY_ENUM) };
enum scheduler_policy { SCHEDULER_LIST(FAMILY_ENUM) };
enum throttle_policy { THROTTLE_LIST(FAMILY_ENUM) };
enum bypass_policy { BYPASS_LIST(FAMILY_ENUM) };
enum bypass_adaptive { BYPASS_ADAPTIVE_LIST(FAMILY_ENUM) };
enum bypass_signature { BYPASS_SIGNATURE_LIST(FAMILY_ENUM) };
enum bypass_drain { BYPASS_DRAIN_LIST(FAMILY_ENUM) };
enum bypass_stores { BYPASS_STORES_LIST(FAMILY_ENUM) };
enum bypass_stalls { BYPASS_STALLS_LIST(FAMILY_ENUM) };
enum network_kind { NETWORK_LIST(FAMILY_ENUM) };
enum dram_scheduler { DRAM_SCHEDULER_LIST(FAMILY_ENUM) };
enum bank_hash { BANK_HASH_LIST(FAMILY_ENUM) };
enum bank_group { BANK_GROUP_LIST(FAMILY_ENUM) };
enum partition_hash { PARTITION_LIST(FAMILY_ENUM) };
enum sram_ports { PORTS_LIST(FAMILY_ENUM) };
enum build_target { TARGET_LIST(FAMILY_ENUM) };
enum pwc_organization { PWC_LIST(FAMILY_ENUM) };
enum reuse_mode { REUSE_MODE_LIST(FAMILY_ENUM) };
enum request_order { REQUEST_ORDER_LIST(FAMILY_ENUM) };
enum reuse_wait { REUSE_WAIT_LIST(FAMILY_ENUM) };
enum pwc_mask { PWC_MASK_LIST(FAMILY_ENUM) };
enum walker_policy { WALKER_LIST(FAMILY_ENUM) };
enum tile_partition { TILE_PARTITION_LIST(FAMILY_ENUM) };
enum tile_unit { TILE_UNIT_LIST(FAMILY_ENUM) };
enum tile_queue_kind { TILE_QUEUE_LIST(FAMILY_ENUM) };

enum assumed_dependences { ASSUMED_LIST(FAMILY_ENUM) };

enum { REPLACEMENT_COUNT = 0 REPLACEMENT_LIST(FAMILY_COUNT) };
enum { INDEX_COUNT = 0 INDEX_LIST(FAMILY_COUNT) };
enum { ASSUMED_COUNT = 0 ASSUMED_LIST(FAMILY_COUNT) };
enum { PWC_COUNT = 0 PWC_LIST(FAMILY_COUNT) };
enum { BYPASS_COUNT = 0 BYPASS_LIST(FAMILY_COUNT) };
enum { THROTTLE_COUNT = 0 THROTTLE_LIST(FAMILY_COUNT) };
enum { SCHEDULER_COUNT = 0 SCHEDULER_LIST(FAMILY_COUNT) };
enum { TILE_PARTITIONS = 0 TILE_PARTITION_LIST(FAMILY_COUNT) };
enum { TILE_QUEUES = 0 TILE_QUEUE_LIST(FAMILY_COUNT) };

#define KIND_BIT(kind) (1u << (kind))
#define ANY_KIND       (~0u)

struct choice {
    const char *name, *help;
};

extern const struct choice assumed_table[ASSUMED_COUNT];
/* Finds an assumption by its name. If there is none, returns false and sets *near to the nearest
 * name, or NULL. */
bool assumed_find(const char *name, enum assumed_dependences *assumed, const char **near);

/* ---- The facts as tables (families.c), indexed by the member's enum ---- */

extern const char *const kind_workloads[]; /* what runs where no workload is named */

struct replacement_facts {
    const char *name, *help, *source;
    unsigned traits; /* of enum replacement_trait */
    uint64_t lru_ways, ways_max;
};

struct index_facts {
    const char *name;
    unsigned traits; /* of enum index_trait */
    uint64_t sets_min, sets_max;
};

struct scheduler_facts {
    const char *name, *help;
    unsigned traits; /* of enum scheduler_trait */
    const char *rule, *ties, *source;
};

extern const struct replacement_facts replacement_facts[REPLACEMENT_COUNT];
extern const struct index_facts index_facts[INDEX_COUNT];
extern const struct scheduler_facts scheduler_facts[SCHEDULER_COUNT];
extern const int partition_index[]; /* enum index_function */
extern const unsigned ports_extra[];
/* The traits of each other family, indexed by its enum. */
extern const unsigned network_traits[], write_traits[], write_allocate_traits[], mshr_traits[],
    pwc_traits[], walker_traits[], bypass_traits[], tile_partition_traits[], tile_queue_traits[];
/* The ports that a kind of miss queue needs: enum sram_ports. */
extern const int tile_queue_ports[];

enum { FAMILY_NEEDS = 80 }; /* a buffer of this size holds the text of a member's needs */

/* Whether `policy` is a member and is defined for this many ways. */
bool replacement_holds(int policy, uint64_t ways);
/* What the policy needs, for messages: "a power of two of ways up to 64". Returns `text`. */
const char *replacement_needs(int policy, char text[FAMILY_NEEDS]);
/* The bits of replacement state of one set; `tag`: the bits that tell a line among all of its set.
 */
uint64_t replacement_bits(int policy, uint64_t ways, uint64_t tag);
/* The bits that all sets of a cache share. */
uint64_t replacement_shared_bits(int policy, uint64_t sets, uint64_t ways, uint64_t tag);
/* Whether the policy can pick a victim from this state at power-up (enum reset_value). */
bool replacement_starts(int policy, int reset);
/* The policy whose passes answer for caches of this one (model/lru/cache_batch.h), as long as lines
 * leave only when others replace them: itself, lru or fifo. REPLACEMENT_COUNT: each cache takes a
 * simulation of its own. */
int replacement_shares(int policy);

/* Whether `function` is a member and is defined for this many sets. */
bool index_holds(int function, uint64_t sets);
/* What the function needs, for messages: "32 or 64 sets". Returns `text`. */
const char *index_needs(int function, char text[FAMILY_NEEDS]);
/* The number of sets that lines can fall in; the others stay empty. */
uint64_t index_reach(int function, uint64_t sets);
