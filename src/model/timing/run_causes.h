/* What the cycles of a timed run were, along its critical path: of each launch the chain of causes
 * (causes.h) from its end back to its start, or from one event back; and all that had to happen
 * before an event, its cone.
 *
 * Invariant: the cycles by use, and those by instruction, add up to the cycles of the launches, or
 * to those from the start of its launch to the event. Cost: the run, watched, and the events of
 * one launch at a time. */
#pragma once

#include "model/evaluate_options.h"
#include "model/timing/causes.h"
#include "model/timing/run_cursor.h"

enum { CAUSES_ALL = UINT32_MAX, CAUSES_MEMORY = 1 << 30 };

struct causes_wish {
    uint32_t launch; /* this one alone; CAUSES_ALL */
    /* `any`: the path and the cone of the `times`-th event from cycle `from` on that is wanted,
     * instead of those of ends of launches. */
    bool any;
    struct cursor_wish event;
    uint64_t from, times;
    size_t memory; /* bytes for the events of a launch */
    size_t each;   /* as in struct causes; CAUSES_ALL: none are dropped */
    /* Called with each launch when it has ended, or with what was watched of it; may be NULL. */
    void (*look)(void *context, uint32_t launch, const struct causes *causes);
    void *context;
};

struct causes_step { /* of a path, in the order of time */
    struct timing_event event;
    uint8_t link;    /* to the step before; LINK_NOTHING of the first */
    bool rival;      /* the event has other causes, */
    uint64_t ahead;  /* ... and the last came so many cycles after the one before it */
    uint64_t cycles; /* since the step before */
};

struct causes_code {               /* an instruction on the paths */
    const struct trace_code *code; /* NULL: no instruction */
    uint32_t pc;
    uint64_t cycles, uses[CAUSE_USES];
};

struct run_causes {
    uint64_t cycles, uses[CAUSE_USES];
    uint64_t counts[CAUSE_USES]; /* links whose cycles were for it */
    struct causes_code *codes;   /* most cycles first */
    size_t code_count, code_capacity;
    uint32_t launch; /* that of the path: the longest */
    struct causes_step *steps;
    size_t step_count, step_capacity;
    bool again;          /* the path went through what was dropped: a second run kept all events */
    bool found;          /* the event that was wanted */
    size_t cone, events; /* before the last step, of all up to it */
    size_t cone_parts[EVENT_PARTS], event_parts[EVENT_PARTS];
    size_t cone_warps, cone_sms;
};

/* `evaluate` says how many threads the run has, its ideals, and how it is stopped and reports.
 * STATUS_UNSUPPORTED: the events of a launch do not fit into `memory`; and what gpu_run says. */
enum status run_causes_find(const struct machine *machine, const struct trace_source *source,
                            const struct evaluate_options *evaluate, const struct causes_wish *wish,
                            struct run_causes *run, struct diagnostics *diagnostics);
void run_causes_free(struct run_causes *run);

/* Sets inside[i] for all events that had to happen before those for which it is set. */
void causes_cone(const struct causes *causes, bool *inside);
