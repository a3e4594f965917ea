/* Edits of documents. An edit splices bytes, parses the result and keeps it only if exactly the
 * wanted path changed. So a wrong guess about style or indentation can refuse an edit but never
 * damage a file. */
#include <stdlib.h>
#include <string.h>

#include "base/text_stream.h"
#include "base/utf8.h"
#include "config/document_tree.h"

struct edit {
    const struct document *document;
    struct node *target;       /* the deepest existing node on the path */
    const struct node *parent; /* of the target, NULL for the root */
    const char *missing;       /* the part of the path that does not exist yet, "" if all of it
                                * does */
    const char *text;
    struct node *wanted; /* the value as a tree */
};

/* ---- finding ---- */

static struct node *sequence_item(const struct node *node, const char *path, const char **rest)
{
    char *end;
    if (path[0] != '[' || path[1] < '0' || path[1] > '9')
        return NULL;
    unsigned long index = strtoul(path + 1, &end, 10);
    if (*end != ']' || index >= node->count)
        return NULL;
    *rest = end[1] == '.' ? end + 2 : end + 1;
    return node->children[index];
}

/* Finds the node of a path. Keys may contain dots ("axes" holds "l1d.size"), so this follows every
 * key that begins the path; the walk that leaves the least of the path wins. */
static void resolve(struct node *node, const struct node *parent, const char *path,
                    struct edit *best)
{
    if (!best->target || strlen(path) < strlen(best->missing)) {
        best->target = node;
        best->parent = parent;
        best->missing = path;
    }
    if (!*path)
        return;
    const char *rest;
    if (node->kind == NODE_SEQUENCE) {
        struct node *item = sequence_item(node, path, &rest);
        if (item)
            resolve(item, node, rest, best);
        return;
    }
    for (size_t i = 0; i < node->count && *best->missing; i++) {
        const char *key = node->children[i]->key;
        if (node->kind != NODE_MAPPING || !key)
            return;
        size_t length = strlen(key);
        if (!length || strncmp(path, key, length))
            continue;
        rest = path + length;
        if (*rest && *rest != '.' && *rest != '[')
            continue;
        rest += *rest == '.';
        resolve(node->children[i], node, rest, best);
    }
}

const struct node *document_find(const struct document *document, const char *path)
{
    struct edit found = {0};
    resolve(document->root, NULL, path, &found);
    return *found.missing ? NULL : found.target;
}

/* ---- comparing ---- */

static bool same_tree(const struct node *a, const struct node *b)
{
    if (a->kind != b->kind || a->count != b->count || strcmp(node_text(a), node_text(b)))
        return false;
    for (size_t i = 0; i < a->count; i++) {
        const struct node *first = a->children[i], *second = b->children[i];
        if (!first->key != !second->key || (first->key && strcmp(first->key, second->key)) ||
            !same_tree(first, second))
            return false;
    }
    return true;
}

/* Whether `node` is what creating `path` with the wanted value gives: nested mappings of one key,
 * or one key with dots in it. */
static bool is_created(const struct node *node, const char *path, const struct node *wanted)
{
    size_t length = strlen(node->key);
    if (strncmp(path, node->key, length))
        return false;
    if (!path[length])
        return same_tree(node, wanted);
    return path[length] == '.' && node->kind == NODE_MAPPING && node->count == 1 &&
           is_created(node->children[0], path + length + 1, wanted);
}

/* Whether the trees are equal apart from the edit: the target has the wanted value, or has grown by
 * the missing key. */
static bool same_but_target(const struct node *before, const struct node *after,
                            const struct edit *edit)
{
    bool target = before == edit->target;
    if (target && !*edit->missing)
        return same_tree(after, edit->wanted);
    bool grown = target && (before->kind == NODE_MAPPING || node_is_empty(before));
    if (grown ? after->kind != NODE_MAPPING : after->kind != before->kind)
        return false;
    if (after->count != before->count + grown ||
        (!grown && strcmp(node_text(before), node_text(after))))
        return false;
    for (size_t i = 0; i < before->count; i++) {
        const struct node *first = before->children[i], *second = after->children[i];
        if (first->key && strcmp(first->key, second->key))
            return false;
        if (!same_but_target(first, second, edit))
            return false;
    }
    return !grown || is_created(after->children[before->count], edit->missing, edit->wanted);
}

