/* warpscape run A B ...: several machines on one workload, a column each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"
#include "cli/shared/machine_argument.h"
#include "report/drawing/number.h"
#include "schema/exactness.h"

enum { DIGITS = 4, NAME_TEXT = 256, BEST_TEXT = 1024 };

struct beside {
    const struct run_arguments *arguments;
    const struct run *run; /* that of the first machine */
    size_t count, done;    /* of machines, and of these so many have metrics */
    struct machine *machines;
    struct metrics *metrics;
};

static bool beside_alloc(struct beside *beside)
{
    beside->machines = calloc(beside->count, sizeof *beside->machines);
    beside->metrics = calloc(beside->count, sizeof *beside->metrics);
    return beside->machines && beside->metrics;
}

/* All errors of all machines at once. */
static enum status load_all(struct beside *beside, struct diagnostics *diagnostics)
{
    const struct run_arguments *arguments = beside->arguments;
    enum status status = STATUS_OK;
    beside->machines[0] = beside->run->machine;
    for (size_t i = 1; i < beside->count; i++) {
        const enum status loaded =
            machine_argument_load(arguments->machines.items[i], &arguments->settings,
                                  arguments->depth, &beside->machines[i], diagnostics);
        if (loaded && loaded != STATUS_NOT_FOUND) /* other messages name no machine */
            diagnostics_add(diagnostics, SEVERITY_NOTE, NULL, "that is said of %s",
                            arguments->machines.items[i]);
        status = status ? status : loaded;
    }
    return status;
}

static enum status evaluate_all(struct beside *beside, struct diagnostics *diagnostics)
{
    const struct evaluate_options how = run_evaluate_options(beside->arguments, beside->run);
    const struct machine **all = calloc(beside->count, sizeof *all);
    if (!all)
        return STATUS_MEMORY;
    for (size_t i = 0; i < beside->count; i++)
        all[i] = &beside->machines[i];
    const enum status status = run_evaluate(all, beside->count, beside->run->source, &how,
                                            beside->metrics, &beside->done, diagnostics);
    free(all);
    progress_end();
    for (size_t i = 0; i < beside->done; i++) /* what is saved is so against the first */
        metrics_compare(&beside->metrics[i], i ? &beside->metrics[0] : NULL,
                        beside->arguments->depth);
    return status;
}

/* Whether any machine has a value; one that is 0 on most machines must not be 0 on all. */
static bool beside_shows(const struct beside *beside, const struct metric *metric)
{
    bool shown = false;
    for (size_t i = 0; i < beside->done; i++) {
        const double value = metric_get(metric, &beside->metrics[i]);
        shown = shown || (!isnan(value) && (value != 0 || !(metric->traits & METRIC_SPARSE)));
    }
    return shown;
}

/* The machines that no other is better than; "" if that is said of all, or rests on an assumed
 * clock. */
static const char *best_machines(const struct beside *beside, const struct metric *metric,
                                 char text[BEST_TEXT])
{
    const double sign = metric->direction == LOWER_IS_BETTER ? -1 : 1;
    double best = -INFINITY;
    size_t count = 0, used = 0;
    for (size_t i = 0; i < beside->done; i++)
        best = fmax(best, sign * metric_get(metric, &beside->metrics[i]));
    text[0] = '\0';
    if (metric_assumes_clock(metric, beside->arguments->depth))
        return text;
    for (size_t i = 0; i < beside->done && metric->direction != NO_DIRECTION; i++) {
        if (sign * metric_get(metric, &beside->metrics[i]) != best)
            continue;
        count++;
        if (used < BEST_TEXT)
            used += (size_t)snprintf(text + used, BEST_TEXT - used, "%s%s", used ? ", " : "",
                                     beside->arguments->machines.items[i]);
    }
    return count < beside->done ? text : "";
}

static struct table *make_table(const struct beside *beside)
{
    const char **headers = calloc(beside->done + 4, sizeof *headers);
    char(*names)[NAME_TEXT] = calloc(beside->done + 1, sizeof *names);
    struct table *table = NULL;
    if (headers && names) {
        headers[0] = "metric";
        for (size_t i = 0; i < beside->done; i++) {
            snprintf(names[i], sizeof *names, ">%s", beside->arguments->machines.items[i]);
            headers[i + 1] = names[i];
        }
        headers[beside->done + 1] = "unit";
        headers[beside->done + 2] = "best";
        table = table_create(headers);
    }
    free(headers);
    free(names);
    return table;
}

