/* Looking ahead: while nobody asks anything, the live thread evaluates machines that are one step
 * of a parameter away from the one on the screen, so that the next key finds its answer ready. A
 * question interrupts it; what it found by then is kept.
 *
 * It works from memory only (explore/live/live_answers.h) and never walks the source. It does
 * nothing while a sweep runs, which needs the processor more. */
#include <stdlib.h>

#include "explore/live/engine_state.h"
#include "schema/parameters.h"

/* How many steps to look up and down from the parameter whose curve is shown, in all, and how many
 * illegal values to skip for one step. */
enum { REACH = 3, NEAR = 2 * REACH, TRIES = 64 };

/* One neighbour: so many steps of this parameter. */
struct look {
    const struct parameter *parameter;
    int steps;
    unsigned needs;
};

/* Describes neighbour `n`. First come the steps of the parameter under the cursor (which may be
 * NULL), with everything that the screen shows; then one step up and down of every parameter,
 * counts only. Returns false if there are no more. */
static bool find_look(const struct parameter *cursor, size_t n, struct look *look)
{
    if (n < NEAR) {
        int distance = (int)n / 2 + 1;
        *look = (struct look){cursor, n & 1 ? -distance : distance, NEED_REPORT};
        return true;
    }
    n -= NEAR;
    if (n / 2 >= parameter_count)
        return false;
    *look = (struct look){&parameters[n / 2], n & 1 ? -1 : 1, 0};
    return true;
}

/* Steps to the next legal value in one direction, as a key press does. */
static bool step_legal(const struct parameter *parameter, int direction, struct machine *machine)
{
    struct value value = parameter_get(parameter, machine);
    struct violation found[VIOLATION_MAX];
    for (int tries = 0; tries < TRIES; tries++) {
        if (!parameter_next(parameter, value, direction, &value))
            return false;
        parameter_set(parameter, machine, value);
        if (!machine_check(machine, found))
            return true;
    }
    return false;
}

/* Changes the machine into the neighbour. Returns false if the neighbour need not be evaluated. */
static bool apply_look(const struct look *look, struct machine *machine)
{
    const unsigned simulated = stages_on_stream();
    const struct parameter *parameter = look->parameter;
    if (!parameter || parameter->stepping == STEP_NONE || !(parameter->stages & simulated) ||
        parameter->stages & STAGE_STREAM || !parameter_relevant(parameter, machine))
        return false;
    for (int i = 0; i < abs(look->steps); i++)
        if (!step_legal(parameter, look->steps < 0 ? -1 : 1, machine))
            return false;
    return true;
}

/* Finds the next neighbour that is not known yet but can be evaluated from memory.
 * STATUS_NOT_FOUND if there is none. */
static enum status next_look(struct engine *engine, const struct machine *shown,
                             const struct parameter *cursor, struct machine *machine,
                             unsigned *needs)
{
    struct look look;
    for (; find_look(cursor, engine->looks, &look); engine->looks++) {
        if (atomic_load(&engine->cancel_live))
            return STATUS_CANCELLED;
        *machine = *shown;
        *needs = look.needs;
        if (!apply_look(&look, machine))
            continue;
        uint64_t cost = live_answers_cost(engine->answers, machine, engine->source, look.needs);
        if (cost && cost != UINT64_MAX)
            return STATUS_OK;
    }
    return STATUS_NOT_FOUND;
}

static enum status look_once(struct engine *engine, const struct machine *shown,
                             const struct parameter *cursor)
{
    struct machine machine;
    struct metrics metrics;
    unsigned needs;
    enum status status = next_look(engine, shown, cursor, &machine, &needs);
    if (status)
        return status;
    /* Touch the streams of the machine on the screen, so that its neighbours do not push them out.
     */
    (void)live_answers_cost(engine->answers, shown, engine->source, NEED_REPORT);
    const struct evaluate_options options = {.needs = needs, .cancel = &engine->cancel_live};
    return live_answers_evaluate(engine->answers, &machine, engine->source, &options, &metrics,
                                 NULL);
}

bool engine_look_ahead(struct engine *engine)
{
    const struct engine_evaluation *evaluation = &engine->state.evaluation;
    if (engine->sweeping || !engine->source || evaluation->state != ENGINE_DONE ||
        !depth_can(engine->depth, DEPTH_FACTORED))
        return false;
    if (engine->looked_from != engine->evaluation.answered) {
        engine->looked_from = engine->evaluation.answered;
        engine->looks = 0;
    }
    const struct machine shown = evaluation->machine;
    const struct parameter *cursor = engine->state.curve.parameter;
    const uint64_t turns = engine->turns;
    atomic_store(&engine->cancel_live, false);
    pthread_mutex_unlock(&engine->lock);
    enum status status = look_once(engine, &shown, cursor);
    pthread_mutex_lock(&engine->lock);
    if (status == STATUS_NOT_FOUND) /* wait, unless something was asked meanwhile */
        return engine->quit || engine->turns != turns;
    if (status != STATUS_CANCELLED)
        engine->looks++;
    engine->state.looked_ahead += !status;
    return true;
}
