#include "model/timing/memory/dram.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

/* A number below twice a limit, modulo the limit. */
static inline uint32_t wrap(uint32_t number, uint32_t limit)
{
    return number < limit ? number : number - limit;
}

static void pipe_push(struct dram *dram, uint32_t request)
{
    dram->pipe[wrap(dram->pipe_first + dram->pipe_count++, dram->pipe_most + 1)] = request;
    dram->in_pipe += request != NO_REQUEST;
}

/* The bus changes its direction: reads come after CL ticks, writes after WL. */
static void pipe_set_least(struct dram *dram, uint64_t least)
{
    dram->pipe_least = least ? (uint32_t)least - 1 : 0; /* what comes out leaves room for one */
    while (dram->pipe_count < dram->pipe_least)
        pipe_push(dram, NO_REQUEST);
    while (dram->pipe_count > dram->pipe_least &&
           dram->pipe[wrap(dram->pipe_first + dram->pipe_count - 1, dram->pipe_most + 1)] ==
               NO_REQUEST)
        dram->pipe_count--;
}

static uint32_t pipe_pop(struct dram *dram)
{
    if (!dram->pipe_count)
        return NO_REQUEST;
    const uint32_t request = dram->pipe[dram->pipe_first];
    dram->pipe_first = wrap(dram->pipe_first + 1, dram->pipe_most + 1);
    dram->pipe_count--;
    dram->in_pipe -= request != NO_REQUEST;
    if (dram->pipe_count < dram->pipe_least)
        pipe_push(dram, NO_REQUEST);
    return request;
}

static inline uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

enum status dram_init(struct dram *dram, const struct dram_config *config)
{
    const uint64_t transfer = config->burst / config->rate;
    *dram = (struct dram){
        .config = config,
        .burst = (uint32_t)(config->bus * config->burst),
        .queue = limit_of(config->queue),
        .returns = limit_of(config->returns),
        .transfer = transfer,
        .apart_columns = config->ccd > transfer ? config->ccd : transfer,
        .rcd_write = less(config->rcd, config->wl + 1),
        .read_to_write = less(config->cl + transfer + 2, config->wl),
        .write_to_read = config->wl + transfer + config->cdlr,
        .write_to_precharge = config->wl + transfer + config->wr,
        .free_request = NO_REQUEST,
        .apart = config->write_batch || config->write_queue,
    };
    const uint32_t groups = (uint32_t)config->groups, each = (uint32_t)(config->banks / groups);
    const bool high = config->group_bits == BANK_GROUP_HIGH && each;
    for (uint32_t i = 0; i < DRAM_BANKS_MAX; i++)
        dram->banks[i] = (struct dram_bank){.current = NO_REQUEST,
                                            .first = NO_REQUEST,
                                            .last = NO_REQUEST,
                                            .group = high ? i / each % groups : i % groups};
    const uint64_t most = config->cl > config->wl ? config->cl : config->wl;
    dram->pipe_most = most ? (uint32_t)most : 1;
    dram->pipe = malloc((dram->pipe_most + 1) * sizeof *dram->pipe);
    if (!dram->pipe)
        return STATUS_MEMORY;
    pipe_set_least(dram, config->cl);
    return STATUS_OK;
}

void dram_free(struct dram *dram)
{
    free(dram->requests);
    free(dram->pipe);
}

bool dram_copy(struct dram *dram)
{
    const bool pipe = array_copy(&dram->pipe, (dram->pipe_most + 1) * sizeof *dram->pipe);
    return array_copy(&dram->requests, dram->request_count * sizeof *dram->requests) && pipe;
}

bool dram_busy(const struct dram *dram)
{
    return dram->queued || dram->input_count || dram->in_pipe || dram->return_count ||
           dram->serving_banks;
}

