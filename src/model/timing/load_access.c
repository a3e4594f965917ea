#include "model/gpu/address_space.h"
#include "model/gpu/coalescer.h"
#include "model/timing/load_store.h"
#include "model/timing/sm_parts.h"

/* What an instruction in the load/store unit accesses: coalesced and cut to sectors of the L1D. */

/* Whether an access goes past the L1D. */
static bool passes(const struct sm *sm, const struct warp_access *access)
{
    const struct machine *machine = sm->shared->machine;
    return !machine->l1d.enabled || access->op == OP_ATOMIC || access->flags & ACCESS_BYPASS_L1 ||
           (machine->l1d.skip && access->space == SPACE_GLOBAL) ||
           (machine->l1d.write == WRITE_READ_ONLY && access->op == OP_STORE);
}

static void put_access(struct sm *sm, const struct request *request, uint32_t at, bool passed)
{
    const uint8_t kind = request->op == OP_STORE    ? PACKET_WRITE
                         : request->op == OP_ATOMIC ? PACKET_ATOMIC
                                                    : PACKET_READ;
    sm->accesses[sm->access_count++] = (struct packet){
        .address = request->address,
        .issued = sm->ops[at].issued,
        .touched = request->touched,
        .id = at,
        .pc = request->pc,
        .bytes = request->bytes,
        .sm = sm->number,
        .warp = sm->ops[at].warp,
        .kind = kind,
        .flags = (uint8_t)((passed ? PACKET_PASSED : 0) |
                           (sm->ops[at].code->flags & INSTRUCTION_FLOAT ? PACKET_FLOAT : 0) |
                           (request->space == SPACE_LOCAL ? PACKET_LOCAL : 0)),
    };
}

/* An access to the L1D for each of its sectors that a request is in, the highest first. */
static void put_sectors(struct sm *sm, const struct request *request, uint32_t at)
{
    const struct geometry *geometry = &sm->l1d.geometry;
    const uint64_t first = request->address >> geometry->sector_bits;
    const uint64_t last = (request->address + request->bytes - 1) >> geometry->sector_bits;
    if (first == last) {
        put_access(sm, request, at, false);
        return;
    }
    for (uint64_t left = last - first + 1; left; left--) {
        const struct request part = request_part(geometry, request, first + left - 1);
        put_access(sm, &part, at, false);
    }
}

/* Atomics of a warp on the same bytes are separate transactions: each takes the lanes whose bytes
 * no lane before them in it has. */
static void put_atomics(struct sm *sm, const struct record_copy *record, uint32_t at)
{
    uint64_t addresses[WARP_SIZE];
    struct access_window window = {.lanes = (uint64_t *)(uintptr_t)record->lanes};
    const unsigned lanes = access_addresses(&record->access, &window, addresses);
    struct request requests[COALESCED_MAX];
    uint32_t left = lanes < 32 ? (1u << lanes) - 1 : UINT32_MAX;
    while (left) {
        uint64_t chosen[WARP_SIZE];
        unsigned count = 0;
        for (uint32_t rest = left; rest; rest &= rest - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(rest);
            bool taken = false;
            for (unsigned i = 0; i < count; i++)
                taken |= chosen[i] < addresses[lane] + record->access.bytes &&
                         addresses[lane] < chosen[i] + record->access.bytes;
            if (taken)
                continue;
            chosen[count++] = addresses[lane];
            left &= ~(1u << lane);
        }
        struct warp_access part = record->access;
        part.mask = count < 32 ? (1u << count) - 1 : UINT32_MAX;
        part.flags |= ACCESS_LISTED;
        part.base = 0;
        struct access_window chosen_window = {.lanes = chosen};
        const unsigned made = coalesce(sm->shared->machine->coalescer.arch, &part, &chosen_window,
                                       sm->number, requests);
        for (unsigned i = 0; i < made && sm->access_count < ACCESSES_MAX; i++)
            put_access(sm, &requests[i], at, true);
    }
}

void load_store_generate(struct sm *sm, uint32_t at)
{
    struct op *op = &sm->ops[at];
    struct record_copy *record = &sm->records[op->record];
    struct access_window window = {.lanes = record->lanes};
    const struct warp_access *access = &record->access;
    op->passed = passes(sm, access);
    if (access->op == OP_ATOMIC) {
        put_atomics(sm, record, at);
        return;
    }
    struct request requests[COALESCED_MAX];
    struct warp_access plain = *access;
    if (op->passed)
        plain.flags |= ACCESS_BYPASS_L1;
    const unsigned made =
        coalesce(sm->shared->machine->coalescer.arch, &plain, &window, sm->number, requests);
    const bool claimed = sm->shared->spaces & space_bit(access->space);
    if (claimed && !addresses_fit(sm->shared->machine, requests, made))
        sm->status = addresses_refuse(sm->shared->machine, requests, made, sm->diagnostics);
    for (unsigned i = 0; i < made && claimed; i++) {
        if (op->passed)
            put_access(sm, &requests[i], at, true);
        else
            put_sectors(sm, &requests[i], at);
    }
}
