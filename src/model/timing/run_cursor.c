#include "model/timing/run_cursor.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/timing/run_cursor_parts.h"

enum { COPY_LEAST = 1024 /* cycles between two copies, at first */ };

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

static uint64_t cycle_of(const struct run_cursor *cursor, const void *run)
{
    return cursor->kind->cycle(run);
}

static bool has_ended(const struct run_cursor *cursor, const void *run)
{
    return cursor->kind->end(run) != UINT64_MAX;
}

static enum status go_on(struct run_cursor *cursor, void *run, uint64_t cycle)
{
    return cursor->kind->advance(cursor, run, cycle, UINT64_MAX);
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
        cursor->kind->close(copy->run);
        cursor->copy_bytes -= copy->bytes;
    }
    cursor->copy_count = kept;
    cursor->apart *= 2;
}

static enum status keep_copy(struct run_cursor *cursor)
{
    struct cursor_copy copy = {.bytes = cursor->kind->bytes(cursor->head)};
    while (cursor->copy_count > 1 && cursor->copy_bytes + copy.bytes > cursor->memory)
        thin_copies(cursor);
    enum status status =
        array_reserve(&cursor->copies, &cursor->copy_capacity, cursor->copy_count + 1);
    if (!status)
        status = cursor->kind->copy(cursor, cursor->head, CURSOR_ONWARD, &copy.run);
    if (status)
        return status;
    cursor->copies[cursor->copy_count++] = copy;
    cursor->copy_bytes += copy.bytes;
    return STATUS_OK;
}

/* The cycle from which the next copy is to stand. */
static uint64_t copy_due(const struct run_cursor *cursor)
{
    return cycle_of(cursor, cursor->copies[cursor->copy_count - 1].run) + cursor->apart;
}

/* Takes the run on, so that it is near `cycle` or beyond it, or at its end. */
static enum status advance_head(struct run_cursor *cursor, uint64_t cycle)
{
    const uint32_t span = cursor->kind->span;
    enum status status = STATUS_OK;
    while (!status && !has_ended(cursor, cursor->head) &&
           cycle_of(cursor, cursor->head) + span <= cycle) {
        const uint64_t due = copy_due(cursor);
        if (cycle_of(cursor, cursor->head) >= due)
            status = keep_copy(cursor);
        else
            status = go_on(cursor, cursor->head, due < cycle - span + 1 ? due : cycle - span + 1);
    }
    return status;
}

/* The copy that stands last in front of a cycle. */
static const void *copy_before(const struct run_cursor *cursor, uint64_t cycle)
{
    size_t low = 0, high = cursor->copy_count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (cycle_of(cursor, cursor->copies[middle].run) <= cycle)
            low = middle;
        else
            high = middle;
    }
    return cursor->copies[low].run;
}

/* Whether spans from here lead to the one from which a cycle is looked at. */
static bool leads_to(const struct run_cursor *cursor, const void *run, uint64_t cycle)
{
    const uint64_t from = cycle_of(cursor, run);
    return !from || from + cursor->kind->span <= cycle;
}

/* Brings `near` to the end of the first span that is less than a whole one before `cycle`. Ends
 * of spans are the same from whichever copy the run goes on. */
static enum status bring_near(struct run_cursor *cursor, uint64_t cycle)
{
    const struct cursor_kind *kind = cursor->kind;
    const uint32_t span = kind->span;
    const void *from = copy_before(cursor, cycle > span ? cycle - span : 0), *near = cursor->near;
    enum status status = STATUS_OK;
    const bool there = near && kind->cycle(near) <= cycle && kind->cycle(near) + span > cycle &&
                       cursor->before_near + span <= cycle;
    if (there)
        return status;
    if (leads_to(cursor, cursor->head, cycle))
        from = cursor->head;
    if (!near || !leads_to(cursor, near, cycle) || kind->cycle(near) < kind->cycle(from)) {
        kind->close(cursor->near);
        cursor->near = NULL;
        status = kind->copy(cursor, from, CURSOR_NEAR, &cursor->near);
    }
    while (!status && !has_ended(cursor, cursor->near) &&
           kind->cycle(cursor->near) + span <= cycle) {
        const uint64_t most = cycle - span + 1;
        cursor->before_near = kind->cycle(cursor->near);
        const uint64_t next = cursor->before_near + kind->stride;
        status = go_on(cursor, cursor->near, next < most ? next : most);
    }
    return status;
}

/* ---- the window ---- */

