#include "model/timing/network/network.h"

#include "base/bit_sets.h"

/* An interconnect of AXI has a register for each channel. */
enum { REGISTER_CYCLES = 1 };

/* Bytes of a line of whose sectors a request of a GPU asks for up to four at once (Nsight Compute,
 * Kernel Profiling Guide: L2 requests and sectors). */
enum { REQUEST = 128 };

static unsigned traits(const struct network_config *config)
{
    return network_traits[config->kind];
}

enum status network_init(struct network *network, const struct network_config *config,
                         uint32_t inputs, uint32_t outputs, bool replies, uint32_t group)
{
    *network = (struct network){
        .config = config,
        .replies = replies,
        .flits = traits(config) & NETWORK_FLITS,
        .sorted = traits(config) & NETWORK_SORTED,
        .routed = traits(config) & NETWORK_ROUTER,
        .rate = replies ? network_sectors(config) : 1,
        .inputs = inputs,
        .outputs = outputs,
        .group = group,
        .input_words = (inputs + 63) / 64,
        .output_words = (outputs + 63) / 64,
    };
    struct arrays *arrays = &network->arrays;
    arrays_add(arrays, &network->input, inputs, sizeof *network->input);
    arrays_add(arrays, &network->output_free, outputs, sizeof *network->output_free);
    arrays_add(arrays, &network->next, outputs, sizeof *network->next);
    arrays_add(arrays, &network->waiting, (size_t)outputs * network->input_words,
               sizeof *network->waiting);
    arrays_add(arrays, &network->active, network->output_words, sizeof *network->active);
    if (network->sorted)
        arrays_add(arrays, &network->sorted_queues, (size_t)inputs * outputs,
                   sizeof *network->sorted_queues);
    if (arrays->failed || (network->routed && fly_init(&network->fly, network)))
        return STATUS_MEMORY;
    return STATUS_OK;
}

void network_free(struct network *network)
{
    fly_free(&network->fly);
    packet_pool_free(&network->packets);
    arrays_free(&network->arrays);
}

bool network_copy(struct network *network)
{
    bool all = arrays_copy(&network->arrays);
    all &= packet_pool_copy(&network->packets);
    return fly_copy(&network->fly, network) && all;
}

/* ---- packets ---- */

/* What an input holds for an output for which it waits. */
static struct packet_queue *queue_of(const struct network *network, uint32_t input, uint32_t output)
{
    return network->sorted ? &network->sorted_queues[(size_t)input * network->outputs + output]
                           : &network->input[input].queue;
}

static const struct packet *head(const struct network *network, uint32_t input, uint32_t output)
{
    return packet_queue_head(&network->packets, queue_of(network, input, output));
}

/* A packet of an input can move to an output. */
static void begin_waiting(struct network *network, uint32_t input, uint32_t output)
{
    set_include(&network->waiting[(size_t)output * network->input_words], input);
    set_include(network->active, output);
}

/* It moved there. */
static void end_waiting(struct network *network, uint32_t input, uint32_t output)
{
    uint64_t *row = &network->waiting[(size_t)output * network->input_words];
    set_exclude(row, input);
    if (set_from(row, network->input_words, 0) == UINT32_MAX)
        set_exclude(network->active, output);
}

uint32_t network_sectors(const struct network_config *config)
{
    return traits(config) & NETWORK_FLITS ? 1 : (uint32_t)config->sectors;
}

uint32_t packet_flits(const struct network_config *config, uint32_t bytes)
{
    if (!(traits(config) & NETWORK_FLITS))
        return 1;
    /* Without headers, what carries no data takes an address channel for a cycle. */
    const uint32_t carried = traits(config) & NETWORK_HEADERS ? bytes : bytes - PACKET_HEADER;
    return carried ? (carried + (uint32_t)config->flit - 1) / (uint32_t)config->flit : 1;
}

uint32_t network_size(const struct network *network, const struct packet *packet)
{
    return packet_flits(network->config, network->replies ? packet_reply_bytes(packet)
                                                          : packet_request_bytes(packet));
}

