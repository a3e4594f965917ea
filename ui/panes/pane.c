#include "ui/panes/pane.h"

#include <stdlib.h>

#define PANE_OPS(constant, name, help) [CONTEXT_##constant] = &name##_pane_ops,
static const struct pane_ops *const table[CONTEXT_COUNT] = {
    [CONTEXT_GLOBAL] = &machine_pane_ops, PANE_LIST(PANE_OPS) VIEW_LIST(PANE_OPS)};
#undef PANE_OPS

const struct pane_ops *pane_ops(enum context context)
{
    return table[context];
}

enum context explorer_context(const struct explorer *explorer)
{
    return explorer->view == VIEW_WORKSPACE ? pane_context(explorer->focus)
                                            : view_context(explorer->view);
}

int pane_heads(const struct explorer *explorer, const struct pane_ops *ops)
{
    return ops->heads_now ? ops->heads_now(explorer) : ops->heads;
}

int pane_visible(const struct explorer *explorer, enum context context)
{
    struct rect rect = explorer->layout.view;
    for (int pane = 0; pane < PANE_COUNT; pane++)
        if (pane_context((enum pane)pane) == context)
            rect = explorer->layout.panes[pane];
    int rows = rect.rows - 1 - pane_heads(explorer, table[context]);
    return rows > 1 ? rows : 1;
}

/* ---- what panes keep, and their jobs ---- */

void *pane_state(struct explorer *explorer, enum context context)
{
    return explorer->slots[context].state;
}

const void *pane_seen(const struct explorer *explorer, enum context context)
{
    return explorer->slots[context].state;
}

struct list *pane_list(struct explorer *explorer, enum context context)
{
    return table[context]->list ? table[context]->list(explorer) : pane_state(explorer, context);
}

void pane_ask(struct explorer *explorer, enum context context, void *question)
{
    struct pane_slot *slot = &explorer->slots[context];
    worker_start(slot->worker, question);
    slot->waiting = question != NULL;
    if (question || !slot->answer)
        return;
    table[context]->job->free(slot->answer);
    slot->answer = NULL;
}

bool pane_waits(const struct explorer *explorer, enum context context)
{
    return explorer->slots[context].waiting;
}

const void *pane_answer(const struct explorer *explorer, enum context context)
{
    return explorer->slots[context].answer;
}

const void *pane_usable(const struct explorer *explorer, enum context context)
{
    const struct pane_slot *slot = &explorer->slots[context];
    const struct answer *answer = slot->answer;
    return answer && !slot->waiting && !answer->status ? answer : NULL;
}

const char *pane_failure(const struct explorer *explorer, enum context context)
{
    const struct pane_slot *slot = &explorer->slots[context];
    const struct answer *answer = slot->answer;
    return answer && !slot->waiting && answer->status ? answer->message : NULL;
}

void pane_draw_waiting(const struct explorer *explorer, enum context context,
                       const struct canvas *canvas, const char *doing)
{
    const char *failure = pane_failure(explorer, context);
    canvas_paragraph(canvas, 1, STYLE(failure ? ROLE_BAD : ROLE_DIM), failure ? failure : doing);
}

enum status panes_open(struct explorer *explorer)
{
    enum status status = STATUS_OK;
    for (int i = CONTEXT_GLOBAL + 1; i < CONTEXT_COUNT && !status; i++) {
        struct pane_slot *slot = &explorer->slots[i];
        if (table[i]->state_size && !(slot->state = calloc(1, table[i]->state_size)))
            status = STATUS_MEMORY;
        if (!status && table[i]->job)
            status = worker_create(table[i]->job, &slot->worker);
    }
    return status;
}

static void receive_answer(struct explorer *explorer, struct pane_slot *slot,
                           const struct pane_ops *ops)
{
    void *answer = slot->worker ? worker_take(slot->worker) : NULL;
    if (!answer)
        return;
    slot->waiting = ((const struct answer *)answer)->partial;
    void *before = slot->answer;
    const bool taken = !ops->takes || ops->takes(explorer, answer);
    if (taken)
        slot->answer = answer;
    void *dropped = taken ? before : answer;
    if (dropped)
        ops->job->free(dropped);
}

void panes_receive(struct explorer *explorer)
{
    for (int i = CONTEXT_GLOBAL + 1; i < CONTEXT_COUNT; i++)
        receive_answer(explorer, &explorer->slots[i], table[i]);
}

bool panes_wait(const struct explorer *explorer)
{
    bool waits = false;
    for (int i = CONTEXT_GLOBAL + 1; i < CONTEXT_COUNT; i++)
        waits = waits || explorer->slots[i].waiting;
    return waits;
}

void panes_free(struct explorer *explorer)
{
    for (int i = CONTEXT_GLOBAL + 1; i < CONTEXT_COUNT; i++) {
        struct pane_slot *slot = &explorer->slots[i];
        worker_free(slot->worker);
        if (slot->answer)
            table[i]->job->free(slot->answer);
        if (slot->state && table[i]->free)
            table[i]->free(slot->state);
        free(slot->state);
    }
}
