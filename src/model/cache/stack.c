#include "model/cache/stack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/cache/geometry.h"

#if defined __x86_64__
#include <immintrin.h>
#define HAVE_AVX512_KERNEL 1
#endif

/* The recency list of a set, most recent first: line number + 1, 0 = nothing yet. */
struct list {
    _Alignas(64) uint64_t tags[STACK_WAYS];
};

struct stack_pass {
    struct geometry geometry;
    int write;
    unsigned units, options;
    struct list *lists; /* [units][sets], in `memory` */
    void *memory;       /* from calloc, so that sets that are never used take no memory */
    enum status (*run)(struct stack_pass *pass, const struct request *requests, size_t count);
    uint64_t places[2][STACK_WAYS + 1]; /* of loads, of stores */
};

bool stack_applies(const struct cache_config *config)
{
    if (config->replacement != REPLACEMENT_LRU || config->sector != config->line)
        return false;
    if (config->write == WRITE_READ_ONLY)
        return true;
    /* A store that passes by or drops its line leaves lists that depend on the ways; a lazily
     * allocated line may be present and yet miss. */
    return (config->write == WRITE_BACK || config->write == WRITE_THROUGH) &&
           (config->write_allocate == WRITE_ALLOCATE_FETCH ||
            config->write_allocate == WRITE_ALLOCATE_ON_WRITE);
}

#define TEMPLATE static inline __attribute__((always_inline))

/* Moves a line to the front of its list; returns the place that it was at, STACK_WAYS: none. */
TEMPLATE unsigned list_use(struct list *list, uint64_t tag)
{
    uint64_t carried = tag;
    for (unsigned place = 0; place < STACK_WAYS; place++) {
        uint64_t here = list->tags[place];
        list->tags[place] = carried;
        if (here == tag)
            return place;
        carried = here;
    }
    return STACK_WAYS;
}

#if HAVE_AVX512_KERNEL
/* The same without a branch: every tag up to the place found takes its neighbour's. */
__attribute__((target("avx512f"))) static inline unsigned list_use_avx512(struct list *list,
                                                                          uint64_t tag)
{
    __m512i wanted = _mm512_set1_epi64((long long)tag), old[4];
    uint64_t equal = UINT64_C(1) << STACK_WAYS;
    for (unsigned i = 0; i < 4; i++) {
        old[i] = _mm512_load_si512(list->tags + 8 * i);
        equal |= (uint64_t)_mm512_cmpeq_epi64_mask(old[i], wanted) << (8 * i);
    }
    unsigned place = (unsigned)__builtin_ctzll(equal);
    uint64_t moved = (UINT64_C(2) << place) - 1;
    for (unsigned i = 0; i < 4; i++) {
        __m512i shifted = _mm512_alignr_epi64(old[i], i ? old[i - 1] : wanted, 7);
        _mm512_mask_store_epi64(list->tags + 8 * i, (__mmask8)(moved >> (8 * i)), shifted);
    }
    return place;
}
#endif

/* `function` (of the set index) and `use` are constants in every instance. */
TEMPLATE enum status pass_run(struct stack_pass *pass, const struct request *requests, size_t count,
                              int function, unsigned (*use)(struct list *list, uint64_t tag))
{
    const struct geometry *geometry = &pass->geometry;
    for (size_t i = 0; i < count; i++) {
        const struct request *request = &requests[i];
        uint64_t line, last;
        if (!geometry_sectors(geometry, request, &line, &last) || request->unit >= pass->units)
            return STATUS_INVALID;
        if (cache_passes(pass->write, pass->options, request))
            continue;
        uint64_t *places = pass->places[request_writes(request)];
        do {
            size_t set = request->unit * geometry->sets + geometry_set(geometry, function, line);
            struct list *list = &pass->lists[set];
            if (list->tags[0] == line + 1)
                places[0]++;
            else
                places[use(list, line + 1)]++;
        } while (line++ < last);
    }
    return STATUS_OK;
}

static enum status run_portable(struct stack_pass *pass, const struct request *requests,
                                size_t count)
{
    if (pass->geometry.index.function == INDEX_LINEAR)
        return pass_run(pass, requests, count, INDEX_LINEAR, list_use);
    return pass_run(pass, requests, count, pass->geometry.index.function, list_use);
}

#if HAVE_AVX512_KERNEL
__attribute__((target("avx512f"))) static enum status
run_avx512(struct stack_pass *pass, const struct request *requests, size_t count)
{
    if (pass->geometry.index.function == INDEX_LINEAR)
        return pass_run(pass, requests, count, INDEX_LINEAR, list_use_avx512);
    return pass_run(pass, requests, count, pass->geometry.index.function, list_use_avx512);
}
#endif

static enum status allocate_lists(struct stack_pass *pass)
{
    const size_t alignment = _Alignof(struct list);
    pass->memory = calloc(pass->geometry.sets * pass->units + 1, sizeof *pass->lists);
    uintptr_t aligned = ((uintptr_t)pass->memory + alignment - 1) / alignment * alignment;
    pass->lists = (struct list *)aligned;
    return pass->memory ? STATUS_OK : STATUS_MEMORY;
}

enum status stack_create(const struct cache_config *config, unsigned units, unsigned options,
                         struct stack_pass **result)
{
    *result = NULL;
    if (!stack_applies(config))
        return STATUS_UNSUPPORTED;
    struct stack_pass *pass = calloc(1, sizeof *pass);
    if (!pass)
        return STATUS_MEMORY;
    enum status status = geometry_init(&pass->geometry, config);
    if (!status && (!units || units > UINT16_MAX + 1))
        status = STATUS_INVALID;
    pass->write = config->write;
    pass->units = units;
    pass->options = options;
    pass->run = run_portable;
#if HAVE_AVX512_KERNEL
    if (!(options & STACK_PORTABLE) && __builtin_cpu_supports("avx512f"))
        pass->run = run_avx512;
#endif
    if (!status)
        status = allocate_lists(pass);
    if (status) {
        stack_free(pass);
        return status;
    }
    *result = pass;
    return STATUS_OK;
}

void stack_free(struct stack_pass *pass)
{
    if (!pass)
        return;
    free(pass->memory);
    free(pass);
}

enum status stack_run(struct stack_pass *pass, const struct request *requests, size_t count)
{
    return pass->run(pass, requests, count);
}

void stack_flush(struct stack_pass *pass)
{
    memset(pass->lists, 0, pass->geometry.sets * pass->units * sizeof *pass->lists);
}

void stack_reset_counts(struct stack_pass *pass)
{
    memset(pass->places, 0, sizeof pass->places);
}

void stack_read_counts(const struct stack_pass *pass, struct stack_counts *counts)
{
    *counts = (struct stack_counts){0};
    memcpy(counts->read_places, pass->places[0], sizeof counts->read_places);
    memcpy(counts->write_places, pass->places[1], sizeof counts->write_places);
    for (unsigned place = 0; place <= STACK_WAYS; place++) {
        counts->reads += counts->read_places[place];
        counts->writes += counts->write_places[place];
    }
}

void stack_cache_counts(const struct stack_counts *stack, unsigned ways,
                        struct cache_counts *counts)
{
    assert(ways >= 1 && ways <= STACK_WAYS);
    *counts = (struct cache_counts){.reads = stack->reads, .writes = stack->writes};
    for (unsigned place = ways; place <= STACK_WAYS; place++) {
        counts->read_misses += stack->read_places[place];
        counts->write_misses += stack->write_places[place];
    }
    counts->accesses = counts->reads + counts->writes;
    counts->misses = counts->read_misses + counts->write_misses;
}
