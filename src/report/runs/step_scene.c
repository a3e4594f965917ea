#include "report/runs/step_scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/counts.h"
#include "report/runs/tile_steps.h"
#include "schema/stages.h"

/* ---- a bank in words ---- */

/* The chain whose data come first; NULL: there is none. */
static const struct bank_chain *first_chain(const struct bank *bank)
{
    const struct bank_chain *first = NULL;
    for (uint32_t i = 0; i < bank->chain_count; i++)
        if (!bank->chains[i].behind && (!first || bank->chains[i].due < first->due))
            first = &bank->chains[i];
    return first;
}

/* "the data of depth 3,0 come first, in 12 cycles". */
static void print_first(const struct tile_run *run, const struct bank *bank, char *text,
                        size_t size)
{
    const struct bank_chain *chain =
        bank->running != BANK_NONE ? &bank->chains[bank->running] : first_chain(bank);
    const uint64_t now = run->tiles.now;
    char line[TILE_LINE_TEXT], cycles[COUNT_TEXT];
    text[0] = '\0';
    if (!chain)
        return;
    const struct tile_request *request = &bank->entries[chain->head].item.request;
    tile_line_print(run->stream, request->surface, request->x, request->y, line);
    if (bank->running != BANK_NONE)
        snprintf(text, size, "; the chain of %s is being executed", line);
    else if (chain->due <= now)
        snprintf(text, size, "; the chain of %s is executed next", line);
    else
        snprintf(text, size, "; the data of %s come first, in %s", line,
                 counted_print(chain->due - now, "cycle", cycles));
}

const char *step_bank_print(const struct tile_run *run, uint32_t number, char text[SCENE_TEXT])
{
    const struct bank *bank = &run->tiles.banks[number];
    char first[TILE_LINE_TEXT + 80], words[TILE_STEP_TEXT], chains[COUNT_TEXT],
        line[TILE_LINE_TEXT];
    print_first(run, bank, first, sizeof first);
    const struct bank_item *item = bank->fifo_count ? &bank->fifo[bank->fifo_first] : NULL;
    if (run->stage == TILE_WRITES)
        snprintf(text, SCENE_TEXT, "its pass has ended; changed lines go to memory");
    else if (item && bank->stall)
        snprintf(text, SCENE_TEXT, "%s%s",
                 tile_step_explain(
                     &(struct bank_event){.kind = BANK_STALLED, .stall = bank->stall, .item = item},
                     run->stream, words),
                 first);
    else if (item)
        snprintf(text, SCENE_TEXT, "r%" PRIu64 " (%s) is looked up next%s", item->serial,
                 tile_line_print(run->stream, item->request.surface, item->request.x,
                                 item->request.y, line),
                 first);
    else if (bank->chain_count)
        snprintf(text, SCENE_TEXT, "has nothing to look up; %s in its queue%s",
                 counted_print(bank->chain_count, "chain", chains), first);
    else
        snprintf(text, SCENE_TEXT, "has nothing to do");
    return text;
}

/* ---- rasteriser and bus ---- */

/* The request that is dealt next; NULL: none is known. */
static const struct tile_request *next_request(const struct tile_run *run)
{
    const struct tile_feed *feed = run->feed;
    uint64_t end;
    (void)tile_feed_end(feed, run->pass, &end);
    return run->stage == TILE_DEALS && run->at < end ? &feed->requests[run->at - feed->first]
                                                     : NULL;
}

