/* The load/store unit of an SM (timing depth): shared memory, and the L1D with its banks. The rules
 * are in docs/MODELS.md, "Timing". */
#pragma once

#include "model/gpu/coalesce_memo.h"
#include "model/timing/cache/cache_unit.h"
#include "model/timing/sm/ops.h"
#include "model/timing/sm/reorder.h"

struct sm;

struct l1d_bank {
    struct packet_queue queue; /* on the way to the tags */
    uint64_t entered, served;  /* the cycle after the last access entered, was looked up */
    uint64_t tried;            /* the changes that the L1D had seen when it refused the head, */
    uint8_t blocked;           /* and why; 0: it did not (`refused`) */
};

struct load_store {
    struct cache_unit l1d;
    uint32_t latch;                   /* the op whose accesses go on; NO_OP */
    uint64_t latch_ready;             /* shared memory: when its banks are done */
    uint64_t units_free;              /* when the load/store units take another instruction, */
    uint64_t data_free;               /* when the data banks of the L1D take another instruction, */
    uint64_t data_cycles;             /* and for how long the one in the latch keeps them */
    uint32_t access_count, access_at; /* of `accesses` */
    uint32_t transactions;            /* what the record of the latch counts as */
    struct reorder reorder;           /* in front of the L1D, where its bypass policy has queues */
    struct l1d_bank *banks;
    uint64_t *occupied, *refused; /* sets of banks: with accesses; whose head the L1D refused */
    struct packet_queue shared_pipe;
    uint64_t shared_served;
    uint32_t written_back;                /* the op in the write-back register; NO_OP */
    uint32_t write_port;                  /* the client that comes first */
    uint32_t passed_reply;                /* the op of a reply that passed the L1D; NO_OP */
    uint64_t fill_free;                   /* when the L1D takes the next fill */
    uint32_t waiting;                     /* accesses in the banks */
    struct packet accesses[ACCESSES_MAX]; /* of the op in the latch */
    struct coalesce_memo coalesced;
};

/* The accesses of the latch, in place and translated, may go on. */
void sm_take_accesses(struct sm *sm, uint32_t op);
/* Its cycle within the execution stage, before it accepts an instruction. */
void load_store_cycle(struct sm *sm, uint64_t now);
/* Takes an instruction into its latch, which must be free. */
void load_store_accept(struct sm *sm, uint32_t op, uint64_t now);
/* Where it takes any number of instructions (sm_machine.wide): what was accepted in this cycle goes
 * on in the same one. Returns whether the latch is free again. */
bool load_store_again(struct sm *sm, uint64_t now);
/* The first cycle after `now` in which the unit can do something by itself; UINT64_MAX: none. */
uint64_t load_store_next(const struct sm *sm, uint64_t now);

/* load_access.c: makes the accesses of an op's record (`accesses`). Which cache it finds changes
 * them, but not what it counts as: what it coalesces to (`transactions`). */
void load_store_generate(struct sm *sm, uint32_t op);
/* load_access.c: counts an op's record, and forgets it. */
void load_store_count(struct sm *sm, uint32_t op);
/* load_access.c: the same for an op of another pipe, because no cache of the machine serves its
 * space. */
void load_store_count_unserved(struct sm *sm, uint32_t op);
/* load_access.c: where the accesses in the latch enter the L1D. If lines are looked up at once
 * (l1d.tags), each sector of these has a place beside the others; the first access to a further
 * line waits. */
void load_store_choose_banks(struct sm *sm);
/* load_access.c: where accesses of an instruction go as one (sm_machine.joins), whether one has to
 * wait for its bank, as only the first of them does. */
bool load_store_joined_waits(const struct sm *sm, const struct packet *access, uint64_t now);
/* load_access.c: the cycles for which the instruction in the latch keeps the data banks of the L1D:
 * a wavefront for each time that it asks the same bank. 0: no longer than its accesses take to
 * enter. */
uint64_t load_store_data_cycles(const struct sm *sm, const struct record_copy *record);
