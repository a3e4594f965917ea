#include "model/timing/network/fly.h"

#include "base/bit_sets.h"
#include "model/timing/network/network.h"

/* Flits behind an output that its reader sees (GPGPU-Sim's boundary buffer), and the steps of the
 * switch in a cycle. */
enum { SEEN_MOST = 16, STEPS = 2 };

/* ---- set-up ---- */

enum status fly_init(struct fly *fly, struct network *network)
{
    const uint32_t inputs = network->inputs, outputs = network->outputs;
    const struct limit places = limit_of(network->config->queue);
    *fly = (struct fly){.network = network,
                        .inputs = inputs,
                        .outputs = outputs,
                        .input_words = network->input_words,
                        .output_words = network->output_words};
    struct arrays *arrays = &fly->arrays;
    arrays_add(arrays, &fly->input, inputs, sizeof *fly->input);
    arrays_add(arrays, &fly->output, outputs, sizeof *fly->output);
    arrays_add(arrays, &fly->asking, (size_t)outputs * fly->input_words, sizeof *fly->asking);
    arrays_add(arrays, &fly->grants, outputs, sizeof *fly->grants);
    arrays_add(arrays, &fly->active_inputs, fly->input_words, sizeof *fly->active_inputs);
    arrays_add(arrays, &fly->active_outputs, fly->output_words, sizeof *fly->active_outputs);
    arrays_add(arrays, &fly->owned, fly->output_words, sizeof *fly->owned);
    arrays_add(arrays, &fly->asked, fly->output_words, sizeof *fly->asked);
    if (arrays->failed)
        return STATUS_MEMORY;
    for (uint32_t i = 0; i < inputs; i++)
        fly->input[i].places = places;
    for (uint32_t i = 0; i < outputs; i++)
        fly->output[i].places = places;
    return STATUS_OK;
}

void fly_free(struct fly *fly)
{
    packet_pool_free(&fly->packets);
    arrays_free(&fly->arrays);
}

bool fly_copy(struct fly *fly, struct network *network)
{
    fly->network = network;
    const bool all = arrays_copy(&fly->arrays);
    return packet_pool_copy(&fly->packets) && all;
}

bool fly_put(struct fly *fly, uint32_t input, const struct packet *packet)
{
    struct packet sized = *packet;
    sized.parts = (uint16_t)network_size(fly->network, packet);
    struct fly_input *in = &fly->input[input];
    if (!packet_queue_push(&fly->packets, &in->queue, &sized))
        return false;
    in->waiting += sized.parts;
    if (in->queue.count == in->entered + 1)
        in->entering_packet = in->queue.last;
    return true;
}

void fly_show(struct fly *fly, uint32_t input)
{
    network_comes(fly->network, ++fly->input[input].visible);
    set_include(fly->active_inputs, input);
}

void fly_taken(struct fly *fly, uint32_t output, uint32_t flits)
{
    fly->output[output].seen -= flits;
}

/* What is sent in a cycle arrives in the second one after it: bit 0 of such a line is what was sent
 * in the cycle before, bit 1 what arrives. */
static inline uint32_t arrives(uint8_t line)
{
    return line >> 1;
}
static inline uint8_t shift(uint8_t line, bool sent)
{
    return (uint8_t)((line << 1 | sent) & 3);
}

/* ---- behind the outputs ---- */

/* A flit leaves the buffer behind an output for where its reader sees it, if there is room or
 * nothing that the reader could take. Returns whether one does. */
static bool show_flit(struct fly *fly, uint32_t index, uint64_t now,
                      const struct network_sink *sink)
{
    struct fly_output *output = &fly->output[index];
    if (!output->buffered || (output->seen >= SEEN_MOST && output->seen > output->part) ||
        !sink->room(sink->context, index))
        return false;
    output->buffered--;
    output->seen += !fly->network->replies; /* the reader of a reply does not say when it took it */
    const struct packet *packet = packet_queue_head(&fly->packets, &output->packets);
    if (++output->part < packet->parts)
        return true;
    output->part = 0;
    sink->deliver(sink->context, index, packet, now);
    fly->network->moved += packet->parts;
    packet_queue_pop(&fly->packets, &output->packets);
    return true;
}

static void serve_outputs(struct fly *fly, uint64_t now, const struct network_sink *sink)
{
    uint32_t i;
    SET_EACH (i, fly->active_outputs, fly->output_words) {
        struct fly_output *output = &fly->output[i];
        output->buffered += arrives(output->leaving);
        output->used -= arrives(output->returning);
        output->returning = shift(output->returning, show_flit(fly, i, now, sink));
        output->queued += output->crossed;
        output->crossed = 0;
    }
}

static void send_flits(struct fly *fly)
{
    uint32_t i;
    SET_EACH (i, fly->active_outputs, fly->output_words) {
        struct fly_output *output = &fly->output[i];
        const bool sends = output->queued;
        output->queued -= sends;
        output->leaving = shift(output->leaving, sends);
        if (!output->packets.count && !output->returning)
            set_exclude(fly->active_outputs, i);
    }
}

/* ---- in front of the inputs ---- */

