#include "model/timing/run_cursor.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/timing/gpu_parts.h"

enum { COPY_LEAST = 1024 /* cycles between two copies, at first */ };

struct cursor_copy {
    struct gpu *gpu;
    size_t bytes;
};

struct run_cursor {
    struct evaluate_options evaluate;
    size_t memory;
    struct gpu_options plain, single, watched; /* of the run, of `near`, and of what is looked at */
    struct event_watch watch;
    struct gpu *head;           /* the run, as far as it has come */
    struct cursor_copy *copies; /* in the order of their cycles, the first in front of cycle 0 */
    size_t copy_count, copy_capacity, copy_bytes;
    uint64_t apart;       /* cycles between two copies */
    struct gpu *near;     /* at the end of a span, not far before the cursor; */
    uint64_t before_near; /* ... where the span before that one ended */
    struct gpu *shown;    /* where the cursor is */
    uint64_t cycle;
    uint64_t wanted; /* where it is on its way to */
    bool ended;
    uint32_t slots, columns;
    uint8_t *states;
    struct timing_event *events; /* of the window, or what a search has found */
    size_t event_count, event_capacity;
    bool lost; /* no memory for an event */
};

static void cursor_put(void *context, const struct timing_event *events, size_t count)
{
    struct run_cursor *cursor = context;
    if (cursor->lost ||
        array_reserve(&cursor->events, &cursor->event_capacity, cursor->event_count + count)) {
        cursor->lost = true;
        return;
    }
    memcpy(cursor->events + cursor->event_count, events, count * sizeof *events);
    cursor->event_count += count;
}

/* The most warps that an SM holds. */
static uint32_t most_slots(const struct machine *machine)
{
    return (uint32_t)machine->gpu.max_threads / WARP_SIZE;
}

/* ---- copies ---- */

/* Every second copy goes, the first one stays. */
static void thin_copies(struct run_cursor *cursor)
{
    size_t kept = 0;
    for (size_t i = 0; i < cursor->copy_count; i++) {
        struct cursor_copy *copy = &cursor->copies[i];
        if (i % 2 == 0) {
            cursor->copies[kept++] = *copy;
            continue;
        }
        gpu_close(copy->gpu);
        cursor->copy_bytes -= copy->bytes;
    }
    cursor->copy_count = kept;
    cursor->apart *= 2;
}

static enum status keep_copy(struct run_cursor *cursor)
{
    struct cursor_copy copy = {.bytes = gpu_bytes(cursor->head)};
    while (cursor->copy_count > 1 && cursor->copy_bytes + copy.bytes > cursor->memory)
        thin_copies(cursor);
    enum status status =
        array_reserve(&cursor->copies, &cursor->copy_capacity, cursor->copy_count + 1);
    if (!status)
        status = gpu_copy(cursor->head, &cursor->plain, &copy.gpu);
    if (status)
        return status;
    cursor->copies[cursor->copy_count++] = copy;
    cursor->copy_bytes += copy.bytes;
    return STATUS_OK;
}

/* Takes the run on, so that it is near `cycle` or beyond it, or at its end. */
static enum status advance_head(struct run_cursor *cursor, uint64_t cycle)
{
    enum status status = STATUS_OK;
    while (!status && !gpu_ended(cursor->head) && gpu_cycle(cursor->head) + SPAN_MAX <= cycle) {
        const uint64_t last = gpu_cycle(cursor->copies[cursor->copy_count - 1].gpu);
        const uint64_t due = last + cursor->apart;
        if (gpu_cycle(cursor->head) >= due)
            status = keep_copy(cursor);
        else
            status =
                gpu_advance(cursor->head, due < cycle - SPAN_MAX + 1 ? due : cycle - SPAN_MAX + 1);
    }
    return status;
}

/* The copy that stands last in front of a cycle. */
static const struct gpu *copy_before(const struct run_cursor *cursor, uint64_t cycle)
{
    size_t low = 0, high = cursor->copy_count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (gpu_cycle(cursor->copies[middle].gpu) <= cycle)
            low = middle;
        else
            high = middle;
    }
    return cursor->copies[low].gpu;
}

/* Whether spans from here lead to the one from which a cycle is looked at. */
static bool leads_to(const struct gpu *gpu, uint64_t cycle)
{
    return !gpu_cycle(gpu) || gpu_cycle(gpu) + SPAN_MAX <= cycle;
}

/* Brings `near` to the end of the first span that is less than SPAN_MAX cycles before `cycle`. Ends
 * of spans are the same from whichever copy the run goes on. */
