#include "config/parameter_keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Words that people use and that no edit distance would find, with the names used here. A pair
 * applies if its right side exists in the current mapping. */
static const struct synonym {
    const char *wrong, *right;
} synonyms[] = {
    {"asoc", "ways"},
    {"assoc", "ways"},
    {"associativity", "ways"},
    {"nways", "ways"},
    {"capacity", "size"},
    {"nsets", "size"},
    {"sets", "size"},
    {"block", "line"},
    {"block_size", "line"},
    {"line_size", "line"},
    {"evict", "replacement"},
    {"policy", "replacement"},
    {"repl", "replacement"},
    {"hash", "index"},
    {"set_index", "index"},
    {"mshrs", "mshr.entries"},
    {"merges", "mshr.merge"},
    {"alloc", "allocate"},
    {"walloc", "write_allocate"},
    {"adaptive", "unified"},
    {"cores", "sms"},
    {"num_sms", "sms"},
    {"freq", "clock"},
    {"frequency", "clock"},
    {"threads", "max_threads"},
    {"warps", "max_threads"},
    {"blocks", "max_blocks"},
    {"ctas", "max_blocks"},
    {"max_ctas", "max_blocks"},
    {"regs", "registers"},
    {"shmem", "shared_memory"},
    {"smem", "shared_memory"},
    {"kind", "organization"},
    {"type", "organization"},
    {"process", "node"},
    {"cache", "l1d"},
    {"dcache", "l1d"},
    {"l1", "l1d"},
    {"L1D", "l1d"},
    {"L2", "l2"},
    {"llc", "l2"},
    {"core", "gpu"},
    {"sm", "gpu"},
    {"memory", "dram"},
    {"mmu", "tlb"},
    {"walker", "pwc"},
    {"technology", "tech"},
};

enum { SYNONYM_LETTERS = 3 };

const char *parameter_synonym(const char *word, unsigned *at)
{
    const size_t length = strlen(word);
    while (length >= SYNONYM_LETTERS && *at < sizeof synonyms / sizeof *synonyms) {
        const struct synonym *synonym = &synonyms[(*at)++];
        if (!strncasecmp(synonym->wrong, word, length))
            return synonym->right;
    }
    return NULL;
}

enum { GROUPS_MAX = 32, NAME_MAX_LENGTH = 96 };

/* The legal names in the mapping with path `group` ("" for the root): its parameters, by the rest
 * of their paths, and its sub-mappings. */
struct legal_names {
    const char **names; /* malloc'ed */
    size_t count;
    char groups[GROUPS_MAX][NAME_MAX_LENGTH];
    size_t group_count;
};

static const char *rest_of_path(const char *path, const char *group)
{
    size_t length = strlen(group);
    if (!length)
        return path;
    return !strncmp(path, group, length) && path[length] == '.' ? path + length + 1 : NULL;
}

static void add_group(struct legal_names *legal, const char *rest)
{
    size_t length = strcspn(rest, ".");
    if (!rest[length] || length >= NAME_MAX_LENGTH || legal->group_count == GROUPS_MAX)
        return;
    for (size_t i = 0; i < legal->group_count; i++)
        if (strlen(legal->groups[i]) == length && !strncmp(legal->groups[i], rest, length))
            return;
    char *group = legal->groups[legal->group_count++];
    memcpy(group, rest, length);
    group[length] = '\0';
}

static enum status legal_names_init(struct legal_names *legal, const char *group)
{
    memset(legal, 0, sizeof *legal);
    legal->names = malloc((parameter_count + GROUPS_MAX) * sizeof *legal->names);
    if (!legal->names)
        return STATUS_MEMORY;
    for (size_t i = 0; i < parameter_count; i++) {
        const char *rest = rest_of_path(parameters[i].path, group);
        if (!rest)
            continue;
        legal->names[legal->count++] = rest;
        add_group(legal, rest);
    }
    for (size_t i = 0; i < legal->group_count; i++)
        legal->names[legal->count++] = legal->groups[i];
    return STATUS_OK;
}

