#include "tests/support/slow_reuse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/cache/set_index.h"
#include "model/gpu/coalescer.h"
#include "model/reuse/half_normal.h"

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void add_request(struct slow_loads *loads, uint32_t warp, uint32_t load, uint64_t line,
                        uint8_t sector)
{
    uint32_t *count = &loads->requests[warp][load];
    for (uint32_t k = 0; k < *count; k++)
        if (loads->lines[warp][load][k] == line && loads->sectors[warp][load][k] == sector)
            return;
    require(*count < SLOW_REQUESTS);
    loads->lines[warp][load][*count] = line;
    loads->sectors[warp][load][(*count)++] = sector;
}

static void add_load(struct slow_loads *loads, uint32_t warp, const struct machine *machine,
                     const struct warp_access *access, const struct access_window *window)
{
    const uint64_t line = machine->l1d.line, sector = machine->l1d.sector;
    struct request requests[COALESCED_MAX];
    unsigned count = coalesce(&machine->coalescer, access, window, 0, requests);
    uint32_t load = loads->loads[warp]++;
    require(load < SLOW_LOADS);
    for (unsigned i = 0; i < count; i++) {
        const uint64_t begin = requests[i].address, end = begin + requests[i].bytes;
        for (uint64_t at = begin / sector * sector; at < end; at += sector)
            add_request(loads, warp, load, at / line, (uint8_t)(at % line / sector));
    }
}

static bool is_load(const struct machine *machine, const struct warp_access *access)
{
    return access->op == OP_LOAD && !(access->flags & ACCESS_BYPASS_L1) &&
           l1d_spaces_looked_up(machine) & space_bit(access->space);
}

enum { SLOW_INSTRUCTIONS = 4096 };

/* All instructions of a warp; for each that is a load of the L1D, its number from 1, else 0. */
struct slow_program {
    const struct instruction *code[SLOW_INSTRUCTIONS];
    uint32_t loads[SLOW_INSTRUCTIONS], count;
};

static bool writes(const struct instruction *code, uint16_t number)
{
    for (unsigned i = 0; i < code->written; i++)
        if (code->registers[i] == number)
            return true;
    return false;
}

/* The load that wrote a register last before instruction `at`, from 1; 0: no load did. */
static uint32_t last_load(const struct slow_program *program, uint32_t at, uint16_t number)
{
    while (at--)
        if (writes(program->code[at], number))
            return program->loads[at];
    return 0;
}

/* What instructions before a load, and it itself, need of earlier loads. */
static void find_needs(const struct slow_program *program, uint32_t *needs)
{
    uint32_t load = 0;
    for (uint32_t at = 0; at < program->count; at++) {
        const struct instruction *code = program->code[at];
        for (unsigned i = 0; i < (unsigned)code->written + code->read; i++) {
            const uint32_t owner = last_load(program, at, code->registers[i]);
            if (owner && load - owner < 32)
                needs[load] |= (uint32_t)1 << (load - owner);
        }
        load += program->loads[at] > 0;
    }
}

static void read_program(const struct trace_source *source, const struct trace_code *code,
                         struct block_reader *reader, uint32_t warp, const bool *is_counted,
                         uint32_t *needs)
{
    struct slow_program *program = calloc(1, sizeof *program);
    struct instruction_window window;
    uint32_t record = 0, load = 0;
    require(program && !instruction_window_init(&window, 16));
    for (window.end = false; !window.end;) {
        require(!source->ops->read_instructions(reader, warp, &window, NULL));
        for (uint32_t i = 0; i < window.count; i++) {
            const struct warp_instruction *next = &window.items[i];
            require(program->count < SLOW_INSTRUCTIONS);
            program->code[program->count] = &code->items[next->code];
            if (next->flags & ISSUE_RECORD && is_counted[record++])
                program->loads[program->count] = ++load;
            program->count++;
        }
    }
    find_needs(program, needs);
    instruction_window_free(&window);
    free(program);
}

