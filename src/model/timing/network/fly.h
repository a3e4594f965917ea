/* A router of flits between all inputs and all outputs of one direction of the network: BookSim's
 * `fly` of one stage (N. Jiang et al., ISPASS 2013), as GPGPU-Sim configures it for a GTX 480: one
 * virtual channel, whose buffers send credits back, and a switch that takes two steps per cycle.
 *
 * A packet waits in front of its input and enters flit by flit, one per cycle, while the input's
 * buffer has room. Once its first flit is at the head of the buffer, it asks for its output, which
 * serves the inputs round robin and belongs to the packet until its last flit has passed the
 * switch. Flits then leave the output one per cycle, wait beyond it in a buffer of the same size,
 * and pass from there, one per cycle, to where whoever takes the packets sees them, a small buffer
 * again. Each flit of a buffer that is left returns a credit, one per cycle, to whoever fills the
 * buffer. Up to network.inject flits wait in front of an input; a buffer has network.queue flits.
 * The switch takes two steps per cycle: in one an output is granted, in each later one a flit
 * passes. The slice sees 16 flits at most. Channels and credits take two cycles, so a flit arrives
 * five cycles after it entered.
 *
 * Invariant: a buffer's credits, its flits, and the flits and credits on their way to and from it
 * are together as many as its places.
 *
 * Cost: a cycle visits a port for each thing that happens there: ports are kept in sets by what
 * comes next. */
#pragma once

#include "base/arrays.h"
#include "model/timing/base/limit.h"
#include "model/timing/base/packet.h"

struct fly_input {
    struct packet_queue queue; /* first those that have entered whole, `entered` of them */
    uint32_t entered;
    uint32_t entering_packet; /* the first that has not entered whole; 0: there is none */
    uint32_t visible;         /* packets behind those that may enter by now */
    uint32_t waiting;         /* flits that have not entered, of all packets */
    uint32_t part;            /* flits that have entered of the packet behind those */
    struct limit places;      /* of its buffer, */
    uint32_t used;            /* ... and those for which it has no credit */
    uint32_t buffered;        /* flits in its buffer */
    uint32_t passed;          /* flits through the switch of the packet at the head */
    uint32_t freed;           /* credits that have not been sent back */
    bool granted;             /* its first packet has its output */
};

struct fly_output {
    uint32_t owner;      /* the input whose packet has it, if one has */
    uint32_t next;       /* the input that comes first */
    struct limit places; /* behind it, */
    uint32_t used;
    uint32_t queued;             /* flits behind the switch */
    uint32_t buffered;           /* flits that left the router */
    uint32_t seen;               /* flits that its reader sees */
    uint32_t part;               /* ... of the first of `packets` */
    struct packet_queue packets; /* granted, and not all of whose flits are seen */
};

/* What is sent in a cycle arrives in the second one after it: the ports of which something arrives
 * in the next cycle, and those of which it was sent in the last one. */
struct fly_line {
    uint64_t next, last;
};

struct fly_inputs {                 /* sets of 64 inputs: */
    uint64_t visible, freed;        /* with any */
    struct fly_line entering, back; /* flits on their way to buffers, credits from there */
};

struct fly_outputs {               /* sets of 64 outputs: */
    uint64_t asked, owned;         /* that an input asks for; that a packet has */
    uint64_t crossed;              /* of which a flit comes behind the switch in the next cycle */
    uint64_t queued, buffered;     /* with any */
    struct fly_line leaving, back; /* flits on their way to buffers, credits from there */
};

struct fly {
    struct network *network;
    uint32_t inputs, outputs;
    uint32_t input_words, output_words; /* of a set of them */
    struct packet_pool packets;         /* of all its queues */
    struct fly_input *input;
    struct fly_output *output;
    uint64_t *asking; /* [outputs][input words]: inputs whose first packet wants the output */
    struct fly_grant {
        uint32_t output, input;
    } * grants;                      /* [outputs]: of this step */
    struct fly_inputs *input_sets;   /* [input words] */
    struct fly_outputs *output_sets; /* [output words] */
    struct arrays arrays;
};

struct network_sink;

enum status fly_init(struct fly *fly, struct network *network);
void fly_free(struct fly *fly);
MUST_CHECK bool fly_copy(struct fly *fly, struct network *network); /* see network_copy */
/* A packet joins those that wait in front of an input; fly_show: one more may enter. False: there
 * is no memory. */
MUST_CHECK bool fly_put(struct fly *fly, uint32_t input, const struct packet *packet);
void fly_show(struct fly *fly, uint32_t input);
/* A cycle of the network (network_move). False: there is no memory. */
MUST_CHECK bool fly_move(struct fly *fly, uint64_t now, const struct network_sink *sink);
/* The reader of an output took a packet of so many flits. Only of outputs whose reader says so are
 * the flits that it sees limited. */
void fly_taken(struct fly *fly, uint32_t output, uint32_t flits);

/* Flits that wait in front of an input. */
static inline uint32_t fly_waiting(const struct fly *fly, uint32_t input)
{
    return fly->input[input].waiting;
}
/* Whether one of them enters in the next cycle. */
static inline bool fly_enters(const struct fly *fly, uint32_t input)
{
    struct fly_input *in = &fly->input[input];
    const uint64_t back = fly->input_sets[input / 64].back.next >> input % 64 & 1;
    return in->waiting && limit_admits(&in->places, in->used - (uint32_t)back);
}
/* Flits, those that wait included, of which each enters as soon as those before it have, whatever
 * else happens. */
static inline uint32_t fly_sure(const struct fly *fly, uint32_t input)
{
    return limit_left(&fly->input[input].places, fly->input[input].used);
}