static const char *legal_name(const struct legal_names *legal, const char *name)
{
    for (size_t i = 0; i < legal->count; i++)
        if (!strcmp(legal->names[i], name))
            return legal->names[i];
    return NULL;
}

static const char *find_nearest(const struct legal_names *legal, const char *key)
{
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
        if (!strcmp(key, synonyms[i].wrong) && legal_name(legal, synonyms[i].right))
            return synonyms[i].right;
    const char *nearest = nearest_name(key, legal->names, legal->count);
    size_t length = strlen(key);
    for (size_t i = 0; !nearest && i < legal->count; i++) {
        const char *last = strrchr(legal->names[i], '.'); /* "entries" may mean "mshr.entries" */
        if (last && strlen(last + 1) == length && !strcmp(last + 1, key))
            nearest = legal->names[i];
    }
    return nearest;
}

/* What `key` in the mapping `group` most likely means; false if nothing is near. */
static bool suggest(const char *group, const char *key, char text[2 * NAME_MAX_LENGTH])
{
    struct legal_names legal;
    if (strlen(key) >= NAME_MAX_LENGTH || strlen(group) >= NAME_MAX_LENGTH ||
        legal_names_init(&legal, group))
        return false;
    const char *nearest = find_nearest(&legal, key);
    const char *dot = strrchr(key, '.');
    text[0] = '\0';
    if (dot && (!nearest || strchr(nearest, '.') == NULL)) {
        /* In "l1d.asoc" the group may be right and only the last word wrong. */
        char inner[2 * NAME_MAX_LENGTH + 1], last[2 * NAME_MAX_LENGTH];
        snprintf(inner, sizeof inner, "%s%s%.*s", group, *group ? "." : "", (int)(dot - key), key);
        if (suggest(inner, dot + 1, last))
            snprintf(text, 2 * NAME_MAX_LENGTH, "%.*s.%.*s", (int)(dot - key), key,
                     NAME_MAX_LENGTH - 1, last);
    } else if (nearest) {
        snprintf(text, 2 * NAME_MAX_LENGTH, "%s", nearest);
    }
    free(legal.names);
    return *text;
}

void parameter_moved(const struct place *place, const struct moved_setting *moved,
                     struct diagnostics *diagnostics)
{
    diagnostics_add(diagnostics, SEVERITY_NOTE, place, "%s: %s is now called %s: %s", moved->path,
                    moved->value, moved->now, moved->now_value);
}

void parameter_unknown(const struct place *place, const char *path, struct diagnostics *diagnostics)
{
    char near[2 * NAME_MAX_LENGTH], expected[VALUE_TEXT];
    const struct moved_setting *moved = moved_setting_find(path, NULL);
    if (moved)
        diagnostics_add(diagnostics, SEVERITY_ERROR, place, "'%.80s' is now called %s: %.200s",
                        path, moved->now, parameter_expects(parameter_find(moved->now), expected));
    else if (suggest("", path, near))
        diagnostics_add(diagnostics, SEVERITY_ERROR, place,
                        "unknown parameter '%.80s'; did you mean '%s'?", path, near);
    else
        diagnostics_add(diagnostics, SEVERITY_ERROR, place, "unknown parameter '%.80s'", path);
}

/* ---- collecting ---- */

struct walk {
    const struct document *document;
    const char *where;
    struct parameter_keys *keys;
    struct diagnostics *diagnostics;
};

/* Marks every parameter of a group, so that machine_file.c does not check rules about values that
 * were never read. */
static void suspect_group(const struct parameter_keys *keys, const char *path)
{
    size_t length = strcspn(path, ".");
    for (size_t i = 0; i < parameter_count; i++)
        if (!length ||
            (!strncmp(parameters[i].path, path, length) && strchr(".", parameters[i].path[length])))
            keys->suspect[i] = true;
}

static bool is_group(const char *path)
{
    for (size_t i = 0; i < parameter_count; i++)
        if (*path && rest_of_path(parameters[i].path, path))
            return true;
    return false;
}

