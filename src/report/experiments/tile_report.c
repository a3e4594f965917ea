#include "report/experiments/tile_report.h"

#include <math.h>
#include <string.h>

#include "model/area/area.h"
#include "model/tile/screen.h"
#include "report/experiments/paper_numbers.h"

enum { LEAST_REQUESTS = 8070, MOST_REQUESTS = 647680, MAP_SIDE = 8 };

bool tile_table_needs_study(enum tile_table table)
{
    return table != TILE_SILICON;
}

static const struct tile_result *result_at(const struct tile_study *study, size_t subject)
{
    return &study->results[subject];
}

static void fill_requests(const struct tile_study *study, struct table *table)
{
    for (size_t i = 0; i < study->subjects; i++) {
        const struct tile_result *result = result_at(study, i);
        const struct metrics *timed = &result->metrics[0], *counts = &result->counts;
        const double gap = result->status ? NAN : 1;
        table_text(table, study->names[i]->name);
        table_text(table, !strcmp(study->names[i]->name, "effect2d") ? "8,070" : NULL);
        table_whole(table, gap * counts->tile_requests);
        table_whole(table, gap * counts->tile_cleared);
        table_percent(table, gap * counts->tile_hit_rate);
        table_percent(table, gap * timed->tile_hit_rate);
        table_whole(table, gap * timed->tile_chained);
        table_whole(table, gap * timed->tile_bus_reads);
        table_whole(table, gap * timed->tile_frame_cycles);
        table_text(table, result->why);
    }
}

static void fill_rivals(const struct tile_study *study, struct table *table)
{
    for (size_t i = 0; i < study->subjects; i++)
        for (size_t k = 0; k < TILE_DESIGNS; k++) {
            const struct metrics *own = &result_at(study, i)->metrics[k],
                                 *paper = &result_at(study, i)->metrics[0];
            const double gap = result_at(study, i)->status ? NAN : 1;
            if (k && tile_designs[k].partition)
                continue;
            table_text(table, study->names[i]->name);
            table_text(table, tile_designs[k].name);
            table_whole(table, gap * own->tile_frame_cycles);
            table_decimal(table, gap * own->tile_frame_cycles / paper->tile_frame_cycles, 2);
            table_whole(table, gap * own->tile_bus_reads);
            table_whole(table, gap * own->tile_refills);
            table_whole(table, gap * own->tile_cache_writes);
            table_whole(table, gap * own->tile_tag_updates);
            table_whole(table, gap * own->tile_external_bytes / 1024);
            table_decimal(table, gap * own->tile_queue_mean, 2);
            table_whole(table, gap * own->tile_queue_p99);
        }
}

static void fill_partitions(const struct tile_study *study, struct table *table)
{
    for (size_t i = 0; i < study->subjects; i++)
        for (size_t k = 0; k < TILE_DESIGNS; k++) {
            const struct metrics *own = &result_at(study, i)->metrics[k];
            const double gap = result_at(study, i)->status ? NAN : 1;
            if (!tile_designs[k].partition)
                continue;
            const int partition = study->machines[k].tile.partition;
            table_text(table, study->names[i]->name);
            table_text(table, k ? tile_designs[k].name : "2x2 (ours for the paper)");
            table_flag(table, tile_partition_traits[partition] & SCREEN_APART);
            table_whole(table, gap * own->tile_load_most);
            table_decimal(table, gap * own->tile_imbalance, 3);
            table_decimal(table, gap * own->tile_imbalance_window, 3);
            table_whole(table, gap * own->tile_stall_input);
            table_whole(table, gap * own->tile_stall_bank);
            table_whole(table, gap * own->tile_frame_cycles);
        }
}

static void fill_silicon(const struct tile_study *study, struct table *table)
{
    static const size_t designs[] = {0, 2, 3, 6};
    for (size_t i = 0; i < sizeof designs / sizeof *designs; i++)
        for (int id = STRUCTURE_tile; id <= (int)STRUCTURE_tile_queue; id++) {
            struct area_structure found;
            area_describe(&study->machines[designs[i]], (enum structure_id)id, &found);
            if (!found.exists)
                continue;
            table_text(table, tile_designs[designs[i]].name);
            table_text(table, structure_table[id].path);
            table_whole(table, found.bits);
            table_decimal(table, found.area, 4);
            table_decimal(table, 1e12 * found.energy, 2);
            table_decimal(table, 1e3 * found.leakage, 2);
            table_text(table, area_confidence_text(found.confidence));
        }
}

