#include "report/runs/point_export.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "base/text_stream.h"
#include "config/gpgpusim.h"
#include "config/machine_file.h"

enum { DIGITS = 6 }; /* of values for people */

enum { SHARE_TEXT = 48 };

enum status metric_direction(const struct study *study, const char *option, const char *path,
                             enum direction *direction, struct diagnostics *diagnostics)
{
    const struct metric *metric = metric_find(path);
    if (!metric) {
        const char *nearest = metric_nearest(path);
        char hint[SUGGESTION_TEXT];
        return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "--%s: unknown metric '%.60s'%s",
                                 option, path, suggestion(nearest, hint));
    }
    *direction = metric->direction;
    for (size_t i = 0; i < study->objective_count; i++)
        if (study->objectives[i].metric == metric)
            *direction = study->objectives[i].direction;
    if (*direction != NO_DIRECTION)
        return STATUS_OK;
    return diagnostics_error(diagnostics, STATUS_INVALID, "--%s: %s is neither better low nor high",
                             option, path);
}

struct taking {
    struct chosen_point *chosen;
    size_t column_count;
    bool found;
};

static enum status export_take_row(void *argument, const struct store_row *row)
{
    struct taking *taking = argument;
    struct chosen_point *chosen = taking->chosen;
    chosen->values = malloc(taking->column_count * sizeof *chosen->values);
    if (!chosen->values)
        return STATUS_MEMORY;
    memcpy(chosen->values, row->values, taking->column_count * sizeof *chosen->values);
    chosen->row = *row;
    chosen->row.values = chosen->values;
    taking->found = true;
    return STATUS_OK;
}

/* The filter "workload = 'NAME' and (...)", malloc'ed; "" if nothing was asked for. */
static char *write_where(const struct point_request *request)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return NULL;
    const char *join = "";
    if (!request->best) {
        fprintf(out, "id = %" PRIu64, request->point);
        join = " and ";
    }
    if (request->workload) {
        fprintf(out, "%sworkload = '", join);
        for (const char *c = request->workload; *c; c++)
            fprintf(out, "%s%c", *c == '\'' ? "'" : "", *c);
        fputc('\'', out);
        join = " and ";
    }
    if (request->where)
        fprintf(out, "%s(%s)", join, request->where);
    return text_stream_take(&stream);
}

/* The value that the best point was chosen by. */
static double sorted_value(const struct store *store, const struct point_request *request,
                           const struct chosen_point *chosen)
{
    const struct metric *const *columns;
    const size_t count = store_columns(store, &columns);
    for (size_t i = 0; i < count; i++)
        if (!strcmp(columns[i]->path, request->best))
            return chosen->values[i];
    return 0;
}

enum status point_choose(const struct point_request *request, struct store *store,
                         const struct study *study, struct chosen_point *chosen,
                         struct diagnostics *diagnostics)
{
    const struct metric *const *columns;
    enum direction direction = LOWER_IS_BETTER;
    char sort[128];
    struct taking taking = {.chosen = chosen};
    *chosen = (struct chosen_point){0};
    struct query query = {.limit = 1, .across = request->across};
    if (request->best && !request->workload && !query.across && study->workload_count > 1)
        query.across = AGGREGATE_GEOMEAN;
    chosen->across = query.across;
    taking.column_count = store_columns(store, &columns);
    if (request->best) {
        enum status status =
            metric_direction(study, "best", request->best, &direction, diagnostics);
        if (status)
            return status;
        snprintf(sort, sizeof sort, "%s%s", direction == HIGHER_IS_BETTER ? "-" : "",
                 request->best);
        query.sort = sort;
        query.best_first = true;
        query.eligible = true;
    }
    char *where = write_where(request);
    if (!where)
        return STATUS_MEMORY;
    query.where = *where ? where : NULL;
    enum status status = store_query(store, &query, export_take_row, &taking, diagnostics);
    free(where);
    if (!status && taking.found && request->best && isnan(sorted_value(store, request, chosen)))
        status = diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                                   "%s: %s has no value over all workloads (a geometric mean needs "
                                   "values above 0); name one with --workload, or --across mean",
                                   request->store, request->best);
    if (!status && !taking.found)
        status =
            diagnostics_error(diagnostics, STATUS_NOT_FOUND, "%s: no such point%s", request->store,
                              request->best ? " passes the study's filters" : "");
    return status;
}

void chosen_point_free(struct chosen_point *chosen)
{
    free(chosen->values);
    *chosen = (struct chosen_point){0};
}

/* The first lines of the configuration: store and point it is from, and the measured values. */
static enum status write_title(struct store *store, const struct study *study,
                               const struct chosen_point *chosen,
                               const struct point_request *request, char **title,
                               struct diagnostics *diagnostics)
{
    const struct metric *const *columns;
    const struct space *space = store_space(store);
    char *hash = NULL, *tool = NULL, *digest = NULL, share[SHARE_TEXT];
    struct text_stream stream = {0};
    size_t count = store_columns(store, &columns);
    size_t workload = chosen->row.point / space->machines;
    enum status status = store_provenance(store, "space_hash", &hash, diagnostics);
    if (!status)
        status = store_provenance(store, "tool_version", &tool, diagnostics);
    if (!status)
        status = store_digest(store, workload, &digest, diagnostics);
    FILE *out = status ? NULL : text_stream_open(&stream);
    if (out) {
        fprintf(out, "Point %" PRIu64 " of the study %s (%s, space %s, Warpscape %s)\n",
                chosen->row.point, study->name ? study->name : "?", request->store,
                hash ? hash : "?", tool ? tool : "?");
        if (chosen->row.workloads == 1)
            fprintf(out, "on %s (%s):", study->workloads[workload], digest ? digest : "?");
        else
            fprintf(out, "%s over %s workloads:", aggregate_names[chosen->across],
                    store_row_workload(space, &chosen->row, share, sizeof share));
        for (size_t i = 0; i < count; i++) {
            char value[QUANTITY_TEXT];
            if (!isnan(chosen->values[i]))
                fprintf(out, "\n  %s = %s", columns[i]->path,
                        quantity_print_short(chosen->values[i], columns[i]->unit, DIGITS, value));
        }
    }
    status = text_stream_finish(&stream, status, title);
    free(hash);
    free(tool);
    free(digest);
    return status;
}

/* Puts every line of `title` as a comment before `text`. The result is malloc'ed. */
static char *put_comment(const char *title, const char *text)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return NULL;
    printable_comment(title, out);
    fputs(text, out);
    return text_stream_take(&stream);
}

enum status point_configuration(const struct point_request *request, struct store *store,
                                const struct study *study, const struct chosen_point *chosen,
                                bool gpgpusim, char **text, struct diagnostics *diagnostics)
{
    struct machine machine;
    const struct space *space = store_space(store);
    char *title = NULL, *bare = NULL;
    enum status status = write_title(store, study, chosen, request, &title, diagnostics);
    space_machine(space, chosen->row.point % space->machines, &machine);
    if (!status && !gpgpusim) {
        status = machine_to_yaml(&machine, title, text);
    } else if (!status) {
        status = gpgpusim_write(&machine, &bare, diagnostics);
        if (!status && !(*text = put_comment(title, bare)))
            status = STATUS_MEMORY;
    }
    free(title);
    free(bare);
    return status;
}
