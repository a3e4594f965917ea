#include "model/timing/gpu_parts.h"
#include "model/timing/run_cursor_parts.h"

/* The most warps that an SM holds. */
static uint32_t most_slots(const struct machine *machine)
{
    return (uint32_t)machine->gpu.max_threads / WARP_SIZE;
}

/* Spans of a cycle are too short to be shared by threads. */
static enum status sms_open(struct run_cursor *cursor)
{
    const struct evaluate_options *evaluate = &cursor->evaluate;
    struct gpu_options *uses = cursor->uses;
    struct gpu *gpu = NULL;
    cursor->units = (uint32_t)cursor->machine->gpu.sms;
    cursor->slots = most_slots(cursor->machine);
    for (int use = CURSOR_ONWARD; use <= CURSOR_WATCHED; use++)
        uses[use] = (struct gpu_options){.threads = 1, .evaluate = evaluate};
    uses[CURSOR_ONWARD].threads = evaluate->threads > 1 ? (uint32_t)evaluate->threads : 1;
    uses[CURSOR_WATCHED].events = &cursor->watch;
    const enum status status =
        gpu_open(cursor->machine, cursor->source, &uses[CURSOR_ONWARD], cursor->diagnostics, &gpu);
    cursor->head = gpu;
    return status;
}

static enum status sms_copy(struct run_cursor *cursor, const void *from, enum cursor_use use,
                            void **run)
{
    struct gpu *gpu = NULL;
    const enum status status = gpu_copy(from, &cursor->uses[use], &gpu);
    *run = gpu;
    return status;
}

static void sms_close(void *run)
{
    gpu_close(run);
}

static enum status sms_advance(struct run_cursor *cursor, void *run, uint64_t cycle, uint64_t most)
{
    cursor->uses[CURSOR_WATCHED].span = most < SPAN_MAX ? (uint32_t)most : 0;
    return gpu_advance(run, cycle);
}

static uint64_t sms_cycle(const void *run)
{
    return gpu_cycle(run);
}

static uint64_t sms_end(const void *run)
{
    const struct gpu *gpu = run;
    return gpu_ended(gpu) ? gpu->ended : UINT64_MAX;
}

static size_t sms_bytes(const void *run)
{
    return gpu_bytes(run);
}

static uint8_t sms_state(const void *run, uint32_t unit, uint32_t slot)
{
    return (uint8_t)warp_state_of(run, unit, slot);
}

static uint8_t sms_mark(const struct timing_event *event)
{
    return event->kind == EVENT_issue ? WARP_issued : 0;
}

const struct cursor_kind cursor_sms = {.states = warp_states,
                                       .state_count = WARP_STATES,
                                       .span = SPAN_MAX,
                                       .stride = 1,
                                       .outlasts = true,
                                       .open = sms_open,
                                       .copy = sms_copy,
                                       .close = sms_close,
                                       .advance = sms_advance,
                                       .cycle = sms_cycle,
                                       .end = sms_end,
                                       .bytes = sms_bytes,
                                       .state = sms_state,
                                       .mark = sms_mark};
