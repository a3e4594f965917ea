/* warpscape reproduce tile: the tile cache of Zhao, Zhang and Zhang, 2022 (docs/MODELS.md). Runs
 * the study (explore/papers/tile_study.h) and prints its report. */
#include "cli/shared/options.h"
#include "cli/shared/reproduce.h"
#include "report/experiments/tile_report.h"

static enum status run(const struct reproduce_arguments *arguments, struct diagnostics *diagnostics)
{
    static char name[] = "tile";
    const struct evaluate_options how = {
        .progress = progress_show, .argument = name, .cancel = interrupt_flag()};
    const enum tile_table table = reproduce_table(&reproduction_tile, arguments);
    const bool whole = arguments->format == TABLE_TEXT && !arguments->table;
    struct tile_study study = {0};
    enum status status = tile_study_machines(&study, diagnostics);
    if (!status && (whole || tile_table_needs_study(table)))
        status = tile_study_run(arguments->full, arguments->workload, arguments->threads, &how,
                                &study, diagnostics);
    progress_end();
    if (!status)
        status = whole ? tile_report_print(&study, stdout)
                       : tile_report_table(&study, table, arguments->format, stdout);
    tile_study_free(&study);
    return status;
}

static const char *const tables[] = {
    [TILE_NUMBERS] = "numbers",        [TILE_REQUESTS] = "requests", [TILE_RIVALS] = "rivals",
    [TILE_PARTITIONED] = "partitions", [TILE_SILICON] = "silicon",   NULL};

const struct reproduction reproduction_tile = {
    .name = "tile",
    .paper =
        "S. Zhao, L. Zhang and L. Zhang, An architecture design of memory access subsystem for "
        "embedded graphics processor, High Technology Letters 32(2), 2022",
    .tables = tables,
    .run = run,
};
