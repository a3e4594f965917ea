#include "model/gpu/regions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/key_table.h"
#include "model/gpu/issue.h"

static enum status touch(void *argument, const struct request *requests, size_t count)
{
    struct key_table *pieces = argument;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++) {
        uint32_t number;
        status = key_table_number(pieces, requests[i].address / REGION_BYTES, &number);
    }
    return status;
}

static enum status begin_launch(void *argument, const struct trace_launch *launch)
{
    (void)argument;
    (void)launch;
    return STATUS_OK;
}

static enum status go_on(void *argument, const struct issue_counts *counts)
{
    (void)argument;
    (void)counts;
    return STATUS_OK;
}

static int compare_pieces(const void *a, const void *b)
{
    const uint64_t *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

/* Runs of pieces of 2^bits x REGION_BYTES without a gap. `regions` may be NULL, to count them. */
static size_t regions_join(const uint64_t *pieces, uint32_t count, unsigned bits,
                           struct region *regions)
{
    size_t joined = 0;
    uint64_t last = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t piece = pieces[i] >> bits;
        if (!joined || piece > last + 1) {
            joined++;
            if (regions)
                regions[joined - 1].array.base = (piece << bits) * REGION_BYTES;
        }
        if (regions)
            regions[joined - 1].array.bytes =
                ((piece + 1) << bits) * REGION_BYTES - regions[joined - 1].array.base;
        last = piece;
    }
    return joined;
}

enum status regions_find(const struct machine *machine, const struct trace_source *source,
                         struct region **regions, size_t *count, struct diagnostics *diagnostics)
{
    struct key_table pieces = {0};
    const struct issue_sink sink = {
        .launch = begin_launch, .requests = touch, .progress = go_on, .argument = &pieces};
    struct issue_counts counts;
    unsigned bits = 0;
    *regions = NULL;
    *count = 0;
    enum status status = issue_source(machine, source, &sink, &counts, diagnostics);
    key_table_seal(&pieces); /* they are sorted now, and no longer found */
    if (!status && pieces.count) {
        qsort(pieces.keys, pieces.count, sizeof *pieces.keys, compare_pieces);
        while ((*count = regions_join(pieces.keys, pieces.count, bits, NULL)) > REGIONS_MOST)
            bits++;
        *regions = calloc(*count, sizeof **regions);
        status = *regions ? STATUS_OK : STATUS_MEMORY;
    }
    if (*regions)
        regions_join(pieces.keys, pieces.count, bits, *regions);
    for (size_t i = 0; i < *count && *regions; i++) {
        struct region *region = &(*regions)[i];
        snprintf(region->name, sizeof region->name, "0x%" PRIx64, region->array.base);
        region->array.name = region->name;
    }
    key_table_free(&pieces);
    return status;
}