static void report_unknown(const struct walk *walk, const struct node *mapping, size_t index,
                           const char *group)
{
    struct place place = node_key_place(walk->document, mapping, index);
    const char *key = node_key(mapping, index);
    char near[2 * NAME_MAX_LENGTH], message[400];
    int used = snprintf(message, sizeof message, "unknown key '%.80s'", key);
    if (*walk->where || *group)
        used += snprintf(message + used, sizeof message - (size_t)used, " in %s%s%s", walk->where,
                         *walk->where && *group ? "." : "", group);
    if (suggest(group, key, near))
        snprintf(message + used, sizeof message - (size_t)used, "; did you mean '%s'?", near);
    diagnostics_add(walk->diagnostics, SEVERITY_ERROR, &place, "%s", message);
    suspect_group(walk->keys, *group ? group : key);
}

/* `text` is the value instead of the node's, unless it is NULL. */
static enum status add_entry(const struct walk *walk, const struct parameter *parameter,
                             const char *text, const struct node *mapping, size_t index)
{
    struct parameter_keys *keys = walk->keys;
    const struct parameter_entry entry = {parameter, node_at(mapping, index), text, false};
    const struct parameter_entry *before = parameter_keys_find(keys, parameter);
    if (before && before->off) {
        keys->items[before - keys->items] = entry;
        return STATUS_OK;
    }
    if (before) {
        struct place first = node_place(walk->document, before->node);
        struct place place = node_key_place(walk->document, mapping, index);
        diagnostics_add(walk->diagnostics, SEVERITY_ERROR, &place,
                        "%s is set twice, it stands on line %u already", parameter->path,
                        first.line);
        suspect_group(keys, parameter->path);
        return STATUS_OK;
    }
    if (array_reserve(&keys->items, &keys->capacity, keys->count + 1))
        return STATUS_MEMORY;
    keys->items[keys->count++] = entry;
    return STATUS_OK;
}

static enum status add_moved(const struct walk *walk, const struct moved_setting *moved,
                             const struct node *mapping, size_t index)
{
    const struct parameter *now = parameter_find(moved->now);
    const bool off = moved_setting_is_off(moved);
    if (off && parameter_keys_find(walk->keys, now))
        return STATUS_OK;
    const struct place place = node_key_place(walk->document, mapping, index);
    parameter_moved(&place, moved, walk->diagnostics);
    enum status status = add_entry(walk, now, moved->now_value, mapping, index);
    if (!status && off)
        walk->keys->items[walk->keys->count - 1].off = true;
    if (!status && moved->rest)
        status = add_entry(walk, parameter_find(moved->path), moved->rest, mapping, index);
    return status;
}

/* Other modules read these keys of a machine. */
static bool is_section(const char *key)
{
    return !strcmp(key, ABOUT_KEY) || !strcmp(key, EXPLORE_KEY);
}

/* Walks nested and dotted keys alike: a key extends the path of its group, and the full path
 * decides what it is. */
static enum status collect(const struct walk *walk, const struct node *mapping, const char *group)
{
    for (size_t i = 0; i < node_count(mapping); i++) {
        if (walk->diagnostics->errors >= FILE_ERRORS_MAX)
            return STATUS_OK;
        if (!*walk->where && !*group && is_section(node_key(mapping, i)))
            continue;
        const struct node *child = node_at(mapping, i);
        char path[2 * NAME_MAX_LENGTH];
        int length =
            snprintf(path, sizeof path, "%s%s%s", group, *group ? "." : "", node_key(mapping, i));
        const struct parameter *parameter = parameter_find(path);
        const struct moved_setting *moved =
            node_kind(child) == NODE_SCALAR ? moved_setting_find(path, node_text(child)) : NULL;
        enum status status = STATUS_OK;
        if (moved) {
            status = add_moved(walk, moved, mapping, i);
        } else if (!parameter && moved_setting_find(path, NULL)) {
            struct place place = node_key_place(walk->document, mapping, i);
            parameter_unknown(&place, path, walk->diagnostics);
        } else if (length >= (int)sizeof path || (!parameter && !is_group(path))) {
            report_unknown(walk, mapping, i, group);
        } else if (parameter) {
            status = add_entry(walk, parameter, NULL, mapping, i);
        } else if (node_kind(child) == NODE_MAPPING) {
            status = collect(walk, child, path);
        } else if (!node_is_empty(child)) {
            struct place place = node_place(walk->document, child);
            diagnostics_add(walk->diagnostics, SEVERITY_ERROR, &place,
                            "%s: expected a mapping of its parameters, got %s%.40s%s", path,
                            node_kind(child) == NODE_SCALAR ? "'" : "a list", node_text(child),
                            node_kind(child) == NODE_SCALAR ? "'" : "");
            suspect_group(walk->keys, path);
        }
        if (status)
            return status;
    }
    return STATUS_OK;
}

