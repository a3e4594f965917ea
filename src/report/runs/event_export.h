/* Files that other programs read of what happens in a timed run
 * (model/timing/base/timing_events.h): timelines, waveforms, and the requests that caches and DRAMs
 * get. docs/FORMATS.md has the formats.
 *
 * A format is a row of EXPORT_LIST with three functions in the source that its row names. Files are
 * there as a whole or not at all (base/output_file.h). Cost: nothing is kept but what a format
 * says. */
#pragma once

#include "base/output_file.h"
#include "model/timing/base/timing_events.h"
#include "schema/machine.h"
#include "trace/stream.h"

/* X(id, name, scenes, help): `scenes`: it is made of scenes on tile caches, too. The functions are
 * in event_chrome.c, event_vcd.c and event_requests.c. */
#define EXPORT_LIST(X)                                                                             \
    X(chrome, "chrome", false, "timeline in the Trace Event Format: Perfetto, chrome://tracing")   \
    X(vcd, "vcd", true, "waveforms as a Value Change Dump (IEEE 1364): GTKWave")                   \
    X(ramulator, "ramulator", false, "requests to the DRAMs: lines 0xADDRESS R or W")              \
    X(dramsim3, "dramsim3", false, "requests to the DRAMs: lines 0xADDRESS READ or WRITE CYCLE")   \
    X(l1d_din, "l1d.din", false, "requests that the L1Ds take, for Dinero IV")                     \
    X(l2_din, "l2.din", false, "requests that the L2 takes, for Dinero IV")                        \
    X(l1d_wtr, "l1d.wtr", false, "requests that the L1Ds take, as a trace of Warpscape")           \
    X(l2_wtr, "l2.wtr", false, "requests that the L2 takes, as a trace of Warpscape")

struct event_export { /* one file */
    const struct export_format *format;
    struct output_file file;
    FILE *out;
    const struct machine *machine;
    const struct trace_source *source;
    struct diagnostics *diagnostics;
    void *state; /* the format's */
    enum status status;
};

struct export_format {
    enum status (*begin)(struct event_export *export);
    void (*put)(struct event_export *export, const struct timing_event *event);
    enum status (*end)(struct event_export *export);
    void (*drop)(struct event_export *export); /* frees `state`; NULL: there is none */
};

#define EXPORT_DECLARATION(id, name, scenes, help)                                                 \
    extern const struct export_format export_format_##id;
EXPORT_LIST(EXPORT_DECLARATION)
#undef EXPORT_DECLARATION

struct event_exports {
    struct event_export *items;
    size_t count;
    struct event_watch watch;
};

/* Opens a file for each wish FORMAT=FILE; `replace`: one that is there may be. STATUS_INVALID with
 * the nearest name, and what output_file_open says. */
enum status event_exports_open(struct event_exports *exports, const char *const *wishes,
                               size_t count, bool replace, const struct machine *machine,
                               const struct trace_source *source, struct diagnostics *diagnostics);
/* Ends the files of a run that went well, and forgets those of another. Returns `status`, or the
 * first failure. */
enum status event_exports_close(struct event_exports *exports, enum status status,
                                struct diagnostics *diagnostics);
/* Prints the formats. */
void event_exports_list(FILE *out);
