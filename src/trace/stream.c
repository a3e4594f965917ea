#include "trace/stream.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/bits.h"
#include "base/memory.h"
#include "trace/hash_text.h"

const char *const op_names[OP_COUNT] = {
    [OP_LOAD] = "load", [OP_STORE] = "store", [OP_ATOMIC] = "atomic", [OP_FETCH] = "fetch"};

enum status window_init(struct access_window *window, uint32_t capacity)
{
    *window = (struct access_window){.capacity = capacity};
    window->items = calloc(capacity, sizeof *window->items);
    window->lanes = calloc(capacity, WARP_SIZE * sizeof *window->lanes);
    if (window->items && window->lanes)
        return STATUS_OK;
    window_free(window);
    return STATUS_MEMORY;
}

void window_free(struct access_window *window)
{
    free(window->items);
    free(window->lanes);
    *window = (struct access_window){0};
}

void window_push(struct access_window *window, struct warp_access access, const uint64_t *lanes)
{
    assert(window->count < window->capacity && access.mask);
    if (lanes)
        access_compress(&access, lanes);
    if (access.flags & ACCESS_LISTED) {
        assert(lanes);
        unsigned active = bits_count(access.mask);
        access.base = window->lane_count;
        lanes_copy(window->lanes + window->lane_count, lanes, active);
        window->lane_count += active;
    }
    window->items[window->count++] = access;
}

unsigned access_addresses(const struct warp_access *access, const struct access_window *window,
                          uint64_t addresses[WARP_SIZE])
{
    unsigned count = bits_count(access->mask);
    if (access->flags & ACCESS_LISTED) {
        lanes_copy(addresses, window->lanes + access->base, count);
        return count;
    }
    if (access->flags & ACCESS_PATTERN) {
        const uint64_t *offsets = window->offsets + access->stride;
        for (unsigned k = 0; k < count; k++)
            addresses[k] = access->base + offsets[k];
        return count;
    }
    uint64_t stride = (uint64_t)(int64_t)access->stride;
    unsigned filled = 0;
    for (uint32_t rest = access->mask; rest; rest &= rest - 1)
        addresses[filled++] = access->base + stride * (unsigned)__builtin_ctz(rest);
    return count;
}

/* The stride between the first two active lanes; false if it is not an integer that fits an
 * int32. */
static bool first_stride(uint32_t mask, const uint64_t *addresses, int64_t *stride)
{
    uint32_t rest = mask & (mask - 1);
    *stride = 0;
    if (!rest)
        return true;
    int64_t lanes = __builtin_ctz(rest) - __builtin_ctz(mask);
    int64_t step = (int64_t)(addresses[1] - addresses[0]);
    *stride = lanes == 1 ? step : step / lanes;
    return *stride * lanes == step && *stride >= INT32_MIN && *stride <= INT32_MAX;
}

/* Whether the address of each active lane k is base + stride * k. Most lists that are not differ in
 * the last lane already. */
