#include "model/timing/network/fly.h"

#include "base/bit_sets.h"
#include "model/timing/network/network.h"

/* Flits behind an output that its reader sees (GPGPU-Sim's boundary buffer), and the steps of the
 * switch in a cycle. */
enum { SEEN_MOST = 16, STEPS = 2 };

/* Part of each of the two loops over the words of sets: one is for one word. */
#define TEMPLATE static inline __attribute__((always_inline))

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
    arrays_add(arrays, &fly->input_sets, fly->input_words, sizeof *fly->input_sets);
    arrays_add(arrays, &fly->output_sets, fly->output_words, sizeof *fly->output_sets);
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

static inline uint64_t bit_of(uint32_t port)
{
    return UINT64_C(1) << port % 64;
}

void fly_show(struct fly *fly, uint32_t input)
{
    network_comes(fly->network, ++fly->input[input].visible);
    fly->input_sets[input / 64].visible |= bit_of(input);
}

void fly_taken(struct fly *fly, uint32_t output, uint32_t flits)
{
    fly->output[output].seen -= flits;
}

/* What a cycle sends. */
static inline void send(struct fly_line *line, uint64_t sent)
{
    line->next = line->last;
    line->last = sent;
}

/* Visits the ports of a set of 64, word `word` of all. */
#define PORTS_EACH(port, set, word)                                                                \
    for (uint64_t ports_ = (set);                                                                  \
         ports_ && ((port) = (word)*64 + (uint32_t)__builtin_ctzll(ports_), true);                 \
         ports_ &= ports_ - 1)

/* ---- behind the outputs ---- */

/* A flit leaves the buffer behind an output for where its reader sees it, if there is room or
 * nothing that the reader could take. Returns whether one does. */
