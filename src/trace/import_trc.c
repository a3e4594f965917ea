/* .trc of gpu-cache-model (Nugteren et al., HPCA 2014): a word, the three dimensions of a block,
 * and then `thread direction address bytes` in decimal, with direction 0 = load, 1 = store. Only
 * the order within a thread matters: the k-th loads of the threads of a warp are one instruction,
 * so these threads must load equally often. The original program stops silently at the first number
 * that it cannot read and writes outside of its arrays if a thread or a block is too large; this
 * importer refuses such files.
 *
 * Accesses are sorted by warp in memory, at most TRC_BYTES_MAX of it. An error that shows only
 * once the whole file has been read is located by reading it a second time. */
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/memory.h"
#include "base/text_ends.h"
#include "base/units.h"
#include "trace/importers.h"
#include "trace/trc_text.h"
#include "trace/wtr_write.h"

/* Memory for sorting. A trace that needs more is refused as soon as it reaches the limit. */
#define TRC_BYTES_MAX ((uint64_t)1 << 30)
enum {
    LOADS_STEP = 4096,
    LOAD_BYTES = 2 * (8 + 2 + 1), /* in file order, in arrays that double */
    STORE_FACTOR = 4              /* an array that doubles, and the copy that qsort makes */
};

struct store {
    uint64_t address;
    uint32_t warp;
    uint32_t loads; /* how many loads of its thread come before it */
    uint32_t place; /* its position among the thread's stores there */
    uint8_t lane, bytes;
};

struct trc {
    uint32_t block[3];
    uint32_t block_threads, warps_per_block;
    uint32_t threads; /* one more than the last thread that loads */
    uint32_t warps;   /* warps of these threads */
    /* Loads in file order. */
    uint64_t *addresses;
    uint16_t *owners; /* their threads */
    uint8_t *bytes;
    size_t count, least_capacity, address_capacity, owner_capacity, byte_capacity;
    struct store *stores;
    size_t store_count, store_capacity;
    uint32_t *loads;  /* [TRC_THREADS]: loads of each thread so far */
    uint32_t *places; /* [TRC_THREADS]: stores since its last load */
    /* Loads by warp: lane l of instruction k of a warp is at (first[warp] + k) * 32 + l. */
    size_t *first; /* [warps + 1] */
    uint64_t *lanes;
    uint8_t *sizes; /* [instructions] */
};

static bool trc_content(const struct trace_head *head)
{
    return !strncmp(head->text, "blocksize:", 10);
}

static bool trc_named(const char *file)
{
    return text_ends(file, ".trc");
}

static uint32_t warp_of(const struct trc *trc, uint32_t thread)
{
    return thread / trc->block_threads * trc->warps_per_block +
           thread % trc->block_threads / WARP_SIZE;
}

static unsigned lane_of(const struct trc *trc, uint32_t thread)
{
    return thread % trc->block_threads % WARP_SIZE;
}

/* Memory that the accesses take when they are sorted. A load has a slot in a table of whole warps,
 * so warps with few threads take more per load. */
static uint64_t sorted_bytes(const struct trc *trc)
{
    uint64_t slot = sizeof *trc->lanes * trc->warps_per_block * WARP_SIZE;
    uint64_t load = LOAD_BYTES + (slot + trc->block_threads - 1) / trc->block_threads;
    return trc->count * load + trc->store_count * STORE_FACTOR * sizeof *trc->stores;
}

static enum status grow_loads(struct trc *trc)
{
    size_t need = trc->count + LOADS_STEP;
    if (array_reserve(&trc->addresses, &trc->address_capacity, need) ||
        array_reserve(&trc->owners, &trc->owner_capacity, need) ||
        array_reserve(&trc->bytes, &trc->byte_capacity, need))
        return STATUS_MEMORY;
    trc->least_capacity = need;
    return STATUS_OK;
}

