/* Loads the workload as a list of sector addresses, and measures one cache and one stack pass on
 * the first 2^20 of them: 32 MiB of requests, so that the generator is not part of the time. */
#include <stdlib.h>

#include "base/memory.h"
#include "cli/bench/bench.h"
#include "cli/shared/options.h"
#include "model/gpu/issue.h"
#include "model/lru/stack.h"
#include "trace/u64_file.h"

enum { SECTOR_BITS = 5, REGION_BITS = 15 };
enum { ITEMS_MAX = 1 << 28 }; /* 1 GiB */

static enum status take_launch(void *argument, const struct trace_launch *launch)
{
    (void)argument, (void)launch;
    return STATUS_OK;
}

static enum status take_progress(void *argument, const struct issue_counts *counts)
{
    (void)argument, (void)counts;
    return *interrupt_flag() ? STATUS_CANCELLED : STATUS_OK;
}

/* STATUS_CANCELLED: there are enough addresses. */
static enum status take_sector(struct bench_addresses *addresses, uint64_t address, uint32_t store)
{
    uint32_t id;
    addresses->cut = addresses->count == ITEMS_MAX;
    if (addresses->cut)
        return STATUS_CANCELLED;
    enum status status =
        array_reserve(&addresses->items, &addresses->capacity, addresses->count + 1);
    if (!status)
        status = line_ids_find(&addresses->ids, address, &id);
    if (!status)
        addresses->items[addresses->count++] = id << 1 | store;
    return status;
}

/* A request of 64 or 128 B may contain sectors that no thread asks for; skip those. One of a single
 * access may be half a sector. */
static enum status take_request(struct bench_addresses *addresses, const struct request *request)
{
    unsigned sectors = request->bytes >> SECTOR_BITS ? request->bytes >> SECTOR_BITS : 1;
    unsigned parts = 32 / sectors;
    const uint64_t first = request->address >> SECTOR_BITS << SECTOR_BITS;
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < sectors && !status; i++)
        if (request->touched >> i * parts & UINT32_MAX >> (32 - parts))
            status = take_sector(addresses, first + ((uint64_t)i << SECTOR_BITS),
                                 (uint32_t)request_writes(request));
    return status;
}

static enum status take_requests(void *argument, const struct request *requests, size_t count)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = take_request(argument, &requests[i]);
    return status;
}

/* A file of raw addresses has no warps: read it directly, without the coalescer. */
static enum status load_raw(struct bench *bench, struct diagnostics *diagnostics)
{
    enum { BATCH = 4096 };
    uint64_t batch[BATCH];
    struct u64_file file;
    enum status status = u64_open(bench->workload, &file, NULL); /* the source has warned */
    if (status)
        return status;
    for (uint64_t first = 0; first < file.count && !status; first += BATCH) {
        size_t count = file.count - first < BATCH ? (size_t)(file.count - first) : BATCH;
        status = u64_read(&file, first, batch, count, diagnostics);
        for (size_t i = 0; i < count && !status; i++)
            status = take_sector(&bench->addresses, batch[i], 0);
        if (!status && *interrupt_flag())
            status = STATUS_CANCELLED;
    }
    u64_close(&file);
    return status;
}

static enum status load(struct bench *bench, struct diagnostics *diagnostics)
{
    const struct issue_sink sink = {.launch = take_launch,
                                    .requests = take_requests,
                                    .progress = take_progress,
                                    .argument = &bench->addresses};
    struct issue_counts counts;
    return issue_source(&bench->machine, bench->source, &sink, &counts, diagnostics);
}

enum status bench_load(struct bench *bench, struct diagnostics *diagnostics)
{
    struct bench_addresses *addresses = &bench->addresses;
    bool raw = u64_is_raw(bench->workload);
    struct stopwatch watch;
    if (addresses->items)
        return STATUS_OK;
    stopwatch_start(&watch);
    enum status status = line_ids_init(&addresses->ids, SECTOR_BITS, REGION_BITS);
    if (!status)
        status = (raw ? load_raw : load)(bench, diagnostics);
    if (status == STATUS_UNSUPPORTED)
        diagnostics_add(diagnostics, SEVERITY_ERROR, NULL,
                        "'%s' touches more than %u regions of 1 MiB", bench->source->name,
                        addresses->ids.limit);
    if (addresses->cut) {
        diagnostics_add(diagnostics, SEVERITY_WARNING, NULL,
                        "only the first %d accesses of '%s' are used", ITEMS_MAX,
                        bench->source->name);
        status = STATUS_OK;
    }
    if (!status && !addresses->count)
        status = diagnostics_error(diagnostics, STATUS_INVALID, "'%s' accesses no memory",
                                   bench->source->name);
    const struct bench_result result = {
        .what = "addresses",
        .how = raw ? "read from the file, cut into 32 B sectors, renamed to 32 bits"
                   : "generated, issued, cut into 32 B sectors, renamed to 32 bits",
        .threads = 1,
        .count = (double)addresses->count,
        .unit = "accesses"};
    if (!status)
        bench_row(bench, &result, &watch);
    return status;
}

