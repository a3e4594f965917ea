#include "support/list_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "support/zeroed.h"

struct block_reader {
    const struct list_launch *launch;
    uint64_t block;
    uint32_t *next; /* per warp */
};

static enum status open_block(const struct trace_source *source, uint32_t launch, uint64_t block,
                              struct block_reader **reader, struct diagnostics *diagnostics)
{
    (void)diagnostics;
    const struct list_source *list = (const struct list_source *)source;
    struct block_reader *made = calloc(1, sizeof *made);
    uint32_t *next = calloc(list->lists[launch].warps, sizeof *next);
    if (!made || !next) {
        free(made);
        free(next);
        return STATUS_MEMORY;
    }
    *made = (struct block_reader){&list->lists[launch], block, next};
    *reader = made;
    return STATUS_OK;
}

static enum status read_window(struct block_reader *reader, uint32_t warp,
                               struct access_window *window, struct diagnostics *diagnostics)
{
    (void)diagnostics;
    const struct list_warp *list =
        &reader->launch->warp[reader->block * reader->launch->warps + warp];
    window->count = window->lane_count = 0;
    while (window->count < window->capacity && reader->next[warp] < list->count)
        window_push(window, list->items[reader->next[warp]++], NULL);
    window->end = reader->next[warp] == list->count;
    window->tail = window->end ? list->tail : 0;
    return STATUS_OK;
}

static void close_block(struct block_reader *reader)
{
    if (reader)
        free(reader->next);
    free(reader);
}

static void free_source(struct trace_source *source)
{
    struct list_source *list = (struct list_source *)source;
    for (uint32_t i = 0; i < source->launch_count; i++) {
        struct list_launch *launch = &list->lists[i];
        for (uint32_t w = 0; w < launch->blocks * launch->warps; w++)
            free(launch->warp[w].items);
        free(launch->warp);
    }
    free(list->lists);
    for (uint32_t i = 0; i < source->launch_count; i++)
        free(source->launches[i].name);
    free(source->launches);
    free(source->name);
    free(source->provenance);
    free(list);
}

static const struct trace_source_ops list_ops = {
    .open_block = open_block, .read = read_window, .close_block = close_block, .free = free_source};

static struct warp_access random_access(uint64_t bits, uint64_t lines)
{
    static const int32_t strides[] = {0, 4, 4, 4, 8, 128, -4, 36};
    uint32_t mask = bits & 16 ? UINT32_MAX : (uint32_t)(bits >> 32) | 1;
    return (struct warp_access){
        .base = 0x10000 + random_below(random_at(bits, 1), lines * 32) * 4,
        .stride = strides[bits & 7],
        .mask = mask,
        .pc = (uint32_t)((bits >> 8) & 0xf) * 8,
        .gap = bits & 0x1000 ? (uint32_t)((bits >> 13) & 3) : 0,
        .bytes = 4,
        .op = bits & 0x8000 ? OP_STORE : OP_LOAD,
        .space = SPACE_GLOBAL,
    };
}

struct list_source *list_source_random(uint64_t seed, uint32_t launches, uint32_t blocks,
                                       uint32_t records, uint64_t lines)
{
    struct list_source *list = zeroed(1, sizeof *list);
    list->lists = zeroed(launches, sizeof *list->lists);
    list->base = (struct trace_source){
        .ops = &list_ops,
        .name = strdup("random"),
        .provenance = strdup("random records for a test"),
        .launches = zeroed(launches, sizeof(struct trace_launch)),
        .launch_count = launches,
    };
    snprintf(list->base.digest, sizeof list->base.digest, "%032llx", (unsigned long long)seed);
    uint64_t draw = 0;
    for (uint32_t i = 0; i < launches; i++) {
        struct list_launch *launch = &list->lists[i];
        launch->blocks = 1 + (uint32_t)random_below(random_at(seed, draw++), blocks);
        launch->warps = 1 + (uint32_t)random_below(random_at(seed, draw++), 4);
        launch->warp = zeroed((size_t)launch->blocks * launch->warps, sizeof *launch->warp);
        list->base.launches[i] = (struct trace_launch){
            .name = strdup("kernel"),
            .grid = {launch->blocks, 1, 1},
            .block = {launch->warps * WARP_SIZE, 1, 1},
            .registers = 16,
        };
        for (uint32_t w = 0; w < launch->blocks * launch->warps; w++) {
            struct list_warp *warp = &launch->warp[w];
            uint64_t shape = random_at(seed, draw++);
            warp->count = shape % 5 ? (uint32_t)random_below(random_at(shape, 0), records + 1) : 0;
            warp->tail = (uint32_t)(shape >> 60);
            warp->items = zeroed(warp->count, sizeof *warp->items);
            for (uint32_t k = 0; k < warp->count; k++)
                warp->items[k] = random_access(random_at(seed, draw++), lines);
        }
    }
    return list;
}

void list_source_keep_loads(struct list_source *source)
{
    for (uint32_t i = 0; i < source->base.launch_count; i++) {
        struct list_launch *launch = &source->lists[i];
        for (uint32_t w = 0; w < launch->blocks * launch->warps; w++) {
            launch->warp[w].tail = 0;
            for (uint32_t k = 0; k < launch->warp[w].count; k++) {
                launch->warp[w].items[k].op = OP_LOAD;
                launch->warp[w].items[k].gap = 0;
            }
        }
    }
}

void list_source_mix_spaces(struct list_source *source, uint64_t seed)
{
    uint64_t draw = 0;
    for (uint32_t i = 0; i < source->base.launch_count; i++)
        for (uint32_t w = 0; w < source->lists[i].blocks * source->lists[i].warps; w++) {
            const struct list_warp *warp = &source->lists[i].warp[w];
            for (uint32_t k = 0; k < warp->count; k++) {
                uint64_t roll = random_below(random_at(seed, draw++), 2 * SPACE_COUNT);
                warp->items[k].space = roll < SPACE_COUNT ? (uint8_t)roll : SPACE_GLOBAL;
                if (warp->items[k].space == SPACE_INSTRUCTION)
                    warp->items[k].op = OP_FETCH;
                else if (warp->items[k].space >= SPACE_TEXTURE)
                    warp->items[k].op = OP_LOAD;
            }
        }
}

static void keep_spaces(struct list_warp *warp, unsigned spaces)
{
    uint32_t kept = 0, issued = 0;
    for (uint32_t k = 0; k < warp->count; k++) {
        struct warp_access access = warp->items[k];
        if (!(spaces & space_bit(access.space))) {
            issued += access.gap + 1;
            continue;
        }
        access.gap += issued;
        issued = 0;
        warp->items[kept++] = access;
    }
    warp->tail += issued;
    warp->count = kept;
}

void list_source_keep_spaces(struct list_source *source, unsigned spaces)
{
    for (uint32_t i = 0; i < source->base.launch_count; i++)
        for (uint32_t w = 0; w < source->lists[i].blocks * source->lists[i].warps; w++)
            keep_spaces(&source->lists[i].warp[w], spaces);
}