static bool show_flit(struct fly *fly, uint32_t index, uint64_t now,
                      const struct network_sink *sink)
{
    struct fly_output *output = &fly->output[index];
    if ((output->seen >= SEEN_MOST && output->seen > output->part) ||
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

TEMPLATE void serve_outputs(struct fly *fly, uint32_t word, uint64_t now,
                            const struct network_sink *sink)
{
    struct fly_outputs *sets = &fly->output_sets[word];
    uint64_t freed = 0;
    uint32_t i;
    sets->buffered |= sets->leaving.next;
    PORTS_EACH (i, sets->leaving.next, word)
        fly->output[i].buffered++;
    PORTS_EACH (i, sets->back.next, word)
        fly->output[i].used--;
    PORTS_EACH (i, sets->buffered, word) {
        if (!show_flit(fly, i, now, sink))
            continue;
        freed |= bit_of(i);
        if (!fly->output[i].buffered)
            sets->buffered &= ~bit_of(i);
    }
    send(&sets->back, freed);
    sets->queued |= sets->crossed;
    PORTS_EACH (i, sets->crossed, word)
        fly->output[i].queued++;
    sets->crossed = 0;
}

TEMPLATE void send_flits(struct fly *fly, uint32_t word)
{
    struct fly_outputs *sets = &fly->output_sets[word];
    uint32_t i;
    send(&sets->leaving, sets->queued);
    PORTS_EACH (i, sets->queued, word)
        if (!--fly->output[i].queued)
            sets->queued &= ~bit_of(i);
}

/* ---- in front of the inputs ---- */

/* The packet at the head of an input's buffer asks for its output. */
static void ask(struct fly *fly, uint32_t index)
{
    const struct packet *packet = packet_queue_head(&fly->packets, &fly->input[index].queue);
    const uint32_t output = network_target(fly->network, packet);
    set_include(&fly->asking[(size_t)output * fly->input_words], index);
    fly->output_sets[output / 64].asked |= bit_of(output);
}

/* A flit of an input with visible packets enters. Returns whether one does. */
static bool enter_flit(const struct fly *fly, struct fly_input *input)
{
    if (!limit_admits(&input->places, input->used))
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

TEMPLATE void serve_inputs(struct fly *fly, uint32_t word)
{
    struct fly_inputs *sets = &fly->input_sets[word];
    uint64_t entered = 0;
    uint32_t i;
    PORTS_EACH (i, sets->back.next, word)
        fly->input[i].used--;
    PORTS_EACH (i, sets->entering.next, word)
        if (!fly->input[i].buffered++ && !fly->input[i].granted)
            ask(fly, i);
    PORTS_EACH (i, sets->visible, word) {
        if (!enter_flit(fly, &fly->input[i]))
            continue;
        entered |= bit_of(i);
        if (!fly->input[i].visible)
            sets->visible &= ~bit_of(i);
    }
    send(&sets->entering, entered);
}

TEMPLATE void send_credits(struct fly *fly, uint32_t word)
{
    struct fly_inputs *sets = &fly->input_sets[word];
    uint32_t i;
    send(&sets->back, sets->freed);
    PORTS_EACH (i, sets->freed, word)
        if (!--fly->input[i].freed)
            sets->freed &= ~bit_of(i);
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
    fly->input_sets[output->owner / 64].freed |= bit_of(output->owner);
    output->used++;
    if (++input->passed < packet_queue_head(&fly->packets, &input->queue)->parts)
        return true;
    fly->output_sets[at / 64].owned &= ~bit_of(at);
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
        fly->output_sets[at / 64].asked &= ~bit_of(at);
    fly->output_sets[at / 64].owned |= bit_of(at);
    output->owner = index;
    output->next = index + 1 < fly->inputs ? index + 1 : 0;
    input->granted = true;
    input->passed = 0;
    return packet_queue_push(&fly->packets, &output->packets,
                             packet_queue_head(&fly->packets, &input->queue));
}

/* Outputs that are free at the beginning of a step are granted at its end; packets that have theirs
 * go on meanwhile. What passes in the last step of a cycle is behind the switch in the next one. */
TEMPLATE bool switch_step(struct fly *fly, uint32_t output_words, bool last)
{
    bool fits = true;
    uint32_t count = 0;
    uint32_t i;
    for (uint32_t word = 0; word < output_words; word++)
        PORTS_EACH (i, fly->output_sets[word].asked & ~fly->output_sets[word].owned, word)
            fly->grants[count++] = (struct fly_grant){i, first_asking(fly, i)};
    for (uint32_t word = 0; word < output_words; word++) {
        struct fly_outputs *sets = &fly->output_sets[word];
        uint64_t passed = 0;
        PORTS_EACH (i, sets->owned, word)
            passed |= pass_flit(fly, i) ? bit_of(i) : 0;
        if (last) {
            sets->crossed = passed;
            continue;
        }
        sets->queued |= passed;
        PORTS_EACH (i, passed, word)
            fly->output[i].queued++;
    }
    for (uint32_t k = 0; k < count; k++)
        fits &= give(fly, &fly->grants[k]);
    return fits;
}

/* Whether a cycle changes nothing. */
TEMPLATE bool is_idle(const struct fly *fly, uint32_t input_words, uint32_t output_words)
{
    uint64_t any = 0;
    for (uint32_t word = 0; word < input_words; word++) {
        const struct fly_inputs *sets = &fly->input_sets[word];
        any |= sets->visible | sets->freed | sets->entering.next | sets->entering.last |
               sets->back.next | sets->back.last;
    }
    for (uint32_t word = 0; word < output_words; word++) {
        const struct fly_outputs *sets = &fly->output_sets[word];
        any |= sets->asked | sets->owned | sets->crossed | sets->queued | sets->buffered |
               sets->leaving.next | sets->leaving.last | sets->back.next | sets->back.last;
    }
    return !any;
}

TEMPLATE bool move(struct fly *fly, uint32_t input_words, uint32_t output_words, uint64_t now,
                   const struct network_sink *sink)
{
    bool fits = true;
    if (is_idle(fly, input_words, output_words))
        return true;
    for (uint32_t word = 0; word < output_words; word++)
        serve_outputs(fly, word, now, sink);
    for (uint32_t word = 0; word < input_words; word++)
        serve_inputs(fly, word);
    for (unsigned step = 0; step < STEPS; step++)
        fits &= switch_step(fly, output_words, step + 1 == STEPS);
    for (uint32_t word = 0; word < output_words; word++)
        send_flits(fly, word);
    for (uint32_t word = 0; word < input_words; word++)
        send_credits(fly, word);
    return fits;
}

/* Nearly all machines have so few ports that each set is a word. */
bool fly_move(struct fly *fly, uint64_t now, const struct network_sink *sink)
{
    const uint32_t inputs = fly->input_words, outputs = fly->output_words;
    return inputs == 1 && outputs == 1 ? move(fly, 1, 1, now, sink)
                                       : move(fly, inputs, outputs, now, sink);
}
