#include "ui/panes/tour.h"

#include <stdio.h>
#include <string.h>

#include "ui/panes/say.h"
#include "ui/panes/state.h"

static const struct {
    enum command command;
    bool named;
    const char *text;
} steps[] = {
#define TOUR_STEP(command, named, text) {COMMAND_##command, named, text},
    TOUR_LIST(TOUR_STEP)
#undef TOUR_STEP
};
enum { STEPS = sizeof steps / sizeof *steps };

bool action_tour(struct explorer *explorer, const char *arguments)
{
    if (!strcmp(arguments, "off")) {
        explorer->tour.step = 0;
        return true;
    }
    if (*arguments)
        return refuse(explorer, "expected off or nothing, got '%s'", arguments);
    if (session_dirty(explorer->session))
        return refuse(explorer, "%s has unsaved edits: save or undo them first",
                      explorer->session->name);
    if (!explorer_execute(explorer, "machine " TOUR_MACHINE) ||
        !explorer_execute(explorer, "depth functional") ||
        !explorer_execute(explorer, "workload " TOUR_WORKLOAD) ||
        !explorer_execute(explorer, "select l1d.size"))
        return false;
    explorer->messages.shown = false;
    explorer->tour.step = 1;
    return true;
}

void tour_advance(struct explorer *explorer, enum command command, const char *arguments)
{
    const int step = explorer->tour.step;
    if (!step || steps[step - 1].command != command || (steps[step - 1].named && !*arguments))
        return;
    explorer->tour.step = step < STEPS ? step + 1 : 0;
    if (step == STEPS)
        say(explorer,
            "the tour ends here: O has the other families, C-p finds everything, ? is help");
}

const char *tour_text(const struct explorer *explorer, char text[TOUR_TEXT])
{
    const int step = explorer->tour.step;
    if (!step)
        return NULL;
    snprintf(text, TOUR_TEXT, "%d/%d %s", step, STEPS, steps[step - 1].text);
    return text;
}