static void read_warp(const struct trace_source *source, const struct trace_code *code,
                      struct block_reader *reader, uint32_t warp, uint32_t index,
                      const struct machine *machine, struct slow_loads *loads)
{
    struct access_window window;
    bool is_counted[SLOW_INSTRUCTIONS];
    uint32_t records = 0;
    require(!window_init(&window, 16));
    for (window.end = false; !window.end;) {
        require(!source->ops->read(reader, warp, &window, NULL));
        for (uint32_t i = 0; i < window.count; i++) {
            require(records < SLOW_INSTRUCTIONS);
            is_counted[records] = is_load(machine, &window.items[i]);
            if (is_counted[records++])
                add_load(loads, index, machine, &window.items[i], &window);
        }
    }
    window_free(&window);
    for (uint32_t i = 0; i < loads->loads[index]; i++)
        loads->needs[index][i] = !code;
    if (code)
        read_program(source, code, reader, warp, is_counted, loads->needs[index]);
}

void slow_reuse_read(const struct trace_source *source, uint32_t launch,
                     const struct machine *machine, struct slow_loads *loads)
{
    const struct trace_code *code =
        machine->l1d.reuse.wait == REUSE_WAIT_USE ? trace_launch_code(source, launch) : NULL;
    memset(loads, 0, sizeof *loads);
    loads->warps_per_block = launch_warps(&source->launches[launch]);
    loads->blocks = (uint32_t)launch_blocks(&source->launches[launch]);
    require(loads->blocks * loads->warps_per_block <= SLOW_WARPS);
    for (uint32_t block = 0; block < loads->blocks; block++) {
        struct block_reader *reader;
        require(!source->ops->open_block(source, launch, block, &reader, NULL));
        for (uint32_t warp = 0; warp < loads->warps_per_block; warp++)
            read_warp(source, code, reader, warp, block * loads->warps_per_block + warp, machine,
                      loads);
        source->ops->close_block(reader);
    }
}

/* Lines with the time of their last touch; the order breaks ties. */
struct stack_line {
    uint64_t line, touched, set;
    uint32_t present; /* sectors */
};

struct pending {
    uint64_t time, order, line;
    uint32_t number; /* the warp whose miss it is */
    uint32_t merged; /* accesses that wait for it */
    uint8_t sector;
    bool fill, open;
};

struct slow {
    const struct slow_loads *loads;
    const struct reuse_config *config;
    struct slow_result *result;
    struct set_index index;
    struct half_normal generator;
    struct stack_line stack[SLOW_LINES];
    uint32_t stack_count;
    uint64_t touches;
    uint64_t seen[SLOW_LINES]; /* sectors, numbered from address 0 */
    uint32_t seen_count;
    struct pending pending[SLOW_LINES];
    uint32_t pending_count;
    uint64_t orders, now;
    uint32_t queue[SLOW_WARPS], queued;
    uint64_t ready[SLOW_WARPS], arrivals[SLOW_WARPS][SLOW_LOADS], goes_on[SLOW_WARPS];
    bool waiting[SLOW_WARPS];
    uint32_t load[SLOW_WARPS], request[SLOW_WARPS];
    uint32_t left[SLOW_WARPS];   /* for each block, how many warps have not ended */
    uint32_t number[SLOW_WARPS]; /* slot x warps per block + warp */
    uint32_t next_block, alive;
    uint32_t next_warp; /* without hierarchy: counts the warps of all blocks */
};

static struct stack_line *slow_line(struct slow *slow, uint64_t line)
{
    uint32_t at = 0;
    while (at < slow->stack_count && slow->stack[at].line != line)
        at++;
    require(at < SLOW_LINES);
    if (at == slow->stack_count)
        slow->stack[slow->stack_count++] = (struct stack_line){
            .line = line, .set = set_index_map(&slow->index, slow->index.function, line)};
    return &slow->stack[at];
}