/* The first REQUESTS_MAX addresses as requests. */
static enum status make_requests(struct bench *bench, struct request **requests, size_t *count,
                                 struct diagnostics *diagnostics)
{
    enum { REQUESTS_MAX = 1 << 20 }; /* 32 MiB */
    const struct bench_addresses *addresses = &bench->addresses;
    *requests = NULL;
    enum status status = bench_load(bench, diagnostics);
    if (status)
        return status;
    *count = addresses->count < REQUESTS_MAX ? addresses->count : REQUESTS_MAX;
    *requests = calloc(*count, sizeof **requests);
    if (!*requests)
        return STATUS_MEMORY;
    for (size_t i = 0; i < *count; i++) {
        uint32_t id = addresses->items[i] >> 1, place = id & ((UINT32_C(1) << REGION_BITS) - 1);
        uint64_t region = addresses->ids.regions.keys[id >> REGION_BITS];
        (*requests)[i] = (struct request){.address = (region << REGION_BITS | place) << SECTOR_BITS,
                                          .touched = UINT32_MAX,
                                          .bytes = 1 << SECTOR_BITS,
                                          .op = addresses->items[i] & 1 ? OP_STORE : OP_LOAD};
    }
    return STATUS_OK;
}

static struct cache_config plain_cache(uint64_t size, uint64_t ways)
{
    return (struct cache_config){.enabled = 1,
                                 .size = size,
                                 .ways = ways,
                                 .line = 64,
                                 .sector = 64,
                                 .write = WRITE_BACK,
                                 .write_allocate = WRITE_ALLOCATE_FETCH,
                                 .slices = 1};
}

enum status bench_cache(struct bench *bench, struct diagnostics *diagnostics)
{
    const struct cache_config config = plain_cache(32768, 4);
    struct bench_result result = {.what = "one cache",
                                  .how = "32 KiB, 4 ways, 64 B lines, LRU, with all its counts",
                                  .threads = 1,
                                  .unit = "accesses",
                                  .configurations = 1};
    struct request *requests;
    struct cache *cache = NULL;
    struct stopwatch watch;
    size_t count = 0;
    enum status status = make_requests(bench, &requests, &count, diagnostics);
    if (!status)
        status = cache_create(&config, 1, 0, 0, &cache);
    stopwatch_start(&watch);
    while (!status) {
        status = cache_run(cache, requests, count, NULL);
        result.count += (double)count;
        if (stopwatch_seconds(&watch) >= bench->seconds)
            break;
    }
    if (!status)
        bench_row(bench, &result, &watch);
    cache_free(cache);
    free(requests);
    return status;
}

/* Runs requests through a cache until the time is up, and adds a row. */
static enum status time_policy(struct bench *bench, int policy, const struct request *requests,
                               size_t count)
{
    struct cache_config config = plain_cache(65536, 16);
    config.replacement = policy;
    char what[64], how[128];
    snprintf(what, sizeof what, "policy %s", replacement_facts[policy].name);
    snprintf(how, sizeof how, "64 KiB, 16 ways, 64 B lines, %llu bits per set",
             (unsigned long long)replacement_bits(policy, 16, 20));
    struct bench_result result = {
        .what = what, .how = how, .threads = 1, .unit = "accesses", .configurations = 1};
    struct cache *cache;
    struct stopwatch watch;
    enum status status = cache_create(&config, 1, 0, 0, &cache);
    stopwatch_start(&watch);
    while (!status) {
        status = cache_run(cache, requests, count, NULL);
        result.count += (double)count;
        if (stopwatch_seconds(&watch) >= bench->seconds || *interrupt_flag())
            break;
    }
    if (!status)
        bench_row(bench, &result, &watch);
    cache_free(cache);
    return status;
}

enum status bench_policies(struct bench *bench, struct diagnostics *diagnostics)
{
    struct request *requests;
    size_t count = 0;
    enum status status = make_requests(bench, &requests, &count, diagnostics);
    for (int policy = 0; policy < REPLACEMENT_COUNT && !status; policy++)
        if (!(replacement_facts[policy].traits & REPLACEMENT_FUTURE))
            status = time_policy(bench, policy, requests, count);
    free(requests);
    return status;
}

enum status bench_stack(struct bench *bench, struct diagnostics *diagnostics)
{
    enum { WAYS = 4096 };
    const struct cache_config config = plain_cache(64, 1);
    struct bench_result result = {.what = "stack pass",
                                  .how = "fully associative, LRU, 1 to 4,096 lines of 64 B at once",
                                  .threads = 1,
                                  .unit = "accesses",
                                  .configurations = WAYS};
    struct request *requests;
    struct stack_pass *pass = NULL;
    struct stopwatch watch;
    size_t count = 0;
    enum status status = make_requests(bench, &requests, &count, diagnostics);
    if (!status)
        status = stack_create(&config, WAYS, 1, 0, &pass);
    stopwatch_start(&watch);
    while (!status) {
        status = stack_run(pass, requests, count);
        result.count += (double)count;
        if (stopwatch_seconds(&watch) >= bench->seconds)
            break;
    }
    if (!status)
        bench_row(bench, &result, &watch);
    stack_free(pass);
    free(requests);
    return status;
}
