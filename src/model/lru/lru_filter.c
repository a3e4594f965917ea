#include "model/lru/lru_filter.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/cache/geometry.h"
#include "model/cache/shadow.h"
#include "schema/parameters.h"

#define TEMPLATE static inline __attribute__((always_inline))

enum {
    STEP = 16,   /* lists have a multiple of this length, and this alignment */
    BATCH = 256, /* requests looked up at a time, so that intermediate results stay in the cache */
    ACCESSES = BATCH * LRU_FILTER_LINES,
    LISTS_MAX = (1 << 24) / (STEP * 4) /* in units of STEP places: 16 MiB */
};

/* What an access does: BRING allocates on a miss, TOUCH does not, DROP removes the line if present.
 */
enum use { USE_BRING, USE_TOUCH, USE_DROP };

/* The accesses of a batch, one per line. */
struct accesses {
    size_t count;
    bool even; /* access i belongs to request i */
    uint64_t lines[ACCESSES];
    uint32_t lists[ACCESSES]; /* index of the first place of its list */
    uint32_t codes[ACCESSES];
    uint8_t uses[ACCESSES];
    uint8_t missed[ACCESSES]; /* the line was missing; set by use_lists */
    uint16_t requests[ACCESSES];
};

/* Performs the accesses in order. A list has `stride` places, the first `ways` of which are ways.
 */
typedef void use_lists(uint32_t *lists, unsigned stride, unsigned ways, struct accesses *accesses);

struct lru_filter {
    struct geometry geometry;
    enum use store;  /* what a store does */
    unsigned stride; /* places per list; the first geometry.ways are ways */
    uint32_t *lists; /* [sets][stride]: line codes, most recent first; 0: a free way */
    use_lists *use_lists;
    struct shadow *shadow; /* or NULL */
    struct cache_counts counts;
};

/* ---- lists ------------------------------------------------------------------------------------
 */

/* Removes the line at a place; the lines after it close the gap. */
static void drop_place(uint32_t *list, unsigned ways, unsigned place)
{
    memmove(list + place, list + place + 1, (ways - 1 - place) * sizeof *list);
    list[ways - 1] = 0;
}

/* Returns whether the code is in the list. It becomes the first, and the codes before it move up to
 * its old place; if it was missing, the last code is lost. */
static bool use_list(uint32_t *list, unsigned ways, uint32_t code, enum use use)
{
    unsigned place = 0;
    while (place < ways && list[place] != code)
        place++;
    bool found = place < ways;
    if (use == USE_DROP && found)
        drop_place(list, ways, place);
    if (use == USE_DROP || (use == USE_TOUCH && !found))
        return found;
    memmove(list + 1, list, (found ? place : ways - 1) * sizeof *list);
    list[0] = code;
    return found;
}

static void use_lists_plain(uint32_t *lists, unsigned stride, unsigned ways,
                            struct accesses *accesses)
{
    (void)stride;
    for (size_t i = 0; i < accesses->count; i++)
        accesses->missed[i] = !use_list(lists + accesses->lists[i], ways, accesses->codes[i],
                                        (enum use)accesses->uses[i]);
}

#if defined __x86_64__
#include <immintrin.h>

#define VECTORS __attribute__((target("avx512f,bmi")))

/* use_list without a branch on where the line is found. */
VECTORS TEMPLATE bool use_vectors(uint32_t *list, unsigned vectors, unsigned ways, uint32_t code,
                                  enum use use)
{
    const __m512i wanted = _mm512_set1_epi32((int)code);
    uint64_t found = 0;
    for (unsigned v = 0; v < vectors; v++) {
        __m512i old = _mm512_load_si512(list + STEP * v);
        found |= (uint64_t)_mm512_cmpeq_epi32_mask(old, wanted) << (STEP * v);
    }
    if (use != USE_BRING && !found)
        return false;
    if (use == USE_DROP) {
        drop_place(list, ways, (unsigned)__builtin_ctzll(found));
        return true;
    }
    uint64_t moved = (found ^ (found - 1)) & UINT64_MAX >> (64 - ways);
    __m512i before = wanted;
    for (unsigned v = 0; v < vectors; v++) {
        __m512i old = _mm512_load_si512(list + STEP * v);
        __mmask16 here = (__mmask16)(moved >> (STEP * v));
        _mm512_store_si512(list + STEP * v,
                           _mm512_mask_alignr_epi32(old, here, old, before, STEP - 1));
        before = old;
    }
    return found;
}

