/* The keys of an experiment's mappings: which there are, what their values look like, and what is
 * said of others (config/experiment_reader.h). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "config/experiment_reader.h"

enum { NAME_MAX_LENGTH = 24 };

size_t experiment_list_count(const struct node *node)
{
    if (!node || node_kind(node) == NODE_MAPPING)
        return 0;
    return node_kind(node) == NODE_SCALAR ? !node_is_empty(node) : node_count(node);
}

const struct node *experiment_list_at(const struct node *node, size_t index)
{
    return node_kind(node) == NODE_SCALAR ? node : node_at(node, index);
}

bool experiment_is_yes(const struct node *node)
{
    return node && !strcmp(node_text(node), "yes");
}

static bool has_kind(const struct node *node, enum key_kind kind)
{
    switch (kind) {
    case KEY_TEXT:
        return node_kind(node) == NODE_SCALAR;
    case KEY_SWITCH:
        return node_kind(node) == NODE_SCALAR &&
               (!strcmp(node_text(node), "yes") || !strcmp(node_text(node), "no"));
    case KEY_LIST:
        if (node_kind(node) == NODE_MAPPING)
            return false;
        for (size_t i = 0; i < experiment_list_count(node); i++)
            if (node_kind(experiment_list_at(node, i)) != NODE_SCALAR)
                return false;
        return true;
    case KEY_ITEMS:
        return node_kind(node) == NODE_SEQUENCE;
    case KEY_MAPPING:
        return node_kind(node) == NODE_MAPPING;
    }
    return false;
}

static const char *kind_name(enum key_kind kind)
{
    static const char *const names[] = {[KEY_TEXT] = "a text",
                                        [KEY_SWITCH] = "yes or no",
                                        [KEY_LIST] = "a list of texts",
                                        [KEY_ITEMS] = "a list",
                                        [KEY_MAPPING] = "keys with values"};
    return names[kind];
}

bool experiment_keys_read(struct experiment_reader *reader, const struct node *node,
                          const char *what, const struct experiment_key *keys, size_t count,
                          const char *const *others, size_t other_count, void *result)
{
    const size_t before = reader->found.errors;
    const char *names[32 + EXPERIMENT_LIST_MAX];
    size_t known = 0;
    if (node_kind(node) != NODE_MAPPING) {
        document_complain(reader->document, &reader->found, node, "expected %s: keys such as '%s'",
                          what, keys[0].name);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        names[known++] = keys[i].name;
    for (size_t i = 0; i < other_count && known < sizeof names / sizeof *names; i++)
        names[known++] = others[i];
    for (size_t i = 0; i < node_count(node); i++) {
        size_t k = 0;
        while (k < known && strcmp(names[k], node_key(node, i)) != 0)
            k++;
        if (k < count) {
            const struct node *value = node_at(node, i);
            if (has_kind(value, keys[k].kind))
                memcpy((char *)result + keys[k].offset, &value, sizeof value);
            else
                document_complain(reader->document, &reader->found, value, "%s: expected %s",
                                  keys[k].name, kind_name(keys[k].kind));
        } else if (k == known) {
            const char *near = nearest_name(node_key(node, i), names, known);
            char hint[SUGGESTION_TEXT];
            struct place place = node_key_place(reader->document, node, i);
            if (reader->found.errors < FILE_ERRORS_MAX)
                diagnostics_add(&reader->found, SEVERITY_ERROR, &place,
                                "unknown key '%.80s' of %s%s", node_key(node, i), what,
                                suggestion(near, hint));
        }
    }
    for (size_t k = 0; k < count; k++)
        if (keys[k].required && !node_find(node, keys[k].name))
            document_complain(reader->document, &reader->found, node, "%s needs the key '%s'", what,
                              keys[k].name);
    return reader->found.errors == before;
}

bool experiment_name_check(struct experiment_reader *reader, const struct node *mapping,
                           size_t index)
{
    const char *name = node_key(mapping, index);
    bool good = isalpha((unsigned char)*name) && strlen(name) <= NAME_MAX_LENGTH;
    for (const char *at = name; *at; at++)
        good = good && (isalnum((unsigned char)*at) || *at == '_');
    if (!good)
        document_complain(
            reader->document, &reader->found, node_at(mapping, index),
            "'%.40s' is no name: expected a letter, then letters, digits and '_', at most %d", name,
            NAME_MAX_LENGTH);
    return good;
}

size_t experiment_children(struct experiment_reader *reader, const struct node *node,
                           const char *what, size_t most)
{
    if (!node)
        return 0;
    if (node_count(node) <= most)
        return node_count(node);
    document_complain(reader->document, &reader->found, node, "more than %zu %s", most, what);
    return 0;
}