static bool in_steps(uint32_t mask, const uint64_t *addresses, uint64_t base, uint64_t stride)
{
    const unsigned count = bits_count(mask), first = (unsigned)__builtin_ctz(mask);
    if (addresses[count - 1] != base + stride * log2_floor(mask))
        return false;
    if (mask >> first == UINT32_MAX >> (32 - count)) { /* no lane between them is inactive */
        uint64_t wrong = 0, expected = base + stride * first;
        for (unsigned i = 0; i < count; i++, expected += stride)
            wrong |= addresses[i] ^ expected;
        return !wrong;
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        if (*addresses++ != base + stride * (unsigned)__builtin_ctz(rest))
            return false;
    return true;
}

void access_compress(struct warp_access *access, const uint64_t *addresses)
{
    int64_t stride;
    access->flags &= (uint8_t) ~(ACCESS_LISTED | ACCESS_PATTERN);
    if (!first_stride(access->mask, addresses, &stride))
        goto listed;
    uint64_t base = addresses[0] - (uint64_t)stride * (unsigned)__builtin_ctz(access->mask);
    if (!in_steps(access->mask, addresses, base, (uint64_t)stride))
        goto listed;
    access->base = base;
    access->stride = (int32_t)stride;
    return;
listed:
    access->flags |= ACCESS_LISTED;
    access->base = 0;
    access->stride = 0;
}

/* Clamps instead of wrapping, so that a huge grid in a damaged file looks huge, not small. */
struct trace_launch *launches_copy(const struct trace_launch *launches, uint32_t count)
{
    size_t bytes = (count + 1) * sizeof *launches;
    for (uint32_t i = 0; i < count; i++)
        bytes += launches[i].name ? strlen(launches[i].name) + 1 : 0;
    struct trace_launch *copy = malloc(bytes);
    if (!copy)
        return NULL;
    char *name = (char *)(copy + count + 1);
    for (uint32_t i = 0; i < count; i++) {
        copy[i] = launches[i];
        copy[i].code = 0;
        if (!launches[i].name)
            continue;
        const size_t length = strlen(launches[i].name) + 1;
        copy[i].name = memcpy(name, launches[i].name, length);
        name += length;
    }
    return copy;
}

static uint64_t saturating_product(const uint32_t factors[3], uint64_t limit)
{
    uint64_t product = (uint64_t)factors[0] * factors[1];
    if (__builtin_mul_overflow(product, (uint64_t)factors[2], &product) || product > limit)
        return limit;
    return product;
}

uint64_t launch_blocks(const struct trace_launch *launch)
{
    return saturating_product(launch->grid, UINT64_MAX);
}

uint64_t trace_source_blocks(const struct trace_source *source)
{
    uint64_t blocks = 0;
    for (uint32_t i = 0; i < source->launch_count; i++)
        blocks += launch_blocks(&source->launches[i]);
    return blocks;
}

uint32_t launch_threads(const struct trace_launch *launch)
{
    return (uint32_t)saturating_product(launch->block, UINT32_MAX);
}

uint32_t launch_warps(const struct trace_launch *launch)
{
    uint32_t threads = launch_threads(launch);
    return threads / WARP_SIZE + (threads % WARP_SIZE != 0);
}

uint32_t launch_registers(const struct trace_launch *launch, uint64_t arch)
{
    const struct launch_registers *compiled = launch->compiled;
    if (!compiled)
        return launch->registers;
    uint32_t best = 0;
    for (uint32_t i = 1; i < REGISTER_ARCHS_MAX; i++)
        if (compiled->arch[i] && compiled->arch[i] <= arch)
            best = i;
    return compiled->count[best];
}

const struct trace_code *trace_launch_code(const struct trace_source *source, uint32_t launch)
{
    const uint32_t code = source->launches[launch].code;
    return code ? &source->codes[code - 1] : NULL;
}

bool trace_source_timed(const struct trace_source *source)
{
    for (uint32_t i = 0; i < source->launch_count; i++)
        if (!trace_launch_code(source, i))
            return false;
    return source->ops->read_instructions && source->launch_count;
}

void trace_source_clear(struct trace_source *source)
{
    for (uint32_t i = 0; source->launches && i < source->launch_count; i++)
        free(source->launches[i].name);
    free(source->launches);
    free(source->name);
    free(source->provenance);
}

void trace_source_free(struct trace_source *source)
{
    if (source)
        source->ops->free(source);
}

/* A slice is a source whose blocks come from another source. */
struct sliced_source {
    struct trace_source source;
    const struct trace_source *original;
    struct trace_source *owned; /* the original, if it belongs to the slice */
    struct trace_slice *slices;
    struct access_change change; /* all 0: none */
};

struct block_reader {
    const struct access_change *change;
    const struct trace_source *original;
    struct block_reader *inner;
    uint32_t warp;  /* of the original's block, the first here */
    bool changes;   /* records of this launch */
    uint32_t *gaps; /* [warps]: instructions of records that were left out; NULL: none is */
};

static void slice_close_block(struct block_reader *reader)
{
    if (!reader)
        return;
    reader->original->ops->close_block(reader->inner);
    free(reader->gaps);
    free(reader);
}

/* How many blocks become of one. */
static uint32_t split_parts(const struct access_change *change, const struct trace_launch *original)
{
    return change->split ? launch_warps(original) : 1;
}

static bool change_is_none(const struct access_change *change)
{
    return !change->shift && !change->bypass && !change->pack && !change->split && !change->hits &&
           !change->leave_out;
}

/* Whether a launch of the original has records that change. */
static bool changes_launch(const struct sliced_source *sliced, uint32_t launch)
{
    const struct access_change *change = &sliced->change;
    const struct trace_launch *launches = sliced->original->launches;
    const char *name = launches[launch].name, *kernel = launches[change->kernel].name;
    return !change_is_none(change) &&
           (!change->one_pc || !strcmp(name ? name : "", kernel ? kernel : ""));
}

static enum status slice_open_block(const struct trace_source *source, uint32_t launch,
                                    uint64_t block, struct block_reader **reader,
                                    struct diagnostics *diagnostics)
{
    const struct sliced_source *sliced = (const struct sliced_source *)source;
    assert(launch < source->launch_count && block < launch_blocks(&source->launches[launch]));
    const struct trace_slice *slice = &sliced->slices[launch];
    struct block_reader *opened = calloc(1, sizeof *opened);
    if (!opened)
        return STATUS_MEMORY;
    opened->original = sliced->original;
    opened->change = &sliced->change;
    const uint32_t parts = split_parts(&sliced->change, &sliced->original->launches[slice->launch]);
    opened->warp = (uint32_t)(block % parts);
    opened->changes = changes_launch(sliced, slice->launch);
    if (sliced->change.leave_out)
        opened->gaps =
            calloc(launch_warps(&sliced->original->launches[slice->launch]), sizeof *opened->gaps);
    if (sliced->change.leave_out && !opened->gaps) {
        free(opened);
        return STATUS_MEMORY;
    }
    enum status status = sliced->original->ops->open_block(
        sliced->original, slice->launch, slice->first + block / parts, &opened->inner, diagnostics);
    if (status) {
        free(opened->gaps);
        free(opened);
        return status;
    }
    *reader = opened;
    return STATUS_OK;
}

void access_pack(struct warp_access *access, const struct access_window *window)
{
    uint64_t addresses[WARP_SIZE];
    const unsigned count = access_addresses(access, window, addresses);
    if (count == 0)
        return;
    access->base = addresses[0];
    access->stride = (int32_t)access->bytes;
    access->mask = count < WARP_SIZE ? (1u << count) - 1 : UINT32_MAX;
    access->flags &= (uint8_t) ~(ACCESS_LISTED | ACCESS_PATTERN);
}

/* The address of the first active lane. */
static uint64_t first_address(const struct warp_access *access, const struct access_window *window)
{
    if (access->flags & ACCESS_LISTED)
        return window->lanes[access->base];
    const int lane = access->flags & ACCESS_PATTERN ? 0 : __builtin_ctz(access->mask);
    return access->base + (uint64_t)((int64_t)access->stride * lane);
}

static bool is_changed(const struct access_change *change, const struct warp_access *access,
                       const struct access_window *window)
{
    const uint64_t first = first_address(access, window);
    return space_table[access->space].data && access->space != SPACE_LOCAL &&
           first >= change->base && first < change->end &&
           (!change->one_pc || access->pc == change->pc);
}

static void change_access(const struct access_change *change, struct warp_access *access,
                          struct access_window *window)
{
    if (!is_changed(change, access, window))
        return;
    if (change->bypass && access->op == OP_LOAD)
        access->flags |= ACCESS_BYPASS_L1;
    if (change->hits && access->op == OP_LOAD)
        access->flags |= ACCESS_HITS;
    if (change->pack)
        access_pack(access, window);
    if (!(access->flags & ACCESS_LISTED))
        access->base += (uint64_t)change->shift;
    else
        for (int i = 0; i < __builtin_popcount(access->mask); i++)
            window->lanes[access->base + (uint64_t)i] += (uint64_t)change->shift;
}

/* Takes loads out of a window. Their instructions, and those before them, count as issued without
 * access. */
static void leave_out(const struct access_change *change, struct access_window *window,
                      uint32_t *gap)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < window->count; i++) {
        struct warp_access access = window->items[i];
        if (access.op == OP_LOAD && is_changed(change, &access, window)) {
            *gap += access.gap + 1;
            continue;
        }
        access.gap += *gap;
        *gap = 0;
        window->items[kept++] = access;
    }
    window->count = kept;
    if (window->end)
        window->tail += *gap;
}

