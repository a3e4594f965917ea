/* Completion of ':' lines over commands, parameters, values, metrics and workloads (prompt.h). */
#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "ui/prompt.h"
#include "workload/workload.h"

/* What fits so far: their common start, and their names as a list. */
struct matches {
    const char *word;
    size_t length;
    char common[128];
    size_t count;
    char *names;
    size_t used;
};

static void consider(struct matches *matches, const char *name)
{
    if (strncmp(name, matches->word, matches->length))
        return;
    if (matches->count++ == 0) {
        snprintf(matches->common, sizeof matches->common, "%s", name);
    } else {
        size_t same = 0;
        while (matches->common[same] && matches->common[same] == name[same])
            same++;
        matches->common[same] = '\0';
    }
    if (matches->used < 255)
        matches->used += (size_t)snprintf(matches->names + matches->used, 256 - matches->used,
                                          "%s%s", matches->used ? "  " : "", name);
}

/* NULL ends the words. */
static void consider_words(struct matches *matches, const char *const *words)
{
    for (; *words; words++)
        consider(matches, *words);
}

static void consider_parameters(struct matches *matches)
{
    for (size_t i = 0; i < parameter_count; i++)
        consider(matches, parameters[i].path);
}

static void consider_metrics(struct matches *matches)
{
    for (size_t i = 0; i < METRIC_COUNT; i++)
        consider(matches, metric_table[i].path);
}

static void consider_values(struct matches *matches, const char *path)
{
    const struct parameter *parameter = parameter_find(path);
    static const char *const words[] = {"yes", "no", NULL};
    if (!parameter)
        return;
    if (parameter->type == PARAMETER_BOOL)
        consider_words(matches, words);
    for (size_t i = 0; i < parameter->choice_count; i++)
        consider(matches, parameter->choices[i].name);
}

static void consider_workloads(struct matches *matches)
{
    struct workload_entry *entries;
    size_t count;
    if (workload_list(&entries, &count))
        return;
    for (size_t i = 0; i < count; i++)
        consider(matches, entries[i].name);
    workload_list_free(entries, count);
}

/* Commands whose argument is one of a few words. */
static const char *const *words_of(enum command command)
{
    static const char *const panes[] = {"machine", "live", "chart", "sweep", NULL};
    static const char *const tiers[] = {"auto", "braille", "block", "ascii", NULL};
    static const char *const sweeps[] = {"start", "stop", NULL};
    static const char *const waits[] = {"sweep", NULL};
    static const char *const none[] = {NULL};
    switch (command) {
    case COMMAND_FOCUS:
        return panes;
    case COMMAND_VIEW:
        return view_names;
    case COMMAND_CHART:
        return chart_names;
    case COMMAND_GLYPHS:
        return tiers;
    case COMMAND_SWEEP:
        return sweeps;
    case COMMAND_WAIT:
        return waits;
    default:
        return none;
    }
}

/* `before` is the word before the one being completed, `index` that one's number. */
static void consider_arguments(struct matches *matches, enum command command, const char *before,
                               int index)
{
    switch (command) {
    case COMMAND_SET:
        if (index % 2)
            consider_parameters(matches);
        else
            consider_values(matches, before);
        break;
    case COMMAND_AXIS:
    case COMMAND_RESET:
        if (index == 1)
            consider_parameters(matches);
        else
            consider_values(matches, before);
        break;
    case COMMAND_OBJECTIVE:
    case COMMAND_METRIC:
        consider_metrics(matches);
        break;
    case COMMAND_FILTER:
    case COMMAND_SORT:
    case COMMAND_FIND:
        consider_parameters(matches);
        consider_metrics(matches);
        break;
    case COMMAND_SEARCH:
        if (index == 1)
            for (size_t i = 0; i < SEARCH_COUNT; i++)
                consider(matches, search_table[i].name);
        else
            for (size_t i = 0; i < search_parameter_count; i++)
                consider(matches, search_parameter_table[i].name);
        break;
    case COMMAND_OPEN:
        for (const struct embedded_file *file = embedded_machines; file->name; file++)
            consider(matches, file->name);
        break;
    case COMMAND_WORKLOAD:
        consider_workloads(matches);
        break;
    case COMMAND_DEPTH:
        for (int depth = 0; depth < DEPTH_COUNT; depth++)
            consider(matches, depth_name(depth));
        break;
    default:
        consider_words(matches, words_of(command));
        break;
    }
}

void complete_command(const struct explorer *explorer, struct line_editor *line,
                      char candidates[256])
{
    (void)explorer;
    char copy[LINE_MAX_BYTES];
    snprintf(copy, sizeof copy, "%.*s", line->cursor, line->text);
    char *words[64] = {NULL}, *rest = copy;
    int count = 0, start = 0;
    for (char *word; count < 63 && (word = strsep(&rest, " =")) != NULL;)
        if (*word || !rest) {
            start = (int)(word - copy);
            words[count++] = word;
        }
    struct matches matches = {.word = words[count - 1], .names = candidates};
    matches.length = strlen(matches.word);
    candidates[0] = '\0';
    if (count == 1) {
        for (size_t i = 0; i < COMMAND_COUNT; i++)
            consider(&matches, command_table[i].name);
    } else {
        enum command command = command_find(words[0]);
        if (command < COMMAND_COUNT)
            consider_arguments(&matches, command, words[count - 2], count - 1);
    }
    if (!matches.count) {
        snprintf(candidates, 256, "nothing starts so");
        return;
    }
    char text[sizeof matches.common + 1];
    snprintf(text, sizeof text, "%s%s", matches.common, matches.count == 1 ? " " : "");
    if (strlen(matches.common) >= matches.length)
        line_replace(line, start, text);
    if (matches.count == 1)
        candidates[0] = '\0';
}