static void slow_touch(struct slow *slow, uint64_t line)
{
    slow_line(slow, line)->touched = ++slow->touches;
}

/* UINT64_MAX: never touched. */
static uint64_t slow_distance(const struct slow *slow, uint64_t line)
{
    const struct stack_line *own = NULL;
    for (uint32_t i = 0; i < slow->stack_count; i++)
        if (slow->stack[i].line == line && slow->stack[i].touched)
            own = &slow->stack[i];
    if (!own)
        return UINT64_MAX;
    uint64_t distance = 0;
    for (uint32_t i = 0; i < slow->stack_count; i++)
        distance += slow->stack[i].set == own->set && slow->stack[i].touched > own->touched;
    return distance;
}

static bool slow_cached(const struct slow *slow, uint64_t line)
{
    return slow_distance(slow, line) < slow->config->ways;
}

static void slow_reserve(struct slow *slow, uint64_t line)
{
    if (!slow_cached(slow, line))
        slow_line(slow, line)->present = 0;
    slow_touch(slow, line);
}

static void slow_fill(struct slow *slow, uint64_t line, uint8_t sector)
{
    if (!slow->config->on_miss)
        slow_reserve(slow, line);
    slow_line(slow, line)->present |= (uint32_t)1 << sector;
}

/* Applies all effects up to `time`, by time and then in issue order. */
static void slow_apply(struct slow *slow, uint64_t time)
{
    for (;;) {
        struct pending *least = NULL;
        for (uint32_t i = 0; i < slow->pending_count; i++) {
            struct pending *at = &slow->pending[i];
            if (at->open && at->time <= time &&
                (!least || at->time < least->time ||
                 (at->time == least->time && at->order < least->order)))
                least = at;
        }
        if (!least)
            return;
        least->open = false;
        if (least->fill)
            slow_fill(slow, least->line, least->sector);
        else
            slow_touch(slow, least->line);
    }
}

static void slow_put(struct slow *slow, uint32_t warp, uint64_t time, uint64_t line, uint8_t sector,
                     bool fill)
{
    uint32_t at = 0;
    while (at < slow->pending_count && slow->pending[at].open)
        at++;
    require(at < SLOW_LINES);
    slow->pending_count += at == slow->pending_count;
    slow->pending[at] = (struct pending){.time = time,
                                         .order = slow->orders++,
                                         .line = line,
                                         .number = slow->number[warp],
                                         .sector = sector,
                                         .fill = fill,
                                         .open = true};
}

static void slow_count(struct slow *slow, uint32_t warp, uint64_t line, uint8_t sector, bool hit)
{
    struct slow_result *result = slow->result;
    const uint64_t number = line * slow->config->sectors + sector;
    bool first = true;
    for (uint32_t i = 0; i < slow->seen_count; i++)
        first = first && slow->seen[i] != number;
    require(slow->seen_count < SLOW_LINES);
    if (first)
        slow->seen[slow->seen_count++] = number;
    uint32_t access = result->warp_accesses[warp]++;
    require(access < SLOW_ACCESSES);
    result->hit[warp][access] = hit;
    result->first[warp][access] = first;
    result->accesses++;
    result->misses += !hit;
    result->never += slow_distance(slow, line) == UINT64_MAX;
}

/* The fill in flight that brings a sector; NULL: none. */
static struct pending *slow_flying(struct slow *slow, uint64_t line, uint8_t sector)
{
    for (uint32_t i = 0; i < slow->pending_count; i++)
        if (slow->pending[i].open && slow->pending[i].fill && slow->pending[i].line == line &&
            slow->pending[i].sector == sector)
            return &slow->pending[i];
    return NULL;
}

/* Whether a line that is not cached would have to replace one in flight: the least recent one of a
 * full set. */
