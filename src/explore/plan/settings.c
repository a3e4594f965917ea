#include "explore/plan/settings.h"

#include <stdlib.h>

#include "base/memory.h"
#include "explore/plan/stage_key.h"

/* Which view of the machine, and which of its parameters, decide each number. */
static const struct {
    enum machine_form form;
    enum { ROWS_OF_ALL, ROWS_OF_STREAM, ROWS_OF_FIRST } rows;
} views[SETTING_NUMBERS] = {
    [NUMBER_SETTING] = {FORM_MACHINE, ROWS_OF_ALL},
    [NUMBER_STREAM] = {FORM_MACHINE, ROWS_OF_STREAM},
    [NUMBER_FIRST] = {FORM_LEVEL, ROWS_OF_FIRST},
    [NUMBER_FAMILY] = {FORM_FAMILY, ROWS_OF_FIRST},
    [NUMBER_LEVEL] = {FORM_LAST, ROWS_OF_ALL},
};

enum status settings_open(const struct space *space, const struct stage_question *question,
                          struct settings *settings)
{
    *settings = (struct settings){.space = space, .question = *question};
    for (size_t i = 0; i < SETTING_NUMBERS; i++)
        if (!(settings->tables[i] = setting_table_create()))
            return STATUS_MEMORY;
    return STATUS_OK;
}

void settings_close(struct settings *settings)
{
    for (size_t i = 0; i < SETTING_NUMBERS; i++)
        setting_table_free(settings->tables[i]);
    free(settings->items);
    *settings = (struct settings){0};
}

size_t settings_distinct(const struct settings *settings, enum setting_number what)
{
    return setting_table_count(settings->tables[what]);
}

void settings_machine(const struct settings *settings, uint64_t index, struct machine *machine)
{
    struct machine whole;
    space_machine(settings->space, index, &whole);
    stage_machine(&whole, settings->question.stages, machine);
}

static unsigned rows_of(const struct settings *settings, enum setting_number what)
{
    const unsigned all = settings->question.stages;
    switch (views[what].rows) {
    case ROWS_OF_STREAM:
        return all & STAGE_STREAM;
    case ROWS_OF_FIRST:
        return all & ~stages_after_first();
    default:
        return all;
    }
}

struct same_query {
    const struct settings *settings;
    const struct machine *seen;
    enum setting_number what;
};

/* Compares by decoding the other machine again: keeping a view of each setting would cost memory,
 * and hashes rarely collide. */
static bool same_machine(void *argument, uint32_t other)
{
    const struct same_query *query = argument;
    const struct settings *settings = query->settings;
    struct machine machine, seen;
    settings_machine(settings, settings->items[other].machine, &machine);
    simulate_form(&settings->question, views[query->what].form, &machine, &seen);
    return machine_same(&seen, query->seen, rows_of(settings, query->what));
}

/* Numbers one view of a machine that may become items[count]. *shares is what simulate_form says.
 */
static enum status number_view(struct settings *settings, enum setting_number what,
                               const struct machine *machine, bool *shares, uint32_t *number)
{
    struct machine seen;
    struct same_query query = {settings, &seen, what};
    *shares = simulate_form(&settings->question, views[what].form, machine, &seen);
    return setting_table_number(settings->tables[what],
                                machine_hash(&seen, rows_of(settings, what)),
                                (uint32_t)settings->count, same_machine, &query, number);
}

enum status settings_find(struct settings *settings, uint64_t index, uint32_t *number)
{
    uint32_t numbers[SETTING_NUMBERS];
    bool shares[SETTING_NUMBERS];
    struct machine machine;
    if (array_reserve(&settings->items, &settings->capacity, settings->count + 1))
        return STATUS_MEMORY;
    settings_machine(settings, index, &machine);
    settings->items[settings->count].machine = index; /* same_machine may compare with it */
    for (int i = 0; i < SETTING_NUMBERS; i++) {
        enum status status =
            number_view(settings, (enum setting_number)i, &machine, &shares[i], &numbers[i]);
        if (status)
            return status;
        if (i == NUMBER_SETTING && numbers[i] < settings->count)
            break; /* a known setting has all its numbers already */
    }
    *number = numbers[NUMBER_SETTING];
    if (*number < settings->count)
        return STATUS_OK;
    settings->items[settings->count++] =
        (struct setting){.machine = index,
                         .stream = numbers[NUMBER_STREAM],
                         .first = numbers[NUMBER_FIRST],
                         .family = numbers[NUMBER_FAMILY],
                         .level = numbers[NUMBER_LEVEL],
                         .shared = shares[NUMBER_FIRST],
                         .cheap = shares[NUMBER_LEVEL] && !shares[NUMBER_FIRST]};
    return STATUS_OK;
}