static enum status bring_near(struct run_cursor *cursor, uint64_t cycle)
{
    const struct gpu *from = copy_before(cursor, cycle > SPAN_MAX ? cycle - SPAN_MAX : 0);
    const struct gpu *near = cursor->near;
    enum status status = STATUS_OK;
    const bool there = near && gpu_cycle(near) <= cycle && gpu_cycle(near) + SPAN_MAX > cycle &&
                       cursor->before_near + SPAN_MAX <= cycle;
    if (there)
        return status;
    if (leads_to(cursor->head, cycle))
        from = cursor->head;
    if (!near || !leads_to(near, cycle) || gpu_cycle(near) < gpu_cycle(from)) {
        gpu_close(cursor->near);
        cursor->near = NULL;
        status = gpu_copy(from, &cursor->single, &cursor->near);
    }
    while (!status && !gpu_ended(cursor->near) && gpu_cycle(cursor->near) + SPAN_MAX <= cycle) {
        cursor->before_near = gpu_cycle(cursor->near);
        status = gpu_advance(cursor->near, cursor->before_near + 1);
    }
    return status;
}

/* ---- the window ---- */

/* Simulates up to `cycle` in spans of at most `most` cycles. */
static enum status advance_exactly(struct run_cursor *cursor, struct gpu *gpu, uint64_t cycle,
                                   uint64_t most)
{
    enum status status = STATUS_OK;
    while (!status && !gpu_ended(gpu) && gpu_cycle(gpu) < cycle) {
        const uint64_t left = cycle - gpu_cycle(gpu);
        cursor->watched.span = (uint32_t)(left < most ? left : most);
        status = gpu_advance(gpu, gpu_cycle(gpu) + 1);
    }
    return status;
}

static void note_states(struct run_cursor *cursor, uint32_t column)
{
    const struct gpu *gpu = cursor->shown;
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        for (uint32_t slot = 0; slot < cursor->slots; slot++)
            cursor->states[((size_t)i * cursor->slots + slot) * CURSOR_COLUMNS + column] =
                (uint8_t)warp_state_of(gpu, i, slot);
}

/* What issued is known by the events. */
static void note_issues(struct run_cursor *cursor, uint64_t first)
{
    for (size_t i = 0; i < cursor->event_count; i++) {
        const struct timing_event *event = &cursor->events[i];
        if (event->kind == EVENT_issue && event->cycle >= first)
            cursor->states[((size_t)event->place * cursor->slots + event->slot) * CURSOR_COLUMNS +
                           (event->cycle - first)] = WARP_issued;
    }
}

static enum status show(struct run_cursor *cursor, uint64_t cycle)
{
    const uint64_t first = cycle > CURSOR_COLUMNS ? cycle - CURSOR_COLUMNS : 0;
    gpu_close(cursor->shown);
    cursor->shown = NULL;
    enum status status = gpu_copy(cursor->near, &cursor->watched, &cursor->shown);
    if (!status)
        status = advance_exactly(cursor, cursor->shown, first, SPAN_MAX);
    cursor->event_count = 0;
    cursor->columns = 0;
    while (!status && !gpu_ended(cursor->shown) && gpu_cycle(cursor->shown) < cycle) {
        status = advance_exactly(cursor, cursor->shown, gpu_cycle(cursor->shown) + 1, 1);
        note_states(cursor, cursor->columns++);
    }
    note_issues(cursor, first);
    cursor->cycle = status ? cursor->cycle : gpu_cycle(cursor->shown);
    cursor->ended = gpu_ended(cursor->shown);
    return cursor->lost ? STATUS_MEMORY : status;
}

static enum status cursor_go(struct run_cursor *cursor, uint64_t cycle)
{
    enum status status = advance_head(cursor, cycle);
    for (bool again = true; !status && again;) {
        if (gpu_ended(cursor->head) && cursor->head->ended < cycle)
            cycle = cursor->head->ended;
        status = bring_near(cursor, cycle > CURSOR_COLUMNS ? cycle - CURSOR_COLUMNS : 0);
        if (!status)
            status = show(cursor, cycle);
        again = !status && cursor->ended && cursor->shown->ended < cycle;
        if (again) /* the run ends on the way */
            cycle = cursor->shown->ended;
    }
    return status;
}

enum status run_cursor_go(struct run_cursor *cursor, uint64_t cycle)
{
    cursor->wanted = cycle;
    return cursor_go(cursor, cycle);
}

/* From this far behind the head the way does not lead over a copy. */
enum status run_cursor_settle(struct run_cursor *cursor)
{
    const uint64_t come = gpu_cycle(cursor->head) + SPAN_MAX + CURSOR_COLUMNS;
    const atomic_bool *cancel = cursor->evaluate.cancel;
    cursor->evaluate.cancel = NULL;
    const enum status status = cursor_go(cursor, come < cursor->wanted ? come : cursor->wanted);
    cursor->evaluate.cancel = cancel;
    return status;
}

