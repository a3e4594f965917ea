/* Parses YAML: libyaml's events become a tree of nodes with byte offsets.
 *
 * Memory is bounded whatever the file says: DOCUMENT_SIZE_MAX bytes, DOCUMENT_DEPTH_MAX levels,
 * DOCUMENT_NODES_MAX nodes. Aliases are refused, so a small file cannot expand into a large
 * tree. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "config/document_tree.h"

enum { OFFSET_STRIDE = 64, SOURCE_MAX = 400 };

/* libyaml counts characters, but edits splice bytes. This table holds the byte of every 64th
 * character (OFFSET_STRIDE), so a conversion scans at most 63 characters. */
struct offsets {
    uint32_t *byte;
    size_t count;
    const char *text;
    size_t size, start;
};

static enum status offsets_init(struct offsets *offsets, const char *text, size_t size,
                                size_t start)
{
    *offsets = (struct offsets){.text = text, .size = size, .start = start};
    offsets->byte = malloc(((size - start) / OFFSET_STRIDE + 1) * sizeof *offsets->byte);
    if (!offsets->byte)
        return STATUS_MEMORY;
    size_t characters = 0;
    for (size_t i = start; i < size; i++)
        if (utf8_begins(text[i]) && characters++ % OFFSET_STRIDE == 0)
            offsets->byte[offsets->count++] = (uint32_t)i;
    return STATUS_OK;
}

static size_t offsets_byte(const struct offsets *offsets, size_t character)
{
    size_t row = character / OFFSET_STRIDE;
    if (row >= offsets->count)
        return offsets->size;
    size_t byte = offsets->byte[row];
    for (size_t left = character % OFFSET_STRIDE; left; left--) {
        do
            byte++;
        while (byte < offsets->size && !utf8_begins(offsets->text[byte]));
        if (byte >= offsets->size)
            return offsets->size;
    }
    return byte;
}

static bool is_break(char byte)
{
    return byte == '\n' || byte == '\r';
}

static unsigned count_characters(const char *text, size_t from, size_t to)
{
    unsigned count = 0;
    for (size_t i = from; i < to; i++)
        count += utf8_begins(text[i]);
    return count;
}

struct place text_place(const char *text, size_t size, const char *name, size_t start, size_t end)
{
    if (start > size)
        start = size;
    unsigned line = 1;
    size_t line_start = utf8_mark(text, size);
    for (size_t i = line_start; i < start; i++)
        if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == size || text[i + 1] != '\n'))) {
            line++;
            line_start = i + 1;
        }
    size_t stop = start;
    while (stop < end && stop < size && !is_break(text[stop]))
        stop++;
    size_t line_end = stop;
    while (line_end < size && !is_break(text[line_end]) && line_end - line_start <= SOURCE_MAX)
        line_end++;
    unsigned span = count_characters(text, start, stop);
    return (struct place){
        .file = name,
        .line = line,
        .column = count_characters(text, line_start, start) + 1,
        .span = span ? span : 1,
        .source = line_end - line_start <= SOURCE_MAX ? text + line_start : NULL,
    };
}

void tree_free(struct node *node)
{
    if (!node)
        return;
    for (size_t i = 0; i < node->count; i++)
        tree_free(node->children[i]);
    free(node->children);
    free(node->text);
    free(node->key);
    free(node);
}

/* ---- building ---- */

struct builder {
    yaml_parser_t parser;
    struct offsets offsets;
    const char *name;
    struct diagnostics *diagnostics;
    struct node *open[DOCUMENT_DEPTH_MAX]; /* the open collections around the next event */
    struct node *key;                      /* a key of the innermost mapping that waits for its
                                            * value */
    size_t depth, nodes, errors;
    bool broken; /* a syntax error: the rest of the file is not in the tree */
    struct node *root;
    enum status status; /* why parsing stopped */
};

static void stop(struct builder *builder, enum status status)
{
    if (!builder->status)
        builder->status = status;
}