/* ---- the paper's text -------------------------------------------------------------------------
 */

static const struct tile_result *result_of(const struct tile_study *study, const char *name)
{
    for (size_t i = 0; i < study->subjects; i++)
        if (!strcmp(study->names[i]->name, name) && !study->results[i].status)
            return &study->results[i];
    return NULL;
}

static void add_requests(const struct tile_study *study, struct paper_numbers *numbers)
{
    const struct tile_result *flat = result_of(study, "effect2d");
    struct paper_number *least = paper_numbers_add(
        numbers, "requests of a frame of Effect 2D, the fewest", "8,070", MARK_TEXT);
    if (flat)
        snprintf(least->ours, sizeof least->ours, "%.0f", flat->counts.tile_requests);
    least->remark = "its size is not known; ours is 800 x 600, glmark2's";
    struct paper_number *most =
        paper_numbers_add(numbers, "requests of the largest frame", "647,680", MARK_TEXT);
    double largest = 0;
    for (size_t i = 0; i < study->subjects; i++)
        if (!study->results[i].status)
            largest = fmax(largest, study->results[i].counts.tile_requests);
    snprintf(most->ours, sizeof most->ours, "%.0f", largest);
    most->remark = "the text does not say of which scene";
}

/* In how many of the scenes the paper's design needs no more of something than a rival. */
static void add_rival(const struct tile_study *study, struct paper_numbers *numbers,
                      const char *what, size_t rival, size_t offset)
{
    struct paper_number *number = paper_numbers_add(numbers, what, "yes", MARK_CLAIM);
    size_t holds = 0, count = 0;
    for (size_t i = 0; i < study->subjects; i++) {
        double own, other;
        if (study->results[i].status)
            continue;
        memcpy(&own, (const char *)&study->results[i].metrics[0] + offset, sizeof own);
        memcpy(&other, (const char *)&study->results[i].metrics[rival] + offset, sizeof other);
        holds += own <= other;
        count++;
    }
    paper_number_judge(number, holds, count);
    snprintf(number->ours, sizeof number->ours, "in %zu of %zu scenes", holds, count);
}

static double ports_area(const struct tile_study *study, size_t design)
{
    struct area_structure found;
    area_describe(&study->machines[design], STRUCTURE_tile, &found);
    return found.area;
}

static void add_silicon(const struct tile_study *study, struct paper_numbers *numbers)
{
    const double own = ports_area(study, 0), conventional = ports_area(study, 2);
    struct paper_number *area = paper_numbers_add(
        numbers, "two ports instead of four save area and power", "yes", MARK_CLAIM);
    paper_number_say(area, own < conventional, "%.4f mm2 with 1R1W, %.4f mm2 with 2R2W", own,
                     conventional);
    area->remark = "the arrays of the cache alone, after CACTI 7 at 28 nm";
    struct paper_number *power =
        paper_numbers_add(numbers, "power of the subsystem", "1.45 W", MARK_TEXT);
    struct area_structure cache, queue;
    area_describe(&study->machines[0], STRUCTURE_tile, &cache);
    area_describe(&study->machines[0], STRUCTURE_tile_queue, &queue);
    snprintf(power->ours, sizeof power->ours, "%.4f W leaks", cache.leakage + queue.leakage);
    power->remark =
        "theirs is all synthesized logic of the subsystem at work; ours are the memories "
        "of one cache and its queues at rest: not comparable";
}

static void fill_numbers(const struct tile_study *study, struct paper_numbers *numbers)
{
    add_requests(study, numbers);
    add_rival(study, numbers, "chains read less than entries without them", 1,
              offsetof(struct metrics, tile_bus_reads));
    add_rival(study, numbers, "out of order is as fast as in order, or faster", 3,
              offsetof(struct metrics, tile_cycles));
    add_rival(study, numbers, "four banks are as fast as one, or faster", 4,
              offsetof(struct metrics, tile_cycles));
    add_rival(study, numbers, "its banks are loaded as evenly as whole rows, or more", 11,
              offsetof(struct metrics, tile_imbalance_window));
    add_silicon(study, numbers);
}

