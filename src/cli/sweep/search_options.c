#include "cli/sweep/search_options.h"

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
    if (arguments->seed && quantity_parse_uint(arguments->seed, UNIT_NONE, &study->seed))
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "--seed: expected a whole number, got '%.40s'", arguments->seed);
    if (!arguments->prune && !arguments->verify_bounds)
        return STATUS_OK;
    if ((status = search_set(search, "prune", "yes", why)))
        return diagnostics_error(diagnostics, status, "--prune: %s", why);
    search->chosen = true;
    search->verify_bounds |= arguments->verify_bounds;
    return STATUS_OK;
}
