#include "model/timing/gpu_parts.h"
#include "model/timing/sm/load_store.h"
#include "model/timing/sm/sm.h"

/* Clusters of several SMs (gpu.cluster): they share a port of the network, and of each one SM gets
 * a block in a cycle. The rules are GPGPU-Sim's. SMs of a cluster depend on each other in every
 * cycle, so a span of such a machine is one cycle long.
 *
 * What arrives for a cluster waits in the queues of its first SM. */

enum status gpu_init_clusters(struct gpu *gpu)
{
    arrays_add(&gpu->arrays, &gpu->clusters, gpu->port_count, sizeof *gpu->clusters);
    gpu->shared->clusters = true;
    for (uint32_t i = 0; gpu->clusters && i < gpu->port_count; i++)
        gpu->clusters[i].served = gpu->cluster_size - 1;
    return gpu->clusters ? STATUS_OK : STATUS_MEMORY;
}

static struct sm *sm_of(const struct gpu *gpu, uint32_t cluster, uint32_t member)
{
    return &gpu->sms[cluster * gpu->cluster_size + member % gpu->cluster_size];
}

uint64_t gpu_waiting_flits(const struct gpu *gpu, uint32_t cluster)
{
    uint64_t flits = 0;
    for (uint32_t i = 0; i < gpu->cluster_size; i++)
        flits += sm_of(gpu, cluster, i)->port.sent_flits;
    return flits;
}

static bool is_live(const struct gpu *gpu, uint32_t cluster)
{
    for (uint32_t i = 0; i < gpu->cluster_size; i++)
        if (sm_of(gpu, cluster, i)->live_blocks)
            return true;
    return false;
}

static bool take_answer(struct sm *sm, const struct packet *reply, uint64_t now)
{
    const bool pushed = packet_queue_push(&sm->packets, &sm->port.responses, reply);
    gauge_enter(&sm->port.answered, now, sm->port.responses.count);
    return pushed;
}

/* The first reply goes to its SM if that has room, and holds up all others if not. An SM without
 * blocks takes nothing out of its queue, so there is always room in it.
 * Returns whether any reply went on. */
static bool receive(struct gpu *gpu, uint32_t cluster, uint64_t now)
{
    struct sm *first = sm_of(gpu, cluster, 0);
    bool moved = false;
    if (first->port.cluster.count) {
        const struct packet *reply = packet_queue_head(&first->packets, &first->port.cluster);
        struct sm *sm = &gpu->sms[reply->sm];
        const bool fetched = reply->kind == PACKET_FETCH;
        if (fetched)
            sm_take_instructions(sm, reply, now);
        else if (!sm->live_blocks || limit_admits(&sm->port.answers, sm->port.responses.count))
            gpu->status = take_answer(sm, reply, now) ? gpu->status : STATUS_MEMORY;
        else
            reply = NULL;
        if (reply)
            packet_queue_pop(&first->packets, &first->port.cluster);
        moved = reply;
    }
    if (first->port.arriving.count &&
        packet_queue_head(&first->packets, &first->port.arriving)->ready < now &&
        limit_admits(&first->port.ejected, first->port.cluster.count)) {
        packet_queue_move(&first->packets, &first->port.arriving, &first->port.cluster);
        moved = true;
    }
    return moved;
}

void gpu_begin_clusters(struct gpu *gpu)
{
    const bool more = gpu->next_block < gpu->blocks;
    for (uint32_t i = 0; i < gpu->port_count; i++) {
        struct cluster *cluster = &gpu->clusters[i];
        for (uint32_t k = 0; k < gpu->shared->received && receive(gpu, i, gpu->cycle);)
            k++;
        cluster->first = cluster->next;
        if (more || is_live(gpu, i))
            cluster->next = (cluster->next + 1) % gpu->cluster_size;
    }
}

uint32_t gpu_cluster_sm(const struct gpu *gpu, uint32_t cluster, uint32_t turn)
{
    return cluster * gpu->cluster_size + (gpu->clusters[cluster].first + turn) % gpu->cluster_size;
}

/* The SM of a cluster that takes the next block, from the one after the last on; NULL: none. */
static struct sm *next_with_room(const struct gpu *gpu, uint32_t cluster, uint64_t when)
{
    for (uint32_t i = 1; i <= gpu->cluster_size; i++) {
        struct sm *sm = sm_of(gpu, cluster, gpu->clusters[cluster].served + i);
        if (sm->stopped && sm->now == when)
            return sm;
    }
    return NULL;
}

void gpu_give_to_clusters(struct gpu *gpu, uint64_t when)
{
    const uint32_t from = gpu->last_served + 1;
    for (uint32_t n = 0; n < gpu->port_count; n++) {
        const uint32_t i = (from + n) % gpu->port_count;
        struct sm *sm = next_with_room(gpu, i, when);
        if (!sm)
            continue;
        if (gpu_give_block(gpu, sm, when)) {
            gpu->last_served = i;
            gpu->clusters[i].served = sm->number % gpu->cluster_size;
        }
        for (uint32_t k = 0; k < gpu->cluster_size; k++) {
            sm_of(gpu, i, k)->stopped = false;
            if (!is_live(gpu, i))
                sm_empty_l1d(sm_of(gpu, i, k));
        }
    }
}
