/* Pins (session.h): the machine that changes are shown against, and those that were pinned before
 * it. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ui/session/session.h"

void session_pin_file(struct session *session)
{
    session->pin = (struct pin){.set = true, .name = PIN_FILE, .machine = session->machine};
}

/* The earlier pin of this name, or `earlier_count`. */
static size_t pins_find(const struct session *session, const char *name)
{
    size_t i = 0;
    while (i < session->earlier_count && strcmp(session->earlier[i].name, name) != 0)
        i++;
    return i;
}

/* Appends the pin to the earlier ones. */
static enum status pins_keep(struct session *session)
{
    enum status status =
        array_reserve(&session->earlier, &session->earlier_capacity, session->earlier_count + 1);
    if (!status)
        session->earlier[session->earlier_count++] = session->pin;
    return status;
}

static void pins_forget(struct session *session, size_t index)
{
    session->earlier[index] = session->earlier[--session->earlier_count];
}

enum status session_pin(struct session *session, const char *name, const char *workload)
{
    struct pin pin = {.set = true, .machine = session->machine};
    snprintf(pin.name, sizeof pin.name, "%s", name);
    snprintf(pin.workload, sizeof pin.workload, "%s", workload);
    if (session->pin.set && strcmp(session->pin.name, pin.name) != 0) {
        enum status status = pins_keep(session);
        if (status)
            return status;
    }
    const size_t same = pins_find(session, pin.name);
    if (same < session->earlier_count)
        pins_forget(session, same);
    session->pin = pin;
    return STATUS_OK;
}

enum status session_pin_again(struct session *session, const char *name, const char *workload)
{
    const size_t index = pins_find(session, name);
    if (index == session->earlier_count)
        return STATUS_NOT_FOUND;
    struct pin pin = session->earlier[index];
    session->earlier[index] = session->pin;
    pin.values = PIN_EMPTY; /* workload and depth may be others now */
    snprintf(pin.workload, sizeof pin.workload, "%s", workload);
    session->pin = pin;
    return STATUS_OK;
}

void session_move_pins(struct session *from, struct session *to)
{
    free(to->earlier);
    to->pin = from->pin;
    to->earlier = from->earlier;
    to->earlier_count = from->earlier_count;
    to->earlier_capacity = from->earlier_capacity;
    from->earlier = NULL;
    from->earlier_count = from->earlier_capacity = 0;
}

void pin_take(struct pin *pin, enum pin_values values, const struct metrics *metrics)
{
    if (values <= pin->values)
        return;
    pin->values = values;
    pin->metrics = *metrics;
}
