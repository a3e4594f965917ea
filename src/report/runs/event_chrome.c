/* A timed run as JSON in the Trace Event Format, which Perfetto and chrome://tracing read (part of
 * report/runs/event_export.h): a process for each SM, with a thread for each warp slot, one for the
 * L2 with a thread for each slice, one for the DRAMs with a thread for each channel. A microsecond
 * is a cycle of the SMs. What happens in a cycle lasts one; launches and blocks are asynchronous
 * spans. */
#include <inttypes.h>

#include "report/runs/event_export.h"

enum { PID_RUN = 1, PID_L2, PID_DRAM, PID_MMU, PID_SM = 10, TID_SM = 1000 };

static enum status chrome_begin(struct event_export *export)
{
    const struct machine *machine = export->machine;
    fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"unit\":\"1 us is 1 cycle\"},"
          "\"traceEvents\":[",
          export->out);
    fprintf(
        export->out,
        "\n{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{\"name\":\"launches\"}}"
        ",\n{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{\"name\":\"L2\"}}"
        ",\n{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{\"name\":\"DRAM\"}}"
        ",\n{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{\"name\":\"walkers\"}}",
        PID_RUN, PID_L2, PID_DRAM, PID_MMU);
    for (uint64_t i = 0; i < machine->gpu.sms; i++)
        fprintf(export->out,
                ",\n{\"ph\":\"M\",\"pid\":%" PRIu64
                ",\"name\":\"process_name\",\"args\":{\"name\":\"SM %" PRIu64 "\"}}",
                PID_SM + i, i);
    return STATUS_OK;
}

static void chrome_place(const struct timing_event *event, unsigned *pid, unsigned *tid)
{
    const enum event_part part = event_kinds[event->kind].part;
    const bool warp = event->slot != NO_SLOT;
    static const unsigned pids[EVENT_PARTS] = {
        [PART_GPU] = PID_RUN, [PART_L2] = PID_L2, [PART_MMU] = PID_MMU, [PART_DRAM] = PID_DRAM};
    *pid = pids[part];
    *tid = event->place;
    if (*pid)
        return;
    *pid = PID_SM + event->place;
    *tid = warp ? event->slot : TID_SM;
}

/* The letter of the Trace Event Format: b and e begin and end a span. */
static char chrome_phase(enum event_kind kind)
{
    switch (kind) {
    case EVENT_launch_start:
    case EVENT_block_start:
        return 'b';
    case EVENT_launch_end:
    case EVENT_block_end:
        return 'e';
    default:
        return 'X';
    }
}

static void chrome_span(struct event_export *export, const struct timing_event *event, char phase,
                        const char *name, uint64_t id)
{
    unsigned pid, tid;
    chrome_place(event, &pid, &tid);
    fprintf(export->out,
            ",\n{\"ph\":\"%c\",\"cat\":\"%s\",\"id\":%" PRIu64
            ",\"pid\":%u,\"tid\":%u,\"ts\":%" PRIu64 ",\"name\":\"%s\"}",
            phase, name, id, pid, tid, event->cycle, name);
}

static void chrome_put(struct event_export *export, const struct timing_event *event)
{
    const struct event_kind_row *kind = &event_kinds[event->kind];
    const char phase = chrome_phase(event->kind);
    unsigned pid, tid;
    if (phase != 'X') {
        chrome_span(export, event, phase, kind->subject == SUBJECT_BLOCK ? "block" : "launch",
                    event->address);
        return;
    }
    chrome_place(event, &pid, &tid);
    fprintf(export->out,
            ",\n{\"ph\":\"X\",\"cat\":\"%s\",\"pid\":%u,\"tid\":%u,\"ts\":%" PRIu64
            ",\"dur\":1,\"name\":\"%s\",\"args\":{\"pc\":\"0x%" PRIx32 "\"",
            event_parts[kind->part].name, pid, tid, event->cycle, kind->name, event->pc);
    if (kind->subject == SUBJECT_ADDRESS)
        fprintf(export->out, ",\"address\":\"0x%" PRIx64 "\",\"bytes\":%u", event->address,
                event->bytes);
    fputs("}}", export->out);
}

static enum status chrome_end(struct event_export *export)
{
    fputs("\n]}\n", export->out);
    return STATUS_OK;
}

const struct export_format export_format_chrome = {chrome_begin, chrome_put, chrome_end, NULL};
