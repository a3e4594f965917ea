#include "ui/panes/limits.h"

#include <math.h>
#include <stdio.h>

#include "ui/panes/pane.h"

struct explain_query limits_query(const struct explorer *explorer, const struct metric *metric)
{
    const struct session *session = explorer->session;
    struct explain_query query = {.assumed = session->study.assumed,
                                  .machine = session->machine,
                                  .depth = session->study.depth,
                                  .metric = metric,
                                  .threads = explorer->options.threads};
    snprintf(query.workload, sizeof query.workload, "%s", explorer->workload);
    return query;
}

const struct explain_result *limits_known(const struct explorer *explorer, bool *now)
{
    const struct explain_result *result = pane_answer(explorer, CONTEXT_EXPLAIN);
    if (!result || !result->explanation.metric)
        return NULL;
    const struct explain_query query = limits_query(explorer, result->query.metric);
    *now = explain_query_same(&query, &result->query);
    return result;
}

const char *limits_sure(const struct explain_result *result, char text[SURE_TEXT])
{
    const struct trials_count *count = &result->explanation.count;
    if (result->answer.partial)
        snprintf(text, SURE_TEXT, "exact, %zu of %zu experiments", count->done, count->planned);
    else
        snprintf(text, SURE_TEXT, "exact, %zu experiments", count->done);
    return text;
}

/* The limit that gains most alone. To wait for nothing is no property of a machine, so what
 * programs wait for comes only where nothing else ran. */
static const struct ladder_limit *best_limit(const struct ladder *ladder)
{
    for (size_t i = 0; i < ladder->limit_count; i++)
        if (ideal_table[ladder->limits[i].ideal].level != IDEAL_DEPENDENCES &&
            !isnan(ladder->limits[i].gain))
            return &ladder->limits[i];
    return ladder->limits;
}

/* What a depth that leaves no limit out knows: the lever that gains most. */
static void say_lever(const struct levers *levers, char text[ROW_TEXT / 2])
{
    const struct lever *best = levers->singles;
    char change[LEVER_CHANGE_TEXT];
    if (best->gain > best->noise)
        snprintf(text, ROW_TEXT / 2, "lever: %.1f%% %.100s", 100 * best->gain,
                 lever_change_print(&best->change, "", change));
    else
        snprintf(text, ROW_TEXT / 2, "lever: none by itself");
}

static void say_limit(const struct explanation *explanation, char text[ROW_TEXT / 2])
{
    const struct ladder_limit *best = best_limit(&explanation->ladder);
    if (isnan(best->gain))
        snprintf(text, ROW_TEXT / 2, "limit: none known yet");
    else if (best->gain > explanation->noise.floor)
        snprintf(text, ROW_TEXT / 2, "limit: %.1f%% %s", 100 * best->gain,
                 ideal_table[best->ideal].label);
    else
        snprintf(text, ROW_TEXT / 2, "limit: none by itself");
}

const char *limits_line(const struct explorer *explorer, int columns, char text[ROW_TEXT])
{
    bool now = false;
    char sure[SURE_TEXT], limit[ROW_TEXT / 2];
    const struct explain_result *result = limits_known(explorer, &now);
    text[0] = '\0';
    if (!result || !now)
        return text;
    const struct explanation *explanation = &result->explanation;
    const char *path = explanation->metric->path;
    if (explanation->ladder.limit_count)
        say_limit(explanation, limit);
    else if (explanation->levers.single_count)
        say_lever(&explanation->levers, limit);
    else
        return text;
    const int used =
        snprintf(text, ROW_TEXT, "%s, of %s, %s", limit, path, limits_sure(result, sure));
    if (used > columns)
        snprintf(text, ROW_TEXT, "%s, %s", limit, sure);
    return text;
}

const char *limits_unknown(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct session *session = explorer->session;
    const enum depth depth = session->study.depth;
    if (ideal_none(ideal_all_of(&session->machine, depth)))
        snprintf(text, ROW_TEXT, "limit: none at depth %s, X has levers", depth_name(depth));
    else
        snprintf(text, ROW_TEXT, "limit: to come (X explains)");
    return text;
}