/* Writes that are kept back have places of their own; of batches, twice as many as go at once. */
bool dram_has_room(struct dram *dram, bool write)
{
    const struct dram_config *config = dram->config;
    if (config->scheduler == DRAM_FIFO)
        return dram->input_count < 2;
    if (config->write_queue)
        return write ? dram->writes < config->write_queue
                     : limit_admits(&dram->queue, dram->queued - dram->writes);
    if (!config->write_batch)
        return limit_admits(&dram->queue, dram->queued);
    return dram->writes < 2 * config->write_batch &&
           limit_admits(&dram->queue, dram->queued - dram->writes);
}

static bool is_write(const struct dram *dram, uint32_t request)
{
    return packet_writes(&dram->requests[request].packet);
}

static uint32_t request_new(struct dram *dram)
{
    if (dram->free_request == NO_REQUEST &&
        free_list_grow(&dram->requests, &dram->request_count, &dram->free_request,
                       struct dram_request, next))
        return NO_REQUEST;
    const uint32_t at = dram->free_request;
    dram->free_request = dram->requests[at].next;
    return at;
}

static void request_free(struct dram *dram, uint32_t at)
{
    dram->requests[at].next = dram->free_request;
    dram->free_request = at;
}

void dram_take(struct dram *dram, uint64_t tick)
{
    const uint32_t at = dram->return_first;
    dram->return_first = dram->requests[at].next;
    dram->return_count--;
    gauge_leave(&dram->returned, tick);
    request_free(dram, at);
}

bool dram_put(struct dram *dram, const struct packet *packet, struct dram_place place,
              uint64_t tick)
{
    const uint32_t at = request_new(dram);
    if (at == NO_REQUEST)
        return false;
    dram->requests[at] = (struct dram_request){.packet = *packet,
                                               .row = place.row,
                                               .bank = place.bank % (uint32_t)dram->config->banks,
                                               .next = NO_REQUEST};
    dram->input[dram->input_count++] = at;
    gauge_enter(&dram->waiting, tick, dram->queued + dram->input_count);
    return true;
}

/* How many banks after the one whose turn it is the next one of a set comes, from the `from`-th on;
 * none comes in as many as there are banks. */
static inline uint32_t next_bank(const struct dram *dram, uint64_t set, uint32_t from)
{
    const uint32_t banks = (uint32_t)dram->config->banks, prio = dram->prio;
    const uint64_t turned = prio ? set >> prio | set << (banks - prio) : set;
    const uint64_t left = from < DRAM_BANKS_MAX ? turned >> from << from : 0;
    return left ? (uint32_t)__builtin_ctzll(left) : DRAM_BANKS_MAX;
}

/* ---- choosing requests ---- */

static void enlist(struct dram *dram)
{
    for (uint32_t i = 0; i < dram->input_count; i++) {
        const uint32_t at = dram->input[i];
        struct dram_bank *bank = &dram->banks[dram->requests[at].bank];
        if (bank->first == NO_REQUEST)
            bank->first = at;
        else
            dram->requests[bank->last].next = at;
        bank->last = at;
        dram->waiting_banks |= UINT64_C(1) << dram->requests[at].bank;
        dram->queued++;
        dram->writes += is_write(dram, at);
    }
    dram->input_count = 0;
}

/* Whether a request may go: where reads and writes are kept apart, those of one direction. */
static bool goes(const struct dram *dram, uint32_t request)
{
    return !dram->apart || is_write(dram, request) == dram->draining;
}

/* The oldest waiting request of a bank that may go, to `row` or, with `any`, to whichever, and the
 * one before it in the list. */
static uint32_t find_row(const struct dram *dram, const struct dram_bank *bank, uint64_t row,
                         bool any, uint32_t *before)
{
    *before = NO_REQUEST;
    uint32_t at = bank->first;
    while (at != NO_REQUEST && (!(any || dram->requests[at].row == row) || !goes(dram, at))) {
        *before = at;
        at = dram->requests[at].next;
    }
    return at;
}

/* Takes the request that goes next; NO_REQUEST: none may go. The row of the last choice goes on
 * until it has none left; then comes the open row, then the row of the oldest request. */
