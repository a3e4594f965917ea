#include "model/bypass/bypass.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/mix.h"
#include "model/bypass/bypass_member.h"
#include "model/cache/cache_bits.h"
#include "model/gpu/structure_arrays.h"
#include "trace/stream.h"

const struct bypass_kind *const bypass_kinds[BYPASS_COUNT] = {
    [BYPASS_ALWAYS] = &bypass_always,   [BYPASS_LISTED] = &bypass_listed,
    [BYPASS_RANDOM] = &bypass_random,   [BYPASS_ON_FAIL] = &bypass_on_fail,
    [BYPASS_SAMPLED] = &bypass_sampled, [BYPASS_TIAN] = &bypass_tian,
    [BYPASS_PCAL] = &bypass_pcal,       [BYPASS_PDP] = &bypass_pdp,
    [BYPASS_MRPB] = &bypass_mrpb,       [BYPASS_LOCALITY] = &bypass_locality,
    [BYPASS_CTRL_C] = &bypass_ctrl_c,   [BYPASS_DACACHE] = &bypass_dacache,
    /* BYPASS_NEVER: none */
};

enum status bypass_create(const struct machine *machine, uint32_t sm, uint32_t sets, uint32_t ways,
                          struct bypass **bypass)
{
    const struct bypass_kind *kind = bypass_kinds[machine->l1d.bypass.policy];
    *bypass = NULL;
    if (!kind)
        return STATUS_OK;
    struct bypass *made = calloc(1, kind->size);
    if (!made)
        return STATUS_MEMORY;
    made->kind = kind;
    made->machine = machine;
    made->config = &machine->l1d.bypass;
    made->sm = sm;
    made->sets = sets;
    made->ways = ways;
    made->wake = UINT64_MAX;
    made->decides = kind->queue || bypass_exchanges(machine);
    arrays_add(&made->arrays, &made->lines, (size_t)sets * ways, sizeof *made->lines);
    enum status status = kind->init ? kind->init(made) : STATUS_OK;
    if (made->arrays.failed)
        status = STATUS_MEMORY;
    if (status)
        bypass_free(made);
    else
        *bypass = made;
    return status;
}

void bypass_free(struct bypass *bypass)
{
    if (!bypass)
        return;
    if (bypass->kind->free)
        bypass->kind->free(bypass);
    key_table_free(&bypass->keys);
    key_table_free(&bypass->passing);
    free(bypass->pcs);
    free(bypass->loads);
    arrays_free(&bypass->arrays);
    free(bypass);
}

struct bypass *bypass_copy(const struct bypass *bypass)
{
    struct bypass *copy = malloc(bypass->kind->size);
    if (!copy)
        return NULL;
    memcpy(copy, bypass, bypass->kind->size);
    bool all = arrays_copy(&copy->arrays);
    all &= key_table_copy(&copy->keys);
    all &= key_table_copy(&copy->passing);
    all &= array_copy(&copy->pcs, copy->pc_capacity * sizeof *copy->pcs);
    all &= array_copy(&copy->loads, copy->load_capacity * sizeof *copy->loads);
    all &= !copy->kind->copy || copy->kind->copy(copy);
    if (all)
        return copy;
    bypass_free(copy);
    return NULL;
}

void bypass_mix(const struct bypass *bypass, uint64_t *hash)
{
    mix_word(hash, bypass->wake);
    mix_word(hash, bypass->launch_ways);
    mix_word(hash, bypass->kernel);
    mix_words(hash, bypass->keys.keys, bypass->keys.count);
    for (uint32_t i = 0; i < bypass->keys.count; i++) {
        mix_word(hash, bypass->pcs[i].taken);
        mix_word(hash, bypass->pcs[i].passed);
    }
    mix_words(hash, bypass->passing.keys, bypass->passing.count);
    mix_words(hash, bypass->ages.ages, SM_WARPS);
    mix_bytes(hash, bypass->lines, (size_t)bypass->sets * bypass->ways * sizeof *bypass->lines);
    if (bypass->kind->mix)
        bypass->kind->mix(bypass, hash);
    else
        arrays_mix_part(&bypass->arrays, bypass + 1, (const char *)bypass + bypass->kind->size,
                        hash);
}

size_t structure_arrays_l1d_bypass(const struct machine *machine,
                                   struct memory_array arrays[MEMORY_ARRAYS])
{
    const struct bypass_kind *kind = bypass_kinds[machine->l1d.bypass.policy];
    const uint64_t lines = l1d_largest(machine) / machine->l1d.line;
    return kind && kind->arrays ? kind->arrays(machine, lines, arrays) : 0;
}

/* ---- the L1D ---- */

enum bypass_verdict bypass_ask(struct bypass *bypass, const struct bypass_access *access,
                               struct bypass_choice *choice)
{
    const struct bypass_choice without = *choice;
    const enum bypass_verdict verdict = bypass->kind->ask(bypass, access, choice);
    bypass->decides |= verdict != bypass_take(&without) || choice->way != without.way;
    return verdict;
}

