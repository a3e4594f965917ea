#include "model/timing/run_causes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "model/timing/gpu.h"

/* Events are looked at many at a time, for what is noted of them and what is simulated drive each
 * other out of a CPU's caches. */
enum { CYCLES_EACH_TIME = 4096, EVENTS_EACH_TIME = 1 << 15 };

struct finding {
    const struct causes_wish *wish;
    struct run_causes *run;
    const struct trace_source *source;
    struct causes causes;
    struct timing_event *room; /* of `causes`: events that wait to be looked at */
    size_t waiting;
    uint64_t longest, left; /* left: events that match until the one that is wanted */
    uint32_t launch;
    bool running; /* a launch whose events are kept */
    bool cut;     /* a path goes through what was dropped */
    enum status status;
};

void run_causes_free(struct run_causes *run)
{
    free(run->codes);
    free(run->steps);
    *run = (struct run_causes){0};
}

void causes_cone(const struct causes *causes, bool *inside)
{
    for (uint32_t at = (uint32_t)causes->count; at-- > 0;)
        for (uint32_t i = causes->firsts[at]; inside[at] && i < causes->firsts[at + 1]; i++)
            inside[causes->items[i].from] = true;
}

/* ---- the cycles of a path ---- */

/* Whether an event is an instruction's own, so that its pc is one. */
static bool has_pc(const struct timing_event *event)
{
    switch ((enum event_kind)event->kind) {
    case EVENT_issue:
    case EVENT_written:
    case EVENT_loaded:
    case EVENT_request:
    case EVENT_l1d_hit:
    case EVENT_l1d_pending:
    case EVENT_l1d_miss:
    case EVENT_l1d_sector_miss:
    case EVENT_l1d_refusal:
        return true;
    default:
        return false;
    }
}

/* Whether cycles before an event are not those of the instruction after it on the path. */
static bool ends_instruction(const struct timing_event *event)
{
    return event->kind == EVENT_block_start || event->kind == EVENT_warp_end ||
           event->kind == EVENT_block_end || event->kind == EVENT_launch_end;
}

static struct causes_code *causes_code_of(struct finding *finding, const struct trace_code *code,
                                          uint32_t pc)
{
    static struct causes_code nowhere;
    struct run_causes *run = finding->run;
    for (size_t i = 0; i < run->code_count; i++)
        if (run->codes[i].code == code && run->codes[i].pc == pc)
            return &run->codes[i];
    if (array_reserve(&run->codes, &run->code_capacity, run->code_count + 1)) {
        finding->status = STATUS_MEMORY;
        return &nowhere;
    }
    run->codes[run->code_count] = (struct causes_code){.code = code, .pc = pc};
    return &run->codes[run->code_count++];
}

static void add_link(struct finding *finding, uint32_t event, const struct cause *cause,
                     struct causes_code *code)
{
    uint64_t uses[CAUSE_USES] = {0};
    cause_divide(&finding->causes, event, cause, uses);
    for (unsigned i = 0; i < CAUSE_USES; i++) {
        finding->run->uses[i] += uses[i];
        finding->run->counts[i] += uses[i] > 0;
        code->uses[i] += uses[i];
        code->cycles += uses[i];
    }
}

/* Adds the cycles from the start of the launch to an event. */
static void add_path(struct finding *finding, uint32_t last)
{
    const struct causes *causes = &finding->causes;
    const struct trace_code *code = NULL, *of = trace_launch_code(finding->source, finding->launch);
    const struct cause *cause;
    uint32_t pc = 0, at = last;
    for (; !finding->status && (cause = causes_last(causes, at)); at = cause->from) {
        finding->cut |= cause->from & CAUSE_GONE;
        if (finding->cut)
            return;
        const struct timing_event *event = &causes->events[at];
        if (has_pc(event)) {
            code = of;
            pc = event->pc;
        } else if (ends_instruction(event)) {
            code = NULL;
            pc = 0;
        }
        add_link(finding, at, cause, causes_code_of(finding, code, pc));
    }
    finding->cut |= at > 0;
    finding->run->cycles += causes->events[last].cycle - causes->events[0].cycle;
}

/* ---- its steps, and the cone of its end ---- */

