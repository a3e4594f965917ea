#include "ui/panes/shown_points.h"

#include <stdio.h>
#include <string.h>

#include "explore/space/conditions.h"

#include "ui/panes/pane.h"

const struct points *points_shown(const struct explorer *explorer)
{
    return pane_answer(explorer, CONTEXT_EXPLORE);
}

const struct points *points_usable(const struct explorer *explorer)
{
    const struct points *points = points_shown(explorer);
    return points && !points->answer.status ? points : NULL;
}

bool shown_points_grow(const struct explorer *explorer)
{
    return explorer->snapshot.sweep.state == ENGINE_RUNNING &&
           !strcmp(explorer->shown.wanted.store, explorer->sweep.store);
}

const struct points *points_unfinished(const struct explorer *explorer)
{
    const struct points *points = points_usable(explorer);
    return points && points->there < points->legal && !shown_points_grow(explorer) &&
                   !strcmp(points->query.store, explorer->shown.wanted.store)
               ? points
               : NULL;
}

void shown_points_read(struct explorer *explorer)
{
    struct shown_points *shown = &explorer->shown;
    if (!shown->wanted.store[0])
        return;
    shown->wanted.grows = shown_points_grow(explorer);
    shown->wanted.compares = shown->comparing;
    shown->wanted.from = shown->marked[0].index;
    shown->wanted.to = shown->marked[1].index;
    pane_ask(explorer, CONTEXT_EXPLORE, points_new(&shown->wanted));
    shown->read_at = explorer->snapshot.sweep.progress.done;
}

void shown_points_open(struct shown_points *shown, const char *store)
{
    shown->wanted = (struct points_query){0};
    snprintf(shown->wanted.store, sizeof shown->wanted.store, "%s", store);
    shown->marked[0].set = shown->marked[1].set = shown->comparing = false;
    shown->read_at = 0;
}

void shown_points_across(struct explorer *explorer, enum aggregate across)
{
    struct shown_points *shown = &explorer->shown;
    shown->wanted.across = across;
    shown->marked[0].set = shown->marked[1].set = shown->comparing = false; /* other values */
    shown_points_read(explorer);
}

void shown_points_narrowed(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct points_query *wanted = &explorer->shown.wanted;
    const struct points *points = points_shown(explorer);
    size_t used = 0;
    text[0] = '\0';
    if (wanted->across)
        used =
            (size_t)snprintf(text, ROW_TEXT, "%s over workloads", aggregate_names[wanted->across]);
    if (wanted->where[0])
        used += (size_t)snprintf(text + used, ROW_TEXT - used, "%swhere %.300s", used ? ", " : "",
                                 wanted->where);
    if (wanted->front)
        used += (size_t)snprintf(text + used, ROW_TEXT - used, "%sfront only", used ? ", " : "");
    if (!points || points->answer.status)
        return;
    const enum depth depth = explorer->session->study.depth;
    if (points->study->depth != depth)
        used +=
            (size_t)snprintf(text + used, ROW_TEXT - used, "%sdepth %s, Live at %s",
                             used ? ", " : "", depth_name(points->study->depth), depth_name(depth));
    for (size_t i = 0; i < points->study->filter_count && used < ROW_TEXT; i++) {
        char filter[ROW_TEXT];
        used += (size_t)snprintf(
            text + used, ROW_TEXT - used, "%s%s%s", used && !i ? "   " : "",
            i ? " and " : "front where ",
            condition_print(points->study->filters[i].text, filter, sizeof filter));
    }
}

struct points_shape points_shape(const struct points *points)
{
    return (struct points_shape){points->study->workload_count > 1, points->study->axis_count,
                                 points->column_count};
}

size_t shown_points_columns(const struct explorer *explorer)
{
    const struct points *points = points_usable(explorer);
    const struct points_shape shape = points ? points_shape(points) : (struct points_shape){0};
    return shape.workload + shape.axes + shape.metrics;
}

const char *shown_points_column(const struct explorer *explorer, size_t column)
{
    const struct points *points = points_shown(explorer);
    struct points_shape shape = points_shape(points);
    if (column < shape.workload)
        return "workload";
    column -= shape.workload;
    if (column < shape.axes)
        return points->study->axes[column].parameter->path;
    return points->columns[column - shape.axes]->path;
}
