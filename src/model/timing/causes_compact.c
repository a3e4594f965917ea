#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "model/timing/causes_notes.h"

/* Where no cone is wanted, events that no path of a later event goes through leave the list
 * whenever it has doubled. What is left keeps its order, and gets new numbers.
 *
 * Whatever is noted stays, and what is on its paths, unless it is so old that something newer will
 * come later than it does: then its time alone is noted. Should a path come to such an event all
 * the same (about 1 of 100 random programs, where lists are compacted every few events), it ends
 * there, and run_causes.c finds it again with all events. */

enum { COMPACTED_LEAST = 1 << 16, NOTES_EACH_EVENT = 8 };

/* The mark of an event, until moved[] has its new number, or its time: it goes; a path may go
 * through it. */
enum { MARK_GONE, MARK_PATH };

/* ---- instructions that are over, and lists of their requests ---- */

/* Whether nothing is told of an instruction any more. One that may be in the latch of the
 * load/store unit may be told to be done once more. */
static bool is_over(const struct causes *causes, const struct sm_note *sm, uint32_t order)
{
    const struct op_note *op = &sm->ops[order - sm->first_order];
    if (sm->request != NO_CAUSE && causes->events[sm->request].id == order)
        return false;
    if (op->done || !op->writes)
        return op->done;
    const struct listed_note *request = causes_listed(causes, op->requests);
    for (; request; request = causes_listed(causes, request->before))
        if (request->answer == NO_CAUSE)
            return false;
    return true;
}

static void need_stores(struct sm_note *sm, const struct warp_note *warp)
{
    struct op_note *store = causes_op(sm, warp->store);
    for (; store; store = causes_op(sm, store->last_store))
        store->needed = true;
}

/* Forgets what is noted of warps of blocks that ended, and finds the instructions that are needed.
 * Returns the oldest issue of one that goes on, or whose warp does. */
static uint32_t find_needed(const struct causes *causes, struct sm_note *sm)
{
    uint32_t oldest = NO_CAUSE;
    for (uint32_t i = 0; i < sm->op_count; i++) {
        sm->ops[i].needed = !is_over(causes, sm, sm->first_order + i);
        if (sm->ops[i].needed && sm->ops[i].issue < oldest)
            oldest = sm->ops[i].issue;
    }
    for (uint32_t i = 0; i < sm->warp_count; i++) {
        struct warp_note *warp = &sm->warps[i];
        if (warp->start == NO_CAUSE)
            continue;
        if (!sm->blocks[i / causes->notes->warps_per_block].live) {
            memset(warp, 0xff, offsetof(struct warp_note, registers)); /* NO_CAUSE */
            continue;
        }
        struct op_note *last = causes_op(sm, warp->op);
        if (last)
            last->needed = true;
        need_stores(sm, warp);
        const uint32_t newest = warp->issue == NO_CAUSE ? warp->start : warp->issue;
        if (warp->end == NO_CAUSE && newest < oldest)
            oldest = newest;
    }
    return oldest;
}

/* Moves a list to the end of those that stay. */
static uint32_t move_list(struct causes_notes *notes, uint32_t at, uint32_t *kept)
{
    const uint32_t start = at == NO_CAUSE ? NO_CAUSE : *kept;
    while (at != NO_CAUSE) {
        struct listed_note *to = &notes->spare[(*kept)++];
        *to = notes->listed[at];
        at = to->before;
        to->before = at == NO_CAUSE ? NO_CAUSE : *kept;
    }
    return start;
}

/* Those before the first one that is needed leave their list, the others only lose their events. */
static void keep_needed(struct causes_notes *notes, struct sm_note *sm, uint32_t *kept)
{
    uint32_t over = 0;
    while (over < sm->op_count && !sm->ops[over].needed)
        over++;
    sm->op_count -= over;
    sm->first_order += over;
    if (over)
        memmove(sm->ops, sm->ops + over, sm->op_count * sizeof *sm->ops);
    for (size_t i = 0; i < sm->op_count; i++) {
        struct op_note *op = &sm->ops[i];
        if (!op->needed) {
            op->issue = op->requests = op->pages = NO_CAUSE;
            op->done = true;
        }
        op->requests = move_list(notes, op->requests, kept);
        op->pages = move_list(notes, op->pages, kept);
    }
    for (uint32_t i = 0; i < sm->warp_count; i++)
        if (sm->blocks[i].live)
            sm->blocks[i].arrivals = move_list(notes, sm->blocks[i].arrivals, kept);
}

