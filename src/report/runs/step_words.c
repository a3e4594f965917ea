#include "report/runs/step_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

enum { WORD_SHOWN = 60 };

static int shown(size_t length)
{
    return (int)(length < WORD_SHOWN ? length : WORD_SHOWN);
}

static bool is_word(const char *name, const char *word, size_t length)
{
    return strlen(name) == length && !strncmp(name, word, length);
}

/* ---- one word ---- */

/* A word without its number of times. */
struct step_word {
    const char *text;
    size_t length, whole; /* whole: with the number */
    uint64_t times;
};

/* The rest of the word behind `head`, if it begins so. */
static bool begins(const struct step_word *word, const char *head, const char **rest,
                   size_t *length)
{
    const size_t skip = strlen(head);
    if (word->length < skip || strncmp(word->text, head, skip))
        return false;
    *rest = word->text + skip;
    *length = word->length - skip;
    return true;
}

static enum status refuse_word(const struct step_word *word, struct diagnostics *diagnostics)
{
    static const char *const heads[] = {"end", "launch", "pass", "instruction", "next", "previous"};
    char hint[SUGGESTION_TEXT], head[WORD_SHOWN] = "";
    const char *colon = memchr(word->text, ':', word->length), *rest;
    const size_t before = colon ? (size_t)(colon - word->text) : word->length;
    size_t length;
    if (begins(word, "next:", &rest, &length) || begins(word, "previous:", &rest, &length)) {
        event_suggestion(rest, event_kinds_named(rest, length) ? 0 : length, hint);
    } else {
        snprintf(head, sizeof head, "%.*s", shown(before), word->text);
        suggestion(nearest_name(head, heads, sizeof heads / sizeof *heads), hint);
    }
    return diagnostics_error(diagnostics, STATUS_INVALID,
                             "expected CYCLE, end, launch:N, pass:N, instruction:N, next:EVENT or "
                             "previous:EVENT, got '%.*s'%s",
                             shown(word->whole), word->text, hint);
}

static bool read_whole(const char *text, size_t length, uint64_t *number)
{
    char *end;
    if (!length || *text < '0' || *text > '9')
        return false;
    *number = strtoull(text, &end, 10);
    return end == text + length && *number < UINT64_MAX / 2;
}

static enum status go_to_events(struct run_cursor *cursor, bool previous,
                                const struct cursor_wish *wish, const struct step_word *word,
                                struct timing_event *event, struct diagnostics *diagnostics)
{
    bool found = false;
    struct timing_event one;
    const uint64_t from = run_cursor_cycle(cursor);
    enum status status = STATUS_OK;
    if (wish->kinds & run_cursor_kinds(cursor)) /* else nobody need look */
        status = (previous ? run_cursor_previous : run_cursor_next)(cursor, wish, &one, &found);
    if (!status && found)
        *event = one;
    if (status || found)
        return status;
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "%.*s: no such event %s cycle %llu",
                             shown(word->whole), word->text, previous ? "before" : "from",
                             (unsigned long long)from);
}

/* To the so many-th event of a kind from the first cycle on, the first one being 0. */
static enum status go_to_nth(struct run_cursor *cursor, enum event_kind kind, uint64_t number,
                             const struct cursor_wish *narrow, const struct step_word *word,
                             struct timing_event *event, struct diagnostics *diagnostics)
{
    struct cursor_wish wish = *narrow;
    wish.kinds = UINT64_C(1) << kind;
    wish.times = number + 1;
    wish.each = true;
    wish.touching = false;
    const enum status status = run_cursor_go(cursor, 0);
    return status ? status : go_to_events(cursor, false, &wish, word, event, diagnostics);
}

/* In front of the second cycle of a pass. Each pass before it ends with an event of bank 0. */
static enum status go_to_pass(struct run_cursor *cursor, uint64_t number,
                              const struct step_word *word, struct timing_event *event,
                              struct diagnostics *diagnostics)
{
    static const struct cursor_wish first = {.sm = 0, .slot = 0};
    if (number >= run_cursor_scene(cursor)->pass_count)
        return diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                                 "%.*s: the scene has passes 0 to %u", shown(word->whole),
                                 word->text, run_cursor_scene(cursor)->pass_count - 1);
    return number
               ? go_to_nth(cursor, EVENT_tile_empty, number - 1, &first, word, event, diagnostics)
               : run_cursor_go(cursor, 1);
}

/* What only runs of SMs have, or only scenes. */
static enum status refuse_kind(const struct step_word *word, bool scene,
                               struct diagnostics *diagnostics)
{
    return diagnostics_error(diagnostics, STATUS_INVALID, "%.*s: a %s", shown(word->whole),
                             word->text,
                             scene ? "scene on a tile cache has passes, no launches and warps"
                                   : "run of SMs has launches, no passes");
}

static enum status go_word(struct run_cursor *cursor, const struct step_word *word,
                           const struct cursor_wish *narrow, struct timing_event *event,
                           struct diagnostics *diagnostics)
{
    static const struct cursor_wish all = {.sm = CURSOR_ANY, .slot = CURSOR_ANY};
    const char *rest;
    size_t length;
    uint64_t number;
    if (read_whole(word->text, word->length, &number))
        return run_cursor_go(cursor, number);
    if (is_word("end", word->text, word->length))
        return run_cursor_go(cursor, UINT64_MAX);
    const bool back = begins(word, "previous:", &rest, &length);
    if (back || begins(word, "next:", &rest, &length)) {
        struct cursor_wish wish = *narrow;
        wish.kinds = event_kinds_named(rest, length);
        wish.times = word->times;
        return wish.kinds ? go_to_events(cursor, back, &wish, word, event, diagnostics)
                          : refuse_word(word, diagnostics);
    }
    const bool launch = begins(word, "launch:", &rest, &length),
               pass = !launch && begins(word, "pass:", &rest, &length),
               scene = run_cursor_scene(cursor);
    if ((launch || begins(word, "instruction:", &rest, &length)) ? scene : pass && !scene)
        return refuse_kind(word, scene, diagnostics);
    if (pass && read_whole(rest, length, &number))
        return go_to_pass(cursor, number, word, event, diagnostics);
    if (launch && read_whole(rest, length, &number))
        return go_to_nth(cursor, EVENT_launch_start, number, &all, word, event, diagnostics);
    if (!begins(word, "instruction:", &rest, &length) || !read_whole(rest, length, &number))
        return refuse_word(word, diagnostics);
    if (narrow->sm == CURSOR_ANY || narrow->slot == CURSOR_ANY)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "%.*s needs an SM and a warp to count in", shown(word->whole),
                                 word->text);
    return go_to_nth(cursor, EVENT_issue, number, narrow, word, event, diagnostics);
}

enum status step_go(struct run_cursor *cursor, const char *words, const struct cursor_wish *narrow,
                    struct timing_event *event, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    *event = (struct timing_event){.kind = EVENT_KINDS};
    while (!status && *words) {
        struct step_word word = {.text = words, .whole = strcspn(words, ","), .times = 1};
        const char *star = memchr(words, '*', word.whole);
        word.length = star ? (size_t)(star - words) : word.whole;
        if (star &&
            (!read_whole(star + 1, word.whole - word.length - 1, &word.times) || !word.times))
            status = refuse_word(&word, diagnostics);
        else
            status = go_word(cursor, &word, narrow, event, diagnostics);
        words += word.whole + (words[word.whole] == ',');
    }
    return status;
}