static inline enum status add_load(struct trc *trc, const struct trc_access *access)
{
    size_t at = trc->count;
    if (at == trc->least_capacity && grow_loads(trc))
        return STATUS_MEMORY;
    trc->addresses[at] = access->address;
    trc->owners[at] = (uint16_t)access->thread;
    trc->bytes[at] = (uint8_t)access->bytes;
    trc->count++;
    trc->loads[access->thread]++;
    trc->places[access->thread] = 0;
    return STATUS_OK;
}

static enum status add_store(struct trc *trc, const struct trc_access *access)
{
    if (array_reserve(&trc->stores, &trc->store_capacity, trc->store_count + 1))
        return STATUS_MEMORY;
    trc->stores[trc->store_count++] = (struct store){.address = access->address,
                                                     .warp = warp_of(trc, access->thread),
                                                     .loads = trc->loads[access->thread],
                                                     .place = trc->places[access->thread]++,
                                                     .lane = (uint8_t)lane_of(trc, access->thread),
                                                     .bytes = (uint8_t)access->bytes};
    return STATUS_OK;
}

static enum status read_accesses(struct trc *trc, struct trc_text *text)
{
    memcpy(trc->block, text->block, sizeof trc->block);
    trc->block_threads = trc->block[0] * trc->block[1] * trc->block[2];
    trc->warps_per_block = (trc->block_threads + WARP_SIZE - 1) / WARP_SIZE;
    struct trc_access access;
    enum status status = STATUS_OK;
    while (!status && trc_next(text, &access)) {
        if (sorted_bytes(trc) > TRC_BYTES_MAX) {
            char limit[QUANTITY_TEXT];
            trc_problem(text, "sorting the accesses up to here takes more than %s of memory",
                        quantity_print_short((double)TRC_BYTES_MAX, UNIT_BYTES, 4, limit));
            return STATUS_UNSUPPORTED;
        }
        status = access.store ? add_store(trc, &access) : add_load(trc, &access);
    }
    return status ? status : text->status;
}

/* Reports `why` at load number `place` (from 0) of a thread, which it finds by reading the file
 * again. */
static enum status refuse_load(const char *path, uint32_t thread, uint64_t place, const char *why,
                               struct diagnostics *diagnostics)
{
    struct trc_text text;
    struct trc_access access;
    enum status status = trc_open(path, &text, diagnostics);
    if (status)
        return status;
    uint64_t seen = 0;
    while (trc_next(&text, &access))
        if (access.thread == thread && !access.store && seen++ == place) {
            trc_problem(&text, "%s", why);
            break;
        }
    trc_close(&text);
    return STATUS_INVALID;
}

/* The threads of a warp must load equally often: nothing but its position says which instruction a
 * load belongs to. */
static enum status check_warp(const struct trc *trc, const char *path, uint32_t begin,
                              struct diagnostics *diagnostics)
{
    uint32_t most = begin, least = begin;
    for (uint32_t thread = begin;
         thread < trc->threads && (thread == begin || warp_of(trc, thread) == warp_of(trc, begin));
         thread++) {
        most = trc->loads[thread] > trc->loads[most] ? thread : most;
        least = trc->loads[thread] < trc->loads[least] ? thread : least;
    }
    if (trc->loads[most] == trc->loads[least])
        return STATUS_OK;
    char why[160];
    snprintf(why, sizeof why,
             "thread %u loads %u times and thread %u of the same warp %u times: what belongs "
             "together cannot be known",
             most, trc->loads[most], least, trc->loads[least]);
    return refuse_load(path, most, trc->loads[least], why, diagnostics);
}