/* Returns the oldest issue of what goes on; 0: of nothing. */
static uint32_t drop_instructions(struct causes *causes)
{
    struct causes_notes *notes = causes->notes;
    uint32_t kept = 0, oldest = NO_CAUSE;
    if (array_reserve(&notes->spare, &notes->spare_capacity, notes->listed_count)) {
        causes->status = STATUS_MEMORY;
        return 0;
    }
    for (uint32_t i = 0; i < notes->sm_count; i++) {
        const uint32_t of_sm = find_needed(causes, &notes->sms[i]);
        oldest = of_sm < oldest ? of_sm : oldest;
        keep_needed(notes, &notes->sms[i], &kept);
    }
    struct listed_note *const listed = notes->listed;
    const size_t capacity = notes->listed_capacity;
    notes->listed = notes->spare;
    notes->listed_capacity = notes->spare_capacity;
    notes->listed_count = kept;
    notes->spare = listed;
    notes->spare_capacity = capacity;
    return oldest == NO_CAUSE ? 0 : oldest;
}

/* ---- what is noted of events ---- */

/* Marks noted events for paths, or renumbers them. */
enum visit { VISIT_PATH, VISIT_RENUMBER };

/* What is noted from before `since` a later path does not go through; 0: all of it may be. */
static inline void visit_since(const struct causes *causes, enum visit what, uint32_t *events,
                               size_t count, uint32_t since)
{
    uint32_t *moved = causes->notes->moved;
    for (size_t i = 0; i < count; i++)
        if (events[i] & CAUSE_GONE) /* or NO_CAUSE */
            continue;
        else if (what == VISIT_RENUMBER)
            events[i] = moved[events[i]];
        else if (events[i] >= since)
            moved[events[i]] = MARK_PATH;
}

static inline void visit(const struct causes *causes, enum visit what, uint32_t *events,
                         size_t count)
{
    visit_since(causes, what, events, count, 0);
}

static void visit_sm(const struct causes *causes, enum visit what, struct sm_note *sm)
{
    uint32_t *const own[] = {&sm->block_start, &sm->block_end,   &sm->decode,    &sm->issue,
                             &sm->done,        &sm->request,     &sm->look_up,   &sm->fill,
                             &sm->at_l2,       &sm->line,        &sm->line_fill, &sm->page,
                             &sm->page_fill,   &sm->page_refused};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        visit(causes, what, own[i], 1);
    visit(causes, what, sm->issues, SCHEDULERS_MAX);
    for (uint32_t i = 0; i < SCHEDULERS_MAX; i++)
        visit(causes, what, sm->pipes[i], PIPE_COUNT);
    for (size_t i = 0; i < sm->op_count; i++)
        visit(causes, what, &sm->ops[i].issue, 1);
    for (uint32_t i = 0; i < sm->warp_count; i++) {
        struct warp_note *warp = &sm->warps[i];
        uint32_t *const of_warp[] = {&warp->start, &warp->decode, &warp->issue,
                                     &warp->done,  &warp->line,   &warp->end};
        if (sm->blocks[i].live)
            visit(causes, what, &sm->blocks[i].release, 1);
        if (!sm->blocks[i / causes->notes->warps_per_block].live)
            continue;
        for (size_t k = 0; k < sizeof of_warp / sizeof *of_warp; k++)
            visit(causes, what, of_warp[k], 1);
        visit_since(causes, what, warp->registers, causes->notes->registers,
                    warp->decode == NO_CAUSE ? 0 : warp->decode);
    }
}

/* Of an address that an SM asked for before all that goes on, a path will not go through what is
 * noted: whoever asks for it again does so later. */
static void visit_asked(const struct causes *causes, enum visit what, uint32_t oldest)
{
    const struct noted_blocks *asked = &causes->notes->asked;
    uint32_t *events = asked->items;
    const size_t each = NOTED_PARTS * sizeof(struct asked_note) / sizeof *events;
    visit_since(causes, what, events, asked->keys.count * each, oldest);
}