/* Simulates up to `cycle` in spans of at most `most` cycles. */
static enum status advance_exactly(struct run_cursor *cursor, void *run, uint64_t cycle,
                                   uint64_t most)
{
    enum status status = STATUS_OK;
    while (!status && !has_ended(cursor, run) && cycle_of(cursor, run) < cycle) {
        const uint64_t from = cycle_of(cursor, run), left = cycle - from;
        status = cursor->kind->advance(cursor, run, from + 1, left < most ? left : most);
    }
    return status;
}

static void note_states(struct run_cursor *cursor, uint32_t column)
{
    for (uint32_t i = 0; i < cursor->units; i++)
        for (uint32_t slot = 0; slot < cursor->slots; slot++)
            cursor->states[((size_t)i * cursor->slots + slot) * CURSOR_COLUMNS + column] =
                cursor->kind->state(cursor->shown, i, slot);
}

/* What was done, as issuing an instruction, is known by the events. */
static void note_marks(struct run_cursor *cursor, uint64_t first)
{
    for (size_t i = 0; i < cursor->event_count; i++) {
        const struct timing_event *event = &cursor->events[i];
        const uint8_t mark = cursor->kind->mark(event);
        uint32_t unit, slot;
        if (mark && event->cycle >= first && event_row(event, &unit, &slot))
            cursor->states[((size_t)unit * cursor->slots + slot) * CURSOR_COLUMNS +
                           (event->cycle - first)] = mark;
    }
}

static enum status show(struct run_cursor *cursor, uint64_t cycle)
{
    const uint64_t first = cycle > CURSOR_COLUMNS ? cycle - CURSOR_COLUMNS : 0;
    cursor->kind->close(cursor->shown);
    cursor->shown = NULL;
    enum status status = cursor->kind->copy(cursor, cursor->near, CURSOR_WATCHED, &cursor->shown);
    if (!status)
        status = advance_exactly(cursor, cursor->shown, first, UINT64_MAX);
    cursor->event_count = 0;
    cursor->columns = 0;
    while (!status && !has_ended(cursor, cursor->shown) &&
           cycle_of(cursor, cursor->shown) < cycle) {
        status = advance_exactly(cursor, cursor->shown, cycle_of(cursor, cursor->shown) + 1, 1);
        note_states(cursor, cursor->columns++);
    }
    note_marks(cursor, first);
    cursor->cycle = status || !cursor->shown ? cursor->cycle : cycle_of(cursor, cursor->shown);
    cursor->ended = cursor->shown && has_ended(cursor, cursor->shown);
    return cursor->lost ? STATUS_MEMORY : status;
}