/* ---- splicing ---- */

/* Replaces `length` bytes at `at` by `text` and keeps the result if only the wanted path
 * changed. */
static enum status try_splice(struct document *document, const struct edit *edit, size_t at,
                              size_t length, const char *text, bool *accepted)
{
    size_t added = strlen(text);
    size_t size = document->size - length + added;
    char *spliced = malloc(size + 1);
    if (!spliced)
        return STATUS_MEMORY;
    memcpy(spliced, document->text, at);
    memcpy(spliced + at, text, added);
    memcpy(spliced + at + added, document->text + at + length, document->size - at - length + 1);
    struct node *root;
    enum status status = tree_parse(spliced, size, document->name, &root, NULL);
    if (!status && same_but_target(document->root, root, edit)) {
        tree_free(document->root);
        free(document->text);
        document->root = root;
        document->text = spliced;
        document->size = size;
        *accepted = true;
        return STATUS_OK;
    }
    if (!status)
        tree_free(root);
    free(spliced);
    return status == STATUS_MEMORY ? status : STATUS_OK;
}

/* Whether YAML allows a character unescaped in double quotes. Line breaks and the byte order mark
 * are escaped too. */
static bool is_printable(uint32_t code)
{
    return (code >= 0x20 && code <= 0x7e) ||
           (code >= 0xa0 && code <= 0xd7ff && code != 0x2028 && code != 0x2029) ||
           (code >= 0xe000 && code <= 0xfffd && code != 0xfeff) || code >= 0x10000;
}

/* Formats `text` as a double-quoted scalar, malloc'ed. STATUS_INVALID if it is not UTF-8. */
static enum status quote(const char *text, char **quoted)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return STATUS_MEMORY;
    enum status status = STATUS_OK;
    fputc('"', out);
    for (const char *at = text; *at && !status;) {
        uint32_t code;
        size_t length = utf8_read(at, &code);
        if (!length)
            status = STATUS_INVALID;
        else if (code == '"' || code == '\\')
            fprintf(out, "\\%c", (char)code);
        else if (code == '\n')
            fputs("\\n", out);
        else if (code == '\t')
            fputs("\\t", out);
        else if (is_printable(code))
            fwrite(at, 1, length, out);
        else
            fprintf(out, code < 0x100 ? "\\x%02x" : "\\u%04x", (unsigned)code);
        at += length;
    }
    fputc('"', out);
    return text_stream_finish(&stream, status, quoted);
}

enum status scalar_to_yaml(const char *text, char **yaml)
{
    char *line;
    if (asprintf(&line, "- %s\n", text) < 0)
        return STATUS_MEMORY;
    struct node *root = NULL;
    enum status status = tree_parse(line, strlen(line), "", &root, NULL);
    free(line);
    bool plain = !status && root->kind == NODE_SEQUENCE && root->count == 1 &&
                 root->children[0]->kind == NODE_SCALAR && !strcmp(root->children[0]->text, text) &&
                 *text && !strchr(text, '\n');
    if (!status)
        tree_free(root);
    if (status == STATUS_MEMORY)
        return status;
    if (!plain)
        return quote(text, yaml);
    *yaml = strdup(text);
    return *yaml ? STATUS_OK : STATUS_MEMORY;
}

/* ---- where and what to splice ---- */

/* The document's own line break, so that an edit does not mix styles. */
static const char *line_break(const struct document *document)
{
    size_t at = strcspn(document->text, "\r\n");
    if (document->text[at] == '\r')
        return document->text[at + 1] == '\n' ? "\r\n" : "\r";
    return "\n";
}

static size_t column_of(const struct document *document, size_t byte)
{
    size_t column = 0;
    while (byte > document->start && !strchr("\r\n", document->text[byte - 1]))
        column += utf8_begins(document->text[--byte]);
    return column;
}

