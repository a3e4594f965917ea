#include "model/gpu/address_space.h"
#include "model/gpu/coalescer.h"
#include "model/timing/sm/load_store.h"
#include "model/timing/sm/sm.h"

/* What an instruction in the load/store unit accesses, coalesced and cut to sectors of the L1D, and
 * where that enters the L1D. */

/* Whether an access goes past the L1D. */
static bool passes(const struct sm *sm, const struct warp_access *access)
{
    const struct cache_config *l1d = &sm->shared->machine->l1d;
    return !l1d->enabled || access->op == OP_ATOMIC || access->flags & ACCESS_BYPASS_L1 ||
           (l1d->write == WRITE_READ_ONLY && access->op == OP_STORE);
}

static void put_access(struct sm *sm, const struct request *request, uint32_t at, bool passed)
{
    const uint8_t kind = request->op == OP_STORE    ? PACKET_WRITE
                         : request->op == OP_ATOMIC ? PACKET_ATOMIC
                                                    : PACKET_READ;
    sm->load_store.accesses[sm->load_store.access_count++] = (struct packet){
        .address = request->address,
        .issued = sm->ops.items[at].issued,
        .touched = request->touched,
        .id = at,
        .pc = request->pc,
        .bytes = request->bytes,
        .sm = sm->number,
        .warp = sm->ops.items[at].warp,
        .kind = kind,
        .flags = (uint8_t)((passed ? PACKET_PASSED : 0) |
                           (sm->ops.items[at].code->flags & INSTRUCTION_FLOAT ? PACKET_FLOAT : 0) |
                           (request->space == SPACE_LOCAL ? PACKET_LOCAL : 0)),
    };
}

/* The i-th of `count` things that leave in the order of requests, which stand in rising order. */
static uint64_t in_order(const struct sm *sm, uint64_t i, uint64_t count)
{
    return sm->shared->machine->coalescer.order == ORDER_RISING ? i : count - 1 - i;
}

/* An access to the L1D for each of its sectors that a request is in, in the order of requests. */
static void put_sectors(struct sm *sm, const struct request *request, uint32_t at)
{
    const struct geometry *geometry = &sm->load_store.l1d.geometry;
    const uint64_t first = request->address >> geometry->sector_bits;
    const uint64_t last = (request->address + request->bytes - 1) >> geometry->sector_bits;
    if (first == last) {
        put_access(sm, request, at, false);
        return;
    }
    for (uint64_t i = 0; i <= last - first; i++) {
        const uint64_t sector = first + in_order(sm, i, last - first + 1);
        const struct request part = request_part(geometry, request, sector);
        put_access(sm, &part, at, false);
    }
}

/* What its lanes are to be looked up in. */
static struct access_window window_of(const struct record_copy *record)
{
    return (struct access_window){.lanes = (uint64_t *)(uintptr_t)record->lanes,
                                  .offsets = record->offsets};
}

/* The lanes of an atomic, which becomes transactions of such lanes as touch different bytes. */
struct atomic_lanes {
    const struct sm *sm;
    struct warp_access access; /* of these lanes: `mask` counts them from 0 */
    uint64_t addresses[WARP_SIZE];
    unsigned count;
};

/* Coalesces those lanes that are in `mask`. */
static unsigned coalesce_lanes(const struct atomic_lanes *lanes, uint32_t mask,
                               struct request *requests)
{
    uint64_t chosen[WARP_SIZE];
    unsigned count = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        chosen[count++] = lanes->addresses[__builtin_ctz(rest)];
    struct warp_access part = lanes->access;
    part.mask = count < 32 ? (1u << count) - 1 : UINT32_MAX;
    part.flags = (uint8_t)((part.flags & ~(ACCESS_PATTERN | ACCESS_SINGLE)) | ACCESS_LISTED);
    part.base = 0;
    const struct access_window window = {.lanes = chosen};
    return coalesce(&lanes->sm->shared->machine->coalescer, &part, &window, lanes->sm->number,
                    requests);
}

