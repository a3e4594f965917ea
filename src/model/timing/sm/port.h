/* The port of an SM to the network: what it sent, and replies on their way in. */
#pragma once

#include "model/timing/cache/cache_unit.h"

struct sm;

struct sm_port {
    struct packet_queue arriving, cluster, responses;
    struct packet_queue sent;
    uint64_t inject_free; /* flits: the cycle from which the next one may enter the network */
    uint32_t sent_flits;  /* in `sent` */
    struct limit places;  /* of the network, in either direction: network.queue */
    struct limit inject, ejected, answers; /* flits in front of it; `cluster`; `responses` */
    struct gauge answered;                 /* `responses` */
    uint32_t held;       /* flits that wait to enter it, as its owner saw, or since */
    uint32_t room;       /* flits that the network surely takes until its owner looks again, */
    uint64_t room_cycle; /* and the cycle in which it takes no more */
    bool empty;          /* nothing of this SM waits to enter it */
    bool blocked;        /* a packet found no room in this cycle */
};

/* Hands a packet to the network; false if that has no room. */
bool sm_send(struct sm *sm, const struct packet *packet, uint64_t now);
/* The same for the head of a cache's miss queue, which is not empty. */
void sm_send_miss(struct sm *sm, struct cache_unit *unit, uint64_t now);
/* Moves replies from the network one station on, before the SM's cycle. */
void sm_receive(struct sm *sm, uint64_t now);