__attribute__((format(printf, 4, 5))) static void complain(struct builder *builder, size_t start,
                                                           size_t end, const char *format, ...)
{
    if (++builder->errors > DOCUMENT_ERRORS_MAX)
        stop(builder, STATUS_INVALID);
    if (builder->errors > DOCUMENT_ERRORS_MAX || !builder->diagnostics)
        return;
    struct place place =
        text_place(builder->offsets.text, builder->offsets.size, builder->name, start, end);
    va_list arguments;
    va_start(arguments, format);
    diagnostics_vadd(builder->diagnostics, SEVERITY_ERROR, &place, NULL, format, arguments);
    va_end(arguments);
}

static struct node *create_node(struct builder *builder, const yaml_event_t *event,
                                enum node_kind kind, enum node_style style)
{
    size_t start = offsets_byte(&builder->offsets, event->start_mark.index);
    size_t end = offsets_byte(&builder->offsets, event->end_mark.index);
    if (++builder->nodes > DOCUMENT_NODES_MAX) {
        complain(builder, start, end, "more than %d values in one file", DOCUMENT_NODES_MAX);
        stop(builder, STATUS_INVALID);
        return NULL;
    }
    struct node *node = calloc(1, sizeof *node);
    if (!node) {
        stop(builder, STATUS_MEMORY);
        return NULL;
    }
    node->kind = kind;
    node->style = style;
    node->start = start;
    node->end = end;
    return node;
}

/* Attaches a finished scalar, or a collection that just began, to the collection around it. */
static void attach(struct builder *builder, struct node *node)
{
    struct node *parent = builder->depth ? builder->open[builder->depth - 1] : NULL;
    if (!parent) {
        builder->root = node;
        return;
    }
    if (array_reserve(&parent->children, &parent->capacity, parent->count + 1)) {
        tree_free(node);
        stop(builder, STATUS_MEMORY);
        return;
    }
    parent->children[parent->count++] = node;
    struct node *key = builder->key;
    if (parent->kind != NODE_MAPPING)
        return;
    node->key = key->text;
    node->key_start = key->start;
    node->key_end = key->end;
    key->text = NULL;
    tree_free(key);
    builder->key = NULL;
}

static bool key_expected(const struct builder *builder)
{
    return builder->depth && builder->open[builder->depth - 1]->kind == NODE_MAPPING &&
           !builder->key;
}

static void refuse_properties(struct builder *builder, const struct node *node,
                              const unsigned char *anchor, const unsigned char *tag)
{
    if (anchor)
        complain(builder, node->start, node->end,
                 "anchors are not supported: write the value out where it is used");
    if (tag)
        complain(builder, node->start, node->end,
                 "tags are not supported: the parameter's own type decides");
}

static void add_scalar(struct builder *builder, const yaml_event_t *event)
{
    enum node_style style = STYLE_QUOTED;
    if (event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE)
        style = STYLE_PLAIN;
    else if (event->data.scalar.style == YAML_LITERAL_SCALAR_STYLE ||
             event->data.scalar.style == YAML_FOLDED_SCALAR_STYLE)
        style = STYLE_BLOCK_SCALAR;
    struct node *node = create_node(builder, event, NODE_SCALAR, style);
    if (!node)
        return;
    /* libyaml ends a block scalar where the next token starts; trailing blanks are not part of
     * it. */
    if (style == STYLE_BLOCK_SCALAR)
        while (node->end > node->start && strchr(" \r\n", builder->offsets.text[node->end - 1]))
            node->end--;
    const char *value = (const char *)event->data.scalar.value;
    refuse_properties(builder, node, event->data.scalar.anchor, event->data.scalar.tag);
    if (memchr(value, '\0', event->data.scalar.length))
        complain(builder, node->start, node->end, "a value must not hold a NUL character");
    node->text = strndup(value, event->data.scalar.length);
    if (!node->text) {
        tree_free(node);
        stop(builder, STATUS_MEMORY);
    } else if (key_expected(builder)) {
        builder->key = node;
    } else {
        attach(builder, node);
    }
}

