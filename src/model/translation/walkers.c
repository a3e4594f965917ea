#include "model/translation/walkers.h"

#include <stdlib.h>

#include "base/key_table.h"
#include "base/links.h"
#include "base/memory.h"
#include "model/translation/directory.h"
#include "model/translation/waits.h"
#include "model/translation/walk_jobs.h"

enum { ENTRY_NONE = UINT32_MAX };

struct entry { /* an entry of the buffer: a waiting walk, or a request that waits for one */
    uint64_t page;
    uint64_t number; /* walks that arrived before it */
    uint32_t job;
    uint32_t estimate;
    uint32_t page_id; /* merge */
    uint32_t joined;  /* merge: next request that waits for this walk, or ENTRY_NONE */
};

struct page_state { /* merge: a page that was walked or will be */
    uint64_t end;   /* end of its last walk */
    uint32_t entry; /* its waiting walk, or ENTRY_NONE */
};

struct walkers {
    struct walker_config config;
    uint64_t sms;
    struct walk_costs costs;
    uint64_t *free_at; /* heap: time at which each walker becomes free, earliest first */
    struct entry *entries;
    uint32_t *spare, spare_count; /* stack of unused entries */
    struct link *age;             /* list of walks by arrival; node config.queue is the head */
    struct link *own; /* sjf: list of the walks of each job; node config.queue + job is its head */
    struct walk_jobs jobs;
    uint32_t open,
        current; /* `open`: the job whose requests are arriving; `current`: the one served last */
    struct key_table pages;
    struct page_state *states; /* [page id] */
    size_t state_capacity;
    uint32_t
        /* Number of the last instruction, modulo 2^32; `ordinal` is the whole number. */
        instruction;
    uint64_t ordinal;
    uint64_t clock;          /* time of the last arrival */
    uint64_t stalled;        /* cycles by which full buffers have delayed issue */
    uint64_t arrived, begun; /* numbers of walks */
    uint64_t last_end;
    uint64_t counted_from;
    bool aside; /* counting is off */
    struct walkers_counts counts;
    struct waits waits;
};

static enum status walkers_allocate(struct walkers *walkers)
{
    uint32_t queue = (uint32_t)walkers->config.queue;
    walkers->free_at = calloc(walkers->config.count, sizeof *walkers->free_at);
    walkers->entries = calloc(queue, sizeof *walkers->entries);
    walkers->spare = malloc(queue * sizeof *walkers->spare);
    if (!walkers->free_at || !walkers->entries || !walkers->spare)
        return STATUS_MEMORY;
    /* Each job holds an entry, except possibly the one that is arriving. */
    enum status status = walk_jobs_init(&walkers->jobs, queue + 1);
    if (!status)
        status = links_init(&walkers->age, queue + 1);
    if (!status && walkers->config.policy == WALKER_SJF)
        status = links_init(&walkers->own, 2 * queue + 1);
    return status;
}

enum status walkers_create(const struct walker_config *config, uint64_t sms,
                           const struct walk_costs *costs, struct walkers **result)
{
    *result = NULL;
    if (!config->count || !config->queue || config->queue > UINT16_MAX + 1u || !sms)
        return STATUS_INVALID;
    struct walkers *walkers = calloc(1, sizeof *walkers);
    if (!walkers)
        return STATUS_MEMORY;
    *walkers = (struct walkers){
        .config = *config, .sms = sms, .costs = *costs, .open = JOB_NONE, .current = JOB_NONE};
    if (walkers_allocate(walkers)) {
        walkers_free(walkers);
        return STATUS_MEMORY;
    }
    for (; walkers->spare_count < config->queue; walkers->spare_count++)
        walkers->spare[walkers->spare_count] = walkers->spare_count;
    *result = walkers;
    return STATUS_OK;
}

void walkers_free(struct walkers *walkers)
{
    if (!walkers)
        return;
    free(walkers->free_at);
    free(walkers->entries);
    free(walkers->spare);
    free(walkers->age);
    free(walkers->own);
    walk_jobs_free(&walkers->jobs);
    key_table_free(&walkers->pages);
    free(walkers->states);
    free(walkers);
}

/* ---- instructions -----------------------------------------------------------------------------
 */

static struct walk_job *job_of(struct walkers *walkers, uint32_t job)
{
    return &walkers->jobs.items[job];
}

/* Counts and frees an instruction that has all its translations. */
static void retire(struct walkers *walkers, uint32_t number)
{
    const struct walk_job *job = job_of(walkers, number);
    if (job->open || job->entries)
        return;
    walkers->counts.instructions += job->counted;
    walkers->counts.instruction_latency += job->counted ? job->last_end - job->issued : 0;
    if (walkers->current == number)
        walkers->current = JOB_NONE;
    walk_jobs_give(&walkers->jobs, number);
}