static bool slow_blocked(struct slow *slow, uint64_t line)
{
    const uint64_t set = set_index_map(&slow->index, slow->index.function, line);
    if (slow_cached(slow, line))
        return false;
    for (uint32_t i = 0; i < slow->stack_count; i++)
        if (slow->stack[i].set == set && slow->stack[i].touched &&
            slow_distance(slow, slow->stack[i].line) == slow->config->ways - 1)
            for (uint8_t sector = 0; sector < slow->config->sectors; sector++)
                if (slow_flying(slow, slow->stack[i].line, sector))
                    return true;
    return false;
}

static bool slow_refuses(struct slow *slow, uint32_t warp, uint64_t line, uint8_t sector)
{
    const struct pending *fill = slow_flying(slow, line, sector);
    uint64_t flying = 0, own_flying = 0;
    for (uint32_t i = 0; i < slow->pending_count; i++)
        if (slow->pending[i].open && slow->pending[i].fill) {
            flying++;
            own_flying += slow->pending[i].number == slow->number[warp];
        }
    if (slow->config->on_miss && slow_blocked(slow, line))
        return true;
    return fill ? fill->merged >= slow->config->merge
                : flying >= slow->config->mshrs || own_flying >= slow->config->per_warp;
}

static void slow_hit(struct slow *slow, uint32_t warp, uint64_t line, uint8_t sector)
{
    const uint64_t due = slow->now + slow->config->hit_latency;
    slow_count(slow, warp, line, sector, true);
    if (slow->config->on_miss)
        slow_touch(slow, line);
    else
        slow_put(slow, warp, due, line, sector, false);
    slow->ready[warp] = due > slow->ready[warp] ? due : slow->ready[warp];
}

static void slow_miss(struct slow *slow, uint32_t warp, uint64_t line, uint8_t sector)
{
    struct pending *fill = slow_flying(slow, line, sector);
    slow_count(slow, warp, line, sector, false);
    slow->result->joined += fill != NULL;
    if (slow->config->on_miss)
        slow_reserve(slow, line);
    if (!fill) {
        uint64_t due = slow->now + slow->config->latency;
        if (slow->config->sigma > 0)
            due +=
                (uint64_t)fabs(round(half_normal_standard(&slow->generator) * slow->config->sigma));
        slow_put(slow, warp, due, line, sector, true);
        if (due == slow->now) /* the data arrive in the same slot */
            slow_apply(slow, slow->now);
        fill = slow_flying(slow, line, sector);
    }
    if (!fill)
        return;
    fill->merged++;
    if (fill->time > slow->ready[warp])
        slow->ready[warp] = fill->time;
}

/* False: refused. */
static bool slow_request(struct slow *slow, uint32_t warp, uint64_t line, uint8_t sector)
{
    if (slow_cached(slow, line) && slow_line(slow, line)->present >> sector & 1) {
        slow_hit(slow, warp, line, sector);
        return true;
    }
    if (slow_refuses(slow, warp, line, sector))
        return false;
    slow_miss(slow, warp, line, sector);
    return true;
}

/* When a warp goes on after a load: when the data are there that its next load needs, at its end
 * all of them. It has at most 32 loads in flight. */
static uint64_t slow_goes_on(const struct slow *slow, uint32_t warp, uint32_t next)
{
    const bool ends = next == slow->loads->loads[warp];
    uint64_t time = 0;
    for (uint32_t load = 0; load < next; load++) {
        const uint32_t back = next - 1 - load;
        const bool needed = ends || back >= 31 || slow->loads->needs[warp][next] >> back & 1;
        if (needed && slow->arrivals[warp][load] > time)
            time = slow->arrivals[warp][load];
    }
    return time;
}

/* Without hierarchy: starts the next warp that loads anything, alone. */
static void slow_start_one(struct slow *slow)
{
    const uint32_t per_block = slow->loads->warps_per_block;
    while (slow->next_warp < slow->loads->blocks * per_block) {
        uint32_t warp = slow->next_warp++;
        slow->number[warp] = warp % per_block;
        if (!slow->loads->loads[warp])
            continue;
        slow->queue[slow->queued++] = warp;
        slow->left[warp / per_block] = 1;
        slow->alive++;
        return;
    }
}

