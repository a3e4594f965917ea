/* Tab on ':' lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ui/panes/prompt.h"
#include "ui/terminal/commands.h"

static const struct {
    const char *before, *typed, *completed, *offered; /* offered: NULL: nothing is left to choose */
} rows[] = {
    {"", "sto", "store ", NULL},
    {"", "pag", "page-", "page-up  page-down"},
    {"", "set l1d.wa", "set l1d.wa", "l1d.ways  l1d.wavefront"},
    {"", "set l1d.ways 4 l1d.ind", "set l1d.ways 4 l1d.index ", NULL},
    {"", "set l1d.index fer", "set l1d.index fermi ", NULL},
    {"set l1d.index", "fer", "fermi ", NULL},
    {"", "axis l1d.enabled y", "axis l1d.enabled yes ", NULL},
    {"", "metric au", "metric auto ", NULL},
    {"", "objective -l1d.miss_ra", "objective -l1d.miss_rate ", NULL},
    {"", "equal o", "equal o",
     "off  occupancy.blocks  occupancy.warps  occupancy.mean_warps  occupancy.achieved"},
    {"", "search nsg", "search nsga2 ", NULL},
    {"", "search nsga2 popu", "search nsga2 population ", NULL},
    {"", "help red", "help red", "redo  redraw"},
    {"", "depth ti", "depth timing ", NULL},
    {"", "assume ser", "assume serial ", NULL},
    {"", "across geo", "across geomean ", NULL},
    {"", "open rtx307", "open rtx3070", "rtx3070-accelsim  rtx3070"},
    {"", "study quic", "study quick ", NULL},
    {"", "view que", "view queue ", NULL},
    {"", "look over", "look overdraw ", NULL},
    {"", "next ev", "next eviction ", NULL},
    {"", "sweep st", "sweep st", "start  stop"},
    {"", "undo x", "undo x", "nothing starts so"},
    {"", "nonsense x", "nonsense x", "nothing starts so"},
};

static void test_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct line_editor line;
        char offered[256];
        line_start(&line, rows[i].typed, NULL);
        complete_line(NULL, rows[i].before, &line, offered);
        if (strcmp(line.text, rows[i].completed))
            fail_msg("'%s' became '%s', not '%s'", rows[i].typed, line.text, rows[i].completed);
        if (strcmp(offered, rows[i].offered ? rows[i].offered : ""))
            fail_msg("'%s' offers '%s'", rows[i].typed, offered);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
