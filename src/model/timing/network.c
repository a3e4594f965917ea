#include "model/timing/network.h"

/* Cycles that a flit spends in a fly beyond those in a crossbar: routing, two allocations of a
 * cycle each, the switch and the channel. An interconnect of AXI has a register for each channel.
 */
enum { ROUTER_CYCLES = 5, REGISTER_CYCLES = 1 };

static unsigned traits(const struct network_config *config)
{
    return network_traits[config->kind];
}

enum status network_init(struct network *network, const struct network_config *config,
                         uint32_t inputs, uint32_t outputs, bool replies)
{
    *network = (struct network){
        .config = config,
        .replies = replies,
        .flits = traits(config) & NETWORK_FLITS,
        .inputs = inputs,
        .outputs = outputs,
        .input_words = (inputs + 63) / 64,
        .output_words = (outputs + 63) / 64,
    };
    network->input = calloc(inputs, sizeof *network->input);
    network->output_free = calloc(outputs, sizeof *network->output_free);
    network->next = calloc(outputs, sizeof *network->next);
    network->waiting = calloc((size_t)outputs * network->input_words, sizeof *network->waiting);
    network->active = calloc(network->output_words, sizeof *network->active);
    return network->input && network->output_free && network->next && network->waiting &&
                   network->active
               ? STATUS_OK
               : STATUS_MEMORY;
}

void network_free(struct network *network)
{
    for (uint32_t i = 0; network->input && i < network->inputs; i++)
        packet_queue_free(&network->input[i].queue);
    free(network->input);
    free(network->output_free);
    free(network->next);
    free(network->waiting);
    free(network->active);
}

static inline uint32_t target(const struct network *network, const struct packet *packet)
{
    return network->replies ? packet->sm : packet->slice;
}

/* The head of an input can move to its output. */
static void begin_waiting(struct network *network, uint32_t input)
{
    const uint32_t output = target(network, packet_queue_head(&network->input[input].queue));
    network->waiting[(size_t)output * network->input_words + input / 64] |= UINT64_C(1)
                                                                            << input % 64;
    network->active[output / 64] |= UINT64_C(1) << output % 64;
}

/* It moved there. */
static void end_waiting(struct network *network, uint32_t input, uint32_t output)
{
    uint64_t *row = &network->waiting[(size_t)output * network->input_words];
    row[input / 64] &= ~(UINT64_C(1) << input % 64);
    for (uint32_t i = 0; i < network->input_words; i++)
        if (row[i])
            return;
    network->active[output / 64] &= ~(UINT64_C(1) << output % 64);
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
    network->input[input].flits += network_size(network, packet);
    return packet_queue_push(&network->input[input].queue, packet);
}

void network_show(struct network *network, uint32_t input)
{
    if (!network->input[input].visible++)
        begin_waiting(network, input);
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

static void serve(struct network *network, uint32_t output, uint64_t now,
                  const struct network_sink *sink)
{
    if (network->output_free[output] > now || !sink->room(sink->context, output))
        return;
    const uint32_t input = choose_input(network, output, now);
    if (input == UINT32_MAX)
        return;
    struct network_port *port = &network->input[input];
    const struct packet *packet = packet_queue_head(&port->queue);
    const uint32_t size = network_size(network, packet);
    uint64_t arrived = now;
    if (network->flits) {
        port->free_at = network->output_free[output] = now + size;
        const bool routed = traits(network->config) & NETWORK_ROUTER;
        arrived += (routed ? ROUTER_CYCLES : REGISTER_CYCLES) + size - 1;
    }
    network->next[output] = input + 1 < network->inputs ? input + 1 : 0;
    sink->deliver(sink->context, output, packet, arrived);
    end_waiting(network, input, output);
    packet_queue_pop(&port->queue);
    port->flits -= size;
    if (--port->visible)
        begin_waiting(network, input);
}

void network_move(struct network *network, uint64_t now, const struct network_sink *sink)
{
    for (uint32_t word = 0; word < network->output_words; word++) {
        uint64_t done = 0; /* outputs up to the last one served */
        for (uint64_t left; (left = network->active[word] & ~done) != 0;) {
            const unsigned bit = (unsigned)__builtin_ctzll(left);
            done |= (UINT64_C(2) << bit) - 1;
            serve(network, word * 64 + bit, now, sink);
        }
    }
}