static uint32_t dram_choose(struct dram *dram, struct dram_bank *bank, uint64_t tick)
{
    const bool writes = dram->config->write_queue && dram->draining;
    uint32_t before, at = NO_REQUEST;
    if (bank->serving_row[writes])
        at = find_row(dram, bank, bank->serving[writes], false, &before);
    if (at == NO_REQUEST)
        at = find_row(dram, bank, bank->row, false, &before);
    if (at == NO_REQUEST)
        at = find_row(dram, bank, 0, true, &before);
    if (at == NO_REQUEST)
        return at;
    bank->serving[writes] = dram->requests[at].row;
    if (before == NO_REQUEST)
        bank->first = dram->requests[at].next;
    else
        dram->requests[before].next = dram->requests[at].next;
    if (bank->last == at)
        bank->last = before;
    if (bank->first == NO_REQUEST)
        dram->waiting_banks &= ~(UINT64_C(1) << dram->requests[at].bank);
    dram->requests[at].next = NO_REQUEST;
    bank->serving_row[writes] =
        find_row(dram, bank, bank->serving[writes], false, &before) != NO_REQUEST;
    dram->queued--;
    gauge_leave(&dram->waiting, tick);
    dram->writes -= is_write(dram, at);
    return at;
}

/* Writes wait until there are dram.write_batch of them, or no reads; then they go until a quarter
 * of those is left, because turning the bus around costs more than they gain by going early. Those
 * of a queue of their own (dram.write_queue) go as GPGPU-Sim has it: from one mark to the other,
 * even where nothing else is to do. */
static void choose_direction(struct dram *dram)
{
    const struct dram_config *config = dram->config;
    const uint64_t batch = config->write_batch, reads = dram->queued - dram->writes;
    if (config->write_queue)
        dram->draining = dram->writes >= (dram->draining ? config->write_low : config->write_high);
    else if (dram->draining)
        dram->draining = dram->writes && (!reads || dram->writes > batch / 4);
    else
        dram->draining = dram->writes && (!reads || dram->writes >= batch);
}

/* A bank serves one request at a time. In a tick one bank that serves none gets its next, the banks
 * taking turns (GPGPU-Sim's frfcfs_scheduler). */
static void schedule_ready(struct dram *dram, uint64_t tick)
{
    const uint32_t banks = (uint32_t)dram->config->banks;
    enlist(dram);
    if (dram->apart)
        choose_direction(dram);
    const uint64_t free = dram->waiting_banks & ~dram->serving_banks;
    for (uint32_t i = 0; (i = next_bank(dram, free, i)) < banks; i++) {
        const uint32_t b = wrap(dram->prio + i, banks);
        assert(b < DRAM_BANKS_MAX);
        struct dram_bank *bank = &dram->banks[b];
        bank->current = dram_choose(dram, bank, tick);
        if (bank->current == NO_REQUEST)
            continue;
        dram->serving_banks |= UINT64_C(1) << b;
        dram->due = 0;
        dram->prio = wrap(dram->prio + 1, banks);
        return;
    }
}

static void schedule_in_order(struct dram *dram, uint64_t tick)
{
    if (!dram->input_count)
        return;
    const uint32_t b = dram->requests[dram->input[0]].bank;
    if (dram->banks[b].current != NO_REQUEST)
        return;
    dram->banks[b].current = dram->input[0];
    dram->serving_banks |= UINT64_C(1) << b;
    dram->due = 0;
    dram->input[0] = dram->input[1];
    dram->input_count--;
    gauge_leave(&dram->waiting, tick);
}

/* ---- commands ---- */