static enum status slice_read(struct block_reader *reader, uint32_t warp,
                              struct access_window *window, struct diagnostics *diagnostics)
{
    const struct access_change *change = reader->change;
    const uint32_t inner = reader->warp + warp;
    do {
        const enum status status =
            reader->original->ops->read(reader->inner, inner, window, diagnostics);
        if (status || !reader->changes)
            return status;
        if (change->leave_out)
            leave_out(change, window, &reader->gaps[inner]);
    } while (!window->count && !window->end);
    for (uint32_t i = 0; i < window->count; i++)
        change_access(change, &window->items[i], window);
    return STATUS_OK;
}

static enum status slice_read_instructions(struct block_reader *reader, uint32_t warp,
                                           struct instruction_window *window,
                                           struct diagnostics *diagnostics)
{
    return reader->original->ops->read_instructions(reader->inner, reader->warp + warp, window,
                                                    diagnostics);
}

static void slice_free(struct trace_source *source)
{
    struct sliced_source *sliced = (struct sliced_source *)source;
    trace_source_clear(source);
    free(sliced->slices);
    trace_source_free(sliced->owned);
    free(sliced);
}

static const struct trace_source_ops slice_ops = {.open_block = slice_open_block,
                                                  .read = slice_read,
                                                  .close_block = slice_close_block,
                                                  .free = slice_free};