/* ---- events ---- */

bool cursor_wishes(const struct cursor_wish *wish, const struct timing_event *event)
{
    const bool sm = event_in_sm(event);
    const bool address = event_kinds[event->kind].subject == SUBJECT_ADDRESS;
    return wish->kinds >> event->kind & 1 &&
           (wish->sm == CURSOR_ANY || (sm && event->place == wish->sm)) &&
           (wish->slot == CURSOR_ANY || (sm && event->slot == wish->slot)) &&
           (!wish->touching ||
            (address && wish->address - event->address < (event->bytes ? event->bytes : 1u)));
}
_Static_assert(EVENT_KINDS <= 64, "kinds are bits");

struct event_search {
    const struct cursor_wish *wish;
    uint64_t begin, end;        /* only events of these cycles */
    uint64_t most;              /* of them are looked for */
    bool last;                  /* of what happens in one cycle the last, else the first */
    uint64_t count;             /* found so far */
    struct timing_event newest; /* of those */
};

/* Whether an event counts, or (*instead) stands for one of its cycle that did. */
static bool search_takes(const struct event_search *search, const struct timing_event *one,
                         bool *instead)
{
    const bool again = search->count && !search->wish->each && one->cycle == search->newest.cycle;
    *instead = again && search->last;
    return one->cycle >= search->begin && one->cycle < search->end &&
           cursor_wishes(search->wish, one) &&
           (again ? search->last : search->count < search->most);
}

/* Simulates a span and counts what is wished for in it. */
static enum status search_span(struct run_cursor *cursor, struct gpu *gpu,
                               struct event_search *search)
{
    cursor->event_count = 0;
    cursor->watched.span = 0;
    const enum status status = gpu_advance(gpu, gpu_cycle(gpu) + 1);
    for (size_t i = 0; i < cursor->event_count; i++) {
        const struct timing_event *one = &cursor->events[i];
        const bool after =
            gpu_ended(gpu) && one->cycle >= gpu->ended && event_kinds[one->kind].part != PART_GPU;
        bool instead;
        if (after || !search_takes(search, one, &instead))
            continue;
        search->newest = *one;
        search->count += !instead;
    }
    return cursor->lost ? STATUS_MEMORY : status;
}

/* Looks through the cycles that a search names, from where `gpu` stands. */
static enum status look_through(struct run_cursor *cursor, struct gpu *gpu,
                                struct event_search *search)
{
    enum status status = STATUS_OK;
    while (!status && !gpu_ended(gpu) && gpu_cycle(gpu) < search->end &&
           search->count < search->most)
        status = search_span(cursor, gpu, search);
    return status;
}

/* The run need not be simulated again as far as a search has come. */
static enum status lead_head(struct run_cursor *cursor, const struct gpu *gpu)
{
    struct gpu *copy;
    const enum status status = gpu_copy(gpu, &cursor->plain, &copy);
    if (status)
        return status;
    gpu_close(cursor->head);
    cursor->head = copy;
    const uint64_t last = gpu_cycle(cursor->copies[cursor->copy_count - 1].gpu);
    return gpu_cycle(copy) >= last + cursor->apart ? keep_copy(cursor) : STATUS_OK;
}

static uint64_t times_of(const struct cursor_wish *wish)
{
    return wish->times ? wish->times : 1;
}

/* Goes to what was found, or back to where the cursor was. What was cancelled does neither. */
static enum status go_to_event(struct run_cursor *cursor, enum status status, uint64_t back,
                               const struct event_search *search, struct timing_event *event,
                               bool *found)
{
    *found = !status && search->count == search->most;
    if (status == STATUS_CANCELLED)
        return status;
    if (search->count)
        *event = search->newest;
    const enum status went = run_cursor_go(cursor, *found ? search->newest.cycle + 1 : back);
    return status ? status : went;
}

enum status run_cursor_next(struct run_cursor *cursor, const struct cursor_wish *wish,
                            struct timing_event *event, bool *found)
{
    struct event_search search = {
        .wish = wish, .begin = cursor->cycle, .end = UINT64_MAX, .most = times_of(wish)};
    struct gpu *gpu = NULL;
    enum status status = STATUS_OK;
    cursor->wanted = UINT64_MAX;
    if (!cursor->ended)
        status = gpu_copy(cursor->near, &cursor->watched, &gpu);
    while (!status && gpu && !gpu_ended(gpu) && search.count < search.most) {
        const uint64_t head = gpu_cycle(cursor->head);
        status = search_span(cursor, gpu, &search);
        if ((!status || status == STATUS_CANCELLED) &&
            gpu_cycle(gpu) >= head + (status ? 1 : cursor->apart)) {
            const enum status led = lead_head(cursor, gpu);
            status = led ? led : status;
        }
    }
    gpu_close(gpu);
    return go_to_event(cursor, status, search.begin, &search, event, found);
}

