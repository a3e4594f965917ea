#include "config/exploration.h"

#include <string.h>

#include "base/text_stream.h"
#include "config/parameter_keys.h"
#include "schema/families.h"

/* What to try first, where no file says it. */
static const char *const kind_hints[] = {
    [KIND_COMPUTE] =
        "d counts cycles too, X says what limits the machine, w takes another workload",
    [KIND_SIMT] =
        "L shows the active lanes, X says what limits the machine, w takes another program",
    [KIND_GRAPHICS] = "T draws the frame, Q steps through a bank, X says what limits the machine",
};
_Static_assert(sizeof kind_hints / sizeof *kind_hints == 0 KIND_LIST(FAMILY_COUNT),
               "every kind has a hint");

struct reader {
    const struct document *document;
    const struct machine *machine;
    struct exploration *exploration;
    struct diagnostics *found;
};

static void read_workload(struct reader *reader, const struct node *node)
{
    snprintf(reader->exploration->workload, sizeof reader->exploration->workload, "%s",
             node_text(node));
}

static void read_family(struct reader *reader, const struct node *node)
{
    snprintf(reader->exploration->family, sizeof reader->exploration->family, "%s",
             node_text(node));
}

static void read_hint(struct reader *reader, const struct node *node)
{
    snprintf(reader->exploration->hint, sizeof reader->exploration->hint, "%s", node_text(node));
}

static void read_depth(struct reader *reader, const struct node *node)
{
    char names[DEPTH_NAMES];
    if (!depth_find(node_text(node), &reader->exploration->depth))
        document_complain(reader->document, reader->found, node,
                          EXPLORE_KEY ".depth: expected %s, got '%.40s'", depth_names(names),
                          node_text(node));
}

static void read_chart(struct reader *reader, const struct node *node)
{
    char hint[SUGGESTION_TEXT];
    const enum chart_kind chart = chart_find(node_text(node));
    if (chart < CHART_COUNT)
        reader->exploration->chart = chart;
    else
        document_complain(
            reader->document, reader->found, node,
            EXPLORE_KEY ".chart: expected a chart such as curve or distances, got '%.40s'%s",
            node_text(node),
            suggestion(nearest_name(node_text(node), chart_names, CHART_COUNT), hint));
}

static void read_select(struct reader *reader, const struct node *node)
{
    const char *path = node_text(node);
    const struct parameter *parameter = parameter_find(path);
    if (!parameter) {
        struct place place = node_place(reader->document, node);
        parameter_unknown(&place, path, reader->found);
    } else if (parameter_relevant(parameter, reader->machine)) {
        reader->exploration->selected = parameter;
    }
}

static void read_metric(struct reader *reader, const struct node *node)
{
    struct exploration *exploration = reader->exploration;
    const char *path = node_kind(node) == NODE_SCALAR ? node_text(node) : "a list";
    const struct metric *metric = metric_find(path);
    char hint[SUGGESTION_TEXT], why[METRIC_UNANSWERED];
    if (!metric)
        document_complain(reader->document, reader->found, node, "unknown metric '%.80s'%s", path,
                          suggestion(metric_nearest(path), hint));
    else if (!metric_answered(metric, exploration->depth) &&
             !metric_compared(metric, exploration->depth))
        document_complain(reader->document, reader->found, node, "metric '%s' %s", path,
                          metric_unanswered(metric, exploration->depth, why));
    else if (exploration->metric_count == EXPLORATION_METRICS)
        document_complain(reader->document, reader->found, node,
                          EXPLORE_KEY ".metrics: expected at most %d", EXPLORATION_METRICS);
    else if (machine_has(reader->machine, metric->stage))
        exploration->metrics[exploration->metric_count++] = metric;
}

static void read_metrics(struct reader *reader, const struct node *node)
{
    if (node_kind(node) != NODE_SEQUENCE)
        document_complain(reader->document, reader->found, node,
                          EXPLORE_KEY ".metrics: expected a list of metrics");
    for (size_t i = 0; node_kind(node) == NODE_SEQUENCE && i < node_count(node); i++)
        read_metric(reader, node_at(node, i));
}