/* Divides lanes into transactions, each lane in the first one that has none of its bytes. */
static unsigned divide_lanes(const struct atomic_lanes *lanes, uint32_t mask,
                             uint32_t transactions[WARP_SIZE])
{
    const uint64_t bytes = lanes->access.bytes;
    unsigned count = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        const uint64_t address = lanes->addresses[lane];
        unsigned at = 0;
        for (bool taken = true; taken && at < count; at += taken) {
            taken = false;
            for (uint32_t in = transactions[at]; in && !taken; in &= in - 1) {
                const uint64_t other = lanes->addresses[__builtin_ctz(in)];
                taken = other < address + bytes && address < other + bytes;
            }
        }
        if (at == count)
            transactions[count++] = 0;
        transactions[at] |= 1u << lane;
    }
    return count;
}

/* The transactions on the highest block go first, those that were made last before the others; or
 * just the other way round. */
static void put_atomic_lanes(struct sm *sm, const struct atomic_lanes *lanes, uint32_t left,
                             uint32_t at)
{
    struct request blocks[COALESCED_MAX], requests[COALESCED_MAX];
    const unsigned block_count = left ? coalesce_lanes(lanes, left, blocks) : 0;
    for (unsigned b = 0; b < block_count; b++) {
        uint32_t in_block = 0, transactions[WARP_SIZE];
        for (uint32_t rest = left; rest; rest &= rest - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(rest);
            if (lanes->addresses[lane] - blocks[b].address < blocks[b].bytes)
                in_block |= 1u << lane;
        }
        const unsigned count = divide_lanes(lanes, in_block, transactions);
        for (unsigned t = 0; t < count; t++) {
            const uint32_t chosen = transactions[in_order(sm, t, count)];
            const unsigned made = coalesce_lanes(lanes, chosen, requests);
            for (unsigned i = 0; i < made && sm->load_store.access_count < ACCESSES_MAX; i++)
                put_access(sm, &requests[i], at, true);
        }
    }
}

/* Atomics of a warp on the same bytes are separate transactions. */
static void put_atomics(struct sm *sm, const struct record_copy *record, uint32_t at)
{
    enum { HALF = 16, WHOLE_WARPS = 20 }; /* the coalescer.arch from which they are coalesced */
    struct atomic_lanes lanes = {.sm = sm, .access = record->access};
    const struct access_window window = window_of(record);
    lanes.count = access_addresses(&record->access, &window, lanes.addresses);
    const uint32_t all = lanes.count < 32 ? (1u << lanes.count) - 1 : UINT32_MAX;
    uint32_t halves[2] = {0}, place = 0;
    for (uint32_t rest = record->access.mask; rest; rest &= rest - 1, place++)
        halves[__builtin_ctz(rest) >= HALF] |= 1u << place;
    if (sm->shared->machine->coalescer.arch >= WHOLE_WARPS)
        put_atomic_lanes(sm, &lanes, all, at);
    else
        for (unsigned half = 0; half < 2; half++)
            put_atomic_lanes(sm, &lanes, halves[in_order(sm, half, 2)], at);
}

/* Coalesces a record; `past`: into what goes past the L1D. */
static unsigned make_requests(struct sm *sm, const struct record_copy *record, bool past,
                              struct request requests[COALESCED_MAX])
{
    const struct access_window window = window_of(record);
    struct warp_access access = record->access;
    access_issue(sm->shared->machine, &access);
    access.flags |= past ? ACCESS_BYPASS_L1 : 0;
    access.flags &= (uint8_t)~ACCESS_SINGLE; /* queues move whole sectors */
    if (sm->shared->packs)
        access_pack(&access, &window);
    return coalesce_remembered(&sm->load_store.coalesced, &sm->shared->machine->coalescer, &access,
                               &window, sm->number, requests);
}

static void count_record(struct sm *sm, const struct warp_access *access, uint64_t transactions)
{
    sm->counts.memory_instructions++;
    sm->counts.spaces[access->space]++;
    sm->counts.global[access->op] += access->space == SPACE_GLOBAL;
    sm->counts.thread_accesses += bits_count(access->mask);
    sm->counts.transactions += transactions;
    if (access->op == OP_LOAD && access->flags & ACCESS_BYPASS_L1)
        sm->counts.past_l1 += transactions;
}

static void put_requests(struct sm *sm, const struct request *requests, unsigned count, uint32_t at)
{
    if (!addresses_fit(sm->shared->machine, requests, count))
        sm->status = addresses_refuse(sm->shared->machine, requests, count, sm->diagnostics);
    for (unsigned i = 0; i < count; i++) {
        if (sm->ops.items[at].passed)
            put_access(sm, &requests[i], at, true);
        else
            put_sectors(sm, &requests[i], at);
    }
}

/* ---- local memory ---- */