static const struct trace_source_ops timed_slice_ops = {.open_block = slice_open_block,
                                                        .read = slice_read,
                                                        .read_instructions =
                                                            slice_read_instructions,
                                                        .close_block = slice_close_block,
                                                        .free = slice_free};

static enum status slice_check(const struct trace_source *source, const struct trace_slice *slice,
                               const struct access_change *change)
{
    if (slice->launch >= source->launch_count || !slice->count ||
        slice->count > UINT32_MAX / split_parts(change, &source->launches[slice->launch]))
        return STATUS_INVALID;
    uint64_t blocks = launch_blocks(&source->launches[slice->launch]);
    return slice->first < blocks && slice->count <= blocks - slice->first ? STATUS_OK
                                                                          : STATUS_INVALID;
}

/* Equal parts of equal streams have equal digests, so results can be remembered by them. */
static enum status slice_digest(const struct sliced_source *sliced, const char original[33],
                                char digest[33])
{
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        return STATUS_MEMORY;
    XXH3_128bits_reset(state);
    XXH3_128bits_update(state, original, 32);
    for (uint32_t i = 0; i < sliced->source.launch_count; i++) {
        const struct trace_slice *slice = &sliced->slices[i];
        uint64_t part[3] = {slice->launch, slice->first, slice->count};
        XXH3_128bits_update(state, part, sizeof part);
    }
    if (!change_is_none(&sliced->change)) {
        const struct access_change *change = &sliced->change;
        const uint64_t parts[] = {change->base,   change->end,       (uint64_t)change->shift,
                                  change->bypass, change->pack,      change->split,
                                  change->hits,   change->leave_out, change->one_pc,
                                  change->pc,     change->kernel};
        XXH3_128bits_update(state, parts, sizeof parts);
    }
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    hash_print(digest, hash);
    return STATUS_OK;
}

/* A part of a launch, and one whose warps become blocks, becomes a one-dimensional grid; a whole
 * launch keeps its grid. Each keeps its number, by which people know it. */
static enum status slice_launch(const struct trace_launch *original,
                                const struct trace_slice *slice, uint32_t parts,
                                struct trace_launch *launch)
{
    *launch = *original;
    launch->number = (uint32_t)launch_number(original, slice->launch) + 1;
    launch->name = strdup(original->name ? original->name : "");
    if (slice->count != launch_blocks(original) || parts > 1) {
        launch->grid[0] = (uint32_t)slice->count * parts;
        launch->grid[1] = launch->grid[2] = 1;
    }
    if (parts > 1) {
        launch->block[0] = WARP_SIZE;
        launch->block[1] = launch->block[2] = 1;
        launch->shared_bytes = (original->shared_bytes + parts - 1) / parts;
    }
    return launch->name ? STATUS_OK : STATUS_MEMORY;
}

