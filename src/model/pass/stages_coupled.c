/* Page walks that read page-table entries through the L2 (walker.l2). The L2's stream is the misses
 * of the L1Ds in the order in which their instructions are issued, interleaved with the reads of
 * walks when walkers take them. Whether a walk's read hits in the L2 decides how long the walk
 * takes, and so what comes next. Therefore caches and translation cannot be simulated separately
 * here. */
#include <stdlib.h>

#include "model/pass/stages_state.h"

enum { READ_BYTES = 32, ENTRY_BYTES = 8 };

struct coupling {
    struct stages *stages;
    int l2;
    struct request_buffer down; /* scratch: what a read fetches */
    struct diagnostics *diagnostics;
    enum status status; /* of the first failed read */
};

enum status stages_couple(struct stages *stages, struct pwc_node *node, int l2)
{
    node->coupling = calloc(1, sizeof *node->coupling);
    if (!node->coupling)
        return STATUS_MEMORY;
    *node->coupling = (struct coupling){.stages = stages, .l2 = l2};
    return STATUS_OK;
}

void coupling_free(struct coupling *coupling)
{
    if (!coupling)
        return;
    free(coupling->down.items);
    free(coupling);
}

enum status coupling_status(const struct coupling *coupling)
{
    return coupling ? coupling->status : STATUS_OK;
}

/* A read of one page-table entry, as a request of one L2 sector but at most 32 B. */
static struct request read_request(uint64_t address, uint64_t sector)
{
    unsigned bytes = sector < READ_BYTES ? (unsigned)sector : READ_BYTES;
    unsigned parts = 32 * ENTRY_BYTES / bytes, first = 32 * (unsigned)(address % bytes) / bytes;
    return (struct request){.address = address - address % bytes,
                            .touched = ((UINT32_C(1) << parts) - 1) << first,
                            .bytes = (uint16_t)bytes,
                            .op = OP_LOAD,
                            .space = SPACE_GLOBAL,
                            .flags = REQUEST_FIRST | REQUEST_WALK};
}

static enum status coupling_look_up(struct coupling *coupling, struct cache_node *node,
                                    const struct request *request, bool *missed)
{
    struct request sliced;
    partition_requests(&node->partition, request, 1, &sliced);
    coupling->down.count = 0;
    enum status status = cache_run(node->cache, &sliced, 1, &coupling->down);
    if (!status && node->opt)
        status = opt_run(node->opt, &sliced, 1, coupling->diagnostics);
    *missed = false;
    for (size_t i = 0; i < coupling->down.count; i++)
        *missed |= coupling->down.items[i].op == OP_LOAD;
    return status;
}

static uint64_t read_entry(void *argument, uint64_t address)
{
    struct coupling *coupling = argument;
    struct cache_node *node = &l2_stage(coupling->stages)->nodes[coupling->l2];
    const struct machine *machine = node->node.machine;
    const struct request request = read_request(address, machine->l2.sector);
    bool missed = false;
    if (!coupling->status)
        coupling->status = coupling_look_up(coupling, node, &request, &missed);
    node->walk_accesses += !node->aside;
    node->walk_misses += missed && !node->aside;
    return machine->walker.l2_latency + (missed ? machine->walker.latency : 0);
}

struct walk_memory coupling_memory(struct coupling *coupling)
{
    return (struct walk_memory){coupling ? read_entry : NULL, coupling};
}

/* Issues the instructions of the batch: for each, first its requests to the L2, then its walks. */
static enum status run_pair(struct stages *stages, const struct pwc_node *node,
                            struct diagnostics *diagnostics)
{
    struct coupling *coupling = node->coupling;
    struct cache_node *l2 = &l2_stage(stages)->nodes[coupling->l2];
    const struct cache_node *l1d = &l1d_stage(stages)->nodes[l2->node.parent];
    const struct request_buffer *walks = stages_walks(stages, node);
    const struct page_stream *pages = stages_pages(stages, node->node.machine->page.size);
    /* pages->instructions already includes this batch. */
    uint32_t instruction = pages->instructions - (uint32_t)l1d->end_count;
    enum status status = STATUS_OK;
    coupling->diagnostics = diagnostics;
    for (size_t i = 0, sent = 0, walk = 0; i < l1d->end_count && !status; i++) {
        instruction++;
        if (l1d->ends[i] > sent) {
            walk_unit_advance(node->instance, instruction);
            status =
                stages_run_l2(stages, l2, l1d->down.items + sent, l1d->ends[i] - sent, diagnostics);
            sent = l1d->ends[i];
        }
        size_t first = walk;
        while (walk < walks->count && walks->items[walk].pc == instruction)
            walk++;
        if (!status)
            status = walk_unit_run(node->instance, walks->items + first, walk - first);
    }
    return status ? status : coupling->status;
}

enum status stages_run_coupled(struct stages *stages, const struct request *requests, size_t count,
                               struct diagnostics *diagnostics)
{
    const struct pwc_stage *own = pwc_stage(stages);
    struct l1d_stage *l1ds = l1d_stage(stages);
    enum status status = STATUS_OK;
    (void)requests, (void)count;
    for (size_t i = 0; i < own->count && !status; i++)
        if (own->nodes[i].coupling)
            status = run_pair(stages, &own->nodes[i], diagnostics);
    for (size_t i = 0; i < l1ds->count; i++)
        if (l1ds->nodes[i].coupled)
            l1ds->nodes[i].down.count = 0;
    return status;
}