static size_t line_end(const struct document *document, size_t byte)
{
    return byte + strcspn(document->text + byte, "\r\n");
}

/* How far the file indents: as its first nested mapping does, or 2. */
static size_t indent_step(const struct document *document)
{
    const struct node *root = document->root;
    for (size_t i = 0; root->kind == NODE_MAPPING && i < root->count; i++) {
        const struct node *child = root->children[i];
        if (child->kind != NODE_MAPPING || child->style != STYLE_BLOCK || !child->count)
            continue;
        size_t outer = column_of(document, child->key_start);
        size_t inner = column_of(document, child->children[0]->key_start);
        if (inner > outer)
            return inner - outer;
    }
    return 2;
}

/* Whether a mapping writes its keys with dots ("l1d.size: ..."); a new key then does so too. */
static bool has_dotted_keys(const struct node *mapping)
{
    for (size_t i = 0; mapping->kind == NODE_MAPPING && i < mapping->count; i++)
        if (strchr(mapping->children[i]->key, '.'))
            return true;
    return false;
}

static void write_key_flow(FILE *out, const char *path, bool dotted, const char *value)
{
    unsigned open = 0;
    for (const char *dot; !dotted && (dot = strchr(path, '.')) != NULL; path = dot + 1, open++)
        fprintf(out, "%.*s: {", (int)(dot - path), path);
    fprintf(out, "%s: %s", path, value);
    while (open--)
        fputc('}', out);
}

/* Writes whole lines, without the last line break. */
static void write_key_block(FILE *out, const struct document *document, size_t indent,
                            const char *path, bool dotted, const char *value)
{
    size_t step = indent_step(document);
    for (const char *dot; !dotted && (dot = strchr(path, '.')) != NULL; path = dot + 1) {
        fprintf(out, "%*s%.*s:%s", (int)indent, "", (int)(dot - path), path, line_break(document));
        indent += step;
    }
    fprintf(out, "%*s%s: %s", (int)indent, "", path, value);
}

struct splice {
    size_t at, length;
    char *text; /* malloc'ed */
};

static enum status plan_new_key(const struct edit *edit, const char *value, struct splice *splice)
{
    const struct document *document = edit->document;
    const struct node *target = edit->target, *parent = edit->parent;
    bool dotted = has_dotted_keys(target);
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return STATUS_MEMORY;
    splice->length = 0;
    if (target->style == STYLE_FLOW) {
        splice->at = target->count ? target->children[target->count - 1]->end : target->start + 1;
        fputs(target->count ? ", " : "", out);
        write_key_flow(out, edit->missing, dotted, value);
    } else if (parent && parent->style == STYLE_FLOW) {
        splice->at = target->start;
        fputs(" {", out);
        write_key_flow(out, edit->missing, dotted, value);
        fputc('}', out);
    } else if (!parent && !target->count) {
        size_t size = document->size;
        splice->at = size;
        if (size > document->start && !strchr("\r\n", document->text[size - 1]))
            fputs(line_break(document), out);
        write_key_block(out, document, 0, edit->missing, dotted, value);
        fputs(line_break(document), out);
    } else {
        /* Insert after the last line of the mapping, so that a comment at the end of that line
         * stays there. */
        size_t indent = target->count
                            ? column_of(document, target->children[0]->key_start)
                            : column_of(document, target->key_start) + indent_step(document);
        splice->at = line_end(document, target->end);
        fputs(line_break(document), out);
        write_key_block(out, document, indent, edit->missing, dotted, value);
    }
    return text_stream_finish(&stream, STATUS_OK, &splice->text);
}

static enum status plan_new_value(const struct edit *edit, const char *value, struct splice *splice)
{
    const struct node *target = edit->target;
    const char *text = edit->document->text;
    splice->at = target->start;
    splice->length = target->end - target->start;
    /* An empty value begins right after the colon of its key, where YAML needs a blank. */
    bool gap = target->start > 0 && !strchr(" \t\r\n[{,", text[target->start - 1]);
    return asprintf(&splice->text, "%s%s", gap ? " " : "", value) < 0 ? STATUS_MEMORY : STATUS_OK;
}

