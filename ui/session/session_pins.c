/* Pins (session.h): the machine that changes are shown against, and those that were pinned before
 * it. */
#include <string.h>

#include "ui/session/session.h"

/* Makes room at the front, in the place of the pin at `index`. */
static void pins_rotate(struct session *session, size_t index)
{
    memmove(&session->pins[1], &session->pins[0], index * sizeof *session->pins);
}

static void pins_put(struct session *session, const char *name)
{
    session->pins[0] = (struct pin){.machine = session->machine};
    snprintf(session->pins[0].name, sizeof session->pins[0].name, "%s", name);
}

void session_pin_file(struct session *session)
{
    pins_put(session, PIN_FILE);
    if (!session->pin_count)
        session->pin_count = 1;
}

struct pin *session_find_pin(struct session *session, const char *name)
{
    char kept[SESSION_NAME]; /* as it would be */
    snprintf(kept, sizeof kept, "%s", name);
    for (size_t i = 0; i < session->pin_count; i++)
        if (!strcmp(session->pins[i].name, kept))
            return &session->pins[i];
    return NULL;
}

void session_pin(struct session *session, const char *name, char gone[SESSION_NAME])
{
    const struct pin *same = session_find_pin(session, name);
    size_t index = same ? (size_t)(same - session->pins) : session->pin_count;
    gone[0] = '\0';
    if (index == PINS_MAX)
        snprintf(gone, SESSION_NAME, "%s", session->pins[--index].name);
    else
        session->pin_count += !same;
    pins_rotate(session, index);
    pins_put(session, name);
}

enum status session_pin_again(struct session *session, const char *name)
{
    const struct pin *found = session_find_pin(session, name);
    if (!found)
        return STATUS_NOT_FOUND;
    const struct pin pin = *found;
    pins_rotate(session, (size_t)(found - session->pins));
    session->pins[0] = pin;
    return STATUS_OK;
}

void session_pins_forget_values(struct session *session)
{
    for (size_t i = 0; i < session->pin_count; i++)
        session->pins[i].values = PIN_EMPTY;
}

void session_move_pins(const struct session *from, struct session *to)
{
    memcpy(to->pins, from->pins, sizeof to->pins);
    to->pin_count = from->pin_count;
}

void pin_take(struct pin *pin, enum pin_values values, const struct metrics *metrics)
{
    if (values <= pin->values)
        return;
    pin->values = values;
    pin->metrics = *metrics;
}
