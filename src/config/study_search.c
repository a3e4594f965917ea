#include "config/study_search.h"

#include <string.h>

#include "config/document_tree.h"

static void complain(const struct document *document, const struct node *node, const char *text,
                     struct diagnostics *diagnostics)
{
    struct place place = node_place(document, node);
    diagnostics_add(diagnostics, SEVERITY_ERROR, &place, "search: %s", text);
}

static void read_parameters(const struct document *document, const struct node *node,
                            struct search *search, struct diagnostics *diagnostics)
{
    char why[VALUE_TEXT];
    if (node_kind(node) == NODE_SCALAR && node_is_empty(node))
        return;
    if (node_kind(node) != NODE_MAPPING) {
        complain(document, node, "expected the parameters of the search, 'points: 1000'",
                 diagnostics);
        return;
    }
    for (size_t i = 0; i < node_count(node); i++) {
        const struct node *value = node_at(node, i);
        const char *text = node_kind(value) == NODE_SCALAR ? node_text(value) : "";
        if (search_set(search, node_key(node, i), text, why))
            complain(document, value, why, diagnostics);
    }
}

void study_search_read(const struct document *document, const struct node *node,
                       struct search *search, struct diagnostics *diagnostics)
{
    char why[VALUE_TEXT];
    /* "search: nsga2", or "search: {nsga2: {population: 50}}". */
    bool mapping = node_kind(node) == NODE_MAPPING && node_count(node) == 1;
    if (!mapping && (node_kind(node) != NODE_SCALAR || node_is_empty(node))) {
        complain(document, node, "expected the name of one search", diagnostics);
        return;
    }
    if (search_parse(mapping ? node_key(node, 0) : node_text(node), search, why))
        complain(document, node, why, diagnostics);
    else if (mapping)
        read_parameters(document, node_at(node, 0), search, diagnostics);
}

void study_search_write(const struct search *search, FILE *out)
{
    struct search plain;
    const char *join = ": {";
    if (!search->chosen)
        return;
    search_defaults(&plain);
    fprintf(out, "\nsearch: {%s", search_table[search->method].name);
    for (size_t i = 0; i < search_parameter_count; i++) {
        const struct search_parameter *parameter = &search_parameter_table[i];
        char text[VALUE_TEXT], usual[VALUE_TEXT];
        search_print(search, parameter, text);
        search_print(&plain, parameter, usual);
        if (!search_has(search->method, parameter) || !strcmp(text, usual))
            continue;
        fprintf(out, "%s%s: %s", join, parameter->name, text);
        join = ", ";
    }
    fputs(*join == ':' ? ": {}}\n" : "}}\n", out);
}