/* Counts the warps and checks that the loads of each match up. */
static enum status trc_measure(struct trc *trc, const char *path, struct diagnostics *diagnostics)
{
    for (uint32_t i = 0; i < TRC_THREADS; i++)
        if (trc->loads[i])
            trc->threads = i + 1;
    if (!trc->threads)
        return diagnostics_error(diagnostics, STATUS_INVALID, "%s: no thread loads anything", path);
    trc->warps = warp_of(trc, trc->threads - 1) + 1;
    if (trc->warps % trc->warps_per_block) {
        char why[160];
        snprintf(why, sizeof why,
                 "thread %u is the last that loads; its block of %u threads has a warp without any",
                 trc->threads - 1, trc->block_threads);
        return refuse_load(path, trc->threads - 1, 0, why, diagnostics);
    }
    trc->first = malloc((trc->warps + (size_t)1) * sizeof *trc->first);
    if (!trc->first)
        return STATUS_MEMORY;
    enum status status = STATUS_OK;
    size_t instructions = 0;
    unsigned refused = 0;
    for (uint32_t thread = 0; thread < trc->threads && refused < TEXT_PROBLEMS_MAX; thread++)
        if (!lane_of(trc, thread)) {
            trc->first[warp_of(trc, thread)] = instructions;
            instructions += trc->loads[thread];
            enum status result = check_warp(trc, path, thread, diagnostics);
            refused += result != STATUS_OK;
            status = status ? status : result;
        }
    trc->first[trc->warps] = instructions;
    return status;
}

/* Rearranges the loads from file order to warps and instructions. */
static enum status sort_loads(struct trc *trc, const char *path, struct diagnostics *diagnostics)
{
    size_t instructions = trc->first[trc->warps];
    trc->lanes = malloc((instructions * WARP_SIZE + 1) * sizeof *trc->lanes);
    trc->sizes = calloc(instructions + 1, 1);
    size_t *next = malloc(trc->threads * sizeof *next);
    enum status status = trc->lanes && trc->sizes && next ? STATUS_OK : STATUS_MEMORY;
    for (uint32_t thread = 0; thread < trc->threads && !status; thread++)
        next[thread] = trc->first[warp_of(trc, thread)] * WARP_SIZE + lane_of(trc, thread);
    for (size_t i = 0; i < trc->count && !status; i++) {
        uint32_t thread = trc->owners[i];
        size_t at = next[thread], instruction = at / WARP_SIZE;
        next[thread] = at + WARP_SIZE;
        trc->lanes[at] = trc->addresses[i];
        if (!trc->sizes[instruction])
            trc->sizes[instruction] = trc->bytes[i];
        if (trc->sizes[instruction] == trc->bytes[i])
            continue;
        char why[160], here[COUNT_TEXT];
        snprintf(why, sizeof why, "load %zu of this warp is of %s here and %u elsewhere",
                 instruction - trc->first[warp_of(trc, thread)] + 1,
                 counted_print(trc->bytes[i], "byte", here), trc->sizes[instruction]);
        status = refuse_load(path, thread, instruction - trc->first[warp_of(trc, thread)], why,
                             diagnostics);
    }
    free(next);
    return status;
}

static int compare_stores(const void *a, const void *b)
{
    const struct store *x = a, *y = b;
#define COMPARE(field)                                                                             \
    if (x->field != y->field)                                                                      \
    return x->field < y->field ? -1 : 1
    COMPARE(warp);
    COMPARE(loads);
    COMPARE(place);
    COMPARE(bytes);
    COMPARE(lane);
#undef COMPARE
    return 0;
}

/* Stores of one warp, at one position and of one size, form one instruction. */
static bool together(const struct store *a, const struct store *b)
{
    return a->warp == b->warp && a->loads == b->loads && a->place == b->place &&
           a->bytes == b->bytes;
}

/* Puts the stores of a warp that come before its load number `load`. */
static enum status put_stores(const struct trc *trc, uint32_t warp, uint64_t load, size_t *next,
                              struct wtr_writer *writer)
{
    enum status status = STATUS_OK;
    while (*next < trc->store_count && !status) {
        const struct store *first = &trc->stores[*next];
        if (first->warp != warp || first->loads > load)
            break;
        uint64_t lanes[WARP_SIZE];
        struct warp_access access = {.bytes = first->bytes, .op = OP_STORE, .space = SPACE_GLOBAL};
        unsigned count = 0;
        for (; *next < trc->store_count && together(first, &trc->stores[*next]); ++*next) {
            lanes[count++] = trc->stores[*next].address;
            access.mask |= 1u << trc->stores[*next].lane;
        }
        status = wtr_put(writer, &access, lanes);
    }
    return status;
}

