/* Why a warp of a timed run waits: what its next instruction lacks, which instruction is to bring
 * that, and where on its way that one is.
 *
 * What is said is read off the state between two cycles, and nothing is kept while a run goes on.
 * Of a load of several requests the one with the longest way to go is named. Invariant: the places
 * are in the order of that way. Cost: a look at the queues of the machine. */
#pragma once

#include "model/timing/gpu.h"

/* X(name, mark, help): what a warp does in a cycle. */
#define WARP_STATE_LIST(X)                                                                         \
    X(absent, ' ', "no warp")                                                                      \
    X(issued, '#', "issues an instruction")                                                        \
    X(ready, 'r', "could issue; its scheduler does not choose it")                                 \
    X(pipe, 'p', "has its registers; the pipe of its instruction is taken")                        \
    X(data, 'd', "waits for results of execution pipes")                                           \
    X(memory, 'm', "waits for memory")                                                             \
    X(barrier, 'b', "waits at a barrier or a fence")                                               \
    X(instruction, 'f', "waits for its next instruction to be fetched")                            \
    X(ended, 'e', "its threads have ended; waits for what is under way")

enum warp_state {
#define WARP_STATE_ENUM(name, mark, help) WARP_##name,
    WARP_STATE_LIST(WARP_STATE_ENUM)
#undef WARP_STATE_ENUM
        WARP_STATES
};

struct strip_state {
    const char *name;
    char mark;
    const char *help;
};
extern const struct strip_state warp_states[WARP_STATES];

/* X(id, words): where an instruction is that another waits for. What stands before it there is
 * counted where `words` ends with "after". */
#define WAIT_PLACE_LIST(X)                                                                         \
    X(NOWHERE, "")                                                                                 \
    X(OPERANDS, "which waits for its operands")                                                    \
    X(TRANSLATION, "which waits for a translation")                                                \
    X(LATCH, "which enters the L1D after")                                                         \
    X(TAGS, "which waits for the tags of the L1D after")                                           \
    X(MISS_QUEUE, "which waits in the miss queue of the L1D after")                                \
    X(PORT, "which waits to enter the network after")                                              \
    X(REQUESTS, "which is in the network to the L2 after")                                         \
    X(TO_SLICE, "which is on its way to the tags of the L2 after")                                 \
    X(SLICE, "which waits for the tags of the L2 after")                                           \
    X(SLICE_MISSES, "which waits in the miss queue of the L2 after")                               \
    X(TO_DRAM, "which waits for the controller of the DRAM after")                                 \
    X(CROSSING, "which is between the halves of the L2")                                           \
    X(DRAM, "which waits for its bank of the DRAM after")                                          \
    X(FROM_DRAM, "which comes from the DRAM after")                                                \
    X(FILLED, "whose data are in the L2")                                                          \
    X(OUTGOING, "whose data wait for the network after")                                           \
    X(REPLIES, "whose data are in the network to the SM after")                                    \
    X(RESPONSES, "whose data wait to be taken by the SM after")                                    \
    X(READY, "whose data are in the L1D")                                                          \
    X(SHARED, "which is in the pipe of shared memory after")                                       \
    X(EXECUTES, "which is being executed")                                                         \
    X(WRITTEN, "which writes its registers")

enum wait_place {
#define WAIT_PLACE_ENUM(id, words) WAIT_##id,
    WAIT_PLACE_LIST(WAIT_PLACE_ENUM)
#undef WAIT_PLACE_ENUM
        WAIT_PLACES
};
extern const char *const wait_places[WAIT_PLACES];

enum { NO_REGISTER = UINT32_MAX };

struct warp_wait {
    enum warp_state state;
    uint64_t block; /* of the warp */
    bool has_next;  /* an instruction is decoded: */
    uint32_t pc;
    uint8_t class;             /* enum instruction_class */
    uint32_t lacks;            /* a register that it waits for; NO_REGISTER */
    uint32_t arrived, running; /* at a barrier: warps that have come, and that have not ended */
    bool has_source;           /* the instruction that writes the register is known: */
    bool load;
    uint32_t source_pc;
    uint64_t source_issued; /* cycle */
    enum wait_place place;
    uint32_t ahead;      /* what stands before it there */
    uint64_t address;    /* of its request, if it has one */
    const char *refusal; /* why the L1D does not take it; NULL */
};

/* Of warp slot `warp` of SM `sm`, at the end of the cycle that was simulated last. What issued in
 * it is an event, which only a watcher knows. */
enum warp_state warp_state_of(const struct gpu *gpu, uint32_t sm, uint32_t warp);
void warp_wait_find(const struct gpu *gpu, uint32_t sm, uint32_t warp, struct warp_wait *wait);
