#include "model/reuse/dependences.h"

#include <string.h>

enum { WINDOW_INSTRUCTIONS = 64 };

enum status dependences_init(struct dependences *dependences)
{
    *dependences = (struct dependences){0};
    return instruction_window_init(&dependences->window, WINDOW_INSTRUCTIONS);
}

void dependences_free(struct dependences *dependences)
{
    instruction_window_free(&dependences->window);
}

void dependences_begin(struct dependences *dependences)
{
    memset(dependences->owners, 0, sizeof dependences->owners);
    dependences->loads = dependences->needs = dependences->at = 0;
    dependences->window.count = 0;
    dependences->window.end = false;
}

/* Adds the loads whose registers an instruction reads or writes. */
static void need_registers(struct dependences *dependences, const struct instruction *code)
{
    const unsigned count = (unsigned)code->written + code->read;
    for (unsigned i = 0; i < count; i++) {
        uint32_t *owner = &dependences->owners[code->registers[i]];
        const uint32_t back = dependences->loads - *owner; /* loads after it */
        if (*owner && back < LOADS_IN_FLIGHT)
            dependences->needs |= (uint32_t)1 << back;
        *owner = 0;
    }
}

enum status dependences_next(struct dependences *dependences, const struct trace_code *code,
                             const struct trace_source_ops *ops, struct block_reader *reader,
                             uint32_t warp, bool load, uint32_t *needs,
                             struct diagnostics *diagnostics)
{
    struct instruction_window *window = &dependences->window;
    for (;;) {
        while (dependences->at == window->count) {
            if (window->end)
                return diagnostics_error(diagnostics, STATUS_CORRUPT,
                                         "a warp has more accesses than instructions");
            const enum status status = ops->read_instructions(reader, warp, window, diagnostics);
            if (status)
                return status;
            dependences->at = 0;
        }
        const struct warp_instruction *next = &window->items[dependences->at++];
        const struct instruction *instruction = &code->items[next->code];
        need_registers(dependences, instruction);
        if (!(next->flags & ISSUE_RECORD))
            continue;
        *needs = dependences->needs;
        if (!load)
            return STATUS_OK;
        dependences->needs = 0;
        dependences->loads++;
        for (unsigned i = 0; i < instruction->written; i++)
            dependences->owners[instruction->registers[i]] = dependences->loads;
        return STATUS_OK;
    }
}
