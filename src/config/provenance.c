#include "config/provenance.h"

#include <stdlib.h>
#include <string.h>

#include "base/text_stream.h"
#include "config/parameter_keys.h"

#define FIRST(name, ...)   #name,
#define SECOND(name, help) help,
const char *const provenance_names[] = {PROVENANCE_LIST(FIRST)};
const char *const origin_names[] = {ORIGIN_LIST(FIRST)};
const char *const origin_help[] = {ORIGIN_LIST(SECOND)};
#undef FIRST
#undef SECOND

static int find_name(const char *name, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(names[i], name))
            return i;
    return -1;
}

static void read_origin(const struct document *document, const struct node *node, int aspect,
                        struct number_origins *provenance, struct diagnostics *diagnostics)
{
    char hint[SUGGESTION_TEXT];
    const int origin = find_name(node_text(node), origin_names, ORIGIN_COUNT);
    const struct place place = node_place(document, node);
    if (origin >= 0)
        provenance->origins[aspect] = origin;
    else
        diagnostics_add(
            diagnostics, SEVERITY_ERROR, &place,
            "about.%s: expected an origin such as measured, data_sheet or simulator, got '%.40s'%s",
            provenance_names[aspect], node_text(node),
            suggestion(nearest_name(node_text(node), origin_names, ORIGIN_COUNT), hint));
}

void provenance_read(const struct document *document, struct number_origins *provenance,
                     struct diagnostics *diagnostics)
{
    *provenance = (struct number_origins){0};
    if (!document) /* a gpgpusim.config, which has no place for it */
        return;
    const struct node *about = node_find(document_root(document), ABOUT_KEY);
    if (!about || node_is_empty(about))
        return;
    const struct place where = node_place(document, about);
    if (node_kind(about) != NODE_MAPPING) {
        diagnostics_add(diagnostics, SEVERITY_ERROR, &where,
                        "about: expected a mapping, for example 'about: {sizes: measured}'");
        return;
    }
    for (size_t i = 0; i < node_count(about); i++) {
        const char *key = node_key(about, i);
        const struct node *node = node_at(about, i);
        const int aspect = find_name(key, provenance_names, PROVENANCE_COUNT);
        const struct place place = node_key_place(document, about, i);
        if (aspect >= 0)
            read_origin(document, node, aspect, provenance, diagnostics);
        else if (!strcmp(key, "card"))
            snprintf(provenance->card, sizeof provenance->card, "%s", node_text(node));
        else if (!strcmp(key, "like"))
            snprintf(provenance->like, sizeof provenance->like, "%s", node_text(node));
        else
            diagnostics_add(diagnostics, SEVERITY_ERROR, &place,
                            "unknown key '%.80s' in about: it has card, like, sizes, latencies and "
                            "launch",
                            key);
    }
}

enum status provenance_to_yaml(const struct number_origins *provenance, char **text)
{
    *text = NULL;
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return STATUS_MEMORY;
    fprintf(out, ABOUT_KEY ":\n");
    if (*provenance->card)
        fprintf(out, "  card: \"%s\"\n", provenance->card);
    if (*provenance->like)
        fprintf(out, "  like: \"%s\"\n", provenance->like);
    for (int i = 0; i < PROVENANCE_COUNT; i++)
        if (provenance->origins[i])
            fprintf(out, "  %s: %s\n", provenance_names[i], origin_names[provenance->origins[i]]);
    return text_stream_finish(&stream, STATUS_OK, text);
}