enum status parameter_keys_read(const struct document *document, const struct node *mapping,
                                const char *where, struct parameter_keys *keys,
                                struct diagnostics *diagnostics)
{
    *keys = (struct parameter_keys){0};
    keys->suspect = calloc(parameter_count, sizeof *keys->suspect);
    if (!keys->suspect)
        return STATUS_MEMORY;
    if (node_is_empty(mapping))
        return STATUS_OK;
    if (node_kind(mapping) != NODE_MAPPING) {
        struct place place = node_place(document, mapping);
        diagnostics_add(diagnostics, SEVERITY_ERROR, &place,
                        "%s%sexpected a mapping of parameters, for example 'l1d: {size: 16KiB}'",
                        where, *where ? ": " : "");
        suspect_group(keys, "");
        return STATUS_OK;
    }
    struct walk walk = {document, where, keys, diagnostics};
    return collect(&walk, mapping, "");
}

void parameter_keys_free(struct parameter_keys *keys)
{
    free(keys->items);
    free(keys->suspect);
    *keys = (struct parameter_keys){0};
}

const struct parameter_entry *parameter_keys_find(const struct parameter_keys *keys,
                                                  const struct parameter *parameter)
{
    for (size_t i = 0; i < keys->count; i++)
        if (keys->items[i].parameter == parameter)
            return &keys->items[i];
    return NULL;
}

/* ---- values ---- */

/* Formats a list of scalars as "[a, b]". False if it is not such a list or does not fit. */
static bool list_text(const struct node *list, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "[");
    for (size_t i = 0; i < node_count(list); i++) {
        const struct node *item = node_at(list, i);
        if (node_kind(item) != NODE_SCALAR)
            return false;
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", node_text(item));
        if (used + 2 > size)
            return false;
    }
    snprintf(text + used, size - used, "]");
    return true;
}

enum status parameter_node_value(const struct document *document, const struct parameter *parameter,
                                 const struct node *node, struct value *value,
                                 struct diagnostics *diagnostics)
{
    char text[VALUE_TEXT], why[VALUE_TEXT];
    const char *found = node_text(node);
    bool list = parameter->type == PARAMETER_SIZES && node_kind(node) == NODE_SEQUENCE &&
                list_text(node, text, sizeof text);
    if (list)
        found = text;
    if (node_kind(node) != NODE_SCALAR && !list)
        snprintf(why, sizeof why, "expected %.100s, got a %s", parameter_expects(parameter, text),
                 node_kind(node) == NODE_MAPPING ? "mapping" : "list");
    else if (!parameter_parse(parameter, found, value, why))
        return STATUS_OK;
    struct place place = node_place(document, node);
    diagnostics_add(diagnostics, SEVERITY_ERROR, &place, "%s: %s", parameter->path, why);
    return STATUS_INVALID;
}

void parameter_keys_apply(const struct document *document, struct parameter_keys *keys,
                          struct machine *machine, struct diagnostics *diagnostics)
{
    for (size_t i = 0; i < keys->count && diagnostics->errors < FILE_ERRORS_MAX; i++) {
        const struct parameter *parameter = keys->items[i].parameter;
        const char *text = keys->items[i].text;
        struct value value;
        if (text ? parameter_parse(parameter, text, &value, NULL)
                 : parameter_node_value(document, parameter, keys->items[i].node, &value,
                                        diagnostics))
            suspect_group(keys, parameter->path);
        else
            parameter_set(parameter, machine, value);
    }
}