static void open_collection(struct builder *builder, const yaml_event_t *event, enum node_kind kind)
{
    bool flow = kind == NODE_MAPPING ? event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
                                     : event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
    struct node *node = create_node(builder, event, kind, flow ? STYLE_FLOW : STYLE_BLOCK);
    if (!node)
        return;
    if (kind == NODE_MAPPING)
        refuse_properties(builder, node, event->data.mapping_start.anchor,
                          event->data.mapping_start.tag);
    else
        refuse_properties(builder, node, event->data.sequence_start.anchor,
                          event->data.sequence_start.tag);
    /* The parser cannot skip either of these and continue, because start and end events would no
     * longer match. */
    if (builder->depth == DOCUMENT_DEPTH_MAX || key_expected(builder)) {
        if (key_expected(builder))
            complain(builder, node->start, node->end, "a key must be a word, not a collection");
        else
            complain(builder, node->start, node->end, "nested deeper than %d levels",
                     DOCUMENT_DEPTH_MAX);
        tree_free(node);
        stop(builder, STATUS_INVALID);
        return;
    }
    attach(builder, node);
    if (!builder->status)
        builder->open[builder->depth++] = node;
}

static int compare_keys(const void *a, const void *b)
{
    const struct node *first = *(const struct node *const *)a;
    const struct node *second = *(const struct node *const *)b;
    int order = strcmp(first->key, second->key);
    if (order)
        return order;
    return (first->key_start > second->key_start) - (first->key_start < second->key_start);
}

/* Removes the children that are marked by a NULL key from a mapping. */
static void drop_children(struct node *mapping)
{
    size_t kept = 0;
    for (size_t i = 0; i < mapping->count; i++)
        if (mapping->children[i]->key)
            mapping->children[kept++] = mapping->children[i];
        else
            tree_free(mapping->children[i]);
    mapping->count = kept;
}

/* libyaml accepts duplicate keys, and a reader would silently take one of them. The first one
 * stays. */
static void refuse_duplicates(struct builder *builder, struct node *mapping)
{
    if (mapping->count < 2)
        return;
    struct node **sorted = malloc(mapping->count * sizeof *sorted);
    if (!sorted) {
        stop(builder, STATUS_MEMORY);
        return;
    }
    memcpy(sorted, mapping->children, mapping->count * sizeof *sorted);
    qsort(sorted, mapping->count, sizeof *sorted, compare_keys);
    const struct node *first = sorted[0];
    for (size_t i = 1; i < mapping->count; i++) {
        if (strcmp(first->key, sorted[i]->key)) {
            first = sorted[i];
            continue;
        }
        struct place place = text_place(builder->offsets.text, builder->offsets.size, builder->name,
                                        first->key_start, first->key_end);
        complain(builder, sorted[i]->key_start, sorted[i]->key_end,
                 "duplicate key '%.80s', it stands on line %u already", sorted[i]->key, place.line);
        free(sorted[i]->key);
        sorted[i]->key = NULL;
        if (builder->errors > DOCUMENT_ERRORS_MAX)
            break;
    }
    free(sorted);
    drop_children(mapping);
}

static void close_collection(struct builder *builder, const yaml_event_t *event)
{
    struct node *node = builder->open[--builder->depth];
    if (node->style == STYLE_FLOW)
        node->end = offsets_byte(&builder->offsets, event->end_mark.index);
    else if (node->count)
        node->end = node->children[node->count - 1]->end;
    else
        node->end = node->start;
    if (node->kind == NODE_MAPPING)
        refuse_duplicates(builder, node);
}

/* Reports libyaml's error where it was found. libyaml's own text for a tab ("cannot start any
 * token") helps nobody. */
static void syntax_error(struct builder *builder)
{
    const yaml_parser_t *parser = &builder->parser;
    const struct offsets *offsets = &builder->offsets;
    if (parser->error == YAML_MEMORY_ERROR) {
        stop(builder, STATUS_MEMORY);
        return;
    }
    stop(builder, STATUS_INVALID);
    const char *problem = parser->problem ? parser->problem : "not YAML";
    if (parser->error == YAML_READER_ERROR) {
        size_t byte = offsets->start + parser->problem_offset;
        complain(builder, byte, byte + 1, "%s", problem);
        return;
    }
    size_t byte = offsets_byte(offsets, parser->problem_mark.index);
    if (byte < offsets->size && offsets->text[byte] == '\t')
        problem = "a tab cannot indent YAML, only spaces can";
    if (!parser->context) {
        complain(builder, byte, byte + 1, "%s", problem);
        return;
    }
    size_t begin = offsets_byte(offsets, parser->context_mark.index);
    struct place place = text_place(offsets->text, offsets->size, builder->name, begin, begin);
    complain(builder, byte, byte + 1, "%s, %s from line %u on", problem, parser->context,
             place.line);
}

