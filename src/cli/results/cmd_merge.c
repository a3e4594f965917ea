/* warpscape merge: combines the stores of shards or attempts of one study. Merging again changes
 * nothing; stores that disagree about a value are refused (explore/store/store_merge.h). */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/results/results.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "explore/store/store_merge.h"

static void cmd_merge_parse(int argc, char **argv, struct options_list *stores)
{
    const struct command_line line = {
        .usage = "OUT.db IN.db...",
        .help = "Merge the points of several stores of one study.\v"
                "OUT.db is created, or gets the points that it lacks; merging again changes "
                "nothing. Stores of "
                "another study, another workload or another version of the models are refused. "
                "Where two stores disagree about a point the merge stops and says how.",
        .operand = {.name = "store", .value = "STORE", .read = option_list, .slot = stores}};
    options_parse(&line, argc, argv);
    if (stores->count < 2)
        usage_error("expected the store to write and at least one to read");
}

/* Tells the user how many points of the study are still missing. */
static enum status print_missing(void *argument, struct store *store, const struct study *study,
                                 struct diagnostics *diagnostics)
{
    (void)argument;
    struct census census;
    char missing[COUNT_TEXT];
    uint64_t done = 0;
    enum status status = space_census(store_space(store), &census, diagnostics);
    if (status)
        return status;
    uint64_t wanted = census.legal * study->workload_count;
    status = store_count(store, &done, diagnostics);
    if (!status && done < wanted)
        printf("%s missing; warpscape sweep goes on from here\n",
               counted_print(wanted - done, "point", missing));
    else if (!status)
        printf("the study is complete\n");
    census_free(&census);
    return status;
}

int command_merge(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct options_list stores = {0};
    struct merge_result result;
    char counts[3][COUNT_TEXT];
    cmd_merge_parse(argc, argv, &stores);
    enum status status =
        store_merge(stores.items[0], stores.items + 1, stores.count - 1, &result, &diagnostics);
    if (!status) {
        printf("%s: %s, %s new, %s were there with the same values\n", stores.items[0],
               counted_print(result.points, "point", counts[0]),
               count_print(result.added, counts[1]), count_print(result.equal, counts[2]));
        status = results_use(stores.items[0], print_missing, NULL, &diagnostics);
    }
    options_list_free(&stores);
    return command_finish(status, &diagnostics);
}
