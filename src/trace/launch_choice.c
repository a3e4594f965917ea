#include "trace/launch_choice.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/kernel_name.h"
#include "trace/text.h"

/* Names that are remembered for suggestions, and how many of them a message shows. */
enum { NAMES_MAX = 256, NAMES_SHOWN = 6, NAMES_HINT = 320 };

struct term {
    char *text;
    bool number;
    uint64_t first, last; /* of a number */
    bool met;
};

struct launch_choice {
    struct term *terms;
    size_t count, capacity;
    char *names[NAMES_MAX];
    size_t name_count;
    uint64_t low, high; /* of the numbers that were shown */
    bool shown;
};

const char *launch_choice_term_end(const char *text)
{
    for (int depth = 0; *text; text++) {
        if (*text == ',' && depth <= 0)
            break;
        depth += strchr("<([", *text) != NULL;
        depth -= strchr(">)]", *text) != NULL;
    }
    return text;
}

/* "3" or "3..7"; false: it is no number. */
static bool read_numbers(const char *text, uint64_t *first, uint64_t *last)
{
    char *dots = strstr(text, ".."), *copy = strdup(text);
    const char *at = copy;
    bool numbers = copy;
    if (numbers && dots)
        copy[dots - text] = '\0';
    numbers = numbers && scan_decimal(&at, first) && scan_end(&at);
    *last = *first;
    at = dots ? dots + 2 : "";
    if (dots)
        numbers = numbers && scan_decimal(&at, last) && scan_end(&at);
    free(copy);
    return numbers;
}

static enum status add_term(struct launch_choice *choice, const char *text, size_t length,
                            struct diagnostics *diagnostics)
{
    if (array_reserve(&choice->terms, &choice->capacity, choice->count + 1))
        return STATUS_MEMORY;
    struct term *term = &choice->terms[choice->count];
    *term = (struct term){.text = strndup(text, length)};
    if (!term->text)
        return STATUS_MEMORY;
    choice->count++;
    term->number = read_numbers(term->text, &term->first, &term->last);
    if (!length || (term->number && term->last < term->first))
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "kernel: expected names or numbers, such as 3, 8..11 or bfs*, got "
                                 "'%s'",
                                 term->text);
    return STATUS_OK;
}

enum status launch_choice_create(const char *text, struct launch_choice **choice,
                                 struct diagnostics *diagnostics)
{
    *choice = calloc(1, sizeof **choice);
    enum status status = *choice ? STATUS_OK : STATUS_MEMORY;
    for (bool more = true; more && !status;) {
        const char *end = launch_choice_term_end(text);
        status = add_term(*choice, text, (size_t)(end - text), diagnostics);
        more = *end != '\0';
        text = end + more;
    }
    if (status) {
        launch_choice_free(*choice);
        *choice = NULL;
    }
    return status;
}

void launch_choice_free(struct launch_choice *choice)
{
    if (!choice)
        return;
    for (size_t i = 0; i < choice->count; i++)
        free(choice->terms[i].text);
    for (size_t i = 0; i < choice->name_count; i++)
        free(choice->names[i]);
    free(choice->terms);
    free(choice);
}

/* Remembers a name for suggestions; without memory it is none. */
static void remember(struct launch_choice *choice, const char *name)
{
    for (size_t i = choice->name_count; i-- > 0;)
        if (!strcmp(choice->names[i], name))
            return;
    if (choice->name_count < NAMES_MAX && (choice->names[choice->name_count] = strdup(name)))
        choice->name_count++;
}

static bool term_is(const struct term *term, const char *full, const char *name, uint64_t number)
{
    if (term->number)
        return term->first <= number && number <= term->last;
    return !strcmp(term->text, full) || !fnmatch(term->text, full, FNM_NOESCAPE) ||
           !fnmatch(term->text, name, FNM_NOESCAPE);
}

bool launch_choice_wants(struct launch_choice *choice, const struct trace_launch *launch,
                         uint32_t place)
{
    const char *full = launch->name ? launch->name : "";
    const uint64_t number = launch_number(launch, place);
    char name[KERNEL_NAME];
    bool wanted = false;
    remember(choice, kernel_name(full, name));
    choice->low = choice->shown && choice->low < number ? choice->low : number;
    choice->high = choice->shown && choice->high > number ? choice->high : number;
    choice->shown = true;
    for (size_t i = 0; i < choice->count; i++) {
        const bool is = term_is(&choice->terms[i], full, name, number);
        choice->terms[i].met |= is;
        wanted |= is;
    }
    return wanted;
}

/* "; did you mean 'X'?" or, where nothing is near, what there is. */
static const char *names_hint(const struct launch_choice *choice, const char *text,
                              char hint[NAMES_HINT])
{
    const char *const *names = (const char *const *)choice->names;
    const char *near = nearest_name(text, names, choice->name_count);
    size_t used = 0;
    if (near || !choice->name_count)
        return suggestion(near, hint);
    for (size_t i = 0; i < choice->name_count && i < NAMES_SHOWN; i++)
        used += (size_t)snprintf(hint + used, NAMES_HINT - used, "%s%.40s",
                                 i ? ", " : "; its kernels are ", names[i]);
    if (choice->name_count > NAMES_SHOWN)
        snprintf(hint + used, NAMES_HINT - used, " and %zu more", choice->name_count - NAMES_SHOWN);
    return hint;
}

enum status launch_choice_check(const struct launch_choice *choice, const char *source,
                                struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < choice->count; i++) {
        const struct term *term = &choice->terms[i];
        char hint[NAMES_HINT];
        if (term->met)
            continue;
        status = STATUS_NOT_FOUND;
        if (term->number)
            diagnostics_error(diagnostics, status,
                              "%s: no launch has the number %s; they go from %" PRIu64
                              " to %" PRIu64,
                              source, term->text, choice->low, choice->high);
        else
            diagnostics_error(diagnostics, status, "%s: no kernel has the name '%s'%s", source,
                              term->text, names_hint(choice, term->text, hint));
    }
    return status;
}

enum status launch_choice_apply(struct launch_choice *choice, struct trace_source **source,
                                struct diagnostics *diagnostics)
{
    const struct trace_source *all = *source;
    if (all->tiles)
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "%s is a scene, which has no kernels to choose from", all->name);
    struct trace_slice *slices = calloc((size_t)all->launch_count + 1, sizeof *slices);
    uint32_t count = 0;
    if (!slices)
        return STATUS_MEMORY;
    for (uint32_t i = 0; i < all->launch_count; i++)
        if (launch_choice_wants(choice, &all->launches[i], i))
            slices[count++] =
                (struct trace_slice){.launch = i, .count = launch_blocks(&all->launches[i])};
    enum status status = launch_choice_check(choice, all->name, diagnostics);
    /* A choice of everything is the stream itself, with its digest. */
    if (!status && count < all->launch_count)
        status = trace_source_replace_slices(source, slices, count);
    free(slices);
    return status;
}