/* Bytes of one word of all threads of a warp. */
enum { WARP_WORDS = 4 * WARP_SIZE };

/* Whether the requests of a warp are to words of its own threads that have no place yet. */
static bool is_unplaced(const struct request *requests, unsigned count)
{
    const uint64_t within = LOCAL_WORD_STRIDE - WARP_WORDS;
    for (unsigned i = 0; i < count; i++)
        if (requests[i].address < LOCAL_UNPLACED ||
            (requests[i].address ^ requests[0].address) & within)
            return false;
    return true;
}

/* Local memory belongs to the threads that an SM can hold: a word of all of them comes before the
 * next one, threads of a block side by side, then the SMs, then the slots of an SM. GPGPU-Sim's
 * window begins at 0x1f880000. */
static void place_local(const struct sm *sm, const struct op *op, struct request *requests,
                        unsigned count)
{
    const uint64_t base = 0x1f880000;
    const uint64_t threads = (uint64_t)sm->warps_per_block * WARP_SIZE;
    const uint64_t sms = sm->shared->machine->gpu.sms, slot = sm->warps[op->warp].block;
    const uint64_t first = threads * (sm->number + sms * slot);
    const uint64_t mine = first + op->warp % sm->warps_per_block * WARP_SIZE;
    if (!is_unplaced(requests, count))
        return;
    for (unsigned i = 0; i < count; i++) {
        const uint64_t word =
            (requests[i].address - LOCAL_UNPLACED) / LOCAL_WORD_STRIDE % LOCAL_WORDS_MAX;
        requests[i].address = (base + 4 * (word * threads * sm->block_slots * sms + mine) +
                               requests[i].address % WARP_WORDS) &
                              sm->shared->address_mask;
    }
}

void load_store_generate(struct sm *sm, uint32_t at)
{
    struct op *op = &sm->ops.items[at];
    const struct record_copy *record = &sm->records.items[op->record];
    struct warp_access issued = record->access;
    access_issue(sm->shared->machine, &issued);
    struct request requests[COALESCED_MAX];
    unsigned made = make_requests(sm, record, false, requests);
    sm->load_store.transactions = made;
    op->passed = passes(sm, &issued);
    if (issued.op == OP_ATOMIC) {
        put_atomics(sm, record, at);
        return;
    }
    if (!(sm->shared->spaces & space_bit(issued.space)))
        return;
    if (op->passed && !(issued.flags & ACCESS_BYPASS_L1))
        made = make_requests(sm, record, true, requests);
    if (issued.space == SPACE_LOCAL)
        place_local(sm, op, requests, made);
    put_requests(sm, requests, made, at);
    const bool hits = issued.flags & ACCESS_HITS && !op->passed;
    for (uint32_t i = 0; hits && i < sm->load_store.access_count; i++)
        sm->load_store.accesses[i].flags |= PACKET_HITS;
}

void load_store_count(struct sm *sm, uint32_t at)
{
    struct op *op = &sm->ops.items[at];
    count_record(sm, &sm->records.items[op->record].access, sm->load_store.transactions);
    record_free(&sm->records, op->record);
    op->record = NO_RECORD;
}

void load_store_count_unserved(struct sm *sm, uint32_t at)
{
    const struct record_copy *record = &sm->records.items[sm->ops.items[at].record];
    struct request requests[COALESCED_MAX];
    sm->load_store.transactions = make_requests(sm, record, false, requests);
    load_store_count(sm, at);
}

/* ---- where they enter the L1D, and how long its data banks work for them ---- */

enum { L1_BANKS_MAX = 64 };

/* By address, as the simulator has it. */
static uint32_t address_bank(const struct sm_machine *shared, const struct packet *access)
{
    return (uint32_t)(access->address >> shared->bank_bits) % shared->l1_banks;
}

void load_store_choose_banks(struct sm *sm)
{
    const struct sm_machine *shared = sm->shared;
    const struct geometry *geometry = &sm->load_store.l1d.geometry;
    const uint32_t tags = (uint32_t)shared->machine->l1d.tags;
    uint64_t line = 0;
    uint32_t place = 0;
    for (uint32_t i = 0; i < sm->load_store.access_count; i++) {
        struct packet *access = &sm->load_store.accesses[i];
        const uint64_t its = access->address >> geometry->line_bits;
        const uint64_t sector = access->address >> geometry->sector_bits;
        if (shared->joins) {
            access->bank = (uint16_t)address_bank(shared, sm->load_store.accesses);
            continue;
        }
        if (!tags) {
            access->bank = (uint16_t)address_bank(shared, access);
            continue;
        }
        if (i && its != line && ++place == tags) {
            place = 0;
            access->flags |= shared->l1_waits;
        }
        line = its;
        access->bank = (uint16_t)(place * shared->l1_sectors + sector % shared->l1_sectors);
    }
}