bool network_put(struct network *network, uint32_t input, const struct packet *packet)
{
    if (network->routed)
        return fly_put(&network->fly, input, packet);
    struct network_port *port = &network->input[input];
    port->flits += network_size(network, packet);
    return packet_queue_push(&network->packets, network->sorted ? &port->hidden : &port->queue,
                             packet);
}

void network_show(struct network *network, uint32_t input)
{
    struct network_port *port = &network->input[input];
    if (network->routed) {
        fly_show(&network->fly, input);
        return;
    }
    network_comes(network, ++port->visible);
    if (network->sorted) {
        const uint32_t output =
            network_target(network, packet_queue_head(&network->packets, &port->hidden));
        packet_queue_move(&network->packets, &port->hidden, queue_of(network, input, output));
        begin_waiting(network, input, output);
    } else if (port->visible == 1) {
        begin_waiting(network, input,
                      network_target(network, packet_queue_head(&network->packets, &port->queue)));
    }
}

/* The packet that an input sent to an output leaves its queue, and the next one comes. */
static void leave(struct network *network, uint32_t input, uint32_t output)
{
    struct network_port *port = &network->input[input];
    struct packet_queue *queue = queue_of(network, input, output);
    packet_queue_pop(&network->packets, queue);
    if (!network->sorted || !queue->count)
        end_waiting(network, input, output);
    network_leaves(network);
    if (--port->visible && !network->sorted)
        begin_waiting(network, input, network_target(network, head(network, input, output)));
}

/* The first input, from the one whose turn it is, that waits for an output and is not busy. */
static uint32_t choose_input(const struct network *network, uint32_t output, uint64_t now)
{
    const uint64_t *row = &network->waiting[(size_t)output * network->input_words];
    const uint32_t from = network->next[output], words = network->input_words;
    const uint64_t before = (UINT64_C(1) << from % 64) - 1;
    uint32_t word = from / 64;
    uint64_t bits = row[word] & ~before;
    for (uint32_t looked = 0;; bits = ++looked < words ? row[word] : row[word] & before) {
        for (; bits; bits &= bits - 1) {
            const uint32_t input = word * 64 + (uint32_t)__builtin_ctzll(bits);
            if (network->input[input].free_at <= now)
                return input;
        }
        if (looked == words)
            return UINT32_MAX;
        word = word + 1 < words ? word + 1 : 0;
    }
}

/* voq: whether an input goes on with sectors of the line that it just sent one of. */
static bool sends_more(const struct network *network, uint32_t input, uint32_t output,
                       uint64_t line)
{
    return network->sorted && queue_of(network, input, output)->count &&
           head(network, input, output)->address / REQUEST == line;
}

/* Returns whether an output got a packet. */
static bool serve(struct network *network, uint32_t output, uint64_t now,
                  const struct network_sink *sink)
{
    if (network->output_free[output] > now || !sink->room(sink->context, output))
        return false;
    const uint32_t input = choose_input(network, output, now);
    if (input == UINT32_MAX)
        return false;
    struct network_port *port = &network->input[input];
    const struct packet *packet = head(network, input, output);
    const uint32_t size = network_size(network, packet);
    uint64_t arrived = now;
    if (network->flits) {
        port->free_at = network->output_free[output] = now + size;
        arrived += REGISTER_CYCLES + size - 1;
    }
    sink->deliver(sink->context, output, packet, arrived);
    const uint64_t line = packet->address / REQUEST;
    leave(network, input, output);
    const uint32_t after = input + 1 < network->inputs ? input + 1 : 0;
    network->next[output] = sends_more(network, input, output, line) ? input : after;
    port->flits -= size;
    network->moved += size;
    return true;
}

bool network_move(struct network *network, uint64_t now, const struct network_sink *sink)
{
    network->steps++;
    if (network->routed)
        return fly_move(&network->fly, now, sink);
    for (uint32_t word = 0; word < network->output_words; word++) {
        uint64_t done = 0; /* outputs up to the last one served */
        for (uint64_t left; (left = network->active[word] & ~done) != 0;) {
            const unsigned bit = (unsigned)__builtin_ctzll(left);
            done |= (UINT64_C(2) << bit) - 1;
            for (uint64_t i = 0; i < network->rate && serve(network, word * 64 + bit, now, sink);)
                i++;
        }
    }
    return true;
}
