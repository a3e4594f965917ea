/* warpscape silicon: what was measured on real GPUs beside ours. Without a profile, measured rows,
 * those in the program or the user's (cli/run/silicon_run.h); with one, that profile and a machine
 * (cli/run/profile_run.h). */
#include <string.h>

#include "base/embedded.h"
#include "cli/run/profile_run.h"
#include "cli/run/silicon_run.h"
#include "cli/shared/command.h"

struct arguments {
    struct profile_arguments profile;
    struct silicon_arguments rows;
    const char *table, *depth;
    unsigned launches; /* enum pairing_way */
    struct options_list operands;
    bool by_rows;
};

enum { EMBEDDED_MAX = 16 };

/* The index of a word; ends the program if it is none of them. */
static unsigned find_word(const char *option, const char *text, const char *const *words)
{
    char list[200] = "";
    for (unsigned i = 0; words[i]; i++) {
        if (!strcmp(text, words[i]))
            return i;
        const size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "%s%s", length ? ", " : "", words[i]);
    }
    usage_error("%s: expected one of %s, got '%s'", option, list, text);
}

/* Without a profile: tables of rows, or the name of other rows of the program. */
static void settle_rows(struct arguments *all)
{
    static const char own[] = "silicon";
    const struct profile_arguments *profile = &all->profile;
    struct silicon_arguments *rows = &all->rows;
    const char *words[ROW_TABLES + EMBEDDED_MAX + 1] = {NULL};
    size_t count = 0;
    if (profile->settings.count || profile->kernel || profile->launch || profile->workload ||
        all->launches)
        usage_error("only --only, --effort, --depth, --table and --format go without a profile");
    while (count < ROW_TABLES) {
        words[count] = row_table_names[count];
        count++;
    }
    for (size_t i = 0; i < EMBEDDED_MAX && embedded_rows[i].name && !rows->file; i++)
        if (strcmp(embedded_rows[i].name, own) != 0)
            words[count++] = embedded_rows[i].name;
    const unsigned word = all->table ? find_word("--table", all->table, words) : 0;
    rows->name = word < ROW_TABLES ? own : words[word];
    rows->table = word < ROW_TABLES ? (enum row_table)word : ROW_TABLE_LIST;
    rows->whole = !all->table && profile->format == TABLE_TEXT;
    rows->depths = all->depth ? 1u << find_word("--depth", all->depth, depth_words) : ~0u;
    rows->format = profile->format;
    rows->threads = profile->threads;
}

/* What the options mean depends on whether there is a profile. */
static void settle(struct arguments *all)
{
    struct profile_arguments *profile = &all->profile;
    if (all->operands.count > 2)
        usage_error("expected a profile and a machine, got a third: '%s'", all->operands.items[2]);
    if (all->operands.count && row_file_is(all->operands.items[0]))
        all->rows.file = all->operands.items[0];
    if (all->rows.file && all->operands.count == 2)
        usage_error("rows name their machines; got another: '%s'", all->operands.items[1]);
    all->by_rows = !all->operands.count || all->rows.file;
    if (all->by_rows) {
        settle_rows(all);
        return;
    }
    if (all->rows.only)
        usage_error("--only goes without a profile");
    profile->profile = all->operands.items[0];
    profile->machine = all->operands.count == 2 ? all->operands.items[1] : "qv100";
    profile->workload = profile->workload ? profile->workload : "2DCONV";
    profile->depth = (enum depth)(all->depth ? find_word("--depth", all->depth, depth_words) : 0);
    profile->pairing = (enum pairing_way)all->launches;
    profile->table = all->table ? find_word("--table", all->table, profile_table_names) : 0;
}

static void cmd_silicon_parse(int argc, char **argv, struct arguments *all)
{
    struct profile_arguments *arguments = &all->profile;
    const char *format_in = NULL;
    const struct option_row options[] = {
        {"workload", 'w', "NAME|FILE", "workload of the profiled kernel (default: 2DCONV)",
         option_once, &arguments->workload, NULL},
        OPTION_FORMAT_IN(&format_in),
        OPTION_SET(&arguments->settings),
        {"depth", 0, "DEPTH",
         DEPTH_HELP "default: functional, which has no cycles; without a profile: all", option_word,
         &all->depth, depth_words},
        {"only", 0, "WORDS", "without a profile: rows whose cells of text have all these words",
         option_text, &all->rows.only, NULL},
        {"effort", 0, "N", "without a profile: run rows N times as large (default 1: minutes)",
         option_count, &all->rows.effort, NULL},
        PROFILE_OPTIONS(&arguments->kernel, &arguments->launch, &all->launches),
        {"table", 't', "TABLE",
         "counters (default) or others: the table of csv, json and md; of rows: summary, rows, "
         "gpus, order, sources or list; without ROWS.csv also latencies, strides or "
         "bandwidths",
         option_text, &all->table, NULL},
        OPTION_FORMAT(&arguments->format),
        OPTION_THREADS(&arguments->threads),
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "[PROFILE [MACHINE]|ROWS.csv]",
        .help = "Compare with real GPUs. Without PROFILE: counters of public profiles of known "
                "kernels, ours at every depth, and the errors. With one: what ncu, nvprof or nsys "
                "measured and what a machine does on the same kernel: "
                "each counter beside ours, and the error; warpscape explain --profile says what "
                "explains it.\v"
                "PROFILE is what ncu (--csv or text, any page, --metrics, --print-summary), nvprof "
                "(--metrics --events, --print-gpu-summary, --print-gpu-trace; text or --csv) or "
                "nsys stats (cuda_gpu_kern_sum, cuda_gpu_trace; text or CSV) printed. ROWS.csv has "
                "measured values of your own, each with its machine and workload (docs/FORMATS.md, "
                "Measured rows), in the place of the public ones. MACHINE is a "
                "YAML file or the name of "
                "a machine that comes with the program (default: qv100). Counters that no metric "
                "stands for are listed.",
        .operand = {.name = "profile",
                    .value = "FILE|MACHINE",
                    .read = option_list,
                    .slot = &all->operands}};
    options_parse(&line, argc, argv);
    options_name_format(&arguments->workload, format_in);
    settle(all);
}

int command_silicon(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct arguments all = {.rows.effort = 1};
    cmd_silicon_parse(argc, argv, &all);
    const enum status status = all.by_rows ? silicon_run(&all.rows, &diagnostics)
                                           : profile_run(&all.profile, &diagnostics);
    options_list_free(&all.operands);
    options_list_free(&all.profile.settings);
    return command_finish(status, &diagnostics);
}
