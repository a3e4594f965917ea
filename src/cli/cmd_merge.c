/* warpscape merge: the results of several stores of one study in one. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/results.h"
#include "explore/store_merge.h"

struct merge_arguments {
    const char **stores; /* the target, then the inputs */
    size_t count, capacity;
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct merge_arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (array_reserve(&arguments->stores, &arguments->capacity, arguments->count + 1))
            return ENOMEM;
        arguments->stores[arguments->count++] = text;
        return 0;
    case ARGP_KEY_END:
        if (arguments->count < 2)
            argp_error(state, "expected the store to write and at least one to read");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {NULL,
                                 parse,
                                 "OUT.db IN.db...",
                                 "Put the points of several stores of one study into one.\v"
                                 "OUT.db is made, or gets what it misses; merging again changes "
                                 "nothing. Stores of another study, "
                                 "another workload or another version of the models are refused. "
                                 "Where two stores disagree about a "
                                 "point the merge stops and says how.",
                                 NULL,
                                 NULL,
                                 NULL};

/* What is still to be made of the study. */
static enum status print_missing(const char *path, struct diagnostics *diagnostics)
{
    struct store *store;
    const struct study *study;
    struct census census;
    char missing[COUNT_TEXT];
    enum status status = store_open(path, &store, &study, diagnostics);
    if (status)
        return status;
    status = space_census(store_space(store), &census, diagnostics);
    if (!status) {
        uint64_t done = 0, wanted = census.legal * study->workload_count;
        status = store_count(store, &done, diagnostics);
        if (!status && done < wanted)
            printf("%s points are missing; warpscape sweep goes on from here\n",
                   count_print(wanted - done, missing));
        else if (!status)
            printf("the study is complete\n");
        census_free(&census);
    }
    store_close(store);
    return status;
}

int command_merge(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct merge_arguments arguments = {0};
    struct merge_result result;
    char counts[3][COUNT_TEXT];
    options_parse(&argp, argc, argv, &arguments);
    enum status status = store_merge(arguments.stores[0], arguments.stores + 1, arguments.count - 1,
                                     &result, &diagnostics);
    if (!status) {
        printf("%s: %s points, %s new, %s were there with the same values\n", arguments.stores[0],
               count_print(result.points, counts[0]), count_print(result.added, counts[1]),
               count_print(result.equal, counts[2]));
        status = print_missing(arguments.stores[0], &diagnostics);
    }
    free(arguments.stores);
    return command_finish(status, &diagnostics);
}