static enum status cursor_go(struct run_cursor *cursor, uint64_t cycle)
{
    enum status status = advance_head(cursor, cycle);
    for (bool again = true; !status && again;) {
        const uint64_t end = cursor->kind->end(cursor->head);
        cycle = end < cycle ? end : cycle;
        status = bring_near(cursor, cycle > CURSOR_COLUMNS ? cycle - CURSOR_COLUMNS : 0);
        if (!status)
            status = show(cursor, cycle);
        again = !status && cursor->kind->end(cursor->shown) < cycle;
        if (again) /* the run ends on the way */
            cycle = cursor->kind->end(cursor->shown);
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
    const uint64_t come = cycle_of(cursor, cursor->head) + cursor->kind->span + CURSOR_COLUMNS;
    const atomic_bool *cancel = cursor->evaluate.cancel;
    cursor->evaluate.cancel = NULL;
    const enum status status = cursor_go(cursor, come < cursor->wanted ? come : cursor->wanted);
    cursor->evaluate.cancel = cancel;
    return status;
}

/* ---- events ---- */

bool cursor_wishes(const struct cursor_wish *wish, const struct timing_event *event)
{
    uint32_t sm, slot;
    const bool in = event_row(event, &sm, &slot);
    const bool address = event_kinds[event->kind].subject == SUBJECT_ADDRESS;
    return wish->kinds >> event->kind & 1 && (wish->sm == CURSOR_ANY || (in && sm == wish->sm)) &&
           (wish->slot == CURSOR_ANY || (in && slot == wish->slot)) &&
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

/* Simulates a span, or so, and counts what is wished for in it. */
static enum status search_span(struct run_cursor *cursor, void *run, struct event_search *search)
{
    cursor->event_count = 0;
    const enum status status = go_on(cursor, run, cycle_of(cursor, run) + cursor->kind->stride);
    const uint64_t end = cursor->kind->outlasts ? cursor->kind->end(run) : UINT64_MAX;
    for (size_t i = 0; i < cursor->event_count; i++) {
        const struct timing_event *one = &cursor->events[i];
        const bool after = one->cycle >= end && event_kinds[one->kind].part != PART_GPU;
        bool instead;
        if (after || !search_takes(search, one, &instead))
            continue;
        search->newest = *one;
        search->count += !instead;
    }
    return cursor->lost ? STATUS_MEMORY : status;
}

/* Looks through the cycles that a search names, from where `run` stands. */
static enum status look_through(struct run_cursor *cursor, void *run, struct event_search *search)
{
    enum status status = STATUS_OK;
    while (!status && !has_ended(cursor, run) && cycle_of(cursor, run) < search->end &&
           search->count < search->most)
        status = search_span(cursor, run, search);
    return status;
}

/* The run need not be simulated again as far as a search has come. */
static enum status lead_head(struct run_cursor *cursor, const void *run)
{
    void *copy;
    const enum status status = cursor->kind->copy(cursor, run, CURSOR_ONWARD, &copy);
    if (status)
        return status;
    cursor->kind->close(cursor->head);
    cursor->head = copy;
    return cycle_of(cursor, copy) >= copy_due(cursor) ? keep_copy(cursor) : STATUS_OK;
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
    const struct cursor_kind *kind = cursor->kind;
    void *run = NULL;
    enum status status = STATUS_OK;
    cursor->wanted = UINT64_MAX;
    if (!cursor->ended)
        status = kind->copy(cursor, cursor->near, CURSOR_WATCHED, &run);
    while (!status && run && !has_ended(cursor, run) && search.count < search.most) {
        const uint64_t head = kind->cycle(cursor->head);
        status = search_span(cursor, run, &search);
        if ((!status || status == STATUS_CANCELLED) &&
            kind->cycle(run) >= head + (status ? 1 : cursor->apart)) {
            const enum status led = lead_head(cursor, run);
            status = led ? led : status;
        }
    }
    kind->close(run);
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
        const void *from = copy_before(cursor, end - 1);
        for (int again = 0; !status && again < 2; again++) {
            void *run = NULL;
            const uint64_t most = again ? search.count - left + 1 : UINT64_MAX;
            search = (struct event_search){.wish = wish,
                                           .begin = cycle_of(cursor, from),
                                           .end = end,
                                           .most = most,
                                           .last = true};
            status = cursor->kind->copy(cursor, from, CURSOR_WATCHED, &run);
            if (!status)
                status = look_through(cursor, run, &search);
            cursor->kind->close(run);
            there = search.count >= left || again;
            if (!there || left == 1)
                break;
        }
        left -= there ? 0 : search.count;
        end = cycle_of(cursor, from);
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
    *cursor = (struct run_cursor){.kind = source->tiles ? &cursor_tiles : &cursor_sms,
                                  .machine = machine,
                                  .source = source,
                                  .evaluate = *evaluate,
                                  .diagnostics = diagnostics,
                                  .memory = memory,
                                  .apart = COPY_LEAST,
                                  .watch = {cursor_put, cursor}};
    enum status status = cursor->kind->open(cursor);
    if (!status) {
        cursor->states = calloc((size_t)cursor->units * cursor->slots, CURSOR_COLUMNS);
        status = cursor->states ? keep_copy(cursor) : STATUS_MEMORY;
    }
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
        cursor->kind->close(cursor->copies[i].run);
    cursor->kind->close(cursor->near);
    cursor->kind->close(cursor->shown);
    cursor->kind->close(cursor->head);
    tile_feed_close(&cursor->feed);
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
    return cursor->source->tiles ? NULL : cursor->shown;
}

const struct tile_run *run_cursor_tiles(const struct run_cursor *cursor)
{
    return cursor->source->tiles ? cursor->shown : NULL;
}

const struct tile_stream *run_cursor_scene(const struct run_cursor *cursor)
{
    return cursor->source->tiles;
}

uint64_t run_cursor_kinds(const struct run_cursor *cursor)
{
    uint64_t kinds = 0;
    for (unsigned i = 0; i < EVENT_KINDS; i++)
        if (event_places(cursor->machine, event_kinds[i].part))
            kinds |= UINT64_C(1) << i;
    return kinds;
}

struct cursor_window run_cursor_window(const struct run_cursor *cursor)
{
    return (struct cursor_window){.first = cursor->cycle - cursor->columns,
                                  .columns = cursor->columns,
                                  .sms = cursor->units,
                                  .slots = cursor->slots,
                                  .states = cursor->states,
                                  .state_rows = cursor->kind->states,
                                  .state_count = cursor->kind->state_count,
                                  .events = cursor->events,
                                  .event_count = cursor->event_count};
}

size_t run_cursor_copies(const struct run_cursor *cursor, size_t *bytes)
{
    *bytes = cursor->copy_bytes;
    return cursor->copy_count;
}