void dram_tell(const struct dram *dram, enum event_kind kind, const struct packet *request,
               uint32_t bank, uint64_t bytes)
{
    const bool row = event_kinds[kind].subject == SUBJECT_ROW;
    const struct timing_event event = {.cycle = *dram->event_cycle,
                                       .address = row ? dram->banks[bank].row : request->address,
                                       .pc = request->pc,
                                       .id = request->sm,
                                       .place = dram->number,
                                       .slot = (uint16_t)(bank % dram->config->banks),
                                       .bytes = (uint16_t)bytes,
                                       .kind = (uint8_t)kind,
                                       .detail = request->kind};
    event_log_put(dram->events, &event);
}

static void note(struct dram *dram, enum dram_command command, uint64_t tick)
{
    const uint64_t at = (tick - dram->span_tick) % SPAN_TICKS;
    dram->commands[command][at / 64] |= UINT64_C(1) << at % 64;
}

void dram_begin_span(struct dram *dram, uint64_t tick)
{
    dram->span_tick = tick;
    memset(dram->commands, 0, sizeof dram->commands);
}

static uint64_t noted_since(const struct dram *dram, enum dram_command command, uint64_t tick)
{
    const uint64_t from = tick - dram->span_tick;
    uint64_t count = 0;
    for (uint64_t word = from / 64; word < SPAN_TICKS / 64; word++) {
        const uint64_t left = word == from / 64 ? UINT64_MAX << from % 64 : UINT64_MAX;
        count += (uint64_t)__builtin_popcountll(dram->commands[command][word] & left);
    }
    return count;
}

struct dram_counts dram_counts_before(const struct dram *dram, uint64_t tick)
{
    struct dram_counts counts = dram->counts;
    const uint64_t reads = noted_since(dram, COMMAND_READ, tick);
    const uint64_t writes = noted_since(dram, COMMAND_WRITE, tick);
    counts.reads -= reads;
    counts.writes -= writes;
    counts.busy -= (reads + writes) * dram->transfer;
    counts.activates -= noted_since(dram, COMMAND_ACTIVATE, tick);
    counts.precharges -= noted_since(dram, COMMAND_PRECHARGE, tick);
    return counts;
}

static void turn_bus(struct dram *dram, bool writing)
{
    if (dram->writing == writing)
        return;
    dram->writing = writing;
    pipe_set_least(dram, writing ? dram->config->wl : dram->config->cl);
}

static void dram_tell_burst(const struct dram *dram, uint32_t b, bool write)
{
    const struct dram_request *request = &dram->requests[dram->banks[b].current];
    struct packet burst = request->packet;
    burst.address += request->sent;
    dram_tell(dram, write ? EVENT_dram_write : EVENT_dram_read, &burst, b, dram->burst);
}

/* A read or a write of the bank's open row. */
static bool column_command(struct dram *dram, uint32_t b, uint64_t tick)
{
    const struct dram_config *config = dram->config;
    struct dram_bank *bank = &dram->banks[b];
    struct dram_group *group = &dram->groups[bank->group];
    struct dram_request *request = &dram->requests[bank->current];
    const bool write = is_write(dram, bank->current);
    if (!bank->active || bank->row != request->row || dram->column > tick || group->column > tick ||
        (write ? bank->write : bank->read) > tick ||
        (write ? dram->to_write : dram->to_read) > tick || dram->pipe_count >= dram->pipe_most)
        return false;
    turn_bus(dram, write);
    pipe_push(dram, bank->current);
    if (dram->events)
        dram_tell_burst(dram, b, write);
    request->sent += dram->burst;
    dram->column = tick + dram->apart_columns;
    group->column = tick + config->ccdl;
    dram->counts.busy += dram->transfer;
    note(dram, write ? COMMAND_WRITE : COMMAND_READ, tick);
    if (write) {
        dram->to_read = tick + dram->write_to_read;
        if (bank->precharge < tick + dram->write_to_precharge)
            bank->precharge = tick + dram->write_to_precharge;
        dram->counts.writes++;
    } else {
        dram->to_write = tick + dram->read_to_write;
        if (bank->precharge < tick + dram->transfer)
            bank->precharge = tick + dram->transfer;
        group->precharge = tick + config->rtpl;
        dram->counts.reads++;
    }
    if (request->sent >= request->packet.bytes) {
        bank->current = NO_REQUEST;
        dram->serving_banks &= ~(UINT64_C(1) << b);
    }
    return true;
}

