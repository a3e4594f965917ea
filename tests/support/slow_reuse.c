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

static void add_load(struct slow_loads *loads, uint32_t warp, uint64_t arch, uint64_t line,
                     const struct warp_access *access, const struct access_window *window)
{
    struct request requests[COALESCED_MAX];
    unsigned count = coalesce(arch, access, window, 0, requests);
    uint32_t load = loads->loads[warp]++, used = 0;
    require(load < SLOW_LOADS);
    for (unsigned i = 0; i < count; i++)
        for (uint64_t at = requests[i].address / line;
             at <= (requests[i].address + requests[i].bytes - 1) / line; at++) {
            bool known = false;
            for (uint32_t k = 0; k < used; k++)
                known = known || loads->lines[warp][load][k] == at;
            require(used < SLOW_REQUESTS);
            if (!known)
                loads->lines[warp][load][used++] = at;
        }
    loads->requests[warp][load] = used;
}

void slow_reuse_read(const struct trace_source *source, uint32_t launch, uint64_t arch,
                     uint64_t line, struct slow_loads *loads)
{
    memset(loads, 0, sizeof *loads);
    loads->warps_per_block = launch_warps(&source->launches[launch]);
    loads->blocks = (uint32_t)launch_blocks(&source->launches[launch]);
    require(loads->blocks * loads->warps_per_block <= SLOW_WARPS);
    struct access_window window;
    require(!window_init(&window, 16));
    for (uint32_t block = 0; block < loads->blocks; block++) {
        struct block_reader *reader;
        require(!source->ops->open_block(source, launch, block, &reader, NULL));
        for (uint32_t warp = 0; warp < loads->warps_per_block; warp++)
            for (window.end = false; !window.end;) {
                require(!source->ops->read(reader, warp, &window, NULL));
                for (uint32_t i = 0; i < window.count; i++)
                    if (window.items[i].op == OP_LOAD)
                        add_load(loads, block * loads->warps_per_block + warp, arch, line,
                                 &window.items[i], &window);
            }
        source->ops->close_block(reader);
    }
    window_free(&window);
}

/* Lines with the time of their last touch; the order breaks ties. */
struct stack_line {
    uint64_t line, touched, set;
};

struct pending {
    uint64_t time, order, line;
    uint32_t number; /* the warp whose miss it is */
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
    uint64_t seen[SLOW_LINES];
    uint32_t seen_count;
    struct pending pending[SLOW_LINES];
    uint32_t pending_count;
    uint64_t orders, now;
    uint32_t queue[SLOW_WARPS], queued;
    uint64_t ready[SLOW_WARPS];
    bool waiting[SLOW_WARPS];
    uint32_t load[SLOW_WARPS], request[SLOW_WARPS];
    uint32_t left[SLOW_WARPS];   /* for each block, how many warps have not ended */
    uint32_t number[SLOW_WARPS]; /* slot x warps per block + warp */
    uint32_t next_block, alive;
    uint32_t next_warp; /* without hierarchy: counts the warps of all blocks */
};

static void slow_touch(struct slow *slow, uint64_t line)
{
    uint32_t at = 0;
    while (at < slow->stack_count && slow->stack[at].line != line)
        at++;
    require(at < SLOW_LINES);
    slow->stack_count += at == slow->stack_count;
    slow->stack[at] = (struct stack_line){line, ++slow->touches,
                                          set_index_map(&slow->index, slow->index.function, line)};
}

/* UINT64_MAX: never touched. */
static uint64_t slow_distance(const struct slow *slow, uint64_t line)
{
    const struct stack_line *own = NULL;
    for (uint32_t i = 0; i < slow->stack_count; i++)
        if (slow->stack[i].line == line)
            own = &slow->stack[i];
    if (!own)
        return UINT64_MAX;
    uint64_t distance = 0;
    for (uint32_t i = 0; i < slow->stack_count; i++)
        distance += slow->stack[i].set == own->set && slow->stack[i].touched > own->touched;
    return distance;
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
        slow_touch(slow, least->line);
    }
}

static void slow_put(struct slow *slow, uint32_t warp, uint64_t time, uint64_t line, bool fill)
{
    uint32_t at = 0;
    while (at < slow->pending_count && slow->pending[at].open)
        at++;
    require(at < SLOW_LINES);
    slow->pending_count += at == slow->pending_count;
    slow->pending[at] =
        (struct pending){time, slow->orders++, line, slow->number[warp], fill, true};
}

static void slow_count(struct slow *slow, uint32_t warp, uint64_t line, bool hit, bool never)
{
    struct slow_result *result = slow->result;
    bool first = true;
    for (uint32_t i = 0; i < slow->seen_count; i++)
        first = first && slow->seen[i] != line;
    if (first)
        slow->seen[slow->seen_count++] = line;
    uint32_t access = result->warp_accesses[warp]++;
    require(access < SLOW_LOADS * 4);
    result->hit[warp][access] = hit;
    result->first[warp][access] = first;
    result->accesses++;
    result->misses += !hit;
    result->never += never;
}

/* False: refused. */
static bool slow_request(struct slow *slow, uint32_t warp, uint64_t line)
{
    uint64_t distance = slow_distance(slow, line), flying = 0, own_flying = 0, due = slow->now;
    const struct pending *own = NULL;
    for (uint32_t i = 0; i < slow->pending_count; i++)
        if (slow->pending[i].open && slow->pending[i].fill) {
            flying++;
            own_flying += slow->pending[i].number == slow->number[warp];
            if (slow->pending[i].line == line)
                own = &slow->pending[i];
        }
    if (distance < slow->config->ways) {
        slow_count(slow, warp, line, true, false);
        due += slow->config->hit_latency;
        slow_put(slow, warp, due, line, false);
    } else {
        if (!own && (flying >= slow->config->mshrs || own_flying >= slow->config->per_warp))
            return false;
        slow_count(slow, warp, line, false, distance == UINT64_MAX);
        if (own) {
            slow->result->joined++;
            due = own->time;
        } else {
            due += slow->config->latency;
            if (slow->config->sigma > 0)
                due += (uint64_t)fabs(
                    round(half_normal_standard(&slow->generator) * slow->config->sigma));
            slow_put(slow, warp, due, line, true);
            if (due == slow->now) /* the data arrive in the same slot */
                slow_apply(slow, slow->now);
        }
    }
    slow->ready[warp] = due > slow->ready[warp] ? due : slow->ready[warp];
    return true;
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
        refused = !slow_request(slow, warp, slow->loads->lines[warp][load][slow->request[warp]]);
        slow->request[warp] += !refused;
    }
    slow->result->refused += refused;
    slow_apply(slow, slow->now);
    if (!refused) {
        slow->load[warp]++;
        slow->request[warp] = 0;
    }
    if (refused)
        slow->queue[slow->queued++] = warp;
    else if (slow->config->divergence && slow->ready[warp] > slow->now)
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
            if (slow->waiting[warp] && slow->ready[warp] <= slow->now &&
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
