#include "model/timing/network/network.h"

#include "base/bit_sets.h"
#include "base/memory.h"

/* An interconnect of AXI has a register for each channel. */
enum { REGISTER_CYCLES = 1 };

/* Bytes of a line of whose sectors a request of a GPU asks for up to four at once (Nsight Compute,
 * Kernel Profiling Guide: L2 requests and sectors). */
enum { REQUEST = 128 };

static unsigned traits(const struct network_config *config)
{
    return network_traits[config->kind];
}

static const struct network_list no_packets = {UINT32_MAX, UINT32_MAX};

static enum status make_lists(struct network *network)
{
    const size_t lists = (size_t)network->inputs * network->outputs;
    network->sorted_lists = malloc(lists * sizeof *network->sorted_lists);
    for (size_t i = 0; network->sorted_lists && i < lists; i++)
        network->sorted_lists[i] = no_packets;
    for (uint32_t i = 0; i < network->inputs; i++)
        network->input[i].hidden = no_packets;
    return network->sorted_lists ? STATUS_OK : STATUS_MEMORY;
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
        .free_stored = UINT32_MAX,
        .inputs = inputs,
        .outputs = outputs,
        .group = group,
        .input_words = (inputs + 63) / 64,
        .output_words = (outputs + 63) / 64,
    };
    network->input = calloc(inputs, sizeof *network->input);
    network->output_free = calloc(outputs, sizeof *network->output_free);
    network->next = calloc(outputs, sizeof *network->next);
    network->waiting = calloc((size_t)outputs * network->input_words, sizeof *network->waiting);
    network->active = calloc(network->output_words, sizeof *network->active);
    if (network->routed && fly_init(&network->fly, network))
        return STATUS_MEMORY;
    if (network->input && network->sorted && make_lists(network))
        return STATUS_MEMORY;
    return network->input && network->output_free && network->next && network->waiting &&
                   network->active
               ? STATUS_OK
               : STATUS_MEMORY;
}

void network_free(struct network *network)
{
    for (uint32_t i = 0; network->input && i < network->inputs; i++)
        packet_queue_free(&network->input[i].queue);
    fly_free(&network->fly);
    free(network->input);
    free(network->output_free);
    free(network->next);
    free(network->waiting);
    free(network->active);
    free(network->sorted_lists);
    free(network->stored);
}

/* ---- lists of voq ---- */

static struct network_list *list_of(const struct network *network, uint32_t input, uint32_t output)
{
    return &network->sorted_lists[(size_t)input * network->outputs + output];
}

static void list_append(struct network *network, struct network_list *list, uint32_t at)
{
    network->stored[at].next = UINT32_MAX;
    if (list->first == UINT32_MAX)
        list->first = at;
    else
        network->stored[list->last].next = at;
    list->last = at;
}

static uint32_t list_take(const struct network *network, struct network_list *list)
{
    const uint32_t at = list->first;
    list->first = network->stored[at].next;
    return at;
}

static bool store(struct network *network, uint32_t input, const struct packet *packet)
{
    if (network->free_stored == UINT32_MAX &&
        free_list_grow(&network->stored, &network->stored_count, &network->free_stored,
                       struct network_stored, next))
        return false;
    const uint32_t at = network->free_stored;
    network->free_stored = network->stored[at].next;
    network->stored[at].packet = *packet;
    list_append(network, &network->input[input].hidden, at);
    return true;
}

/* ---- packets ---- */

/* What an input holds first for an output for which it waits. */
static const struct packet *head(const struct network *network, uint32_t input, uint32_t output)
{
    return network->sorted ? &network->stored[list_of(network, input, output)->first].packet
                           : packet_queue_head(&network->input[input].queue);
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
    network->input[input].flits += network_size(network, packet);
    if (network->sorted)
        return store(network, input, packet);
    return packet_queue_push(&network->input[input].queue, packet);
}

void network_show(struct network *network, uint32_t input)
{
    struct network_port *port = &network->input[input];
    if (network->routed) {
        fly_show(&network->fly, input);
    } else if (network->sorted) {
        const uint32_t at = list_take(network, &port->hidden);
        const uint32_t output = network_target(network, &network->stored[at].packet);
        list_append(network, list_of(network, input, output), at);
        begin_waiting(network, input, output);
    } else if (!port->visible++) {
        begin_waiting(network, input, network_target(network, packet_queue_head(&port->queue)));
    }
}

/* The packet that an input sent to an output leaves its queue, and the next one comes. */
static void leave(struct network *network, uint32_t input, uint32_t output)
{
    struct network_port *port = &network->input[input];
    if (network->sorted) {
        struct network_list *list = list_of(network, input, output);
        const uint32_t at = list_take(network, list);
        network->stored[at].next = network->free_stored;
        network->free_stored = at;
        if (list->first == UINT32_MAX)
            end_waiting(network, input, output);
        return;
    }
    end_waiting(network, input, output);
    packet_queue_pop(&port->queue);
    if (--port->visible)
        begin_waiting(network, input, network_target(network, packet_queue_head(&port->queue)));
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
    return network->sorted && list_of(network, input, output)->first != UINT32_MAX &&
           head(network, input, output)->address / REQUEST == line;
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
}

bool network_move(struct network *network, uint64_t now, const struct network_sink *sink)
{
    if (network->routed)
        return fly_move(&network->fly, now, sink);
    for (uint32_t word = 0; word < network->output_words; word++) {
        uint64_t done = 0; /* outputs up to the last one served */
        for (uint64_t left; (left = network->active[word] & ~done) != 0;) {
            const unsigned bit = (unsigned)__builtin_ctzll(left);
            done |= (UINT64_C(2) << bit) - 1;
            for (uint64_t i = 0; i < network->rate; i++)
                serve(network, word * 64 + bit, now, sink);
        }
    }
    return true;
}