static enum status put_warp(const struct trc *trc, uint32_t warp, size_t *next_store,
                            struct wtr_writer *writer)
{
    uint32_t block = warp / trc->warps_per_block;
    uint32_t begin = block * trc->block_threads + warp % trc->warps_per_block * WARP_SIZE;
    uint32_t end = (block + 1) * trc->block_threads;
    end = end < trc->threads ? end : trc->threads;
    uint32_t count = end - begin < WARP_SIZE ? end - begin : WARP_SIZE;
    uint32_t mask = UINT32_MAX >> (WARP_SIZE - count);
    enum status status = wtr_begin_warp(writer, warp % trc->warps_per_block);
    size_t loads = trc->first[warp + 1] - trc->first[warp];
    for (size_t k = 0; k < loads && !status; k++) {
        size_t at = trc->first[warp] + k;
        struct warp_access access = {
            .mask = mask, .bytes = trc->sizes[at], .op = OP_LOAD, .space = SPACE_GLOBAL};
        status = put_stores(trc, warp, k, next_store, writer);
        if (!status)
            status = wtr_put(writer, &access, trc->lanes + at * WARP_SIZE);
    }
    if (!status)
        status = put_stores(trc, warp, UINT64_MAX, next_store, writer);
    return status ? status : wtr_end_warp(writer, 0);
}

static enum status put_launch(struct trc *trc, const char *path, struct wtr_writer *writer,
                              struct diagnostics *diagnostics)
{
    const char *slash = strrchr(path, '/');
    char *name = strdup(slash ? slash + 1 : path);
    if (!name)
        return STATUS_MEMORY;
    const struct trace_launch launch = {
        .name = name,
        .grid = {trc->warps / trc->warps_per_block, 1, 1},
        .block = {trc->block[0], trc->block[1], trc->block[2]},
    };
    enum status status = wtr_begin_launch(writer, &launch);
    free(name);
    size_t next_store = 0;
    for (uint32_t warp = 0; warp < trc->warps && !status; warp++) {
        if (warp % trc->warps_per_block == 0)
            status = wtr_begin_block(writer, warp / trc->warps_per_block);
        if (!status)
            status = put_warp(trc, warp, &next_store, writer);
        if (!status && (warp + 1) % trc->warps_per_block == 0)
            status = wtr_end_block(writer);
    }
    if (next_store < trc->store_count) {
        struct place place = {.file = path};
        char stores[COUNT_TEXT];
        diagnostics_add(diagnostics, SEVERITY_WARNING, &place,
                        "left out: %s of threads after the last that loads",
                        counted_print(trc->store_count - next_store, "store", stores));
    }
    return status;
}

static void free_trc(struct trc *trc)
{
    free(trc->addresses);
    free(trc->owners);
    free(trc->bytes);
    free(trc->stores);
    free(trc->loads);
    free(trc->places);
    free(trc->first);
    free(trc->lanes);
    free(trc->sizes);
}

static enum status import_trc(const char *path, struct wtr_writer *writer,
                              struct diagnostics *diagnostics)
{
    struct trc_text text;
    enum status status = trc_open(path, &text, diagnostics);
    if (status)
        return status;
    struct trc trc = {.loads = calloc(TRC_THREADS, sizeof *trc.loads),
                      .places = calloc(TRC_THREADS, sizeof *trc.places)};
    status = trc.loads && trc.places ? read_accesses(&trc, &text) : STATUS_MEMORY;
    trc_close(&text);
    if (!status)
        status = trc_measure(&trc, path, diagnostics);
    if (!status)
        status = sort_loads(&trc, path, diagnostics);
    if (!status && trc.store_count)
        qsort(trc.stores, trc.store_count, sizeof *trc.stores, compare_stores);
    if (!status)
        status = put_launch(&trc, path, writer, diagnostics);
    free_trc(&trc);
    return status;
}

const struct importer importer_trc = {
    .name = "trc",
    .help = "gpu-cache-model (HPCA 2014): block size, then thread direction address bytes",
    .content = trc_content,
    .named = trc_named,
    .import = import_trc,
};
