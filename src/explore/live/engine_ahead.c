/* Looking ahead: while nobody asks anything, the live thread works out the machines that are a step
 * of one knob away from the one on the screen, so that the next key finds its answer. A question
 * interrupts it, and what it has found by then stays. Only from logs (explore/live/live_answers.h),
 * and not beside a sweep, which wants the processor more. */
#include <stdlib.h>

#include "explore/live/engine_state.h"
#include "schema/parameters.h"

/* Steps up and down of the parameter whose curve is shown: the one under the cursor. */
enum { REACH = 3, NEAR = 2 * REACH, TRIES = 64 };

/* What one look is for: a parameter, and how many steps of it. */
struct look {
    const struct parameter *parameter;
    int steps;
    unsigned needs;
};

/* Number `n` of all: the steps of the parameter under the cursor (it may be NULL) with all that is
 * shown, then one step of every parameter, its counts. False: there are no more. */
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

/* The next legal value in one direction, as a key finds it. */
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

/* The machine that a look is at; false where there is none to work out. */
static bool apply_look(const struct look *look, struct machine *machine)
{
    const unsigned simulated = STAGE_L1D | STAGE_L2 | STAGE_TLB | STAGE_PWC;
    const struct parameter *parameter = look->parameter;
    if (!parameter || parameter->stepping == STEP_NONE || !(parameter->stages & simulated) ||
        parameter->stages & STAGE_STREAM || !parameter_relevant(parameter, machine))
        return false;
    for (int i = 0; i < abs(look->steps); i++)
        if (!step_legal(parameter, look->steps < 0 ? -1 : 1, machine))
            return false;
    return true;
}

/* The next look that costs anything; STATUS_NOT_FOUND: there is none. */
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
    /* The logs of the machine on the screen are wanted more than those of its neighbours. */
    (void)live_answers_cost(engine->answers, shown, engine->source, NEED_REPORT);
    const struct evaluate_options options = {.needs = needs, .cancel = &engine->cancel_live};
    return live_answers_evaluate(engine->answers, &machine, engine->source, &options, &metrics,
                                 NULL);
}

bool engine_look_ahead(struct engine *engine)
{
    const struct engine_evaluation *evaluation = &engine->state.evaluation;
    if (engine->sweeping || !engine->source || evaluation->state != ENGINE_DONE ||
        engine->depth != DEPTH_FUNCTIONAL)
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
    if (status == STATUS_NOT_FOUND) /* wait, unless something was asked in the meantime */
        return engine->quit || engine->turns != turns;
    if (status != STATUS_CANCELLED)
        engine->looks++;
    engine->state.looked_ahead += !status;
    return true;
}