/* The packet at the head of an input's buffer asks for its output. */
static void ask(struct fly *fly, uint32_t index)
{
    const struct packet *packet = packet_queue_head(&fly->packets, &fly->input[index].queue);
    const uint32_t output = network_target(fly->network, packet);
    set_include(&fly->asking[(size_t)output * fly->input_words], index);
    set_include(fly->asked, output);
}

/* A flit enters. Returns whether one does. */
static bool enter_flit(const struct fly *fly, struct fly_input *input)
{
    if (!input->visible || !limit_admits(&input->places, input->used))
        return false;
    input->used++;
    input->waiting--;
    const struct packet *packet = &fly->packets.items[input->entering_packet];
    if (++input->part == packet->parts) {
        input->entering_packet = packet->next;
        input->part = 0;
        input->entered++;
        input->visible--;
        network_leaves(fly->network);
    }
    return true;
}

static void serve_inputs(struct fly *fly)
{
    uint32_t i;
    SET_EACH (i, fly->active_inputs, fly->input_words) {
        struct fly_input *input = &fly->input[i];
        input->used -= arrives(input->returning);
        if (arrives(input->entering) && !input->buffered++ && !input->granted)
            ask(fly, i);
        input->entering = shift(input->entering, enter_flit(fly, input));
    }
}

static void send_credits(struct fly *fly)
{
    uint32_t i;
    SET_EACH (i, fly->active_inputs, fly->input_words) {
        struct fly_input *input = &fly->input[i];
        const bool sends = input->freed;
        input->freed -= sends;
        input->returning = shift(input->returning, sends);
        if (!input->entered && !input->visible && !input->freed && !input->returning)
            set_exclude(fly->active_inputs, i);
    }
}

/* ---- the switch ---- */

/* The first input that asks for an output, from the one whose turn it is. */
static uint32_t first_asking(const struct fly *fly, uint32_t output)
{
    const uint64_t *row = &fly->asking[(size_t)output * fly->input_words];
    return set_around(row, fly->input_words, fly->output[output].next);
}

/* A flit of the packet that has an output passes the switch, if it is there and the buffer behind
 * the output has room for it. Returns whether one does. */
static bool pass_flit(struct fly *fly, uint32_t at)
{
    struct fly_output *output = &fly->output[at];
    struct fly_input *input = &fly->input[output->owner];
    if (!input->buffered || !limit_admits(&output->places, output->used))
        return false;
    input->buffered--;
    input->freed++;
    output->used++;
    if (++input->passed < packet_queue_head(&fly->packets, &input->queue)->parts)
        return true;
    set_exclude(fly->owned, at);
    input->granted = false;
    input->entered--;
    packet_queue_pop(&fly->packets, &input->queue);
    if (input->buffered)
        ask(fly, output->owner);
    return true;
}

/* Gives an output to the first packet of an input. False: there is no memory. */
static bool give(struct fly *fly, const struct fly_grant *grant)
{
    const uint32_t at = grant->output, index = grant->input;
    struct fly_output *output = &fly->output[at];
    struct fly_input *input = &fly->input[index];
    uint64_t *row = &fly->asking[(size_t)at * fly->input_words];
    set_exclude(row, index);
    if (set_from(row, fly->input_words, 0) == UINT32_MAX)
        set_exclude(fly->asked, at);
    set_include(fly->owned, at);
    set_include(fly->active_outputs, at);
    output->owner = index;
    output->next = index + 1 < fly->inputs ? index + 1 : 0;
    input->granted = true;
    input->passed = 0;
    return packet_queue_push(&fly->packets, &output->packets,
                             packet_queue_head(&fly->packets, &input->queue));
}

/* Outputs that are free at the beginning of a step are granted at its end; packets that have theirs
 * go on meanwhile. What passes in the last step of a cycle is behind the switch in the next one. */
static bool switch_step(struct fly *fly, bool last)
{
    bool fits = true;
    uint32_t count = 0;
    uint32_t i;
    SET_EACH (i, fly->asked, fly->output_words)
        if (!(fly->owned[i / 64] >> i % 64 & 1))
            fly->grants[count++] = (struct fly_grant){i, first_asking(fly, i)};
    SET_EACH (i, fly->owned, fly->output_words) {
        const bool passes = pass_flit(fly, i);
        fly->output[i].queued += passes && !last;
        fly->output[i].crossed += passes && last;
    }
    for (uint32_t k = 0; k < count; k++)
        fits &= give(fly, &fly->grants[k]);
    return fits;
}

bool fly_move(struct fly *fly, uint64_t now, const struct network_sink *sink)
{
    bool fits = true;
    if (set_from(fly->active_inputs, fly->input_words, 0) == UINT32_MAX &&
        set_from(fly->active_outputs, fly->output_words, 0) == UINT32_MAX)
        return true;
    serve_outputs(fly, now, sink);
    serve_inputs(fly);
    for (unsigned step = 0; step < STEPS; step++)
        fits &= switch_step(fly, step + 1 == STEPS);
    send_flits(fly);
    send_credits(fly);
    return fits;
}
