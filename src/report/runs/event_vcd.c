/* A timed run as a Value Change Dump (IEEE 1364-2005, 18), which GTKWave and others read (part of
 * report/runs/event_export.h): a scope for each SM, slice and channel, or bank of a tile cache, in
 * it for each kind of event how many there are in a cycle, and of those with an address the last
 * one's. Time is picoseconds of the SMs' clock, rounded to whole ones per cycle. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/runs/event_export.h"
#include "schema/stages.h"

enum { ID_TEXT = 8, ID_LETTERS = 94 /* of '!' to '~' */ };

struct vcd_signal {
    uint32_t count; /* in this cycle */
    uint64_t address;
    bool high; /* the file says that there are some */
};

struct vcd {
    struct vcd_signal *signals; /* by kind and place */
    uint32_t *touched, *high;   /* those of this cycle, and those that are high in the file */
    uint32_t firsts[EVENT_KINDS + 1], touched_count, high_count;
    uint64_t cycle, period; /* picoseconds */
};

static const char *vcd_id(uint32_t signal, bool address, char text[ID_TEXT])
{
    uint32_t number = 2 * signal + address, length = 0;
    do {
        text[length++] = (char)('!' + number % ID_LETTERS);
        number /= ID_LETTERS;
    } while (number && length < ID_TEXT - 1);
    text[length] = '\0';
    return text;
}

static void vcd_declare(const struct event_export *export, const struct vcd *vcd)
{
    char id[ID_TEXT];
    for (unsigned part = 0; part < EVENT_PARTS; part++)
        for (uint64_t place = 0; place < event_places(export->machine, (enum event_part)part);
             place++) {
            fprintf(export->out, "$scope module %s_%" PRIu64 " $end\n", event_parts[part].name,
                    place);
            for (unsigned kind = 0; kind < EVENT_KINDS; kind++) {
                const uint32_t signal = vcd->firsts[kind] + (uint32_t)place;
                if (event_kinds[kind].part != part)
                    continue;
                fprintf(export->out, "$var wire 8 %s %s $end\n", vcd_id(signal, false, id),
                        event_kinds[kind].name);
                if (event_kinds[kind].subject)
                    fprintf(export->out, "$var wire 64 %s %s_%s $end\n", vcd_id(signal, true, id),
                            event_kinds[kind].name,
                            event_kinds[kind].subject == SUBJECT_ADDRESS ? "address" : "number");
            }
            fputs("$upscope $end\n", export->out);
        }
}

static enum status vcd_begin(struct event_export *export)
{
    struct vcd *vcd = export->state = calloc(1, sizeof *vcd);
    char id[ID_TEXT];
    if (!vcd)
        return STATUS_MEMORY;
    for (unsigned kind = 0; kind < EVENT_KINDS; kind++)
        vcd->firsts[kind + 1] =
            vcd->firsts[kind] + (uint32_t)event_places(export->machine, event_kinds[kind].part);
    const uint32_t count = vcd->firsts[EVENT_KINDS];
    vcd->signals = calloc(count, sizeof *vcd->signals);
    vcd->touched = calloc(count, sizeof *vcd->touched);
    vcd->high = calloc(count, sizeof *vcd->high);
    vcd->period =
        (UINT64_C(1000000000000) + export->machine->gpu.clock / 2) / export->machine->gpu.clock;
    vcd->period += !vcd->period;
    if (!vcd->signals || !vcd->touched || !vcd->high)
        return STATUS_MEMORY;
    fputs("$comment a timed run of Warpscape $end\n$timescale 1 ps $end\n", export->out);
    vcd_declare(export, vcd);
    fputs("$enddefinitions $end\n#0\n$dumpvars\n", export->out);
    for (uint32_t i = 0; i < count; i++)
        fprintf(export->out, "b0 %s\n", vcd_id(i, false, id));
    fputs("$end\n", export->out);
    return STATUS_OK;
}

static void vcd_value(FILE *out, uint64_t value, const char *id)
{
    char bits[65];
    int first = 64;
    bits[64] = '\0';
    do
        bits[--first] = (char)('0' + (value & 1));
    while ((value >>= 1) && first);
    fprintf(out, "b%s %s\n", bits + first, id);
}

/* Writes the cycle that has gone by: what happened in it, and the zeros of what did not again. */
static void vcd_flush(const struct event_export *export, struct vcd *vcd, uint64_t cycle)
{
    char id[ID_TEXT];
    uint32_t kept = 0;
    if (!vcd->touched_count && !vcd->high_count)
        return;
    if (cycle) /* the values at the beginning stand under 0 */
        fprintf(export->out, "#%" PRIu64 "\n", cycle * vcd->period);
    for (uint32_t i = 0; i < vcd->high_count; i++) {
        struct vcd_signal *signal = &vcd->signals[vcd->high[i]];
        if (!signal->count) {
            signal->high = false;
            vcd_value(export->out, 0, vcd_id(vcd->high[i], false, id));
        } else {
            vcd->high[kept++] = vcd->high[i];
        }
    }
    for (uint32_t i = 0; i < vcd->touched_count; i++) {
        const uint32_t at = vcd->touched[i];
        struct vcd_signal *signal = &vcd->signals[at];
        vcd_value(export->out, signal->count > 255 ? 255 : signal->count, vcd_id(at, false, id));
        unsigned kind = 0;
        while (vcd->firsts[kind + 1] <= at)
            kind++;
        if (event_kinds[kind].subject)
            vcd_value(export->out, signal->address, vcd_id(at, true, id));
        if (!signal->high)
            vcd->high[kept++] = at;
        signal->high = true;
        signal->count = 0;
    }
    vcd->high_count = kept;
    vcd->touched_count = 0;
}

static void vcd_put(struct event_export *export, const struct timing_event *event)
{
    struct vcd *vcd = export->state;
    const uint32_t at = vcd->firsts[event->kind] + event->place;
    if (event->cycle > vcd->cycle) {
        vcd_flush(export, vcd, vcd->cycle);
        if (event->cycle > vcd->cycle + 1)
            vcd_flush(export, vcd, vcd->cycle + 1);
        vcd->cycle = event->cycle;
    }
    if (!vcd->signals[at].count++)
        vcd->touched[vcd->touched_count++] = at;
    vcd->signals[at].address = event->address;
}

static enum status vcd_end(struct event_export *export)
{
    struct vcd *vcd = export->state;
    vcd_flush(export, vcd, vcd->cycle);
    vcd_flush(export, vcd, vcd->cycle + 1);
    return STATUS_OK;
}

static void vcd_drop(struct event_export *export)
{
    struct vcd *vcd = export->state;
    if (!vcd)
        return;
    free(vcd->signals);
    free(vcd->touched);
    free(vcd->high);
    free(vcd);
}

const struct export_format export_format_vcd = {vcd_begin, vcd_put, vcd_end, vcd_drop};
