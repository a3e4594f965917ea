/* Requests of a timed run for other simulators (part of report/runs/event_export.h): those to the
 * DRAMs for Ramulator (its DRAM traces: an address and R or W per line) and DRAMsim3 (address, READ
 * or WRITE, cycle of the DRAM's clock), those that caches take for Dinero IV, or as a .wtr trace of
 * one warp that makes one request after the other. Requests that a cache refuses come once, when it
 * takes them. */
#include <inttypes.h>
#include <stdlib.h>

#include "model/timing/base/packet.h"
#include "report/runs/event_export.h"
#include "trace/wtr_write.h"

static bool stores(const struct timing_event *event)
{
    return event->detail == PACKET_WRITE || event->detail == PACKET_WRITEBACK ||
           event->detail == PACKET_ATOMIC;
}

static enum status requests_begin(struct event_export *export)
{
    (void)export;
    return STATUS_OK;
}

static enum status requests_end(struct event_export *export)
{
    (void)export;
    return STATUS_OK;
}

/* ---- DRAMs ---- */

static void ramulator_put(struct event_export *export, const struct timing_event *event)
{
    if (event->kind == EVENT_dram_request)
        fprintf(export->out, "0x%" PRIx64 " %c\n", event->address, stores(event) ? 'W' : 'R');
}

static void dramsim3_put(struct event_export *export, const struct timing_event *event)
{
    const double ticks = (double)export->machine->dram.clock / (double)export->machine->gpu.clock;
    if (event->kind == EVENT_dram_request)
        fprintf(export->out, "0x%" PRIx64 " %s %" PRIu64 "\n", event->address,
                stores(event) ? "WRITE" : "READ", (uint64_t)((double)event->cycle * ticks));
}

const struct export_format export_format_ramulator = {requests_begin, ramulator_put, requests_end,
                                                      NULL};
const struct export_format export_format_dramsim3 = {requests_begin, dramsim3_put, requests_end,
                                                     NULL};

/* ---- caches: Dinero ---- */

static bool is_taken(const struct timing_event *event, enum event_kind hit, enum event_kind last)
{
    return event->kind >= hit && event->kind <= last;
}

static void din_put(struct event_export *export, const struct timing_event *event)
{
    const char label = event->detail == PACKET_FETCH ? 'i' : stores(event) ? 'w' : 'r';
    fprintf(export->out, "%c %" PRIx64 " %x\n", label, event->address, event->bytes);
}

static void l1d_din_put(struct event_export *export, const struct timing_event *event)
{
    if (is_taken(event, EVENT_l1d_hit, EVENT_l1d_sector_miss))
        din_put(export, event);
}

static void l2_din_put(struct event_export *export, const struct timing_event *event)
{
    if (is_taken(event, EVENT_l2_hit, EVENT_l2_sector_miss))
        din_put(export, event);
}

const struct export_format export_format_l1d_din = {requests_begin, l1d_din_put, requests_end,
                                                    NULL};
const struct export_format export_format_l2_din = {requests_begin, l2_din_put, requests_end, NULL};

/* ---- caches: .wtr ---- */

/* A request becomes an access of as many lanes as make it one request again. */
enum { LANE_BYTES = 4 };

static enum status wtr_begin(struct event_export *export)
{
    struct wtr_writer *writer = NULL;
    const struct trace_launch launch = {
        .name = (char *)(uintptr_t) "requests", .grid = {1, 1, 1}, .block = {WARP_SIZE, 1, 1}};
    enum status status =
        wtr_writer_create(fileno(export->out), export->file.path, &writer, export->diagnostics);
    export->state = writer;
    if (!status)
        status = wtr_begin_launch(writer, &launch);
    if (!status)
        status = wtr_begin_block(writer, 0);
    return status ? status : wtr_begin_warp(writer, 0);
}

static void wtr_put_event(struct event_export *export, const struct timing_event *event)
{
    const unsigned lanes = event->bytes > LANE_BYTES ? event->bytes / LANE_BYTES : 1;
    const struct warp_access access = {.base = event->address,
                                       .stride = LANE_BYTES,
                                       .mask = lanes < WARP_SIZE ? (1u << lanes) - 1 : UINT32_MAX,
                                       .pc = event->pc,
                                       .bytes =
                                           event->bytes < LANE_BYTES ? event->bytes : LANE_BYTES,
                                       .op = event->detail == PACKET_ATOMIC ? OP_ATOMIC
                                             : stores(event)                ? OP_STORE
                                                                            : OP_LOAD,
                                       .space = SPACE_GLOBAL};
    if (!export->status)
        export->status = wtr_put(export->state, &access, NULL);
}

static void l1d_wtr_put(struct event_export *export, const struct timing_event *event)
{
    if (is_taken(event, EVENT_l1d_hit, EVENT_l1d_sector_miss))
        wtr_put_event(export, event);
}

/* Instructions that the L2 serves are no accesses of a warp. */
static void l2_wtr_put(struct event_export *export, const struct timing_event *event)
{
    if (is_taken(event, EVENT_l2_hit, EVENT_l2_sector_miss) && event->detail != PACKET_FETCH)
        wtr_put_event(export, event);
}

static enum status wtr_end(struct event_export *export)
{
    enum status status = wtr_end_warp(export->state, 0);
    if (!status)
        status = wtr_end_block(export->state);
    return status ? status : wtr_finish(export->state);
}

static void wtr_drop(struct event_export *export)
{
    wtr_writer_free(export->state);
}

const struct export_format export_format_l1d_wtr = {wtr_begin, l1d_wtr_put, wtr_end, wtr_drop};
const struct export_format export_format_l2_wtr = {wtr_begin, l2_wtr_put, wtr_end, wtr_drop};