/* The instructions on the way to the tags of a bank. */
static uint32_t instructions_in(const struct sm *sm, const struct packet_queue *queue)
{
    uint32_t count = 0;
    for (uint32_t i = 0, at = queue->first, id = NO_OP; i < queue->count; i++) {
        const struct packet *packet = &sm->packets.items[at];
        count += packet->id != id;
        id = packet->id;
        at = packet->next;
    }
    return count;
}

bool load_store_joined_waits(const struct sm *sm, const struct packet *access, uint64_t now)
{
    const struct l1d_bank *bank = &sm->load_store.banks[access->bank];
    const struct packet_queue *queue = &bank->queue;
    if (queue->count && packet_queue_tail(&sm->packets, queue)->id == access->id)
        return false;
    return bank->entered > now || instructions_in(sm, queue) >= sm->shared->l1_places;
}

/* How often an instruction asks the same of 32 data banks of 4 B for different words. Lanes go
 * together as far as their data are 128 B. */
static uint32_t wavefronts(const struct record_copy *record)
{
    enum { BANKS = 32, WORD = 4 };
    const struct warp_access *access = &record->access;
    const struct access_window window = window_of(record);
    uint64_t addresses[WARP_SIZE];
    const uint32_t lanes = access_addresses(access, &window, addresses);
    const uint32_t words = access->bytes > WORD ? access->bytes / WORD : 1;
    const uint32_t together = BANKS / words;
    uint32_t all = 0;
    for (uint32_t first = 0; first < lanes; first += together) {
        uint64_t asked[BANKS][WARP_SIZE];
        uint32_t counts[BANKS] = {0}, most = 0;
        for (uint32_t i = first * words; i < (first + together) * words && i < lanes * words; i++) {
            const uint64_t word = addresses[i / words] / WORD + i % words;
            const uint32_t bank = (uint32_t)(word % BANKS);
            uint32_t at = 0;
            while (at < counts[bank] && asked[bank][at] != word)
                at++;
            asked[bank][at] = word;
            counts[bank] += at == counts[bank];
            most = counts[bank] > most ? counts[bank] : most;
        }
        all += most;
    }
    return all;
}

/* Whether all accesses in the latch are to 128 B, whose words lie in different banks: then lanes
 * that go together are one wavefront. Local memory is interleaved after this (place_local). */
static bool one_row(const struct sm *sm, const struct record_copy *record)
{
    enum { ROW = 128 };
    const struct load_store *unit = &sm->load_store;
    const uint64_t row = unit->accesses[0].address / ROW;
    if (record->access.space == SPACE_LOCAL || sm->shared->packs || record->access.bytes > 4)
        return false;
    for (uint32_t i = 0; i < unit->access_count; i++) {
        const struct packet *access = &unit->accesses[i];
        if (access->address / ROW != row || (access->address + access->bytes - 1) / ROW != row)
            return false;
    }
    return unit->access_count;
}

uint64_t load_store_data_cycles(const struct sm *sm, const struct record_copy *record)
{
    const struct cache_config *l1d = &sm->shared->machine->l1d;
    if (sm->shared->wide)
        return 0;
    if (l1d->tags || sm->shared->joins) {
        const bool once = sm->shared->joins || one_row(sm, record);
        const uint64_t cycles = l1d->wavefront * (once ? 1 : wavefronts(record));
        return cycles > l1d->load_cycles ? cycles : l1d->load_cycles;
    }
    if (l1d->wavefront == 1 && l1d->load_cycles == 1)
        return 0;
    uint64_t asked[L1_BANKS_MAX] = {0}, most = 0;
    for (uint32_t i = 0; i < sm->load_store.access_count; i++) {
        const uint64_t count = ++asked[sm->load_store.accesses[i].bank];
        most = count > most ? count : most;
    }
    const uint64_t cycles = most * l1d->wavefront;
    return cycles > l1d->load_cycles ? cycles : l1d->load_cycles;
}
