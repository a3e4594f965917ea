/* One direction of the network between SMs and slices: a crossbar.
 *
 * `crossbar`: an output takes one packet per cycle whatever its size. Each cycle every output, in
 * ascending order, takes the first packet that waits for it at the head of an input, round robin
 * from the input after the last one it served; an input may send several packets in a cycle to
 * ascending outputs (GPGPU-Sim, network_mode 2).
 * `voq`: the same, but an input has a queue for each output, so that no packet waits behind one to
 * another output (Y. Tamir, G. Frazier, ISCA 1988). In an input's only queue such packets hold each
 * other up: outputs then get at most 58.6 % of what they could take from many inputs at random
 * (M. Karol, M. Hluchyj, S. Morgan, IEEE Trans. Commun. 35, 1987).
 * An output stays with an input while it sends sectors of one line, as they are one request of a
 * GPU: taken in turn from many inputs, they would come to the DRAM as requests to as many rows.
 * Of replies an output takes up to network.sectors a cycle, in both.
 * `fly`: packets pass a router flit by flit (fly.h; network_mode 1).
 * `axi`: a packet occupies its input and its output for as many cycles as it has flits, which is
 * one for an address, and for a burst as many as its data have beats; bursts of one port do not
 * interleave.
 *
 * Cost: constant for each packet; a cycle without packets costs nothing. */
#pragma once

#include "model/timing/base/gauge.h"
#include "model/timing/network/fly.h"
#include "schema/machine.h"

struct network_port {
    struct packet_queue queue;
    struct packet_queue hidden; /* voq: packets that no step may move yet, instead of `queue` */
    uint32_t flits;             /* all of it; packets where they have no flits */
    uint32_t visible;           /* packets at its head that a step may move; voq: in all queues */
    uint64_t free_at;           /* axi: when its last packet is through */
};

struct network {
    const struct network_config *config;
    bool replies, flits, sorted, routed;
    struct fly fly; /* routed */
    uint32_t inputs, outputs;
    uint32_t group; /* SMs that share a port */
    uint64_t rate;  /* packets that an output takes a step */
    struct network_port *input;
    uint64_t *output_free;
    uint32_t *next;    /* [outputs]: the input that comes first */
    uint64_t *waiting; /* [outputs][input words]: inputs whose head goes there */
    uint64_t *active;  /* outputs that any input waits for */
    uint32_t input_words, output_words;
    struct packet_queue *sorted_queues; /* voq: [inputs][outputs]: packets that steps may move */
    struct packet_pool packets;         /* of all these queues */
    uint64_t steps, moved; /* so far; flits, or packets where they have none, that outputs took */
    struct gauge waits;    /* packets that steps may move and that have not left their input */
    struct arrays arrays;
};

/* SMs share a port in groups of `group`. */
enum status network_init(struct network *network, const struct network_config *config,
                         uint32_t inputs, uint32_t outputs, bool replies, uint32_t group);
void network_free(struct network *network);
/* The network is a copy of the bytes of another one, and gets memory of its own (base/arrays.h). */
MUST_CHECK bool network_copy(struct network *network);

/* The output that a packet goes to. */
static inline uint32_t network_target(const struct network *network, const struct packet *packet)
{
    if (!network->replies)
        return packet->slice;
    return network->group > 1 ? packet->sm / network->group : packet->sm;
}

/* Sectors that an SM asks for, and takes, in a cycle. */
uint32_t network_sectors(const struct network_config *config);
/* The flits of a packet of so many bytes, of which PACKET_HEADER are no data; 1 in a network
 * without flits. */
uint32_t packet_flits(const struct network_config *config, uint32_t bytes);
/* What a packet takes of an input: its flits, or 1. */
uint32_t network_size(const struct network *network, const struct packet *packet);
/* What an input holds. */
static inline uint32_t network_held(const struct network *network, uint32_t input)
{
    return network->input[input].flits;
}

/* The packets of an input that steps may move. */
static inline uint32_t network_visible(const struct network *network, uint32_t input)
{
    return network->routed ? network->fly.input[input].visible : network->input[input].visible;
}

/* One more of the `visible` packets of an input waits; one waits no longer. */
static inline void network_comes(struct network *network, uint32_t visible)
{
    gauge_enter(&network->waits, network->steps + 1, visible);
}
static inline void network_leaves(struct network *network)
{
    gauge_leave(&network->waits, network->steps);
}

/* Adds a packet to an input; it can move from the next call of network_show on. */
MUST_CHECK bool network_put(struct network *network, uint32_t input, const struct packet *packet);
/* One more packet of an input can move. */
void network_show(struct network *network, uint32_t input);

/* Moves packets in step `now`; false if there is no memory. Calls `room` for an output that could
 * take one and `deliver` for each that moves, with the step at which it has arrived. */
struct network_sink {
    bool (*room)(void *context, uint32_t output);
    void (*deliver)(void *context, uint32_t output, const struct packet *packet, uint64_t arrived);
    void *context;
};
MUST_CHECK bool network_move(struct network *network, uint64_t now,
                             const struct network_sink *sink);
/* The reader of an output took a packet that was delivered to it; of requests only. */
static inline void network_taken(struct network *network, uint32_t output,
                                 const struct packet *packet)
{
    if (network->routed)
        fly_taken(&network->fly, output, network_size(network, packet));
}