/* The row of an instruction of this launch; NULL: no memory. */
static struct bypass_pc *pc_of(struct bypass *bypass, uint32_t pc)
{
    const uint64_t key = bypass_key(bypass, pc);
    uint32_t number = key_table_find(&bypass->keys, key);
    if (number != KEY_NONE)
        return &bypass->pcs[number];
    if (array_reserve(&bypass->pcs, &bypass->pc_capacity, (size_t)bypass->keys.count + 1) ||
        key_table_add(&bypass->keys, key, &number)) {
        bypass->status = STATUS_MEMORY;
        return NULL;
    }
    bypass->pcs[number] = (struct bypass_pc){.key = key};
    return &bypass->pcs[number];
}

void bypass_accept(struct bypass *bypass, const struct bypass_access *access, uint32_t line)
{
    struct bypass_pc *pc = pc_of(bypass, access->pc);
    if (!pc)
        return;
    if (line != BYPASS_NO_LINE) {
        pc->taken++;
    } else {
        uint32_t number;
        bypass->passed++;
        if (!pc->passed++) {
            pc->since = access->now;
            if (key_table_number(&bypass->passing, pc->key, &number))
                bypass->status = STATUS_MEMORY;
        }
    }
    if (bypass->kind->accepted)
        bypass->kind->accepted(bypass, access, line);
}

void bypass_hit(struct bypass *bypass, const struct bypass_access *access, uint32_t line,
                bool pending)
{
    if (!pending || bypass->config->pending)
        bypass->lines[line].hits++;
    if (bypass->kind->hit)
        bypass->kind->hit(bypass, access, line, pending);
    bypass->lines[line].last = bypass_key(bypass, access->pc);
}

void bypass_replace(struct bypass *bypass, const struct bypass_access *access, uint32_t line,
                    bool empty)
{
    if (!empty && bypass->kind->evicted)
        bypass->kind->evicted(bypass, &bypass->lines[line], access);
    const uint64_t key = bypass_key(bypass, access->pc);
    bypass->lines[line] =
        (struct bypass_line){.key = key, .last = key, .line = access->line, .warp = access->warp};
}

void bypass_fill(struct bypass *bypass, const struct bypass_fill *fill)
{
    if (bypass->kind->filled)
        bypass->kind->filled(bypass, fill);
}

/* ---- the SM ---- */

/* FNV-1a: launches of one name are one kernel. */
static uint64_t name_hash(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; name && *name; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
    return hash;
}

static int compare_pcs(const void *a, const void *b)
{
    const uint32_t *left = a, *right = b;
    return *left < *right ? -1 : *left > *right;
}

enum status bypass_launch(struct bypass *bypass, uint32_t ways, const char *kernel,
                          const struct trace_code *code)
{
    bypass->launch_ways = ways;
    bypass->kernel = name_hash(kernel) << 32;
    key_table_free(&bypass->keys);
    bypass->keys = (struct key_table){0};
    bypass->load_count = 0;
    if (array_reserve(&bypass->loads, &bypass->load_capacity, code->count + 1))
        return STATUS_MEMORY;
    for (uint32_t i = 0; i < code->count; i++)
        if (bypass_numbers_load(&code->items[i]))
            bypass->loads[bypass->load_count++] = code->items[i].pc;
    qsort(bypass->loads, bypass->load_count, sizeof *bypass->loads, compare_pcs);
    if (bypass->kind->launched)
        bypass->kind->launched(bypass);
    return STATUS_OK;
}

void bypass_warp_came(struct bypass *bypass, uint32_t warp, uint32_t block, uint64_t age)
{
    bypass->blocks[warp] = (uint16_t)block;
    warp_ages_add(&bypass->ages, warp, age);
}

void bypass_warp_left(struct bypass *bypass, uint32_t warp)
{
    warp_ages_remove(&bypass->ages, warp);
}

void bypass_block_ended(struct bypass *bypass, bool first)
{
    if (bypass->kind->block_ended)
        bypass->kind->block_ended(bypass, first);
}

void bypass_tick(struct bypass *bypass, uint64_t now, uint64_t instructions)
{
    bypass->wake = UINT64_MAX;
    if (bypass->kind->tick)
        bypass->kind->tick(bypass, now, instructions);
}

bool bypass_exchanges(const struct machine *machine)
{
    const struct bypass_kind *kind = bypass_kinds[machine->l1d.bypass.policy];
    return machine->l1d.enabled && machine->l1d.bypass.shared && kind && kind->exchange;
}

void bypass_exchange(struct bypass *const *all, uint32_t count)
{
    all[0]->kind->exchange(all, count);
}

enum status bypass_report(const struct bypass *bypass, struct pc_table *table)
{
    for (uint32_t i = 0; i < bypass->keys.count; i++) {
        const struct bypass_pc *pc = &bypass->pcs[i];
        struct pc_count *row = pc_table_at(table, (uint32_t)pc->key, OP_LOAD);
        uint64_t times = 0, count = 0;
        if (!row)
            return STATUS_MEMORY;
        if (bypass->kind->explain)
            bypass->kind->explain(bypass, pc->key, &times, &count);
        pc_count_add(row, &(struct pc_count){.taken = pc->taken,
                                             .bypassed = pc->passed,
                                             .since = pc->passed ? pc->since + 1 : 0,
                                             .passing = pc->passed > 0,
                                             .missing = 1,
                                             .evicted = times,
                                             .rehits = count});
    }
    return STATUS_OK;
}
