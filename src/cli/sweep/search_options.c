#include "cli/sweep/search_options.h"

enum { OPTION_SEARCH = 512, OPTION_POINTS, OPTION_PRUNE, OPTION_VERIFY_BOUNDS };

static const struct argp_option options[] = {
    {"search", OPTION_SEARCH, "NAME[:KEY=VALUE,...]", 0,
     "how to explore: exhaustive, random, latin_hypercube, nsga2 or halving (default: the study's)",
     0},
    {"points", OPTION_POINTS, "COUNT", 0, "how many points the search evaluates at most", 0},
    {"prune", OPTION_PRUNE, NULL, 0,
     "exhaustive: skip points that a proved bound keeps out of the front", 0},
    {"verify-bounds", OPTION_VERIFY_BOUNDS, NULL, 0,
     "simulate one in a hundred of the skipped points and compare", 0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct search_arguments *arguments = state->input;
    switch (key) {
    case OPTION_SEARCH:
        arguments->search = text;
        return 0;
    case OPTION_POINTS:
        arguments->points = text;
        return 0;
    case OPTION_PRUNE:
        arguments->prune = true;
        return 0;
    case OPTION_VERIFY_BOUNDS:
        arguments->prune = arguments->verify_bounds = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp search_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};

enum status search_options_apply(const struct search_arguments *arguments, struct study *study,
                                 struct diagnostics *diagnostics)
{
    struct search *search = &study->search;
    char why[VALUE_TEXT];
    enum status status = STATUS_OK;
    if (arguments->search && (status = search_parse(arguments->search, search, why)))
        return diagnostics_error(diagnostics, status, "--search %s: %s", arguments->search, why);
    const char *count = search->method == SEARCH_NSGA2 ? "evaluations" : "points";
    if (arguments->points && (status = search_set(search, count, arguments->points, why)))
        return diagnostics_error(diagnostics, status, "--points %s: %s", arguments->points, why);
    if (!arguments->prune)
        return STATUS_OK;
    if ((status = search_set(search, "prune", "yes", why)))
        return diagnostics_error(diagnostics, status, "--prune: %s", why);
    search->chosen = true;
    search->verify_bounds |= arguments->verify_bounds;
    return STATUS_OK;
}