/* One translation of the job is available at `end`. */
static void translate(struct walkers *walkers, uint32_t number, uint64_t end)
{
    struct walk_job *job = job_of(walkers, number);
    walkers->counts.latency += job->counted ? end - job->issued : 0;
    if (end > job->last_end)
        job->last_end = end;
}

static void close_job(struct walkers *walkers)
{
    uint32_t number = walkers->open;
    if (number == JOB_NONE)
        return;
    walkers->open = JOB_NONE;
    job_of(walkers, number)->open = false;
    retire(walkers, number);
}

/* ---- service ----------------------------------------------------------------------------------
 */

/* Occupies the walker that is free first until `end`. */
static void occupy(struct walkers *walkers, uint64_t end)
{
    uint64_t *heap = walkers->free_at, count = walkers->config.count, place = 0;
    for (uint64_t down; (down = 2 * place + 1) < count; place = down) {
        if (down + 1 < count && heap[down + 1] < heap[down])
            down++;
        if (heap[down] >= end)
            break;
        heap[place] = heap[down];
    }
    heap[place] = end;
    if (end > walkers->last_end)
        walkers->last_end = end;
}

static uint32_t walkers_choose(const struct walkers *walkers)
{
    uint32_t queue = (uint32_t)walkers->config.queue, oldest = walkers->age[queue].previous;
    if (walkers->config.policy == WALKER_FCFS)
        return oldest;
    /* All older walks have begun, so the other walks that have begun are younger and overtook this
     * one. */
    if (walkers->begun - walkers->entries[oldest].number >= walkers->config.patience)
        return oldest;
    uint32_t job = walkers->current;
    if (job == JOB_NONE || !walkers->jobs.items[job].walks)
        job = walk_jobs_least(&walkers->jobs);
    return walkers->own[queue + job].previous;
}

static void walkers_release(struct walkers *walkers, uint32_t number, uint64_t end)
{
    uint32_t job = walkers->entries[number].job;
    translate(walkers, job, end);
    walkers->spare[walkers->spare_count++] = number;
    job_of(walkers, job)->entries--;
    retire(walkers, job);
}

/* Releases the requests that waited for the same page. */
static void release_joined(struct walkers *walkers, uint32_t number, uint64_t end)
{
    struct page_state *state = &walkers->states[walkers->entries[number].page_id];
    *state = (struct page_state){end, ENTRY_NONE};
    for (uint32_t joined = walkers->entries[number].joined; joined != ENTRY_NONE;) {
        uint32_t next = walkers->entries[joined].joined;
        walkers_release(walkers, joined, end);
        joined = next;
    }
}

/* Begins a walk at `start`: it leaves the buffer. */
static void begin(struct walkers *walkers, uint64_t start)
{
    uint32_t number = walkers_choose(walkers);
    const struct entry *entry = &walkers->entries[number];
    struct walk_job *job = job_of(walkers, entry->job);
    links_detach(walkers->age, number);
    job->walks--;
    if (walkers->config.policy == WALKER_SJF) {
        links_detach(walkers->own, number);
        job->score -= entry->estimate;
        walkers->current = entry->job;
        walk_jobs_place(&walkers->jobs, entry->job);
    }
    uint64_t busy = walkers->costs.begin(walkers->costs.argument, entry->page, job->counted);
    uint64_t end = start + busy;
    occupy(walkers, end);
    walkers->begun++;
    if (job->counted) {
        walkers->counts.walks++;
        walkers->counts.busy += busy;
        walkers->counts.wait += start - job->issued;
        waits_add(&walkers->waits, start - job->issued);
    }
    if (walkers->config.merge)
        release_joined(walkers, number, end);
    walkers_release(walkers, number, end);
}

/* The time at which the next waiting walk can be taken. */
static uint64_t next_start(const struct walkers *walkers)
{
    return walkers->free_at[0] > walkers->clock ? walkers->free_at[0] : walkers->clock;
}

static void begin_before(struct walkers *walkers, uint64_t time)
{
    while (walkers->begun < walkers->arrived && next_start(walkers) < time)
        begin(walkers, next_start(walkers));
}

/* ---- arrival ----------------------------------------------------------------------------------
 */

/* Moves the clock to the issue of an instruction. Walks that can begin before that must be taken
 * first, because they change the page-walk cache that its requests will see. */
