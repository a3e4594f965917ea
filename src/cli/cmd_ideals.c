/* warpscape ideals: the manual of idealisations, printed from their table (schema/ideals.h).
 * docs/IDEALS.md has its output. */
#include <stdio.h>

#include "cli/shared/command.h"
#include "cli/shared/manual.h"
#include "schema/ideals.h"

static void ideals_add_row(struct table *table, size_t index)
{
    const struct ideal_info *ideal = &ideal_table[index];
    char depths[DEPTH_NAMES];
    table_text(table, ideal->name);
    table_text(table, ideal_depths((enum ideal)index, depths));
    table_text(table, ideal_level_table[ideal->level].name);
    table_text(table, ideal->relieves ? ideal->relieves : "-");
    table_text(table, ideal->help);
}

static const char *path_at(size_t index)
{
    return ideal_table[index].name;
}

static const char *ideal_suggestion(const char *name, char text[SUGGESTION_TEXT])
{
    enum ideal ideal;
    const char *nearest = NULL;
    return suggestion(ideal_find(name, &ideal, &nearest) ? ideal_table[ideal].name : nearest, text);
}

/* What the words of the column `level` mean. */
static void print_levels(void)
{
    printf("\nLevels: an ideal of a later level subsumes some of the earlier ones.\n\n");
    for (int i = 0; i < IDEAL_LEVELS; i++)
        printf("* %s: %s\n", ideal_level_table[i].name, ideal_level_table[i].help);
}

int command_ideals(int argc, char **argv)
{
    static const char *const headers[] = {"ideal", "depth", "level", "shows in", "help", NULL};
    const struct manual manual = {
        .name = "ideal",
        .help = "The manual of idealisations: limits that `run --ideal` takes out of a machine, to "
                "find exactly what they cost.\v"
                "PATH shows one ideal or a group (l1d, walker), else all that have it in their "
                "name. An ideal is no parameter: nothing can be built so. `shows in` is the metric "
                "that counts what the limit costs, as far as one does.",
        .completes = "IDEAL",
        .headers = headers,
        .count = IDEAL_COUNT,
        .path = path_at,
        .add_row = ideals_add_row,
        .suggestion = ideal_suggestion,
        .appendix = print_levels,
    };
    return manual_run(&manual, argc, argv);
}