/* How long before the last cause of an event the one before it arrived; false: there is none. */
static bool find_rival(const struct causes *causes, uint32_t event, uint64_t *ahead)
{
    const uint32_t first = causes->firsts[event], end = causes->firsts[event + 1];
    bool any = false;
    uint64_t before = 0;
    for (uint32_t i = first + 1; i < end; i++) {
        const uint64_t arrival = cause_arrival(causes, event, &causes->items[i]);
        any |= causes->items[i].link != LINK_BESIDE;
        before = arrival > before ? arrival : before;
    }
    *ahead = any ? cause_arrival(causes, event, &causes->items[first]) - before : 0;
    return any;
}

static void keep_steps(struct finding *finding, uint32_t last)
{
    const struct causes *causes = &finding->causes;
    struct run_causes *run = finding->run;
    const struct cause *cause;
    run->step_count = 0;
    for (uint32_t at = last;; at = cause->from) {
        cause = causes_last(causes, at);
        if (array_reserve(&run->steps, &run->step_capacity, run->step_count + 1)) {
            finding->status = STATUS_MEMORY;
            return;
        }
        struct causes_step *step = &run->steps[run->step_count++];
        *step = (struct causes_step){.event = causes->events[at], .link = LINK_NOTHING};
        if (!cause)
            break;
        step->link = cause->link;
        step->cycles = causes->events[at].cycle - causes->events[cause->from].cycle;
        step->rival = find_rival(causes, at, &step->ahead);
    }
    for (size_t i = 0, k = run->step_count - 1; i < k; i++, k--) {
        const struct causes_step step = run->steps[i];
        run->steps[i] = run->steps[k];
        run->steps[k] = step;
    }
}

static void count_cone(struct finding *finding, uint32_t last)
{
    struct run_causes *run = finding->run;
    const struct causes *causes = &finding->causes;
    bool *inside = calloc(causes->count, sizeof *inside);
    struct key_table warps = {0}, sms = {0};
    if (!inside) {
        finding->status = STATUS_MEMORY;
        return;
    }
    inside[last] = true;
    causes_cone(causes, inside);
    run->events = last;
    for (uint32_t at = 0; at < last && !finding->status; at++) {
        const struct timing_event *event = &causes->events[at];
        const enum event_part part = event_kinds[event->kind].part;
        uint32_t number;
        run->event_parts[part]++;
        run->cone += inside[at];
        run->cone_parts[part] += inside[at];
        if (!inside[at] || !event_in_sm(event))
            continue;
        finding->status = key_table_number(&sms, event->place, &number);
        if (!finding->status && event->slot != NO_SLOT)
            finding->status =
                key_table_number(&warps, (uint64_t)event->place << 16 | event->slot, &number);
    }
    run->cone_warps = warps.count;
    run->cone_sms = sms.count;
    key_table_free(&warps);
    key_table_free(&sms);
    free(inside);
}

/* ---- the run ---- */

static void end_launch(struct finding *finding)
{
    const struct causes *causes = &finding->causes;
    const uint32_t last = (uint32_t)causes->count - 1;
    const uint64_t cycles = causes->events[last].cycle - causes->events[0].cycle;
    finding->running = false;
    if (finding->wish->look)
        finding->wish->look(finding->wish->context, finding->launch, causes);
    if (finding->wish->any)
        return;
    add_path(finding, last);
    if (finding->cut || (finding->run->found && cycles <= finding->longest))
        return;
    finding->run->found = true;
    finding->run->launch = finding->launch;
    finding->longest = cycles;
    keep_steps(finding, last);
}

static void find_event(struct finding *finding)
{
    const uint32_t last = (uint32_t)finding->causes.count - 1;
    const struct timing_event *event = &finding->causes.events[last];
    if (event->cycle < finding->wish->from || !cursor_wishes(&finding->wish->event, event) ||
        --finding->left)
        return;
    finding->run->found = true;
    finding->run->launch = finding->launch;
    add_path(finding, last);
    keep_steps(finding, last);
    count_cone(finding, last);
}

static void take_event(struct finding *finding, const struct timing_event *event)
{
    const struct causes_wish *wish = finding->wish;
    if (event->kind == EVENT_launch_start) {
        finding->launch = (uint32_t)event->address;
        finding->running = wish->launch == CAUSES_ALL || wish->launch == finding->launch;
        if (finding->running)
            causes_begin(&finding->causes, finding->launch);
    }
    if (!finding->running)
        return;
    causes_put(&finding->causes, event);
    finding->status = finding->causes.status;
    if (!finding->status && wish->any && !finding->run->found)
        find_event(finding);
    if (!finding->status && event->kind == EVENT_launch_end)
        end_launch(finding);
}

