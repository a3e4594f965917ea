/* An L2 in halves (model/cache/partition.h): a read whose home is in the far half looks in the near
 * one first, and what it lacks there it reads at home. Everything else goes home at once, as all
 * does for the optimum, which keeps no copies. */
#include "model/cache/partition.h"
#include "model/pass/stages_state.h"

/* Adds what the near slice counted of a read's misses: `looked` less `before`. Its hits stay, and
 * so does what it wrote back. */
static void add_passed_on(struct cache_counts *sum, const struct cache_counts *before,
                          const struct cache_counts *looked)
{
    struct cache_counts passed = *looked;
    cache_subtract_counts(&passed, before);
    passed.accesses = passed.reads = passed.read_misses;
    passed.writebacks = passed.write_bytes = 0;
    cache_add_counts(sum, &passed);
}

static enum status read_far(struct cache_node *node, const struct request *request, unsigned near)
{
    struct cache_counts before, looked, after;
    struct request copy = *request;
    copy.instance = (uint16_t)near;
    copy.flags |= REQUEST_NEAR;
    node->sent.count = 0;
    cache_read_counts(node->cache, &before);
    enum status status = cache_run(node->cache, &copy, 1, &node->sent);
    cache_read_counts(node->cache, &looked);
    add_passed_on(&node->crossed, &before, &looked);
    for (size_t i = 0; i < node->sent.count && !status; i++) {
        struct request *fetch = &node->sent.items[i];
        if (fetch->op != OP_LOAD) /* the write-back of a line that had its home here */
            continue;
        fetch->instance = request->instance;
        fetch->flags &= (uint8_t)~REQUEST_NEAR;
        status = cache_run(node->cache, fetch, 1, NULL);
    }
    cache_read_counts(node->cache, &after);
    node->crossing_misses += after.read_misses - looked.read_misses;
    return status;
}

enum status stages_run_halves(struct cache_node *node, const struct request *misses, size_t count,
                              const struct request *sliced)
{
    const struct cache_config *l2 = &node->node.machine->l2;
    enum status status = STATUS_OK;
    size_t first = 0; /* of those that have come home and not been run */
    for (size_t i = 0; i < count && !status; i++) {
        const unsigned home = sliced[i].instance;
        const unsigned near = partition_near(l2, home, misses[i].instance);
        if (near == home || request_writes(&misses[i]))
            continue;
        status = cache_run(node->cache, sliced + first, i - first, NULL);
        if (!status)
            status = read_far(node, &sliced[i], near);
        first = i + 1;
    }
    return status ? status : cache_run(node->cache, sliced + first, count - first, NULL);
}
