/* Completion of ':' lines: commands, parameters, values, metrics, workloads and paths (prompt.h).
 * The command before the cursor decides what is offered. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data_files.h"
#include "base/embedded.h"
#include "model/timing/base/timing_events.h"
#include "report/runs/tile_view.h"
#include "schema/ideals.h"
#include "ui/panes/pane.h"
#include "ui/panes/prompt.h"
#include "ui/views/view_help.h"
#include "workload/workload.h"

/* A word to complete and the matches so far: their common start, and their names as a list. */
struct matches {
    const struct explorer *explorer;
    const char *word, *before; /* the word, and the one before it */
    size_t length;             /* of the word */
    int number;                /* of the argument that it is, from 1 */
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

static bool complete_is_choice(const char *path)
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
static void consider_columns(struct matches *matches)
{
    for (size_t i = 0; i < shown_points_columns(matches->explorer); i++)
        consider(matches, shown_points_column(matches->explorer, i));
    if (matches->count)
        return;
    consider_parameters(matches);
    consider_metrics(matches);
}

enum { ENTRIES_MAX = 20000 }; /* entries of a folder that are looked at */

static bool complete_is_folder(const char *folder, const struct dirent *entry)
{
    char path[LINE_MAX_BYTES + sizeof entry->d_name];
    if (entry->d_type != DT_UNKNOWN && entry->d_type != DT_LNK)
        return entry->d_type == DT_DIR;
    snprintf(path, sizeof path, "%s%s", folder, entry->d_name);
    return folder_exists(path);
}

static bool complete_is_printable(const char *name)
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
        if ((entry->d_name[0] == '.' && *begun != '.') || !complete_is_printable(entry->d_name) ||
            !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
            strncmp(entry->d_name, begun, strlen(begun)) != 0)
            continue;
        bool is_open = complete_is_folder(folder, entry);
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

/* ---- what the commands take --------------------------------------------------------------------
 */

static void complete_offer_settings(struct matches *matches)
{
    if (matches->number % 2)
        consider_parameters(matches);
    else
        consider_values(matches, matches->before);
}

static void complete_offer_parameters(struct matches *matches)
{
    if (matches->number == 1)
        consider_parameters(matches);
    else
        consider_values(matches, matches->before);
}

static void complete_offer_metric(struct matches *matches)
{
    consider(matches, "auto");
    consider_metrics(matches);
}

static void complete_offer_names(struct matches *matches)
{
    consider_parameters(matches);
    consider_metrics(matches);
}

static void complete_offer_topics(struct matches *matches)
{
    complete_offer_names(matches);
    consider_words(matches, help_pages);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        consider(matches, command_table[i].name);
    for (int i = 0; i < IDEAL_COUNT; i++)
        consider(matches, ideal_table[i].name);
}

static void complete_offer_budget(struct matches *matches)
{
    if (matches->number == 1) {
        consider(matches, "off");
        consider_metrics(matches);
    } else if (matches->number > 2) {
        consider_parameters(matches);
    }
}

static void complete_offer_condition(struct matches *matches)
{
    if (complete_is_choice(matches->before))
        consider_values(matches, matches->before);
    else
        consider_columns(matches);
}

static void complete_offer_searches(struct matches *matches)
{
    for (size_t i = 0; matches->number == 1 && i < SEARCH_COUNT; i++)
        consider(matches, search_table[i].name);
    for (size_t i = 0; matches->number > 1 && i < search_parameter_count; i++)
        consider(matches, search_parameter_table[i].name);
}

static void complete_offer_workloads(struct matches *matches)
{
    consider_workloads(matches);
    consider(matches, "off");
}

static void complete_offer_aggregates(struct matches *matches)
{
    consider_words(matches, aggregate_names + AGGREGATE_MEAN);
    consider(matches, "off");
}

static void complete_offer_depths(struct matches *matches)
{
    for (int depth = 0; depth < DEPTH_COUNT; depth++)
        consider(matches, depth_name(depth));
}

static void complete_offer_assumed(struct matches *matches)
{
    for (int assumed = 0; assumed < ASSUMED_COUNT; assumed++)
        consider(matches, assumed_table[assumed].name);
}

static void complete_offer_screen(struct matches *matches)
{
    for (int i = 0; i < SETTING_COUNT; i++) {
        consider(matches, setting_table[i].name);
        for (const char *const *value = setting_table[i].values; *value; value++)
            consider(matches, *value);
    }
}

static void complete_offer_pins(struct matches *matches)
{
    const struct session *session = matches->explorer->session;
    for (size_t i = 0; i < session->pin_count; i++)
        consider(matches, session->pins[i].name);
}

static void consider_embedded(struct matches *matches, const struct embedded_file *files)
{
    for (const struct embedded_file *file = files; file->name; file++)
        consider(matches, file->name);
}

static void complete_offer_machine(struct matches *matches)
{
    consider_recent(matches, RECENT_MACHINE);
    consider_embedded(matches, embedded_machines);
    consider_paths(matches);
}

static void complete_offer_papers(struct matches *matches)
{
    consider_embedded(matches, embedded_experiments);
}

static void complete_offer_study(struct matches *matches)
{
    consider_recent(matches, RECENT_STUDY);
    consider_embedded(matches, embedded_studies);
    consider_paths(matches);
}

static void complete_offer_workload(struct matches *matches)
{
    consider_recent(matches, RECENT_WORKLOAD);
    consider_workloads(matches);
    consider_paths(matches);
}

static void complete_offer_store(struct matches *matches)
{
    consider_recent(matches, RECENT_STORE);
    consider_paths(matches);
}

/* Those of sets and queues, and of runs; and whose. */
static void complete_offer_events(struct matches *matches)
{
    static const char *const words[] = {"miss", "eviction", "return", "wait", "any", NULL};
    static const char *const whose[] = {"warp", "sm", NULL};
    consider_words(matches, matches->number > 1 ? whose : words);
    for (unsigned i = 0; matches->number == 1 && i < EVENT_KINDS; i++)
        consider(matches, event_kinds[i].name);
}

static const char *const sweep_words[] = {"start", "stop", NULL};
static const char *const merge_words[] = {"mine", "theirs", NULL};
static const char *const wait_words[] = {"sweep", NULL};

/* X(CONSTANT, function, words, ends): what COMMAND_LIST (commands.h) names, by a function or as
 * words, and the characters that end a word there. A path is everything after the command. */
#define WORDS " ="
#define OFFER_LIST(X)                                                                              \
    X(NOTHING, NULL, NULL, WORDS)                                                                  \
    X(SETTINGS, complete_offer_settings, NULL, WORDS)                                              \
    X(PARAMETERS, complete_offer_parameters, NULL, WORDS)                                          \
    X(METRICS, consider_metrics, NULL, " -")                                                       \
    X(METRIC, complete_offer_metric, NULL, WORDS)                                                  \
    X(NAMES, complete_offer_names, NULL, WORDS)                                                    \
    X(TOPICS, complete_offer_topics, NULL, WORDS)                                                  \
    X(BUDGET, complete_offer_budget, NULL, WORDS)                                                  \
    X(COLUMNS, consider_columns, NULL, " -")                                                       \
    X(CONDITION, complete_offer_condition, NULL, " =<>!(),+-*/'")                                  \
    X(SEARCHES, complete_offer_searches, NULL, WORDS)                                              \
    X(WORKLOADS, complete_offer_workloads, NULL, WORDS)                                            \
    X(AGGREGATES, complete_offer_aggregates, NULL, WORDS)                                          \
    X(DEPTHS, complete_offer_depths, NULL, WORDS)                                                  \
    X(PINS, complete_offer_pins, NULL, "")                                                         \
    X(ASSUMED, complete_offer_assumed, NULL, WORDS)                                                \
    X(FILE, consider_paths, NULL, "")                                                              \
    X(MACHINE, complete_offer_machine, NULL, "")                                                   \
    X(PAPERS, complete_offer_papers, NULL, WORDS)                                                  \
    X(STUDY, complete_offer_study, NULL, "")                                                       \
    X(WORKLOAD, complete_offer_workload, NULL, "")                                                 \
    X(STORE, complete_offer_store, NULL, "")                                                       \
    X(PANES, NULL, pane_names, WORDS)                                                              \
    X(VIEWS, NULL, view_names, WORDS)                                                              \
    X(CHARTS, NULL, chart_names, WORDS)                                                            \
    X(MAPS, NULL, tile_view_names, WORDS)                                                          \
    X(PAIRINGS, NULL, pairing_names, WORDS)                                                        \
    X(GLYPHS, NULL, glyph_names, WORDS)                                                            \
    X(SCREEN, complete_offer_screen, NULL, WORDS)                                                  \
    X(SWEEPS, complete_offer_study, sweep_words, "")                                               \
    X(EVENTS, complete_offer_events, NULL, WORDS)                                                  \
    X(MERGES, NULL, merge_words, WORDS)                                                            \
    X(WAITS, NULL, wait_words, WORDS)

#define OFFER_CONSTANT(constant, ...) OFFER_##constant,
enum offer { OFFER_LIST(OFFER_CONSTANT) OFFER_COUNT };
#undef OFFER_CONSTANT

static const struct {
    void (*consider)(struct matches *matches);
    const char *const *words;
    const char *ends;
} offers[OFFER_COUNT] = {
#define OFFER_ROW(constant, function, words, ends) {function, words, ends},
    OFFER_LIST(OFFER_ROW)
#undef OFFER_ROW
};

static const enum offer command_offers[COMMAND_COUNT + 1] = {
#define COMMAND_OFFER(constant, function, offer, ...) OFFER_##offer,
    COMMAND_LIST(COMMAND_OFFER)
#undef COMMAND_OFFER
        OFFER_NOTHING, /* of no command */
};

static void consider_arguments(struct matches *matches, enum offer offer)
{
    if (offers[offer].consider)
        offers[offer].consider(matches);
    if (offers[offer].words)
        consider_words(matches, offers[offer].words);
}

/* ---- the line ----------------------------------------------------------------------------------
 */

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
static int complete_find_word(const char *text, int end, const char *ends, char before[64],
                              int *index)
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
    struct matches matches = {.explorer = explorer, .word = word, .names = candidates};
    candidates[0] = '\0';
    if (!naming) {
        start =
            arguments + complete_find_word(line->text + arguments, line->cursor - arguments,
                                           offers[command_offers[command]].ends, before, &index);
        expand_home(line, start);
    }
    matches.length =
        (size_t)snprintf(word, sizeof word, "%.*s", line->cursor - start, line->text + start);
    for (size_t i = 0; naming && i < COMMAND_COUNT; i++)
        consider(&matches, command_table[i].name);
    if (!naming && command < COMMAND_COUNT) {
        /* With "set l1d.size" before the line, its first word is the second argument. */
        const char *given = strchr(before_line, ' ');
        matches.before = given && !index ? given + 1 : before;
        matches.number = index + 1 + (given != NULL);
        consider_arguments(&matches, command_offers[command]);
    }
    if (matches.count)
        put_completion(line, start, &matches);
    else
        snprintf(candidates, 256, "nothing starts so");
    if (matches.count == 1)
        candidates[0] = '\0';
}
