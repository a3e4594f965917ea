/* Completion of ':' lines: commands, parameters, values, metrics, workloads and paths (prompt.h).
 * The command before the cursor decides what is offered. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/embedded.h"
#include "ui/pane.h"
#include "ui/prompt.h"
#include "workload/workload.h"

/* The matches so far: their common start, and their names as a list. */
struct matches {
    const char *word;
    size_t length;
    char common[LINE_MAX_BYTES];
    size_t count;
    bool open; /* the only match is a folder: its path continues */
    char *names;
    size_t used;
};

/* `shown` is the name as it appears in the list. */
static void consider_as(struct matches *matches, const char *name, const char *shown)
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
                                          "%s%s", matches->used ? "  " : "", shown);
}

static void consider(struct matches *matches, const char *name)
{
    consider_as(matches, name, name);
}

/* The words end with NULL. */
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

static bool is_choice(const char *path)
{
    const struct parameter *parameter = parameter_find(path);
    return parameter && (parameter->choice_count || parameter->type == PARAMETER_BOOL);
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

/* Offers the columns of the table of points. Without a table, or if none matches, offers all names.
 */
static void consider_columns(const struct explorer *explorer, struct matches *matches)
{
    for (size_t i = 0; i < explore_view_columns(explorer); i++)
        consider(matches, explore_view_column(explorer, i));
    if (matches->count)
        return;
    consider_parameters(matches);
    consider_metrics(matches);
}

enum { ENTRIES_MAX = 20000 }; /* entries of a folder that are looked at */

static bool is_folder(const char *folder, const struct dirent *entry)
{
    char path[LINE_MAX_BYTES + sizeof entry->d_name];
    struct stat status;
    if (entry->d_type != DT_UNKNOWN && entry->d_type != DT_LNK)
        return entry->d_type == DT_DIR;
    snprintf(path, sizeof path, "%s%s", folder, entry->d_name);
    return !stat(path, &status) && S_ISDIR(status.st_mode);
}

static bool is_printable(const char *name)
{
    while (*name && (unsigned char)*name >= ' ' && *name != 0x7f)
        name++;
    return !*name;
}

/* Offers files and folders; hidden ones only if the dot was typed. */
static void consider_paths(struct matches *matches)
{
    const char *slash = strrchr(matches->word, '/');
    char folder[LINE_MAX_BYTES];
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash + 1 - matches->word) : 0,
             matches->word);
    const char *begun = slash ? slash + 1 : matches->word;
    DIR *opened = opendir(folder[0] ? folder : ".");
    const struct dirent *entry;
    for (int i = 0; opened && i < ENTRIES_MAX && (entry = readdir(opened)) != NULL; i++) {
        char path[sizeof folder + sizeof entry->d_name + 2], shown[sizeof entry->d_name + 2];
        if ((entry->d_name[0] == '.' && *begun != '.') || !is_printable(entry->d_name) ||
            !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
            strncmp(entry->d_name, begun, strlen(begun)) != 0)
            continue;
        bool is_open = is_folder(folder, entry);
        snprintf(shown, sizeof shown, "%s%s", entry->d_name, is_open ? "/" : "");
        snprintf(path, sizeof path, "%s%s", folder, shown);
        consider_as(matches, path, shown);
        matches->open = is_open;
    }
    if (opened)
        closedir(opened);
}

/* Where nothing is typed yet: what was opened lately. */
static void consider_recent(struct matches *matches, enum recent_kind kind)
{
    struct recent_files files;
    if (matches->length)
        return;
    recent_read(&files);
    for (size_t i = 0; i < files.count; i++)
        if (files.items[i].kind == kind)
            consider(matches, files.items[i].path);
}

/* Commands whose argument is one of a few words. */
static const char *const *words_of(enum command command)
{
    static const char *const tiers[] = {"auto", "braille", "block", "ascii", NULL};
    static const char *const sweeps[] = {"start", "stop", NULL};
    static const char *const waits[] = {"sweep", NULL};
    static const char *const none[] = {NULL};
    switch (command) {
    case COMMAND_FOCUS:
        return pane_names;
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
    case COMMAND_LAUNCHES:
        return pairing_names;
    default:
        return none;
    }
}

/* `before` is the word before the one to complete, `index` the number of that one. */
static void consider_arguments(const struct explorer *explorer, struct matches *matches,
                               enum command command, const char *before, int index)
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
    case COMMAND_METRIC:
        consider(matches, "auto");
        consider_metrics(matches);
        break;
    case COMMAND_OBJECTIVE:
        consider_metrics(matches);
        break;
    case COMMAND_EQUAL:
        if (index == 1)
            consider(matches, "off");
        if (index == 1)
            consider_metrics(matches);
        else if (index > 2)
            consider_parameters(matches);
        break;
    case COMMAND_FILTER:
        if (is_choice(before))
            consider_values(matches, before);
        else
            consider_columns(explorer, matches);
        break;
    case COMMAND_SORT:
        consider_columns(explorer, matches);
        break;
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
    case COMMAND_WORKLOADS:
        consider_workloads(matches);
        consider(matches, "off");
        break;
    case COMMAND_ACROSS:
        consider_words(matches, aggregate_names + AGGREGATE_MEAN);
        consider(matches, "off");
        break;
    case COMMAND_HELP:
        consider_parameters(matches);
        consider_metrics(matches);
        for (size_t i = 0; i < COMMAND_COUNT; i++)
            consider(matches, command_table[i].name);
        break;
    case COMMAND_OPEN:
    case COMMAND_OPEN_NOW:
        consider_recent(matches, RECENT_MACHINE);
        for (const struct embedded_file *file = embedded_machines; file->name; file++)
            consider(matches, file->name);
        consider_paths(matches);
        break;
    case COMMAND_STUDY:
    case COMMAND_STUDY_NOW:
        consider_recent(matches, RECENT_STUDY);
        for (const struct embedded_file *file = embedded_studies; file->name; file++)
            consider(matches, file->name);
        consider_paths(matches);
        break;
    case COMMAND_WORKLOAD:
        consider_recent(matches, RECENT_WORKLOAD);
        consider_workloads(matches);
        consider_paths(matches);
        break;
    case COMMAND_PROFILE:
    case COMMAND_SAVE:
    case COMMAND_EXPORT:
    case COMMAND_SAVE_STUDY:
    case COMMAND_SAVE_REPORT:
    case COMMAND_SAVE_SCREEN:
        consider_paths(matches);
        break;
    case COMMAND_STORE:
    case COMMAND_REPORT:
        consider_recent(matches, RECENT_STORE);
        consider_paths(matches);
        break;
    case COMMAND_DEPTH:
        for (int depth = 0; depth < DEPTH_COUNT; depth++)
            consider(matches, depth_name(depth));
        break;
    case COMMAND_ASSUME:
        for (int assumed = 0; assumed < ASSUMED_COUNT; assumed++)
            consider(matches, assumed_table[assumed].name);
        break;
    default:
        consider_words(matches, words_of(command));
        break;
    }
}