VECTORS TEMPLATE void use_all(uint32_t *lists, unsigned vectors, unsigned ways,
                              struct accesses *accesses)
{
    for (size_t i = 0; i < accesses->count; i++)
        accesses->missed[i] = !use_vectors(lists + accesses->lists[i], vectors, ways,
                                           accesses->codes[i], (enum use)accesses->uses[i]);
}

VECTORS static void use_lists_avx512(uint32_t *lists, unsigned stride, unsigned ways,
                                     struct accesses *accesses)
{
    if (stride == STEP)
        use_all(lists, 1, ways, accesses);
    else
        use_all(lists, stride / STEP, ways, accesses);
}

static use_lists *best_lists(void)
{
    bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("bmi");
    return has ? use_lists_avx512 : use_lists_plain;
}
#else
static use_lists *best_lists(void)
{
    return use_lists_plain;
}
#endif

/* ---- requests ---------------------------------------------------------------------------------
 */

/* Fills in the accesses of a batch, except for their lists. Returns the bytes of its stores. */
static uint64_t list_accesses(const struct lru_filter *filter,
                              const struct lru_filter_request *requests, size_t count,
                              struct accesses *accesses)
{
    const unsigned line_bits = filter->geometry.line_bits,
                   id_shift = line_bits - LRU_FILTER_ID_BITS;
    const uint8_t uses[] = {
        [LRU_FILTER_LOAD] = USE_BRING, [LRU_FILTER_STORE] = (uint8_t)filter->store};
    uint64_t written = 0;
    size_t made = 0, passed = 0;
    for (size_t i = 0; i < count; i++) {
        const struct lru_filter_request *request = &requests[i];
        if (request->act == LRU_FILTER_PASS) {
            passed++;
            continue;
        }
        uint64_t line = request->address >> line_bits;
        const uint64_t last = (request->address + request->bytes - 1) >> line_bits;
        uint32_t code = (request->id >> id_shift) + 1;
        assert(last - line < LRU_FILTER_LINES);
        written += request->act == LRU_FILTER_STORE ? request->bytes : 0;
        do {
            accesses->lines[made] = line;
            accesses->codes[made] = code++;
            accesses->uses[made] = uses[request->act];
            accesses->requests[made++] = (uint16_t)i;
        } while (line++ != last);
    }
    accesses->count = made;
    accesses->even = made == count && !passed;
    return written;
}

/* Computes the lists, with the set index function as a constant. */
TEMPLATE void find_lists_with(const struct lru_filter *filter, int function,
                              struct accesses *accesses)
{
    for (size_t i = 0; i < accesses->count; i++)
        accesses->lists[i] =
            (uint32_t)geometry_set(&filter->geometry, function, accesses->lines[i]) *
            filter->stride;
}

static void find_lists(const struct lru_filter *filter, struct accesses *accesses)
{
#define CASE(function, ...)                                                                        \
    case function:                                                                                 \
        find_lists_with(filter, function, accesses);                                               \
        return;
    switch ((enum index_function)filter->geometry.index.function) {
        INDEX_LIST(CASE)
    }
#undef CASE
}

static void count_batch(struct lru_filter *filter, const struct accesses *accesses)
{
    uint32_t loads = 0, load_misses = 0, misses = 0;
    for (size_t i = 0; i < accesses->count; i++) {
        uint8_t load = accesses->uses[i] == USE_BRING;
        loads += load;
        load_misses += accesses->missed[i] & load;
        misses += accesses->missed[i];
    }
    struct cache_counts *counts = &filter->counts;
    counts->reads += loads;
    counts->writes += accesses->count - loads;
    counts->read_misses += load_misses;
    counts->write_misses += misses - load_misses;
    counts->read_bytes += (uint64_t)load_misses << filter->geometry.line_bits;
}

/* Classifies the misses. The shadow gets each access as a request for one line, so its answer is
 * one bit per access. */
static enum status classify_batch(struct lru_filter *filter, const struct accesses *accesses)
{
    struct request requests[BATCH];
    for (size_t first = 0; first < accesses->count; first += BATCH) {
        size_t count = accesses->count - first < BATCH ? accesses->count - first : BATCH;
        for (size_t i = 0; i < count; i++)
            requests[i] = (struct request){
                .address = accesses->lines[first + i] << filter->geometry.line_bits,
                .bytes = 1,
                .op = accesses->uses[first + i] == USE_BRING ? OP_LOAD : OP_STORE};
        const uint32_t *lost;
        enum status status = shadow_run(filter->shadow, requests, count, &filter->counts, &lost);
        if (status)
            return status;
        uint32_t capacity = 0;
        for (size_t i = 0; i < count; i++)
            capacity += accesses->missed[first + i] & lost[i];
        filter->counts.capacity += capacity;
    }
    return STATUS_OK;
}