void walkers_advance(struct walkers *walkers, uint32_t instruction)
{
    close_job(walkers);
    walkers->ordinal += (uint32_t)(instruction - walkers->instruction);
    walkers->instruction = instruction;
    uint64_t time = walkers->ordinal * walkers->config.interval / walkers->sms + walkers->stalled;
    begin_before(walkers, time);
    walkers->clock = time;
}

static void open_job(struct walkers *walkers, uint32_t instruction)
{
    walkers_advance(walkers, instruction);
    walkers->open = walk_jobs_take(&walkers->jobs);
    struct walk_job *job = job_of(walkers, walkers->open);
    job->number = walkers->ordinal;
    job->issued = walkers->clock;
    job->open = true;
    job->counted = !walkers->aside;
}

/* Advances time until the buffer has room; issue is delayed as long. */
static void walkers_make_room(struct walkers *walkers)
{
    while (!walkers->spare_count) {
        uint64_t start = next_start(walkers);
        begin(walkers, start);
        walkers->stalled += start - walkers->clock;
        walkers->counts.stalled += walkers->aside ? 0 : start - walkers->clock;
        walkers->clock = start;
    }
}

static uint32_t take_entry(struct walkers *walkers, uint64_t page)
{
    uint32_t number = walkers->spare[--walkers->spare_count];
    walkers->entries[number] = (struct entry){
        .page = page, .number = walkers->arrived, .job = walkers->open, .joined = ENTRY_NONE};
    job_of(walkers, walkers->open)->entries++;
    return number;
}

static enum status find_page(struct walkers *walkers, uint64_t page, uint32_t *id)
{
    uint32_t known = walkers->pages.count;
    enum status status = key_table_number(&walkers->pages, page, id);
    if (!status)
        status = array_reserve(&walkers->states, &walkers->state_capacity, walkers->pages.count);
    if (!status && *id == known)
        walkers->states[*id] = (struct page_state){0, ENTRY_NONE};
    return status;
}

/* Whether a walk of the same page also serves this request. The buffer must have room. */
static bool walkers_join(struct walkers *walkers, uint64_t page, uint32_t id)
{
    const struct page_state *state = &walkers->states[id];
    if (state->entry != ENTRY_NONE) {
        uint32_t number = take_entry(walkers, page);
        walkers->entries[number].joined = walkers->entries[state->entry].joined;
        walkers->entries[state->entry].joined = number;
    } else if (state->end > walkers->clock) {
        translate(walkers, walkers->open, state->end);
    } else {
        return false;
    }
    walkers->counts.merged += !walkers->aside;
    return true;
}

/* Room is made first: for it a walker may have to take the very walk that this request could join,
 * or end it. */
enum status walkers_arrive(struct walkers *walkers, uint32_t instruction, uint64_t page)
{
    uint32_t id = 0;
    if (walkers->open == JOB_NONE || instruction != walkers->instruction)
        open_job(walkers, instruction);
    walkers_make_room(walkers);
    if (walkers->config.merge) {
        enum status status = find_page(walkers, page, &id);
        if (status || walkers_join(walkers, page, id))
            return status;
    }
    uint32_t number = take_entry(walkers, page);
    struct entry *entry = &walkers->entries[number];
    struct walk_job *job = job_of(walkers, walkers->open);
    links_move_first(walkers->age, number, (uint32_t)walkers->config.queue);
    walkers->arrived++;
    job->walks++;
    if (walkers->config.merge) {
        entry->page_id = id;
        walkers->states[id].entry = number;
    }
    if (walkers->config.policy == WALKER_SJF) {
        entry->estimate = walkers->costs.estimate(walkers->costs.argument, page);
        job->score += entry->estimate;
        links_move_first(walkers->own, number, (uint32_t)walkers->config.queue + walkers->open);
        walk_jobs_place(&walkers->jobs, walkers->open);
    }
    return STATUS_OK;
}

void walkers_finish(struct walkers *walkers)
{
    close_job(walkers);
    begin_before(walkers, UINT64_MAX);
}

/* ---- counts -----------------------------------------------------------------------------------
 */

void walkers_read_counts(const struct walkers *walkers, struct walkers_counts *counts)
{
    uint64_t until = walkers->last_end > walkers->clock ? walkers->last_end : walkers->clock;
    *counts = walkers->counts;
    counts->wait_p99 = waits_quantile(&walkers->waits, 0.99);
    counts->span = until - walkers->counted_from;
}

void walkers_count(struct walkers *walkers, bool counted)
{
    if (counted && walkers->aside)
        walkers->counted_from = walkers->clock;
    walkers->aside = !counted;
}