static void slow_start(struct slow *slow, uint32_t slot)
{
    const uint32_t per_block = slow->loads->warps_per_block;
    if (!slow->config->hierarchy) {
        slow_start_one(slow);
        return;
    }
    while (slow->next_block < slow->loads->blocks) {
        uint32_t block = slow->next_block++, started = 0;
        for (uint32_t i = 0; i < per_block; i++) {
            uint32_t warp = block * per_block + i;
            slow->number[warp] = slot * per_block + i;
            if (!slow->loads->loads[warp])
                continue;
            slow->queue[slow->queued++] = warp;
            started++;
        }
        slow->left[block] = started;
        slow->alive += started;
        if (started)
            return;
    }
}

static void slow_end(struct slow *slow, uint32_t warp)
{
    const uint32_t per_block = slow->loads->warps_per_block;
    slow->alive--;
    if (!--slow->left[warp / per_block])
        slow_start(slow, slow->number[warp] / per_block);
}

static void slow_turn(struct slow *slow)
{
    uint32_t warp = slow->queue[0];
    memmove(slow->queue, slow->queue + 1, --slow->queued * sizeof *slow->queue);
    bool refused = false;
    uint32_t load = slow->load[warp];
    while (slow->request[warp] < slow->loads->requests[warp][load] && !refused) {
        refused = !slow_request(slow, warp, slow->loads->lines[warp][load][slow->request[warp]],
                                slow->loads->sectors[warp][load][slow->request[warp]]);
        slow->request[warp] += !refused;
    }
    slow->result->refused += refused;
    slow_apply(slow, slow->now);
    if (!refused) {
        slow->arrivals[warp][load] = slow->ready[warp];
        slow->load[warp]++;
        slow->request[warp] = 0;
        slow->ready[warp] = slow->now;
        slow->goes_on[warp] = slow_goes_on(slow, warp, slow->load[warp]);
    }
    if (refused)
        slow->queue[slow->queued++] = warp;
    else if (slow->config->divergence && slow->goes_on[warp] > slow->now)
        slow->waiting[warp] = true;
    else if (slow->load[warp] < slow->loads->loads[warp])
        slow->queue[slow->queued++] = warp;
    else
        slow_end(slow, warp);
}

static void slow_wake(struct slow *slow)
{
    for (;;) {
        uint32_t least = UINT32_MAX;
        for (uint32_t warp = 0; warp < SLOW_WARPS; warp++)
            if (slow->waiting[warp] && slow->goes_on[warp] <= slow->now &&
                (least == UINT32_MAX || slow->number[warp] < slow->number[least]))
                least = warp;
        if (least == UINT32_MAX)
            return;
        slow->waiting[least] = false;
        if (slow->load[least] < slow->loads->loads[least])
            slow->queue[slow->queued++] = least;
        else
            slow_end(slow, least);
    }
}

void slow_reuse(const struct slow_loads *loads, const struct reuse_config *config,
                uint32_t resident, struct slow_result *result)
{
    struct slow *slow = calloc(1, sizeof *slow);
    require(slow != NULL);
    memset(result, 0, sizeof *result);
    slow->loads = loads;
    slow->config = config;
    slow->result = result;
    require(!set_index_init(&slow->index, config->index, config->sets));
    half_normal_seed(&slow->generator, (uint32_t)config->seed);
    for (uint32_t slot = 0; slot < (config->hierarchy ? resident : 1); slot++)
        slow_start(slow, slot);
    for (; slow->alive; slow->now++) {
        if (slow->queued)
            slow_turn(slow);
        slow_apply(slow, slow->now);
        slow_wake(slow);
    }
    result->ticks = slow->now;
    free(slow);
}