/* The depth comes first: it decides which metrics there are. */
static const struct exploration_key {
    const char *name;
    void (*read)(struct reader *reader, const struct node *node);
    enum node_kind kind;
} keys[] = {
    {"depth", read_depth, NODE_SCALAR},       {"workload", read_workload, NODE_SCALAR},
    {"metrics", read_metrics, NODE_SEQUENCE}, {"select", read_select, NODE_SCALAR},
    {"chart", read_chart, NODE_SCALAR},       {"hint", read_hint, NODE_SCALAR},
    {"family", read_family, NODE_SCALAR},
};
enum { KEYS = sizeof keys / sizeof *keys };

static void complain_of_unknown(struct reader *reader, const struct node *section)
{
    const char *names[KEYS];
    char hint[SUGGESTION_TEXT];
    for (size_t i = 0; i < KEYS; i++)
        names[i] = keys[i].name;
    for (size_t i = 0; i < node_count(section); i++) {
        const char *key = node_key(section, i);
        const struct place place = node_key_place(reader->document, section, i);
        bool known = false;
        for (size_t k = 0; k < KEYS; k++)
            known = known || !strcmp(keys[k].name, key);
        if (!known)
            diagnostics_add(reader->found, SEVERITY_ERROR, &place,
                            "unknown key '%.80s' in " EXPLORE_KEY "%s", key,
                            suggestion(nearest_name(key, names, KEYS), hint));
    }
}

static void read_section(struct reader *reader, const struct node *section)
{
    reader->exploration->said = true;
    complain_of_unknown(reader, section);
    for (size_t i = 0; i < KEYS; i++) {
        const struct node *node = node_find(section, keys[i].name);
        if (!node || node_is_empty(node))
            continue;
        if (keys[i].kind == NODE_SCALAR && node_kind(node) != NODE_SCALAR)
            document_complain(reader->document, reader->found, node,
                              EXPLORE_KEY ".%s: expected one value", keys[i].name);
        else
            keys[i].read(reader, node);
    }
}

void exploration_read(const struct document *document, const struct machine *machine,
                      struct exploration *exploration, struct diagnostics *diagnostics)
{
    struct diagnostics found = DIAGNOSTICS_INIT;
    struct reader reader = {document, machine, exploration, &found};
    *exploration = (struct exploration){.depth = DEPTH_FUNCTIONAL, .chart = CHART_CURVE};
    snprintf(exploration->workload, sizeof exploration->workload, "%s",
             kind_workloads[machine->kind]);
    snprintf(exploration->hint, sizeof exploration->hint, "%s", kind_hints[machine->kind]);
    const struct node *section = document ? node_find(document_root(document), EXPLORE_KEY) : NULL;
    if (section && node_kind(section) == NODE_MAPPING)
        read_section(&reader, section);
    else if (section && !node_is_empty(section))
        document_complain(document, &found, section,
                          EXPLORE_KEY ": expected a mapping, for example '" EXPLORE_KEY
                                      ": {workload: GEMM}'");
    diagnostics_move(diagnostics, &found);
}

/* Text in double quotes, as YAML reads it back. */
static void write_quoted(FILE *out, const char *key, const char *text)
{
    fprintf(out, "  %s: \"", key);
    for (; *text; text++)
        fprintf(out, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
    fputs("\"\n", out);
}

enum status exploration_to_yaml(const struct exploration *exploration, char **text)
{
    *text = NULL;
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return STATUS_MEMORY;
    fprintf(out, EXPLORE_KEY ":\n");
    if (exploration->family[0])
        write_quoted(out, "family", exploration->family);
    write_quoted(out, "workload", exploration->workload);
    fprintf(out, "  depth: %s\n", depth_name(exploration->depth));
    for (size_t i = 0; i < exploration->metric_count; i++)
        fprintf(out, "%s%s%s", i ? ", " : "  metrics: [", exploration->metrics[i]->path,
                i + 1 == exploration->metric_count ? "]\n" : "");
    if (exploration->selected)
        fprintf(out, "  select: %s\n", exploration->selected->path);
    fprintf(out, "  chart: %s\n", chart_names[exploration->chart]);
    if (exploration->hint[0])
        write_quoted(out, "hint", exploration->hint);
    return text_stream_finish(&stream, STATUS_OK, text);
}
