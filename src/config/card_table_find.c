/* Finding cards by name: part of config/card_table.h. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/card_name.h"
#include "config/card_table.h"

static const struct card_row *find_design(const struct card_table *table,
                                          const struct card_name *asked, uint64_t memory,
                                          bool max_q)
{
    const struct card_row *best = NULL;
    int best_fit = 0;
    for (size_t i = 0; i < table->count; i++) {
        struct card_name name;
        card_name_read(table->rows[i].name, &name);
        if (name.max_q != max_q || !card_name_same(asked, &name))
            continue;
        const int fit = card_name_fit(asked, &name, memory);
        if (!best || fit > best_fit) {
            best = &table->rows[i];
            best_fit = fit;
        }
    }
    return best;
}

const struct card_row *card_table_find(const struct card_table *table, const char *name,
                                       uint64_t memory, bool *near)
{
    struct card_name asked;
    card_name_read(name, &asked);
    const struct card_row *row = find_design(table, &asked, memory, asked.max_q);
    *near = !row && asked.max_q;
    return *near ? find_design(table, &asked, memory, false) : row;
}

/* The core of a name in one word, for edit distances: what is the same in all names would count. */
static void join_core(const char *text, char joined[CARD_NAME])
{
    struct card_name name;
    size_t used = 0;
    card_name_read(text, &name);
    joined[0] = '\0';
    for (unsigned i = 0; i < name.core_count && used < CARD_NAME; i++)
        used += (size_t)snprintf(joined + used, CARD_NAME - used, "%s", name.core[i]);
}

static const char *nearest_core(const struct card_table *table, const char *name)
{
    char(*joined)[CARD_NAME] = calloc(table->count, sizeof *joined);
    const char **names = calloc(table->count, sizeof *names);
    char asked[CARD_NAME];
    const char *found = NULL;
    join_core(name, asked);
    for (size_t i = 0; joined && names && i < table->count; i++) {
        join_core(table->rows[i].name, joined[i]);
        names[i] = joined[i];
    }
    const char *nearest = joined && names ? nearest_name(asked, names, table->count) : NULL;
    for (size_t i = 0; nearest && !found && i < table->count; i++)
        if (names[i] == nearest)
            found = table->rows[i].name;
    free(joined);
    free(names);
    return found;
}

/* Whether a row shares as much with the name as any does, and something. */
static bool shares_most(const struct card_name *asked, const struct card_row *row, unsigned *most)
{
    struct card_name name;
    card_name_read(row->name, &name);
    const unsigned shared = 2 * card_name_shared(asked, &name);
    const unsigned score = shared ? shared + (name.core_count <= asked->core_count) : 0;
    const bool as_much = score && score >= *most;
    *most = score > *most ? score : *most;
    return as_much;
}

/* How far apart the numbers of two names of one series are; ULONG_MAX: they cannot be compared. */
static unsigned long numbers_apart(const struct card_name *a, const struct card_name *b)
{
    const struct card_name *const names[] = {a, b};
    unsigned long numbers[2] = {0};
    for (int k = 0; k < 2; k++)
        for (unsigned i = 0; i < names[k]->core_count && !numbers[k]; i++)
            numbers[k] = strtoul(names[k]->core[i], NULL, 10);
    if (!numbers[0] || !numbers[1] || a->rtx != b->rtx || a->gtx != b->gtx ||
        a->quadro != b->quadro)
        return ULONG_MAX;
    return numbers[0] > numbers[1] ? numbers[0] - numbers[1] : numbers[1] - numbers[0];
}

struct names {
    char *text;
    size_t size, used, count;
};

static void list_name(struct names *names, const char *name)
{
    names->used += (size_t)snprintf(names->text + names->used, names->size - names->used, "%s'%s'",
                                    names->count++ ? ", " : "; nearest: ", name);
}

/* Lists those whose numbers are nearest, the nearest first. */
static void list_numbers(const struct card_table *table, const struct card_name *asked,
                         size_t wanted, struct names *names)
{
    unsigned long least = 0; /* what is nearer has been listed */
    while (names->count < wanted) {
        unsigned long next = ULONG_MAX;
        for (size_t i = 0; i < table->count; i++) {
            struct card_name name;
            card_name_read(table->rows[i].name, &name);
            const unsigned long apart = numbers_apart(asked, &name);
            next = apart >= least && apart < next ? apart : next;
        }
        if (next == ULONG_MAX)
            return;
        for (size_t i = 0; i < table->count && names->count < wanted; i++) {
            struct card_name name;
            card_name_read(table->rows[i].name, &name);
            if (numbers_apart(asked, &name) == next)
                list_name(names, table->rows[i].name);
        }
        least = next + 1;
    }
}

enum status card_table_missing(const struct card_table *table, const char *name,
                               struct diagnostics *diagnostics)
{
    enum { NAMES = 4 };
    char text[NAMES * CARD_NAME] = "";
    struct names names = {.text = text, .size = sizeof text};
    unsigned most = 0;
    struct card_name asked;
    card_name_read(name, &asked);
    for (size_t i = 0; i < table->count; i++)
        shares_most(&asked, &table->rows[i], &most);
    for (size_t i = 0; most && i < table->count && names.count < NAMES; i++)
        if (shares_most(&asked, &table->rows[i], &most))
            list_name(&names, table->rows[i].name);
    const char *nearest = names.count ? NULL : nearest_core(table, name);
    if (nearest)
        snprintf(text, sizeof text, "; did you mean '%s'?", nearest);
    else
        list_numbers(table, &asked, names.count ? 0 : NAMES, &names);
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                             "'%.80s' is no card of the table of data sheets%s", name, text);
}