/* Opens the row of the bank's request, or closes another one. */
static bool row_command(struct dram *dram, uint32_t b, uint64_t tick)
{
    const struct dram_config *config = dram->config;
    struct dram_bank *bank = &dram->banks[b];
    const struct dram_request *request = &dram->requests[bank->current];
    if (!bank->active && dram->activate <= tick && bank->activate <= tick) {
        bank->row = request->row;
        bank->active = true;
        dram->activate = tick + config->rrd;
        bank->read = tick + config->rcd;
        bank->write = tick + dram->rcd_write;
        if (bank->precharge < tick + config->ras)
            bank->precharge = tick + config->ras;
        bank->activate = tick + config->rc;
        dram->prio = wrap(b + 1, (uint32_t)config->banks);
        dram->counts.activates++;
        if (dram->events)
            dram_tell(dram, EVENT_dram_activate, &request->packet, b, 0);
        note(dram, COMMAND_ACTIVATE, tick);
        return true;
    }
    if (bank->active && bank->row != request->row && bank->precharge <= tick &&
        dram->groups[bank->group].precharge <= tick) {
        bank->active = false;
        if (bank->activate < tick + config->rp)
            bank->activate = tick + config->rp;
        dram->prio = wrap(b + 1, (uint32_t)config->banks);
        dram->counts.precharges++;
        if (dram->events)
            dram_tell(dram, EVENT_dram_precharge, &request->packet, b, 0);
        note(dram, COMMAND_PRECHARGE, tick);
        return true;
    }
    return false;
}

typedef bool (*give_command)(struct dram *dram, uint32_t bank, uint64_t tick);

/* Returns whether a bank took the command. */
static bool first_command(struct dram *dram, give_command give, uint64_t tick)
{
    const uint32_t banks = (uint32_t)dram->config->banks;
    for (uint32_t i = 0; (i = next_bank(dram, dram->serving_banks, i)) < banks; i++)
        if (give(dram, wrap(dram->prio + i, banks), tick))
            return true;
    return false;
}

/* One command of each kind in a tick, and no row's after a column's. A row's moves the turn on,
 * from which the rest is counted (GPGPU-Sim's dram_t::cycle). Returns whether a bank took any. */
static bool single_bus(struct dram *dram, uint64_t tick)
{
    const uint32_t banks = (uint32_t)dram->config->banks;
    bool row = false;
    for (uint32_t i = 0; (i = next_bank(dram, dram->serving_banks, i)) < banks; i++) {
        const uint32_t b = wrap(dram->prio + i, banks);
        if (column_command(dram, b, tick))
            return true;
        if (!row)
            row = row_command(dram, b, tick);
    }
    return row;
}

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The tick from which a bank takes a command for the request that it serves, as long as no bank
 * takes one before; 0: it waits for what has no time of its own. */
static uint64_t command_due(const struct dram *dram, const struct dram_bank *bank)
{
    const struct dram_group *group = &dram->groups[bank->group];
    if (!bank->active)
        return later(dram->activate, bank->activate);
    if (bank->row != dram->requests[bank->current].row)
        return later(bank->precharge, group->precharge);
    if (dram->pipe_count >= dram->pipe_most)
        return 0;
    const bool write = is_write(dram, bank->current);
    return later(later(dram->column, group->column),
                 write ? later(bank->write, dram->to_write) : later(bank->read, dram->to_read));
}

/* The first tick in which any bank may take a command. */
static uint64_t commands_due(const struct dram *dram)
{
    uint64_t due = UINT64_MAX;
    for (uint64_t left = dram->serving_banks; left; left &= left - 1) {
        const uint64_t at = command_due(dram, &dram->banks[__builtin_ctzll(left)]);
        due = at < due ? at : due;
    }
    return due;
}