const char *step_pass_print(const struct tile_run *run, char text[SCENE_TEXT])
{
    const struct tile_subsystem *tiles = &run->tiles;
    const struct tile_request *next = next_request(run);
    char line[TILE_LINE_TEXT], cycles[COUNT_TEXT];
    if (run->stage == TILE_ENDED) {
        snprintf(text, SCENE_TEXT, "the scene has ended");
        return text;
    }
    const int used = snprintf(text, SCENE_TEXT, "pass %" PRIu32 " (%s): ", run->pass,
                              run->stream->passes[run->pass].name);
    char *rest = text + used;
    const size_t size = SCENE_TEXT - (size_t)used;
    if (next) {
        const uint32_t bank = screen_bank(&tiles->screen, next);
        tile_line_print(run->stream, next->surface, next->x, next->y, line);
        if (tile_subsystem_has_room(tiles, bank))
            snprintf(rest, size, "r%" PRIu64 " (%s) goes to bank %" PRIu32 " next", run->at, line,
                     bank);
        else
            snprintf(rest, size,
                     "r%" PRIu64 " (%s) waits, and all after it: the FIFO of bank %" PRIu32
                     " is full",
                     run->at, line, bank);
    } else if (run->stage == TILE_WRITES) {
        snprintf(rest, size, "it has ended; changed lines are in memory in %s",
                 counted_print(run->written - tiles->now, "cycle", cycles));
    } else if (run->stage == TILE_RUNS_DRY) {
        snprintf(rest, size, "all its requests have been dealt; the banks finish what they have");
    } else {
        snprintf(rest, size, "its next requests are not drawn yet");
    }
    return text;
}

/* Reads on their way, and the chain whose data come next. */
static uint64_t count_reads(const struct tile_run *run, uint64_t *due, uint32_t *bank)
{
    uint64_t reads = 0;
    *due = UINT64_MAX;
    for (uint32_t i = 0; i < run->tiles.bank_count; i++)
        for (uint32_t k = 0; k < run->tiles.banks[i].chain_count; k++) {
            const struct bank_chain *chain = &run->tiles.banks[i].chains[k];
            if (chain->unread || chain->due <= run->tiles.now)
                continue;
            reads++;
            if (chain->due < *due) {
                *due = chain->due;
                *bank = i;
            }
        }
    return reads;
}

const char *step_bus_print(const struct tile_run *run, char text[SCENE_TEXT])
{
    const uint64_t now = run->tiles.now, taken = bus_idle(&run->tiles.shared.bus, now) - now;
    char cycles[2][COUNT_TEXT], reads[COUNT_TEXT], bus[64] = "the bus is free";
    uint64_t due;
    uint32_t bank = 0;
    const uint64_t count = count_reads(run, &due, &bank);
    if (taken)
        snprintf(bus, sizeof bus, "the bus is taken for %s",
                 counted_print(taken, "cycle", cycles[0]));
    if (count)
        snprintf(text, SCENE_TEXT,
                 "%s; %s on their way, the next data come in %s (bank %" PRIu32 ")", bus,
                 counted_print(count, "read", reads), counted_print(due - now, "cycle", cycles[1]),
                 bank);
    else
        snprintf(text, SCENE_TEXT, "%s; no read is on its way", bus);
    return text;
}

/* ---- queues and chains ---- */

void step_scene_queues(const struct tile_run *run,
                       void (*visit)(void *context, const struct queue_state *queue), void *context)
{
    const struct bank_shared *shared = &run->tiles.shared;
    for (uint32_t i = 0; i < run->tiles.bank_count; i++) {
        const struct bank *bank = &run->tiles.banks[i];
        struct queue_state queue = {.name = "FIFO before the look-up",
                                    .of = "bank",
                                    .place = i,
                                    .count = bank->fifo_count,
                                    .most = shared->fifo};
        queue.address = bank->fifo_count ? bank->fifo[bank->fifo_first].request.address : 0;
        visit(context, &queue);
        queue.name = "miss queue";
        queue.count = bank->used;
        queue.most = shared->entries;
        queue.address = bank->chain_count ? bank->chains[0].address : 0;
        visit(context, &queue);
    }
}