static const struct {
    const char *title;
    void (*fill)(const struct tile_study *study, struct table *table);
    const char *headers[13];
} layouts[TILE_TABLES] = {
    [TILE_REQUESTS] = {"Table 2. Requests and hit rates (the paper's but for 8,070 are lost)",
                       fill_requests,
                       {"scene", "paper", ">requests", ">cleared", ">hits, functional",
                        ">hits, in time", ">chained", ">bus reads", ">cycles a frame", "remark",
                        NULL}},
    [TILE_RIVALS] = {"Rivals on the same requests",
                     fill_rivals,
                     {"scene", "design", ">cycles a frame", ">of paper's", ">bus reads", ">refills",
                      ">cache writes", ">tag updates", ">KiB to and from memory", ">queue mean",
                      ">queue p99", NULL}},
    [TILE_PARTITIONED] = {"Figure 5. Partitions of the screen over four banks",
                          fill_partitions,
                          {"scene", "partition", "neighbours apart", ">busiest bank", ">imbalance",
                           ">imbalance of 64", ">stalls, no room", ">stalls, same bank",
                           ">cycles a frame", NULL}},
    [TILE_SILICON] = {"Tables 3 and 4. Memories at 28 nm after CACTI 7 (estimates; the paper's are "
                      "lost)",
                      fill_silicon,
                      {"design", "structure", ">bits", ">mm2", ">pJ a read", ">mW leakage", "basis",
                       NULL}},
};

enum status tile_report_table(const struct tile_study *study, enum tile_table which,
                              enum table_format format, FILE *out)
{
    if (which == TILE_NUMBERS) {
        struct paper_numbers numbers = {0};
        fill_numbers(study, &numbers);
        return paper_numbers_table(&numbers, format, out);
    }
    struct table *table = table_create(layouts[which].headers);
    if (!table)
        return STATUS_MEMORY;
    layouts[which].fill(study, table);
    return table_finish(table, format, out);
}

/* The banks of the first tiles of each partition side by side. */
static void print_maps(const struct tile_study *study, FILE *out)
{
    const struct tile_surface surface = {
        .width = 4 * MAP_SIDE, .height = 4 * MAP_SIDE, .samples = 1, .base = 64};
    fputc('\n', out);
    for (size_t k = 0; k < TILE_DESIGNS; k++)
        if (tile_designs[k].partition)
            fprintf(out, "%-*s", 2 * MAP_SIDE + 2, k ? tile_designs[k].name : "2x2");
    for (uint16_t y = 0; y < MAP_SIDE; y++) {
        fputc('\n', out);
        for (size_t k = 0; k < TILE_DESIGNS; k++) {
            struct screen screen;
            if (!tile_designs[k].partition)
                continue;
            screen_init(&screen, &study->machines[k].tile, &surface, 1);
            for (uint16_t x = 0; x < MAP_SIDE; x++) {
                const struct tile_request request = {.x = x, .y = y};
                fprintf(out, "%u ", screen_bank(&screen, &request));
            }
            fputs("  ", out);
        }
    }
    fputc('\n', out);
}

static void print_notes(const struct tile_study *study, FILE *out)
{
    fputs(
        "\nnote: the tables and figures of the paper are images that we do not have; our numbers "
        "are what this command ran, never fitted to its text\n"
        "note: the machine is tile-gpu; what the paper leaves open is marked (?) there, and a "
        "parameter\n"
        "note: a scene is drawn as fast as the subsystem takes it: no shader limits it\n"
        "note: of blocks, cycles are a bound (requests or bytes, whichever take longer), and bytes "
        "include the lists of primitives\n",
        out);
    fputs(study->full ? "note: eight frames of each scene\n"
                      : "note: one frame of each scene; --full takes eight\n",
          out);
}

enum status tile_report_print(const struct tile_study *study, FILE *out)
{
    struct paper_numbers numbers = {0};
    fill_numbers(study, &numbers);
    paper_numbers_print(&numbers, out);
    enum status status = STATUS_OK;
    for (int which = TILE_REQUESTS; which < TILE_TABLES && !status; which++) {
        fprintf(out, "\n%s\n", layouts[which].title);
        status = tile_report_table(study, (enum tile_table)which, TABLE_TEXT, out);
        if (which == TILE_PARTITIONED)
            print_maps(study, out);
    }
    if (!status)
        print_notes(study, out);
    return !status && ferror(out) ? STATUS_IO : status;
}