/* Gives the commands of a tick. */
static void command(struct dram *dram, uint64_t tick)
{
    bool commanded;
    if (dram->config->dual) {
        commanded = first_command(dram, column_command, tick);
        commanded |= first_command(dram, row_command, tick);
    } else {
        commanded = single_bus(dram, tick);
    }
    dram->due = commanded ? 0 : commands_due(dram);
}

/* What the bus brings in this tick. */
static int receive(struct dram *dram, uint64_t tick)
{
    if (!limit_admits(&dram->returns, dram->return_count))
        return -1;
    const uint32_t at = pipe_pop(dram);
    if (at == NO_REQUEST)
        return -1;
    struct dram_request *request = &dram->requests[at];
    request->arrived += dram->burst;
    if (request->arrived < request->packet.bytes)
        return -1;
    if (request->packet.kind == PACKET_WRITEBACK) {
        const int done = request->packet.slice;
        request_free(dram, at);
        return done;
    }
    if (dram->return_count++)
        dram->requests[dram->return_last].next = at;
    else
        dram->return_first = at;
    dram->return_last = at;
    gauge_enter(&dram->returned, tick, dram->return_count);
    return -1;
}

/* Whether a tick changes nothing: no request waits, and what leaves the bus is as empty as what
 * follows. */
static bool idle(const struct dram *dram)
{
    return !dram->queued && !dram->input_count && !dram->serving_banks && !dram->in_pipe &&
           dram->pipe_count == dram->pipe_least;
}

/* The tick in which refresh `number` begins where banks are refreshed one after the other. */
static uint64_t refresh_begins(const struct dram_config *config, uint64_t number)
{
    return (number * config->refi + config->banks - 1) / config->banks;
}

/* Refreshes of one bank after the other, evenly spread: each bank has one every dram.refi (REFSB of
 * JESD235). It is closed for that while the others go on. */
static void refresh_banks(struct dram *dram, uint64_t tick)
{
    const struct dram_config *config = dram->config;
    if (tick < dram->next_refresh)
        return;
    const uint64_t begun = tick * config->banks / config->refi;
    /* Of those that were skipped while nothing waited, the last of each bank is enough. */
    uint64_t number = dram->refreshes + 1;
    if (begun >= number + config->banks)
        number = begun - config->banks + 1;
    for (; number <= begun; number++) {
        struct dram_bank *bank = &dram->banks[number % config->banks];
        const uint64_t done =
            refresh_begins(config, number) + (bank->active ? config->rp : 0) + config->rfcsb;
        bank->active = false;
        if (bank->activate < done)
            bank->activate = done;
    }
    dram->due = 0;
    dram->refreshes = begun;
    dram->next_refresh = refresh_begins(config, begun + 1);
}

/* Whether all banks are being refreshed. They are closed for that, also by refreshes in ticks that
 * were skipped because nothing waited. */
static bool refreshing(struct dram *dram, uint64_t tick)
{
    const struct dram_config *config = dram->config;
    if (!config->refi)
        return false;
    if (config->rfcsb) {
        refresh_banks(dram, tick);
        return false;
    }
    const uint64_t begun = tick / config->refi, since = tick % config->refi;
    if (begun != dram->refreshes) {
        for (uint32_t b = 0; b < config->banks; b++)
            dram->banks[b].active = false;
        dram->due = 0;
    }
    dram->refreshes = begun;
    return begun && since < config->rfc;
}

/* Refreshes hold back commands alone: requests come in, and banks choose among them, meanwhile. */
int dram_tick(struct dram *dram, uint64_t tick)
{
    if (idle(dram))
        return -1;
    const int done = receive(dram, tick);
    if (dram->config->scheduler == DRAM_FIFO)
        schedule_in_order(dram, tick);
    else
        schedule_ready(dram, tick);
    if (dram->serving_banks && !refreshing(dram, tick) && tick >= dram->due)
        command(dram, tick);
    return done;
}
