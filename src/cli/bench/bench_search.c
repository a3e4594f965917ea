/* warpscape bench search: how good searches are on a table of all points of a design space
 * (explore/search/row_search.h). Each method chooses rows with several seeds; a row of the result
 * is the mean over these. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cli/bench/bench.h"
#include "cli/shared/options.h"
#include "explore/search/row_search.h"

struct search_score {
    double mean, deviation, front;
};

/* Runs a method with each seed. */
static enum status score_search(const struct truth_table *truth, enum row_search method,
                                uint64_t seeds, size_t points, struct search_score *score)
{
    size_t *chosen = calloc(points, sizeof *chosen);
    double sum = 0, squares = 0, front = 0;
    enum status status = chosen ? STATUS_OK : STATUS_MEMORY;
    for (uint64_t seed = 0; seed < seeds && !status; seed++) {
        struct truth_share share = {0};
        if (*interrupt_flag())
            status = STATUS_CANCELLED;
        if (!status)
            status = row_search_run(truth, method, seed, points, chosen);
        if (!status)
            status = truth_table_share(truth, chosen, points, &share);
        sum += share.volume;
        squares += share.volume * share.volume;
        front += share.front;
    }
    free(chosen);
    const double count = (double)seeds, mean = sum / count;
    *score = (struct search_score){
        .mean = mean,
        .deviation = seeds > 1 ? sqrt(fmax(0, squares - count * mean * mean) / (count - 1)) : NAN,
        .front = front / count};
    return status;
}

static enum status score_all(const struct bench_search *search, const struct truth_table *truth,
                             size_t points, struct table *table)
{
    enum status status = STATUS_OK;
    for (int method = 0; method < ROW_SEARCHES && !status; method++) {
        struct search_score score;
        char name[32];
        snprintf(name, sizeof name, "%s", row_search_names[method]);
        progress_show(name, (double)method / ROW_SEARCHES);
        status = score_search(truth, (enum row_search)method, search->seeds, points, &score);
        if (status)
            break;
        table_text(table, row_search_names[method]);
        table_whole(table, (double)points);
        table_decimal(table, score.mean, 4);
        table_decimal(table, score.deviation, 4);
        table_decimal(table, score.front, 3);
    }
    progress_end();
    return status;
}

enum status bench_search(const struct bench_search *search, enum table_format format,
                         struct diagnostics *diagnostics)
{
    static const char *const headers[] = {"method",    ">points",      ">share_mean",
                                          ">share_sd", ">front_share", NULL};
    struct truth_table truth;
    enum status status = truth_table_read(search->table, &search->columns, &truth, diagnostics);
    const uint64_t points = search->points ? search->points : (truth.row_count + 99) / 100;
    if (!status && points > truth.row_count)
        status = diagnostics_error(diagnostics, STATUS_INVALID,
                                   "--points %" PRIu64 ": the table has %zu rows", points,
                                   truth.row_count);
    struct table *table = status ? NULL : table_create(headers);
    if (!status && !table)
        status = STATUS_MEMORY;
    if (!status && format == TABLE_TEXT)
        printf("%zu rows, %zu axes, %zu rows in the front; means over %" PRIu64 " seeds\n",
               truth.row_count, truth.axis_count, truth.front_count, search->seeds);
    if (!status)
        status = score_all(search, &truth, (size_t)points, table);
    if (table) { /* also what was measured before an interrupt */
        const enum status printed = table_finish(table, format, stdout);
        status = status ? status : printed;
    }
    truth_table_free(&truth);
    return status;
}