/* The characters that end a word in the arguments of a command. A path is everything after the
 * command. */
static const char *word_ends(enum command command)
{
    switch (command) {
    case COMMAND_OPEN:
    case COMMAND_OPEN_NOW:
    case COMMAND_STUDY:
    case COMMAND_STUDY_NOW:
    case COMMAND_WORKLOAD:
    case COMMAND_PROFILE:
    case COMMAND_SAVE:
    case COMMAND_EXPORT:
    case COMMAND_SAVE_STUDY:
    case COMMAND_STORE:
    case COMMAND_REPORT:
    case COMMAND_SAVE_REPORT:
    case COMMAND_SAVE_SCREEN:
        return "";
    case COMMAND_FILTER:
        return " =<>!(),+-*/'";
    case COMMAND_SORT:
    case COMMAND_OBJECTIVE:
        return " -";
    default:
        return " =";
    }
}

/* Replaces "~/" at the start of the word by the home folder. */
static void expand_home(struct line_editor *line, int start)
{
    const char *home = getenv("HOME");
    char expanded[LINE_MAX_BYTES];
    if (!home || line->cursor - start < 2 || strncmp(line->text + start, "~/", 2))
        return;
    int length = snprintf(expanded, sizeof expanded, "%s%.*s", home, line->cursor - start - 1,
                          line->text + start + 1);
    if (length < (int)sizeof expanded)
        line_replace(line, start, expanded);
}

/* Finds the word before the cursor and returns its first byte; *before is the word before it,
 * *index its number in the line. */
static int find_word(const char *text, int end, const char *ends, char before[64], int *index)
{
    int start = 0;
    before[0] = '\0';
    *index = 0;
    for (int at = 0; at < end; at++) {
        if (!strchr(ends, text[at]))
            continue;
        if (at > start) {
            snprintf(before, 64, "%.*s", at - start, text + start);
            ++*index;
        }
        start = at + 1;
    }
    return start;
}

static void put_completion(struct line_editor *line, int start, const struct matches *matches)
{
    char text[sizeof matches->common + 1];
    bool whole = matches->count == 1 && !matches->open;
    snprintf(text, sizeof text, "%s%s", matches->common, whole ? " " : "");
    if (strlen(matches->common) >= matches->length)
        line_replace(line, start, text);
}

/* Finds the command and the byte where its arguments start. COMMAND_COUNT while its name is being
 * typed, or if there is no such command. */
static int find_arguments(const char *before_line, const struct line_editor *line,
                          enum command *command)
{
    const char *text = *before_line ? before_line : line->text;
    char name[64];
    int length = (int)strcspn(text, " ");
    snprintf(name, sizeof name, "%.*s", length < 63 ? length : 63, text);
    *command = COMMAND_COUNT;
    if (*before_line || text[length])
        *command = command_find(name);
    if (*before_line)
        return 0;
    length += (int)strspn(text + length, " ");
    return length < line->cursor ? length : line->cursor; /* before the first argument */
}

void complete_line(const struct explorer *explorer, const char *before_line,
                   struct line_editor *line, char candidates[256])
{
    char before[64], word[LINE_MAX_BYTES];
    int index = 0, start = 0;
    enum command command;
    const int arguments = find_arguments(before_line, line, &command);
    const bool naming = !*before_line && !memchr(line->text, ' ', (size_t)line->cursor);
    struct matches matches = {.word = word, .names = candidates};
    candidates[0] = '\0';
    if (!naming) {
        start = arguments + find_word(line->text + arguments, line->cursor - arguments,
                                      word_ends(command), before, &index);
        expand_home(line, start);
    }
    matches.length =
        (size_t)snprintf(word, sizeof word, "%.*s", line->cursor - start, line->text + start);
    for (size_t i = 0; naming && i < COMMAND_COUNT; i++)
        consider(&matches, command_table[i].name);
    if (!naming && command < COMMAND_COUNT) {
        /* With "set l1d.size" before the line, its first word is the second argument. */
        const char *given = strchr(before_line, ' ');
        consider_arguments(explorer, &matches, command, given && !index ? given + 1 : before,
                           index + 1 + (given != NULL));
    }
    if (matches.count)
        put_completion(line, start, &matches);
    else
        snprintf(candidates, 256, "nothing starts so");
    if (matches.count == 1)
        candidates[0] = '\0';
}