static void take_waiting(struct finding *finding)
{
    const struct timing_event *events = finding->room;
    for (size_t i = 0; i < finding->waiting && !finding->status; i++)
        take_event(finding, &events[i]);
    finding->waiting = 0;
}

static void causes_watch(void *context, const struct timing_event *events, size_t count)
{
    struct finding *finding = context;
    if (finding->status)
        return;
    finding->room = causes_room(&finding->causes, finding->waiting + count);
    if (!finding->room) {
        finding->status = finding->causes.status;
        return;
    }
    memcpy(finding->room + finding->waiting, events, count * sizeof *events);
    finding->waiting += count;
    if (finding->waiting >= EVENTS_EACH_TIME)
        take_waiting(finding);
}

static int compare_codes(const void *left, const void *right)
{
    const struct causes_code *a = left, *b = right;
    if (a->cycles != b->cycles)
        return a->cycles > b->cycles ? -1 : 1;
    return a->pc < b->pc ? -1 : a->pc > b->pc;
}

/* Whether all that is wanted was found. */
static bool has_all(const struct finding *finding)
{
    const struct causes_wish *wish = finding->wish;
    return finding->run->found && !wish->look && (wish->any || wish->launch != CAUSES_ALL);
}

static enum status advance_run(struct finding *finding, const struct machine *machine,
                               const struct evaluate_options *evaluate,
                               struct diagnostics *diagnostics)
{
    const struct event_watch watch = {causes_watch, finding};
    const struct gpu_options options = {.threads =
                                            evaluate->threads > 1 ? (uint32_t)evaluate->threads : 1,
                                        .evaluate = evaluate,
                                        .events = &watch};
    struct gpu_counts counts;
    struct gpu_totals totals;
    struct gpu *gpu = NULL;
    enum status status = gpu_open(machine, finding->source, &options, diagnostics, &gpu);
    for (uint64_t cycle = CYCLES_EACH_TIME;
         !status && !finding->status && !gpu_ended(gpu) && !has_all(finding) && !finding->cut;
         cycle += CYCLES_EACH_TIME)
        status = gpu_advance(gpu, cycle);
    take_waiting(finding);
    if (!status && !finding->status && gpu_ended(gpu))
        status = gpu_read(gpu, &counts, &totals);
    gpu_close(gpu);
    return status ? status : finding->status;
}

/* cut: what was found is of no use, for events are missing that `each` let go. */
static enum status find_keeping(const struct machine *machine, const struct trace_source *source,
                                const struct evaluate_options *evaluate,
                                const struct causes_wish *wish, size_t each, struct run_causes *run,
                                bool *cut, struct diagnostics *diagnostics)
{
    struct finding finding = {.wish = wish, .run = run, .source = source, .left = wish->times};
    struct sm_machine shared;
    char room[QUANTITY_TEXT];
    *run = (struct run_causes){0};
    enum status status = sm_machine_init(&shared, machine, evaluate->ideals, source);
    if (!status)
        status = causes_init(&finding.causes, &shared, wish->any || wish->look, wish->memory);
    finding.causes.each = each;
    if (!status)
        status = advance_run(&finding, machine, evaluate, diagnostics);
    if (status == STATUS_UNSUPPORTED && finding.causes.status == STATUS_UNSUPPORTED)
        status = diagnostics_error(
            diagnostics, status,
            "launch %u has more events than fit into %s, from cycle "
            "%llu: choose a smaller workload, or more memory",
            finding.launch, quantity_print_uint(wish->memory, UNIT_BYTES, room),
            (unsigned long long)finding.causes.events[finding.causes.count - 1].cycle);
    if (!status && run->code_count)
        qsort(run->codes, run->code_count, sizeof *run->codes, compare_codes);
    *cut = finding.cut;
    causes_free(&finding.causes);
    sm_machine_free(&shared);
    return status;
}

enum status run_causes_find(const struct machine *machine, const struct trace_source *source,
                            const struct evaluate_options *evaluate, const struct causes_wish *wish,
                            struct run_causes *run, struct diagnostics *diagnostics)
{
    bool cut = false;
    enum status status =
        find_keeping(machine, source, evaluate, wish, wish->each, run, &cut, diagnostics);
    if (status || !cut)
        return status;
    run_causes_free(run);
    status = find_keeping(machine, source, evaluate, wish, CAUSES_ALL, run, &cut, diagnostics);
    run->again = true;
    return status;
}