void step_scene_set(const struct tile_run *run, const struct set_place *place,
                    void (*visit)(void *context, const struct way_state *way), void *context)
{
    const struct tags *tags = &run->tiles.shared.tags;
    const struct geometry *geometry = &tags->geometry;
    if (place->stage != STAGE_TILE || place->instance >= tags->banks ||
        place->set >= geometry->sets)
        return;
    const uint64_t first = (place->instance * geometry->sets + place->set) * geometry->ways;
    for (uint32_t way = 0; way < geometry->ways; way++) {
        const bool holds = tags->lines[first + way] != 0;
        const struct way_state state = {.way = way,
                                        .sectors = 1,
                                        .holds = holds,
                                        .address = holds ? tags->addresses[first + way] : 0,
                                        .valid = holds,
                                        .dirty = holds && tags->dirty[first + way]};
        visit(context, &state);
    }
}

enum status step_chains_print(const struct tile_run *run, uint32_t number, uint64_t limit,
                              bool *headed, uint64_t *more, FILE *out)
{
    const struct bank *bank = &run->tiles.banks[number];
    struct tile_waiting *waiting = calloc((size_t)bank->used + 1, sizeof *waiting);
    char row[TILE_WAITING_TEXT];
    if (!waiting)
        return STATUS_MEMORY;
    const size_t count = tile_waiting_list(bank, waiting);
    const size_t shown = limit && count > limit ? (size_t)limit : count;
    if (shown && !*headed)
        fprintf(out, "bank %s\n", tile_waiting_headings);
    *headed |= shown;
    for (size_t i = 0; i < shown; i++)
        fprintf(out, "%4" PRIu32 " %s\n", number,
                tile_waiting_print(&waiting[i], run->stream, run->tiles.now, row));
    *more += count - shown;
    free(waiting);
    return STATUS_OK;
}

static json_t *serial_json(const struct bank_item *item)
{
    return bank_item_is_ahead(item) ? json_null() : json_integer((json_int_t)item->serial);
}

static json_t *chain_json(const struct tile_run *run, const struct bank *bank, uint32_t index)
{
    const struct bank_chain *chain = &bank->chains[index];
    json_t *requests = json_array();
    char line[TILE_LINE_TEXT], address[32];
    for (uint32_t at = chain->head; requests && at != BANK_NONE; at = bank->entries[at].next) {
        const struct bank_item *item = &bank->entries[at].item;
        if (json_array_append_new(requests, json_pack("{s:o, s:i, s:s}", "request",
                                                      serial_json(item), "entry", (int)at, "op",
                                                      tile_ops[item->request.op].name))) {
            json_decref(requests);
            requests = NULL;
        }
    }
    const struct tile_request *head = &bank->entries[chain->head].item.request;
    snprintf(address, sizeof address, "0x%" PRIx64, chain->address);
    return json_pack("{s:s, s:s, s:I, s:b, s:b, s:b, s:o}", "line",
                     tile_line_print(run->stream, head->surface, head->x, head->y, line), "address",
                     address, "due", (json_int_t)chain->due, "executes", bank->running == index,
                     "read", !chain->unread, "after", (int)chain->behind, "requests", requests);
}

json_t *step_chains_json(const struct tile_run *run, uint32_t number)
{
    const struct bank *bank = &run->tiles.banks[number];
    json_t *chains = json_array();
    for (uint32_t i = 0; chains && i < bank->chain_count; i++)
        if (json_array_append_new(chains, chain_json(run, bank, i))) {
            json_decref(chains);
            chains = NULL;
        }
    return chains;
}

json_t *step_bus_json(const struct tile_run *run)
{
    char words[SCENE_TEXT];
    uint64_t due;
    uint32_t bank;
    const uint64_t reads = count_reads(run, &due, &bank);
    return json_pack("{s:I, s:I, s:I, s:o, s:s}", "pass", (json_int_t)run->pass, "next",
                     (json_int_t)run->at, "reads", (json_int_t)reads, "due",
                     reads ? json_integer((json_int_t)due) : json_null(), "words",
                     step_pass_print(run, words));
}