/* Plans the splice for one spelling of the value and tries it. */
static enum status try_value(struct document *document, const struct edit *edit, const char *value,
                             bool *accepted)
{
    struct splice splice = {0};
    enum status status =
        *edit->missing ? plan_new_key(edit, value, &splice) : plan_new_value(edit, value, &splice);
    if (!status)
        status = try_splice(document, edit, splice.at, splice.length, splice.text, accepted);
    free(splice.text);
    return status;
}

/* ---- the edit ---- */

static enum status edit_refuse(const struct edit *edit, const char *path, enum status status,
                               struct diagnostics *diagnostics, const char *why)
{
    struct place place = node_place(edit->document, edit->target);
    diagnostics_add(diagnostics, SEVERITY_ERROR, &place, "cannot set %s: %s", path, why);
    return status;
}

/* The reason why this node cannot be edited, or NULL. */
static const char *obstacle(const struct edit *edit)
{
    const struct node *target = edit->target;
    if (*edit->missing) {
        if (strchr(edit->missing, '['))
            return "the list has no such item";
        if (target->kind == NODE_SEQUENCE)
            return "a list stands there";
        if (target->kind == NODE_SCALAR && !node_is_empty(target))
            return "a value stands where its mapping should be";
        if (target->kind == NODE_SCALAR && !target->key)
            return "an empty list item stands there";
        return NULL;
    }
    if (target->kind != NODE_SCALAR && target->style == STYLE_BLOCK)
        return "it is written over several lines; edit the file instead";
    const char *text = edit->document->text + target->start;
    if (target->style == STYLE_BLOCK_SCALAR && memchr(text, '#', strcspn(text, "\r\n")))
        return "a comment stands in its first line";
    return NULL;
}

/* "[a, b]" and "{a: b}" are a list and a mapping; everything else is a scalar. */
static enum status parse_wanted(const char *text, struct node **wanted)
{
    *wanted = NULL;
    if (*text == '[' || *text == '{') {
        enum status status = tree_parse(text, strlen(text), "", wanted, NULL);
        if (status == STATUS_MEMORY)
            return status;
        if (!status && (*wanted)->kind != NODE_SCALAR && (*wanted)->style == STYLE_FLOW)
            return STATUS_OK;
        if (!status)
            tree_free(*wanted);
    }
    *wanted = calloc(1, sizeof **wanted);
    if (*wanted)
        (*wanted)->text = strdup(text);
    if (*wanted && (*wanted)->text)
        return STATUS_OK;
    tree_free(*wanted);
    *wanted = NULL;
    return STATUS_MEMORY;
}

static enum status try_styles(struct document *document, const struct edit *edit, const char *path,
                              struct diagnostics *diagnostics)
{
    bool accepted = false;
    enum status status = try_value(document, edit, edit->text, &accepted);
    if (status || accepted)
        return status;
    char *quoted = NULL;
    if (edit->wanted->kind == NODE_SCALAR) {
        status = quote(edit->text, &quoted);
        if (status == STATUS_INVALID)
            return edit_refuse(edit, path, status, diagnostics, "the text is not UTF-8");
        if (!status)
            status = try_value(document, edit, quoted, &accepted);
        free(quoted);
    }
    if (status || accepted)
        return status;
    return edit_refuse(
        edit, path, STATUS_UNSUPPORTED, diagnostics,
        "it cannot be changed without changing something else; edit the file instead");
}

enum status document_set(struct document *document, const char *path, const char *text,
                         struct diagnostics *diagnostics)
{
    struct edit edit = {.document = document, .text = text};
    resolve(document->root, NULL, path, &edit);
    const char *why = obstacle(&edit);
    if (why)
        return edit_refuse(&edit, path, STATUS_UNSUPPORTED, diagnostics, why);
    enum status status = parse_wanted(text, &edit.wanted);
    if (status)
        return status;
    if (*edit.missing || !same_tree(edit.target, edit.wanted))
        status = try_styles(document, &edit, path, diagnostics);
    tree_free(edit.wanted);
    return status;
}
