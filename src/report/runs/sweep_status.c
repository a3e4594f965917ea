#include "report/runs/sweep_status.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/output_file.h"
#include "report/drawing/number.h"

enum { FILE_BYTES_MAX = 1 << 16 };

static const char *const state_names[] = {"starting", "running", "complete", "stopped", "failed"};
enum { STATE_COUNT = sizeof state_names / sizeof *state_names };

const char *sweep_state_name(enum sweep_state state)
{
    return state_names[state];
}

void sweep_status_init(struct sweep_status *status, const char *study)
{
    *status = (struct sweep_status){.pid = (long)getpid()};
    snprintf(status->study, sizeof status->study, "%s", study);
    gethostname(status->host, sizeof status->host - 1);
    status->started = clock_date();
    status->progress.eta = status->progress.best_value = status->progress.hypervolume = NAN;
    status->progress.best = UINT64_MAX;
}

/* Adds a value and takes it over; false if the value or a part of it could not be made. */
static bool set(json_t *object, const char *key, json_t *value)
{
    return value && !json_object_set_new(object, key, value);
}

static json_t *to_json(const struct sweep_status *status)
{
    const struct sweep_progress *progress = &status->progress;
    json_t *object = json_object();
    if (object && set(object, "state", json_string(state_names[status->state])) &&
        set(object, "event", text_json(status->event)) &&
        set(object, "study", text_json(status->study)) &&
        set(object, "host", text_json(status->host)) &&
        set(object, "pid", json_integer(status->pid)) &&
        set(object, "started", json_real(status->started)) &&
        set(object, "updated", json_real(status->updated)) &&
        set(object, "points", json_integer((json_int_t)progress->points)) &&
        set(object, "done", json_integer((json_int_t)progress->done)) &&
        set(object, "resumed", json_integer((json_int_t)progress->resumed)) &&
        set(object, "share", number_json(progress->share)) &&
        set(object, "passes", json_integer((json_int_t)progress->passes)) &&
        set(object, "passes_done", json_integer((json_int_t)progress->passes_done)) &&
        set(object, "passes_running", json_integer((json_int_t)progress->passes_running)) &&
        set(object, "seconds", number_json(progress->seconds)) &&
        set(object, "points_per_second", number_json(progress->rate)) &&
        set(object, "eta_seconds", number_json(progress->eta)) &&
        set(object, "front", json_integer((json_int_t)progress->front)) &&
        set(object, "hypervolume", number_json(progress->hypervolume)) &&
        set(object, "cells", json_integer((json_int_t)progress->cells)) &&
        set(object, "cells_covered", json_integer((json_int_t)progress->cells_covered)) &&
        set(object, "best_metric", text_json(status->best_metric)) &&
        set(object, "best_value", text_json(status->best_value)) &&
        set(object, "best_point", text_json(status->best_point)))
        return object;
    json_decref(object);
    return NULL;
}

/* "STORE.status", malloc'ed. */
static char *file_name(const char *store)
{
    char *name = NULL;
    return asprintf(&name, "%s.status", store) < 0 ? NULL : name;
}

/* A reader sees the old status or the new one, never a part. The status is rewritten every second
 * and worth nothing after a crash. */
enum status sweep_status_write(const char *store, struct sweep_status *status)
{
    status->updated = clock_date();
    json_t *object = to_json(status);
    char *name = file_name(store), *text = object ? json_dumps(object, JSON_INDENT(2)) : NULL;
    enum status result = STATUS_MEMORY;
    if (name && text)
        result = output_file_write(name, text, strlen(text),
                                   OUTPUT_REPLACE | OUTPUT_FILES_ONLY | OUTPUT_VOLATILE, NULL);
    json_decref(object);
    free(name);
    free(text);
    return result;
}

static void status_read_text(const json_t *object, const char *key, char *text, size_t size)
{
    const char *value = json_string_value(json_object_get(object, key));
    snprintf(text, size, "%s", value ? value : "");
}

static double read_real(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static uint64_t read_count(const json_t *object, const char *key)
{
    json_int_t value = json_integer_value(json_object_get(object, key));
    return value > 0 ? (uint64_t)value : 0;
}

static enum status from_json(const json_t *object, struct sweep_status *status)
{
    const char *state = json_string_value(json_object_get(object, "state"));
    size_t i = 0;
    while (state && i < STATE_COUNT && strcmp(state, state_names[i]))
        i++;
    if (!state || i == STATE_COUNT)
        return STATUS_CORRUPT;
    *status = (struct sweep_status){
        .state = (enum sweep_state)i,
        .pid = (long)json_integer_value(json_object_get(object, "pid")),
        .started = read_real(object, "started"),
        .updated = read_real(object, "updated"),
        .progress = {.points = read_count(object, "points"),
                     .done = read_count(object, "done"),
                     .resumed = read_count(object, "resumed"),
                     .share = read_real(object, "share"),
                     .passes = read_count(object, "passes"),
                     .passes_done = read_count(object, "passes_done"),
                     .passes_running = (unsigned)read_count(object, "passes_running"),
                     .seconds = read_real(object, "seconds"),
                     .rate = read_real(object, "points_per_second"),
                     .eta = read_real(object, "eta_seconds"),
                     .front = read_count(object, "front"),
                     .hypervolume = read_real(object, "hypervolume"),
                     .cells = read_count(object, "cells"),
                     .cells_covered = read_count(object, "cells_covered"),
                     .best = UINT64_MAX,
                     .best_value = NAN}};
    status_read_text(object, "event", status->event, sizeof status->event);
    status_read_text(object, "study", status->study, sizeof status->study);
    status_read_text(object, "host", status->host, sizeof status->host);
    status_read_text(object, "best_metric", status->best_metric, sizeof status->best_metric);
    status_read_text(object, "best_value", status->best_value, sizeof status->best_value);
    status_read_text(object, "best_point", status->best_point, sizeof status->best_point);
    return STATUS_OK;
}

enum status sweep_status_read(const char *store, struct sweep_status *status)
{
    char *name = file_name(store);
    if (!name)
        return STATUS_MEMORY;
    FILE *file = fopen(name, "re");
    free(name);
    if (!file)
        return errno == ENOENT ? STATUS_NOT_FOUND : STATUS_IO;
    char *text = malloc(FILE_BYTES_MAX);
    enum status result = STATUS_MEMORY;
    if (text) {
        size_t size = fread(text, 1, FILE_BYTES_MAX, file);
        json_t *object = json_loadb(text, size, 0, NULL);
        result = object ? from_json(object, status) : STATUS_CORRUPT;
        json_decref(object);
    }
    free(text);
    fclose(file);
    return result;
}
