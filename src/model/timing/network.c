#include "model/timing/network.h"

/* Cycles that a flit spends in a fly beyond those in a crossbar: routing, two allocations of a
 * cycle each, the switch and the channel. */
enum { ROUTER_CYCLES = 5 };

enum status network_init(struct network *network, const struct network_config *config,
                         uint32_t inputs, uint32_t outputs, bool replies)
{
    *network = (struct network){
        .config = config,
        .replies = replies,
        .flits = config->kind == NETWORK_FLY,
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

static uint32_t target(const struct network *network, const struct packet *packet)
{
    return network->replies ? packet->sm : packet->slice;
}

static void set_waiting(struct network *network, uint32_t input, bool waits)
{
    const uint32_t output = target(network, packet_queue_head(&network->input[input].queue));
    uint64_t *row = &network->waiting[(size_t)output * network->input_words];
    const uint64_t bit = UINT64_C(1) << input % 64, active = UINT64_C(1) << output % 64;
    row[input / 64] = waits ? row[input / 64] | bit : row[input / 64] & ~bit;
    uint64_t any = 0;
    for (uint32_t i = 0; i < network->input_words; i++)
        any |= row[i];
    uint64_t *word = &network->active[output / 64];
    *word = any ? *word | active : *word & ~active;
}

uint32_t packet_flits(const struct network_config *config, uint32_t bytes)
{
    return config->kind == NETWORK_FLY
               ? (bytes + (uint32_t)config->flit - 1) / (uint32_t)config->flit
               : 1;
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
        set_waiting(network, input, true);
}

/* The first input, from the one whose turn it is, that waits for an output and is not busy. */
static uint32_t choose_input(const struct network *network, uint32_t output, uint64_t now)
{
    const uint64_t *row = &network->waiting[(size_t)output * network->input_words];
    const uint32_t from = network->next[output];
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t word = pass ? 0 : from / 64; word < network->input_words; word++) {
            uint64_t bits = row[word];
            if (!pass && word == from / 64)
                bits &= ~UINT64_C(0) << from % 64;
            for (; bits; bits &= bits - 1) {
                const uint32_t input = word * 64 + (uint32_t)__builtin_ctzll(bits);
                if (network->input[input].free_at <= now)
                    return input;
            }
        }
    return UINT32_MAX;
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
        arrived += ROUTER_CYCLES + size - 1;
    }
    network->next[output] = input + 1 < network->inputs ? input + 1 : 0;
    sink->deliver(sink->context, output, packet, arrived);
    set_waiting(network, input, false);
    packet_queue_pop(&port->queue);
    port->flits -= size;
    if (--port->visible)
        set_waiting(network, input, true);
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