/* Leaves out the value with its key, so that no reader complains about it again. */
static void refuse_alias(struct builder *builder, size_t start, size_t end)
{
    complain(builder, start, end, "aliases are not supported: write the value out");
    if (!builder->depth || key_expected(builder))
        stop(builder, STATUS_UNSUPPORTED);
    tree_free(builder->key);
    builder->key = NULL;
}

static void take_event(struct builder *builder, const yaml_event_t *event)
{
    size_t start = offsets_byte(&builder->offsets, event->start_mark.index);
    size_t end = offsets_byte(&builder->offsets, event->end_mark.index);
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        add_scalar(builder, event);
        break;
    case YAML_MAPPING_START_EVENT:
        open_collection(builder, event, NODE_MAPPING);
        break;
    case YAML_SEQUENCE_START_EVENT:
        open_collection(builder, event, NODE_SEQUENCE);
        break;
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
        close_collection(builder, event);
        break;
    case YAML_ALIAS_EVENT:
        refuse_alias(builder, start, end);
        break;
    case YAML_DOCUMENT_START_EVENT:
        if (builder->root) {
            complain(builder, start, end, "only one document a file is supported");
            stop(builder, STATUS_UNSUPPORTED);
        }
        break;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_DOCUMENT_END_EVENT:
        break;
    }
}

static void read_events(struct builder *builder)
{
    for (bool more = true; more && !builder->status;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&builder->parser, &event)) {
            builder->broken = true;
            syntax_error(builder);
            return;
        }
        more = event.type != YAML_STREAM_END_EVENT;
        take_event(builder, &event);
        yaml_event_delete(&event);
    }
}

/* A file without any value is an empty mapping, so that readers report its missing keys. */
static void finish_root(struct builder *builder)
{
    if (!builder->root) {
        yaml_event_t nowhere = {0};
        builder->root = create_node(builder, &nowhere, NODE_MAPPING, STYLE_BLOCK);
    } else if (node_is_empty(builder->root)) {
        builder->root->kind = NODE_MAPPING;
        builder->root->style = STYLE_BLOCK;
    } else {
        return;
    }
    if (builder->root)
        builder->root->start = builder->root->end = builder->offsets.size;
}

enum status tree_inspect(const char *text, size_t size, const char *name, struct node **root,
                         struct diagnostics *diagnostics)
{
    *root = NULL;
    if (size > DOCUMENT_SIZE_MAX)
        return diagnostics_error(diagnostics, STATUS_INVALID, "%s: larger than %d MiB", name,
                                 DOCUMENT_SIZE_MAX >> 20);
    struct builder builder = {.name = name, .diagnostics = diagnostics};
    size_t start = utf8_mark(text, size);
    if (offsets_init(&builder.offsets, text, size, start))
        return STATUS_MEMORY;
    if (!yaml_parser_initialize(&builder.parser)) {
        free(builder.offsets.byte);
        return STATUS_MEMORY;
    }
    yaml_parser_set_encoding(&builder.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&builder.parser, (const unsigned char *)text + start,
                                 size - start);
    read_events(&builder);
    yaml_parser_delete(&builder.parser);
    if (!builder.status)
        finish_root(&builder);
    if (builder.status || builder.broken)
        tree_free(builder.root);
    else
        *root = builder.root;
    tree_free(builder.key);
    free(builder.offsets.byte);
    return builder.status ? builder.status : builder.errors ? STATUS_INVALID : STATUS_OK;
}

enum status tree_parse(const char *text, size_t size, const char *name, struct node **root,
                       struct diagnostics *diagnostics)
{
    enum status status = tree_inspect(text, size, name, root, diagnostics);
    if (status) {
        tree_free(*root);
        *root = NULL;
    }
    return status;
}