static enum status make_part(const struct trace_source *source, const struct trace_slice *slices,
                             uint32_t slice_count, const struct access_change *change,
                             struct trace_source **part)
{
    for (uint32_t i = 0; i < slice_count; i++)
        if (slice_check(source, &slices[i], change))
            return STATUS_INVALID;
    struct sliced_source *sliced = calloc(1, sizeof *sliced);
    if (!sliced)
        return STATUS_MEMORY;
    struct trace_source *result = &sliced->source;
    result->ops = source->ops->read_instructions ? &timed_slice_ops : &slice_ops;
    sliced->original = source;
    sliced->change = *change;
    result->arrays = source->arrays;
    result->array_count = source->array_count;
    result->some_hit = source->some_hit || change->hits;
    sliced->slices = calloc(slice_count ? slice_count : 1, sizeof *slices);
    result->launches = calloc(slice_count ? slice_count : 1, sizeof *result->launches);
    result->name = strdup(source->name ? source->name : "");
    result->codes = source->codes; /* the original owns them and outlives the part */
    result->code_count = source->code_count;
    if (!sliced->slices || !result->launches || !result->name)
        goto cleanup;
    const char *origin = source->provenance ? source->provenance : result->name;
    if (asprintf(&result->provenance, "part of %s", origin) < 0) {
        result->provenance = NULL;
        goto cleanup;
    }
    for (; result->launch_count < slice_count; result->launch_count++) {
        uint32_t i = result->launch_count;
        sliced->slices[i] = slices[i];
        const struct trace_launch *original = &source->launches[slices[i].launch];
        const uint32_t parts = split_parts(change, original);
        if (slice_launch(original, &slices[i], parts, &result->launches[i]))
            goto cleanup;
    }
    if (slice_digest(sliced, source->digest, result->digest) ||
        (*source->code_digest && slice_digest(sliced, source->code_digest, result->code_digest)))
        goto cleanup;
    *part = result;
    return STATUS_OK;
cleanup:
    slice_free(result);
    return STATUS_MEMORY;
}

enum status trace_source_slice(const struct trace_source *source, const struct trace_slice *slices,
                               uint32_t slice_count, struct trace_source **part)
{
    return make_part(source, slices, slice_count, &(struct access_change){0}, part);
}

enum status trace_source_change(const struct trace_source *source,
                                const struct access_change *change, struct trace_source **changed)
{
    struct trace_slice *whole = calloc(source->launch_count + 1, sizeof *whole);
    if (!whole)
        return STATUS_MEMORY;
    for (uint32_t i = 0; i < source->launch_count; i++)
        whole[i] = (struct trace_slice){i, 0, launch_blocks(&source->launches[i])};
    const enum status status = make_part(source, whole, source->launch_count, change, changed);
    free(whole);
    return status;
}

enum status trace_source_replace_slices(struct trace_source **source,
                                        const struct trace_slice *slices, uint32_t slice_count)
{
    struct trace_source *part;
    const enum status status = trace_source_slice(*source, slices, slice_count, &part);
    if (status)
        return status;
    ((struct sliced_source *)part)->owned = *source;
    *source = part;
    return STATUS_OK;
}

struct trace_slice trace_source_block(const struct trace_source *source, uint64_t index)
{
    struct trace_slice slice = {.first = index};
    for (; slice.first >= launch_blocks(&source->launches[slice.launch]); slice.launch++)
        slice.first -= launch_blocks(&source->launches[slice.launch]);
    slice.count = launch_blocks(&source->launches[slice.launch]) - slice.first;
    return slice;
}

enum status trace_slices_add(struct trace_slices *slices, const struct trace_source *source,
                             uint64_t first, uint64_t count)
{
    struct trace_slice slice = count ? trace_source_block(source, first) : (struct trace_slice){0};
    while (count) {
        slice.count = slice.count < count ? slice.count : count;
        if (array_reserve(&slices->items, &slices->capacity, slices->count + 1))
            return STATUS_MEMORY;
        slices->items[slices->count++] = slice;
        count -= slice.count;
        slice.launch = (slice.launch + 1) % source->launch_count;
        slice.first = 0;
        slice.count = launch_blocks(&source->launches[slice.launch]);
    }
    return STATUS_OK;
}