static void beside_add_row(struct table *table, const struct beside *beside,
                           const struct metric *metric)
{
    char text[64], best[BEST_TEXT];
    table_text(table, metric->path);
    for (size_t i = 0; i < beside->done; i++) {
        const double value = metric_get(metric, &beside->metrics[i]);
        table_number(table, value, quantity_print_short(value, metric->unit, DIGITS, text));
    }
    table_text(table, unit_name(metric->unit));
    table_text(table, best_machines(beside, metric, best));
}

/* What is to be said of a machine; notes may point into its run. */
struct noted {
    struct run run;
    struct run_notes notes;
};

static bool has_note(const struct noted *noted, const char *text)
{
    const struct run_notes *notes = &noted->notes;
    for (size_t i = 0; i < notes->count; i++)
        if (!strcmp(notes->items[i], text))
            return true;
    return false;
}

/* A note of `machine`, unless an earlier one has it, with the machines that it is about unless
 * these are all. `noted` has one of each machine. */
static void print_note(const struct beside *beside, const struct noted *noted, size_t machine,
                       const char *text)
{
    size_t having = 0;
    for (size_t i = 0; i < beside->done; i++) {
        const bool has = has_note(&noted[i], text);
        if (has && i < machine)
            return;
        having += has;
    }
    fputs("note: ", stdout);
    const char *separator = "";
    for (size_t i = 0; i < beside->done && having < beside->done; i++)
        if (has_note(&noted[i], text)) {
            printf("%s%s", separator, beside->arguments->machines.items[i]);
            separator = ", ";
        }
    printf("%s%s\n", having < beside->done ? ": " : "", text);
}

static enum status print_notes(const struct beside *beside)
{
    struct noted *noted = calloc(beside->done + 1, sizeof *noted);
    if (!noted)
        return STATUS_MEMORY;
    for (size_t i = 0; i < beside->done; i++) {
        noted[i].run = *beside->run;
        noted[i].run.machine = beside->machines[i];
        run_notes(beside->arguments, &noted[i].run, &beside->metrics[i], &noted[i].notes);
    }
    for (size_t i = 0; i < beside->done; i++)
        for (size_t k = 0; k < noted[i].notes.count; k++)
            print_note(beside, noted, i, noted[i].notes.items[k]);
    free(noted);
    return STATUS_OK;
}

/* What a signal left undone. */
static void print_rest(const struct beside *beside)
{
    for (size_t i = beside->done; i < beside->count; i++)
        printf("%s%s", i > beside->done ? ", " : "Stopped early, so these did not run: ",
               beside->arguments->machines.items[i]);
    if (beside->done < beside->count)
        puts(".");
}

static enum status print_all(const struct beside *beside)
{
    const enum table_format format = beside->arguments->format;
    const bool people = format == TABLE_TEXT || format == TABLE_MARKDOWN;
    struct table *table = make_table(beside);
    if (!table)
        return STATUS_MEMORY;
    for (size_t i = 0; i < METRIC_COUNT; i++)
        if (beside_shows(beside, &metric_table[i]))
            beside_add_row(table, beside, &metric_table[i]);
    if (people) {
        /* What follows the name is said of every machine: settings, ideals. */
        const char *changes =
            beside->run->machine_name + strlen(beside->arguments->machines.items[0]);
        printf("workload: %s\n", beside->run->source->name);
        printf("depth:    %s\n", depth_name(beside->arguments->depth));
        if (beside->done > 1)
            printf("saved:    against %s\n", beside->arguments->machines.items[0]);
        if (*changes)
            printf("all with: %s\n", changes + strspn(changes, ", "));
        putchar('\n');
    }
    enum status status = table_finish(table, format, stdout);
    if (people && !status) {
        putchar('\n');
        status = print_notes(beside);
        print_rest(beside);
    }
    return status;
}

enum status run_machines(const struct run_arguments *arguments, const struct run *run,
                         struct diagnostics *diagnostics)
{
    struct beside beside = {.arguments = arguments, .run = run, .count = arguments->machines.count};
    enum status status = beside_alloc(&beside) ? STATUS_OK : STATUS_MEMORY;
    if (!status)
        status = load_all(&beside, diagnostics);
    if (!status)
        status = evaluate_all(&beside, diagnostics);
    if (!status || (status == STATUS_CANCELLED && beside.done)) {
        const enum status printed = print_all(&beside);
        status = status ? status : printed;
    }
    free(beside.machines);
    free(beside.metrics);
    return status;
}