/* ... if nothing is on its way between the L2 and the DRAM. */
static void visit_memory(const struct causes *causes, enum visit what, uint32_t oldest)
{
    const struct noted_blocks *memory = &causes->notes->memory;
    struct memory_note *notes = memory->items;
    for (size_t i = 0; i < memory->keys.count * (size_t)NOTED_PARTS; i++) {
        struct memory_note *note = &notes[i];
        const uint32_t last = causes_later(causes, note->filled, note->burst);
        const bool there = note->filled == causes_later(causes, note->filled, note->missed) &&
                           last == causes_later(causes, last, note->requested);
        uint32_t *const events[] = {&note->missed, &note->filled, &note->evicted, &note->requested,
                                    &note->burst};
        for (size_t k = 0; k < sizeof events / sizeof *events; k++)
            visit_since(causes, what, events[k], 1, there ? oldest : 0);
    }
}

static void visit_all(const struct causes *causes, enum visit what, uint32_t oldest)
{
    struct causes_notes *notes = causes->notes;
    for (uint32_t i = 0; i < notes->sm_count; i++)
        visit_sm(causes, what, &notes->sms[i]);
    visit(causes, what, notes->slices, notes->slice_count);
    visit(causes, what, (uint32_t *)notes->channels,
          notes->channel_count * (sizeof *notes->channels / sizeof(uint32_t)));
    visit(causes, what, notes->walkers, causes->shared->machine->walker.count);
    visit(causes, what, &notes->walk, 1);
    visit_asked(causes, what, oldest);
    visit_memory(causes, what, oldest);
    for (uint32_t i = 0; i < notes->listed_count; i++) {
        visit(causes, what, &notes->listed[i].event, 1);
        visit(causes, what, &notes->listed[i].answer, 1);
    }
}

/* ---- the list ---- */

/* Marks what paths of marked events go through. */
static void mark_paths(const struct causes *causes)
{
    uint32_t *marks = causes->notes->moved;
    for (uint32_t at = (uint32_t)causes->count; at-- > 0;) {
        if (marks[at] != MARK_PATH)
            continue;
        const struct cause *last = causes_last(causes, at);
        if (last && !(last->from & CAUSE_GONE))
            marks[last->from] = MARK_PATH;
    }
}

static void slide(struct causes *causes)
{
    uint32_t *moved = causes->notes->moved, to = 0, kept = 0;
    for (uint32_t at = 0; at < causes->count; at++) {
        if (moved[at] == MARK_GONE) {
            moved[at] = CAUSE_GONE | causes->after[at];
            continue;
        }
        const uint32_t first = causes->firsts[at], end = causes->firsts[at + 1];
        causes->events[to] = causes->events[at];
        causes->after[to] = causes->after[at];
        causes->firsts[to] = kept;
        for (uint32_t i = first; i < end; i++) {
            struct cause *cause = &causes->items[kept++];
            *cause = causes->items[i];
            if (!(cause->from & CAUSE_GONE))
                cause->from = moved[cause->from];
        }
        moved[at] = to++;
    }
    causes->firsts[to] = kept;
    causes->count = to;
    causes->cause_count = kept;
}

void causes_fill(struct causes *causes)
{
    struct causes_notes *notes = causes->notes;
    const size_t noted =
        notes->sm_count * (size_t)notes->sms[0].warp_count * notes->registers +
        (notes->asked.keys.count + notes->memory.keys.count) * (size_t)NOTED_PARTS * 4;
    size_t more = noted / NOTES_EACH_EVENT;
    if (more < COMPACTED_LEAST)
        more = COMPACTED_LEAST;
    if (more < causes->count)
        more = causes->count;
    notes->full = causes->count + (causes->each ? causes->each : more);
}

void causes_compact(struct causes *causes)
{
    struct causes_notes *notes = causes->notes;
    const uint32_t oldest = drop_instructions(causes);
    if (!causes->status && array_reserve(&notes->moved, &notes->moved_capacity, causes->count))
        causes->status = STATUS_MEMORY;
    if (causes->status)
        return;
    memset(notes->moved, 0, causes->count * sizeof *notes->moved); /* MARK_GONE */
    notes->moved[0] = MARK_PATH;
    visit_all(causes, VISIT_PATH, oldest);
    mark_paths(causes);
    slide(causes);
    visit_all(causes, VISIT_RENUMBER, oldest);
    causes_fill(causes);
}