/* Fills in what goes on of each request. */
static void send_batch(const struct lru_filter *filter, const struct lru_filter_request *requests,
                       size_t count, const struct accesses *accesses, uint8_t *restrict sent)
{
    if (accesses->even) {
        for (size_t i = 0; i < count; i++)
            sent[i] = accesses->missed[i] | (accesses->uses[i] != USE_BRING);
        return;
    }
    for (size_t i = 0; i < count; i++)
        sent[i] = requests[i].act != LRU_FILTER_LOAD;
    for (size_t i = 0; i < accesses->count; i++) {
        unsigned request = accesses->requests[i];
        uint64_t first = requests[request].address >> filter->geometry.line_bits;
        unsigned fetched = accesses->missed[i] & (accesses->uses[i] == USE_BRING);
        sent[request] |= (uint8_t)(fetched << (accesses->lines[i] - first));
    }
}

enum status lru_filter_run(struct lru_filter *filter, const struct lru_filter_request *requests,
                           size_t count, uint8_t *sent)
{
    struct accesses accesses;
    enum status status = STATUS_OK;
    for (size_t first = 0; first < count && !status; first += BATCH) {
        size_t some = count - first < BATCH ? count - first : BATCH;
        filter->counts.write_bytes += list_accesses(filter, requests + first, some, &accesses);
        find_lists(filter, &accesses);
        filter->use_lists(filter->lists, filter->stride, filter->geometry.ways, &accesses);
        count_batch(filter, &accesses);
        send_batch(filter, requests + first, some, &accesses, sent + first);
        if (filter->shadow)
            status = classify_batch(filter, &accesses);
    }
    return status;
}

/* ---- the rest ---------------------------------------------------------------------------------
 */

static size_t lists_bytes(const struct lru_filter *filter)
{
    return filter->geometry.sets * filter->stride * sizeof *filter->lists;
}

static uint64_t list_steps(uint64_t ways)
{
    return (ways + STEP - 1) / STEP;
}

bool lru_filter_applies(const struct cache_config *config)
{
    if (!cache_keeps_recency(config) || config->sector != config->line || config->slices > 1 ||
        !config->ways || config->ways > LRU_FILTER_WAYS_MAX ||
        config->line < 1 << LRU_FILTER_ID_BITS ||
        cache_sets(config) * list_steps(config->ways) > LISTS_MAX)
        return false;
    switch ((enum write_policy)config->write) {
    case WRITE_READ_ONLY:
        return true;
    case WRITE_THROUGH:
    case WRITE_EVICT:
    case WRITE_LOCAL_BACK:
        return config->write_allocate == WRITE_ALLOCATE_NONE;
    case WRITE_BACK:
        break;
    }
    return false;
}

enum status lru_filter_create(const struct cache_config *config, unsigned options,
                              struct lru_filter **result)
{
    *result = NULL;
    if (!lru_filter_applies(config))
        return STATUS_UNSUPPORTED;
    struct lru_filter *filter = calloc(1, sizeof *filter);
    if (!filter)
        return STATUS_MEMORY;
    enum status status = geometry_init(&filter->geometry, config);
    filter->store = config->write == WRITE_THROUGH ? USE_TOUCH : USE_DROP;
    filter->use_lists = options & CACHE_PORTABLE ? use_lists_plain : best_lists();
    filter->stride = (unsigned)list_steps(config->ways) * STEP;
    if (!status) {
        filter->lists = aligned_alloc(STEP * sizeof *filter->lists, lists_bytes(filter));
        status = filter->lists ? STATUS_OK : STATUS_MEMORY;
    }
    if (!status && options & CACHE_CLASSIFY)
        status = shadow_create(config, 1, 0, &filter->shadow);
    if (status) {
        lru_filter_free(filter);
        return status;
    }
    lru_filter_flush(filter);
    *result = filter;
    return STATUS_OK;
}

void lru_filter_free(struct lru_filter *filter)
{
    if (!filter)
        return;
    shadow_free(filter->shadow);
    free(filter->lists);
    free(filter);
}

void lru_filter_flush(struct lru_filter *filter)
{
    memset(filter->lists, 0, lists_bytes(filter));
    if (filter->shadow)
        shadow_flush(filter->shadow, filter->geometry.sets * filter->geometry.ways);
}

void lru_filter_read_counts(const struct lru_filter *filter, struct cache_counts *counts)
{
    *counts = filter->counts;
    counts->accesses = counts->reads + counts->writes;
    counts->misses = counts->read_misses + counts->write_misses;
    if (filter->shadow)
        counts->conflict =
            counts->misses - counts->compulsory - counts->flush - counts->store - counts->capacity;
}
