#include "model/timing/network/network.h"
#include "model/timing/sm/sm.h"

bool sm_send(struct sm *sm, const struct packet *packet, uint64_t now)
{
    struct sm_port *port = &sm->port;
    const struct network_config *network = &sm->shared->machine->network;
    const uint32_t flits = packet_flits(network, packet_request_bytes(packet));
    struct packet sent = *packet;
    sent.ready = now;
    sent.sm = sm->number;
    const unsigned traits = network_traits[network->kind];
    /* A packet that is larger than the whole queue goes alone. */
    if (!(traits & NETWORK_ROUTER) && !port->empty &&
        !limit_admits(&port->places, port->held + flits - 1))
        return false;
    if (traits & NETWORK_FLITS) {
        /* Flits wait in front of the network and enter it one a cycle, a router's as it has room.
         */
        const uint64_t waiting = port->inject_free > now + 1 ? port->inject_free - (now + 1) : 0;
        if (waiting && !limit_admits(&port->inject, (uint32_t)waiting + flits - 1))
            return false; /* a packet of more flits goes alone */
        sent.ready += traits & NETWORK_ROUTER ? 0 : waiting;
        port->inject_free = now + 1 + waiting + flits;
    }
    port->room -= port->room < flits ? port->room : flits;
    port->held += flits;
    port->empty = false;
    port->sent_flits += flits;
    sm->counts.sent_bytes += packet_request_bytes(packet);
    if (!packet_queue_push(&sm->packets, &port->sent, &sent))
        sm->status = STATUS_MEMORY;
    sm->progress = true;
    return true;
}

void sm_send_miss(struct sm *sm, struct cache_unit *unit, uint64_t now)
{
    if (sm_send(sm, packet_queue_head(&unit->packets, &unit->misses), now))
        cache_unit_sent(unit, now);
    else
        sm->port.blocked = true;
}

/* Returns whether any reply went on. */
static bool receive_reply(struct sm *sm, uint64_t now)
{
    struct sm_port *port = &sm->port;
    bool moved = false;
    if (port->cluster.count) {
        const struct packet *reply = packet_queue_head(&sm->packets, &port->cluster);
        if (reply->kind == PACKET_FETCH) {
            sm_take_instructions(sm, reply, now);
            packet_queue_pop(&sm->packets, &port->cluster);
            moved = true;
        } else if (limit_admits(&port->answers, port->responses.count)) {
            packet_queue_move(&sm->packets, &port->cluster, &port->responses);
            gauge_enter(&port->answered, now, port->responses.count);
            moved = true;
        }
    }
    if (port->arriving.count && packet_queue_head(&sm->packets, &port->arriving)->ready < now &&
        limit_admits(&port->ejected, port->cluster.count)) {
        packet_queue_move(&sm->packets, &port->arriving, &port->cluster);
        moved = true;
    }
    sm->progress |= moved;
    return moved;
}

void sm_receive(struct sm *sm, uint64_t now)
{
    if (sm->shared->clusters)
        return; /* gpu_clusters.c does this for all SMs of a cluster */
    for (uint32_t i = 0; i < sm->shared->received; i++)
        if (!receive_reply(sm, now))
            return;
}
