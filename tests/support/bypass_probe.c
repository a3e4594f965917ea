#include "support/bypass_probe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct instruction loads[3] = {{.pc = PROBE_PC, .flags = INSTRUCTION_LOAD},
                                      {.pc = PROBE_PC + 0x70, .flags = INSTRUCTION_LOAD},
                                      {.pc = PROBE_PC + 0x18, .flags = INSTRUCTION_LOAD}};

void bypass_probe_launch(struct bypass *bypass, const char *kernel)
{
    const struct trace_code code = {loads, 3};
    assert_int_equal(bypass_launch(bypass, PROBE_WAYS, kernel, &code), STATUS_OK);
}

struct bypass *bypass_probe_create(struct machine *machine, int policy)
{
    struct bypass *bypass;
    machine->l1d.bypass.policy = policy;
    assert_int_equal(bypass_create(machine, 0, PROBE_SETS, PROBE_WAYS, &bypass), STATUS_OK);
    if (bypass)
        bypass_probe_launch(bypass, "kernel");
    return bypass;
}

enum bypass_verdict bypass_probe_ask(struct bypass *bypass, const struct bypass_access *access,
                                     uint32_t way)
{
    static const uint8_t holds[PROBE_WAYS] = {1, 1, 1, 1};
    const struct bypass_choice choice = {.first = access->set * PROBE_WAYS,
                                         .ways = PROBE_WAYS,
                                         .way = way,
                                         .holds = holds,
                                         .kept = 2};
    struct bypass_choice asked = choice, again = choice;
    const enum bypass_verdict verdict = bypass_ask(bypass, access, &asked);
    assert_int_equal(bypass_ask(bypass, access, &again), verdict);
    assert_int_equal(asked.way, again.way);
    return verdict;
}

enum bypass_verdict bypass_probe_miss(struct bypass *bypass, const struct bypass_access *access,
                                      uint32_t way)
{
    const enum bypass_verdict verdict = bypass_probe_ask(bypass, access, way);
    if (verdict != BYPASS_WAIT)
        bypass_accept(bypass, access, verdict == BYPASS_PASS ? BYPASS_NO_LINE : 0);
    return verdict;
}

void bypass_probe_pass_through(struct bypass *bypass, const struct bypass_access *access,
                               uint64_t hits)
{
    bypass_replace(bypass, access, 0, true);
    for (; hits; hits--)
        bypass_hit(bypass, access, 0, false);
    bypass_replace(bypass, access, 0, false);
}