/* The last cycle of the window is where the event before was found, so the search begins before
 * that. From each copy to the next what is wished for is counted, and where there is enough of it
 * looked for once more. */
enum status run_cursor_previous(struct run_cursor *cursor, const struct cursor_wish *wish,
                                struct timing_event *event, bool *found)
{
    const uint64_t back = cursor->cycle;
    uint64_t end = back ? back - 1 : 0, left = times_of(wish);
    struct event_search search = {.wish = wish, .most = left};
    enum status status = STATUS_OK;
    cursor->wanted = back;
    for (bool there = false; !status && !there && end;) {
        const struct gpu *from = copy_before(cursor, end - 1);
        for (int again = 0; !status && again < 2; again++) {
            struct gpu *gpu = NULL;
            const uint64_t most = again ? search.count - left + 1 : UINT64_MAX;
            search = (struct event_search){
                .wish = wish, .begin = gpu_cycle(from), .end = end, .most = most, .last = true};
            status = gpu_copy(from, &cursor->watched, &gpu);
            if (!status)
                status = look_through(cursor, gpu, &search);
            gpu_close(gpu);
            there = search.count >= left || again;
            if (!there || left == 1)
                break;
        }
        left -= there ? 0 : search.count;
        end = gpu_cycle(from);
        search.most = there ? search.count : search.count + 1;
    }
    return go_to_event(cursor, status, back, &search, event, found);
}

/* ---- its life ---- */

enum status run_cursor_open(const struct machine *machine, const struct trace_source *source,
                            const struct evaluate_options *evaluate, size_t memory,
                            struct diagnostics *diagnostics, struct run_cursor **opened)
{
    struct run_cursor *cursor = *opened = calloc(1, sizeof *cursor);
    if (!cursor)
        return STATUS_MEMORY;
    cursor->evaluate = *evaluate;
    cursor->memory = memory;
    cursor->apart = COPY_LEAST;
    cursor->slots = most_slots(machine);
    cursor->watch = (struct event_watch){cursor_put, cursor};
    cursor->plain =
        (struct gpu_options){.threads = evaluate->threads > 1 ? (uint32_t)evaluate->threads : 1,
                             .evaluate = &cursor->evaluate};
    cursor->single = cursor->plain; /* spans of a cycle are too short to be shared */
    cursor->single.threads = 1;
    cursor->watched = cursor->single;
    cursor->watched.events = &cursor->watch;
    cursor->states = calloc((size_t)machine->gpu.sms * cursor->slots, CURSOR_COLUMNS);
    enum status status = cursor->states ? STATUS_OK : STATUS_MEMORY;
    if (!status)
        status = gpu_open(machine, source, &cursor->plain, diagnostics, &cursor->head);
    if (!status)
        status = keep_copy(cursor);
    if (!status)
        status = run_cursor_go(cursor, 0);
    if (status) {
        run_cursor_close(cursor);
        *opened = NULL;
    }
    return status;
}

void run_cursor_close(struct run_cursor *cursor)
{
    if (!cursor)
        return;
    for (size_t i = 0; i < cursor->copy_count; i++)
        gpu_close(cursor->copies[i].gpu);
    gpu_close(cursor->near);
    gpu_close(cursor->shown);
    gpu_close(cursor->head);
    free(cursor->copies);
    free(cursor->states);
    free(cursor->events);
    free(cursor);
}

uint64_t run_cursor_cycle(const struct run_cursor *cursor)
{
    return cursor->cycle;
}

bool run_cursor_ended(const struct run_cursor *cursor)
{
    return cursor->ended;
}

const struct gpu *run_cursor_gpu(const struct run_cursor *cursor)
{
    return cursor->shown;
}

struct cursor_window run_cursor_window(const struct run_cursor *cursor)
{
    return (struct cursor_window){.first = cursor->cycle - cursor->columns,
                                  .columns = cursor->columns,
                                  .sms = cursor->shown->sm_count,
                                  .slots = cursor->slots,
                                  .states = cursor->states,
                                  .events = cursor->events,
                                  .event_count = cursor->event_count};
}

size_t run_cursor_copies(const struct run_cursor *cursor, size_t *bytes)
{
    *bytes = cursor->copy_bytes;
    return cursor->copy_count;
}
