/* YAML documents: reading with places, edits that keep every other byte, safe saving. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/rng.h"
#include "config/document.h"
#include "support/message_text.h"

static struct document *parse(const char *text)
{
    struct document *document;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = document_parse(text, strlen(text), "t.yaml", &document, &diagnostics);
    diagnostics_print(&diagnostics, stderr);
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(diagnostics.count, 0);
    diagnostics_free(&diagnostics);
    return document;
}

static void assert_refused(const char *text, size_t size, const char *expected)
{
    struct document *document;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_not_equal(document_parse(text, size, "t.yaml", &document, &diagnostics), STATUS_OK);
    assert_null(document);
    char *found = messages_take(&diagnostics);
    if (!strstr(found, expected))
        fail_msg("expected '%s' in:\n%s", expected, found);
    free(found);
}

static void test_tree(void **state)
{
    (void)state;
    struct document *document = parse("# top\n"
                                      "l1d:\n"
                                      "  size: 16KiB # c\n"
                                      "  \"ways\": '4'\n"
                                      "l2: {size: 1MiB, list: [a, [b], ]}\n"
                                      "empty:\n"
                                      "block: |\n"
                                      "  two\n"
                                      "  lines\n"
                                      "größe: ü\n");
    const struct node *root = document_root(document);
    assert_int_equal(node_kind(root), NODE_MAPPING);
    assert_int_equal(node_count(root), 5);
    assert_string_equal(node_key(root, 0), "l1d");
    assert_string_equal(node_text(document_find(document, "l1d.size")), "16KiB");
    assert_string_equal(node_text(document_find(document, "l1d.ways")), "4");
    assert_string_equal(node_text(document_find(document, "l2.list[1][0]")), "b");
    assert_string_equal(node_text(document_find(document, "block")), "two\nlines\n");
    assert_string_equal(node_text(document_find(document, "größe")), "ü");
    assert_true(node_is_empty(document_find(document, "empty")));
    assert_null(document_find(document, "l2.list[2]"));
    assert_null(document_find(document, "l1d.siz"));
    assert_null(document_find(document, "l1"));
    assert_null(node_find(root, "l1d.size"));
    struct place place = node_place(document, document_find(document, "l1d.ways"));
    assert_int_equal(place.line, 4);
    assert_int_equal(place.column, 11);
    assert_int_equal(place.span, 3);
    place = node_place(document, document_find(document, "größe"));
    assert_int_equal(place.line, 10);
    assert_int_equal(place.column, 8);
    place = node_place(document, document_find(document, "empty"));
    assert_int_equal(place.column, 1);
    assert_int_equal(place.span, 5);
    document_free(document);
}

static void test_dotted_keys_are_found(void **state)
{
    (void)state;
    struct document *document =
        parse("axes:\n  l1d.size: all\n  l1d: {ways: 3}\n  a.b: {c.d: 1}\n");
    assert_string_equal(node_text(document_find(document, "axes.l1d.size")), "all");
    assert_string_equal(node_text(document_find(document, "axes.l1d.ways")), "3");
    assert_string_equal(node_text(document_find(document, "axes.a.b.c.d")), "1");
    document_free(document);
}

static void test_empty_files(void **state)
{
    (void)state;
    static const char *const empty[] = {"", "\n", "# only a comment\n", "---\n", "\xef\xbb\xbf"};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        struct document *document = parse(empty[i]);
        assert_int_equal(node_kind(document_root(document)), NODE_MAPPING);
        assert_int_equal(node_count(document_root(document)), 0);
        document_free(document);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"a: 1\nb: 2\na: 3\n", "t.yaml:3:1: duplicate key 'a', it stands on line 1 already\n"
                               "    3 | a: 3\n      | ^\n"},
        {"a: {x: 1, x: 2}\n", "t.yaml:1:11: duplicate key 'x'"},
        {"a: &b 1\n", "anchors are not supported"},
        {"a: *b\n", "aliases are not supported"},
        {"a: !!int 1\n", "tags are not supported"},
        {"a: 1\n---\nb: 2\n", "t.yaml:2:1: only one document"},
        {"? [a]\n: 1\n", "a key must be a word"},
        {"? {a: 1}\n: 1\n", "a key must be a word"},
        {"a:\n\tb: 1\n", "t.yaml:2:1: a tab cannot indent YAML"},
        {"a: [1\nb: 2\n", "t.yaml:2:2: did not find expected ',' or ']', while parsing a flow "
                          "sequence from line 1 on"},
        {"a: \"x\\0y\"\n", "NUL"},
        {"a: \xff\n", "t.yaml:1:4:"},
        {"a: b\x01\n", "control characters are not allowed"},
        {"%YAML 2.0\n---\na: 1\n", "incompatible YAML document"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(cases[i].text, strlen(cases[i].text), cases[i].expected);
    assert_refused("a: 1\0b", 6, "control characters");
}

static void test_all_errors_at_once(void **state)
{
    (void)state;
    const char *text = "a: 1\na: &x 2\nb: !t 3\nb: 4\n";
    struct document *document;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_not_equal(document_parse(text, strlen(text), "t", &document, &diagnostics), 0);
    assert_int_equal(diagnostics.errors, 4);
    diagnostics_free(&diagnostics);
}

/* A hostile file is given up on after so many errors, whatever their kind. */
static void test_errors_are_bounded(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (int i = 0; i < 20000; i++)
        fprintf(out, "k%d: {a: 1, a: &x 2, a: !t 3}\n", i);
    fclose(out);
    struct document *document;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(document_parse(text, size, "t", &document, &diagnostics), STATUS_INVALID);
    assert_int_equal(diagnostics.errors, 50);
    diagnostics_free(&diagnostics);
    free(text);
}

static void test_limits(void **state)
{
    (void)state;
    char deep[200];
    memset(deep, '[', 100);
    memset(deep + 100, ']', 100);
    assert_refused(deep, sizeof deep, "nested deeper than 64 levels");
    size_t size = (1u << 20) + 1;
    char *large = malloc(size);
    memset(large, '#', size);
    assert_refused(large, size, "larger than 1 MiB");
    for (size_t i = 0; i < 1u << 20; i += 2)
        memcpy(large + i, i ? ",1" : "[1", 2);
    assert_refused(large, 1u << 20, "more than 262144 values");
    free(large);
}

/* ---- editing ---- */

static void assert_edit(const char *before, const char *path, const char *text, const char *after)
{
    struct document *document = parse(before);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = document_set(document, path, text, &diagnostics);
    char *messages = messages_take(&diagnostics);
    if (status)
        fail_msg("%s", messages);
    free(messages);
    assert_string_equal(document_text(document, NULL), after);
    document_free(document);
}

static void assert_no_edit(const char *before, const char *path, const char *text,
                           const char *expected)
{
    struct document *document = parse(before);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_not_equal(document_set(document, path, text, &diagnostics), STATUS_OK);
    char *messages = messages_take(&diagnostics);
    if (!strstr(messages, expected))
        fail_msg("expected '%s' in:\n%s", expected, messages);
    free(messages);
    assert_string_equal(document_text(document, NULL), before);
    document_free(document);
}

static void test_set_value(void **state)
{
    (void)state;
    static const struct {
        const char *before, *path, *text, *after;
    } cases[] = {
        {"# c\nl1d:\n  size: 16KiB   # c\n  ways: 4\n", "l1d.size", "32KiB",
         "# c\nl1d:\n  size: 32KiB   # c\n  ways: 4\n"},
        {"a: 1\r\nb: 2\r\n", "b", "3", "a: 1\r\nb: 3\r\n"},
        {"\xef\xbb\xbf"
         "a: 1\n",
         "a", "2",
         "\xef\xbb\xbf"
         "a: 2\n"},
        {"größe: ü # ö\nzwei: 2\n", "zwei", "drei", "größe: ü # ö\nzwei: drei\n"},
        {"größe: ü # ö\n", "größe", "ß", "größe: ß # ö\n"},
        {"a:   # nothing yet\nb: 1\n", "a", "5", "a: 5   # nothing yet\nb: 1\n"},
        {"a:\nb: 1\n", "a", "5", "a: 5\nb: 1\n"},
        {"a:", "a", "5", "a: 5"},
        {"{a: 1, b: , c: 3}", "b", "x", "{a: 1, b: x, c: 3}"},
        {"a: [1, 2 , 3] # c\n", "a[1]", "7", "a: [1, 7 , 3] # c\n"},
        {"a:\n- 1\n-\n- 3\n", "a[1]", "7", "a:\n- 1\n- 7\n- 3\n"},
        {"a: 'x'\n", "a", "y", "a: y\n"},
        {"a: 1\n", "a", "x: y", "a: \"x: y\"\n"},
        {"a: 1\n", "a", "x # y", "a: \"x # y\"\n"},
        {"a: 1\n", "a", "", "a: \n"},
        {"a: [1, 2]\n", "a[0]", "", "a: [\"\", 2]\n"},
        {"a: [1, 2]\n", "a[0]", "x, y", "a: [\"x, y\", 2]\n"},
        {"a: 1\n", "a", "x\n\"\\\t\x01ü", "a: \"x\\n\\\"\\\\\\t\\x01ü\"\n"},
        {"a: 1\n", "a", "&x", "a: \"&x\"\n"},
        {"a: |\n  long\n  text\n\n# c\nb: 1\n", "a", "short", "a: short\n\n# c\nb: 1\n"},
        {"a: two\n  lines\nb: 1\n", "a", "one", "a: one\nb: 1\n"},
        {"a: [1, 2]\nb: 3\n", "a", "[4KiB, 8KiB]", "a: [4KiB, 8KiB]\nb: 3\n"},
        {"a: 1\n", "a", "[x", "a: \"[x\"\n"},
        {"a: {from: 1, to: 2}\n", "a", "{from: 2, to: 3}", "a: {from: 2, to: 3}\n"},
        {"a: '1'\n", "a", "1", "a: '1'\n"}, /* the same value stays as it is written */
        {"axes:\n  l1d.size: all # c\n", "axes.l1d.size", "[1, 2]",
         "axes:\n  l1d.size: [1, 2] # c\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_edit(cases[i].before, cases[i].path, cases[i].text, cases[i].after);
}

static void test_create_key(void **state)
{
    (void)state;
    static const struct {
        const char *before, *path, *text, *after;
    } cases[] = {
        {"", "l1d.size", "16KiB", "l1d:\n  size: 16KiB\n"},
        {"# c", "seed", "3", "# c\nseed: 3\n"},
        {"\xef\xbb\xbf", "seed", "3",
         "\xef\xbb\xbf"
         "seed: 3\n"},
        {"a: 1\n", "b", "2", "a: 1\nb: 2\n"},
        {"a: 1", "b", "2", "a: 1\nb: 2"},
        {"a: 1\r\n", "l1d.mshr.entries", "2", "a: 1\r\nl1d:\r\n  mshr:\r\n    entries: 2\r\n"},
        {"l1d:\n    size: 1 # c\n\n# l2\nl2:\n    size: 3\n", "l1d.ways", "2",
         "l1d:\n    size: 1 # c\n    ways: 2\n\n# l2\nl2:\n    size: 3\n"},
        {"l1d:\n    size: 1\n", "l1d.mshr.merge", "2",
         "l1d:\n    size: 1\n    mshr:\n        merge: 2\n"},
        {"l1d:\n  # nothing\nl2:\n  size: 1\n", "l1d.size", "2",
         "l1d:\n  size: 2\n  # nothing\nl2:\n  size: 1\n"},
        {"l1d: {size: 1}\nb: 2\n", "l1d.ways", "4", "l1d: {size: 1, ways: 4}\nb: 2\n"},
        {"l1d: { size: 1 }\n", "l1d.mshr.merge", "4", "l1d: { size: 1, mshr: {merge: 4} }\n"},
        {"l1d: {}\n", "l1d.ways", "4", "l1d: {ways: 4}\n"},
        {"{l1d: , b: 1}\n", "l1d.ways", "4", "{l1d:  {ways: 4}, b: 1}\n"},
        {"l1d.size: 1\nb: 1\n", "l1d.ways", "4", "l1d.size: 1\nb: 1\nl1d.ways: 4\n"},
        {"axes:\n  l1d.size: all\nseed: 1\n", "axes.l1d.ways", "[1, 2]",
         "axes:\n  l1d.size: all\n  l1d.ways: [1, 2]\nseed: 1\n"},
        {"l1d:\n  text: |\n    a\n    b\nb: 1\n", "l1d.ways", "4",
         "l1d:\n  text: |\n    a\n    b\n  ways: 4\nb: 1\n"},
        {"a: 1\n", "b", "x # y", "a: 1\nb: \"x # y\"\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_edit(cases[i].before, cases[i].path, cases[i].text, cases[i].after);
}

static void test_refused_edits(void **state)
{
    (void)state;
    assert_no_edit("a: 1\n", "a.b", "2", "t.yaml:1:4: cannot set a.b: a value stands where");
    assert_no_edit("a: [1]\n", "a[1]", "2", "no such item");
    assert_no_edit("a: [1]\n", "a.b", "2", "a list stands there");
    assert_no_edit("a:\n- 1\n", "a", "2", "written over several lines");
    assert_no_edit("a: | # c\n  x\n", "a", "y", "comment");
    assert_no_edit("a: 1\n", "a", "\xff", "not UTF-8");
    assert_no_edit("---\n...\n", "b", "2", "edit the file instead");  /* beyond the end */
    assert_no_edit("{a, b: 1}\n", "a", "2", "edit the file instead"); /* would change the key */
}

static const struct node *random_scalar(const struct document *document, uint64_t random,
                                        char *path, size_t size)
{
    const struct node *node = document_root(document);
    size_t used = 0;
    path[0] = '\0';
    while (node_kind(node) != NODE_SCALAR) {
        if (!node_count(node))
            return NULL;
        size_t index = random % node_count(node);
        random = random_at(random, index);
        if (node_kind(node) == NODE_MAPPING)
            used += (size_t)snprintf(path + used, size - used, "%s%s", used ? "." : "",
                                     node_key(node, index));
        else
            used += (size_t)snprintf(path + used, size - used, "[%zu]", index);
        node = node_at(node, index);
    }
    return node;
}

/* The tree as text without places, with `path` marked off, as the slow twin of the check inside
 * document_set. */
static void dump(const struct node *node, const struct node *except, FILE *out)
{
    if (node == except) {
        fputs("<edited>", out);
    } else if (node_kind(node) == NODE_SCALAR) {
        fprintf(out, "'%s'", node_text(node));
    } else {
        fputc(node_kind(node) == NODE_MAPPING ? '{' : '[', out);
        for (size_t i = 0; i < node_count(node); i++) {
            if (node_kind(node) == NODE_MAPPING)
                fprintf(out, "'%s':", node_key(node, i));
            dump(node_at(node, i), except, out);
            fputc(',', out);
        }
        fputc(node_kind(node) == NODE_MAPPING ? '}' : ']', out);
    }
}

static char *dump_text(const struct node *root, const struct node *except)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    dump(root, except, out);
    fclose(out);
    return text;
}

/* The comments, which an edit may not touch. */
static char *comments_of(const char *text)
{
    char *comments = calloc(1, strlen(text) + 1), *out = comments;
    for (const char *at = text; (at = strchr(at, '%')) != NULL; at++) {
        size_t length = strcspn(at, "\r\n");
        memcpy(out, at, length);
        out += length;
    }
    return comments;
}

static void test_random_edits_change_only_their_path(void **state)
{
    (void)state;
    /* Every comment holds a '%', which no value does. */
    static const char *const files[] = {
        "# % head\nl1d: # %a\n  size: 16KiB # %b\n  ways: 4\n  mshr: {entries: 64, merge: 8} # %c\n"
        "\n# %d\nlist:\n  - 1 # %e\n  - [a, 'b', \"c\"]\n  - {x: , y: z}\nempty: # %f\nlast: ü",
        "\xef\xbb\xbf# %ü\r\n'a': 1\r\nb:\r\n    - \"x\\ty\" # %1\r\n    - >\r\n      folded\r\n"
        "      text\r\n    # %2\r\n    - z\r\nc: {ö: [1, [2, {d: 3}]]} # %3\r\n",
        "{a: 1, b: [x, y], # %\n c: {d: e}}",
    };
    static const char *const values[] = {"1",
                                         "16KiB",
                                         "",
                                         "a: b",
                                         "x # y",
                                         "- x",
                                         "ü",
                                         "[a, b",
                                         "'",
                                         "\"",
                                         "\n",
                                         "a\tb",
                                         "?",
                                         "{",
                                         "*x",
                                         "!t",
                                         "|",
                                         ">",
                                         "---",
                                         "a,b",
                                         "  x ",
                                         "\\",
                                         "null",
                                         "@",
                                         "`",
                                         "#",
                                         ": ",
                                         "...",
                                         "x:",
                                         "a]b",
                                         "\x7f",
                                         "\xe2\x80\xa8",
                                         "\xf0\x9f\x90\xb1"};
    for (uint64_t i = 0; i < 3000; i++) {
        struct document *document = parse(files[i % 3]);
        for (uint64_t step = 0; step < 3; step++) {
            char path[200];
            uint64_t random = random_at(i, step);
            const struct node *node = random_scalar(document, random, path, sizeof path);
            assert_non_null(node);
            const char *value = values[random_at(random, 1) % (sizeof values / sizeof *values)];
            char *before = dump_text(document_root(document), node);
            char *comments = comments_of(document_text(document, NULL));
            assert_int_equal(document_set(document, path, value, NULL), STATUS_OK);
            node = document_find(document, path);
            assert_string_equal(node_text(node), value);
            char *after = dump_text(document_root(document), node);
            assert_string_equal(after, before);
            char *comments_after = comments_of(document_text(document, NULL));
            assert_string_equal(comments_after, comments);
            free(before);
            free(after);
            free(comments);
            free(comments_after);
        }
        /* What stands in memory reads back from the text alone. */
        struct document *again = parse(document_text(document, NULL));
        char *first = dump_text(document_root(document), NULL);
        char *second = dump_text(document_root(again), NULL);
        assert_string_equal(first, second);
        free(first);
        free(second);
        document_free(again);
        document_free(document);
    }
}

static void test_restore(void **state)
{
    (void)state;
    struct document *document = parse("a: 1\n");
    assert_int_equal(document_set(document, "b.c", "2", NULL), STATUS_OK);
    assert_int_equal(document_restore(document, "a: [", 4, NULL), STATUS_INVALID);
    assert_string_equal(document_text(document, NULL), "a: 1\nb:\n  c: 2\n");
    assert_int_equal(document_restore(document, "a: 1\n", 5, NULL), STATUS_OK);
    assert_string_equal(document_text(document, NULL), "a: 1\n");
    assert_null(document_find(document, "b"));
    document_free(document);
}

/* ---- saving ---- */

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/warpscape-document-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void assert_file(const char *path, const char *expected)
{
    char text[256] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

static void test_save(void **state)
{
    (void)state;
    char path[128], link[128], other[128];
    snprintf(path, sizeof path, "%s/m.yaml", folder);
    snprintf(link, sizeof link, "%s/link.yaml", folder);
    snprintf(other, sizeof other, "%s/other.yaml", folder);
    write_file(path, "a: 1 # c\n");
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(symlink("m.yaml", link), 0);
    struct document *document;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(document_load(link, &document, &diagnostics), STATUS_OK);
    assert_int_equal(document_set(document, "a", "2", &diagnostics), STATUS_OK);
    assert_int_equal(document_save(document, NULL, &diagnostics), STATUS_OK);
    assert_file(path, "a: 2 # c\n");
    struct stat information;
    assert_int_equal(lstat(link, &information), 0);
    assert_true(S_ISLNK(information.st_mode));
    assert_int_equal(stat(path, &information), 0);
    assert_int_equal(information.st_mode & 07777, 0640);

    /* Saving again is fine; saving over somebody else's change is not. */
    assert_int_equal(document_save(document, NULL, &diagnostics), STATUS_OK);
    write_file(path, "a: 9\n");
    assert_int_equal(document_save(document, NULL, &diagnostics), STATUS_CONFLICT);
    assert_file(path, "a: 9\n");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(document_save(document, path, &diagnostics), STATUS_OK);
    assert_file(path, "a: 2 # c\n");

    write_file(other, "mine\n");
    assert_int_equal(document_save(document, other, &diagnostics), STATUS_CONFLICT);
    assert_file(other, "mine\n");
    assert_int_equal(document_save(document, folder, &diagnostics), STATUS_IO);
    assert_int_equal(document_save(document, "tests/no-such-folder/x", &diagnostics),
                     STATUS_NOT_FOUND);
    document_free(document);
    diagnostics_free(&diagnostics);

    /* No temporary file is left behind: other.yaml, m.yaml and the link. */
    char command[128];
    snprintf(command, sizeof command, "test $(ls -A '%s' | wc -l) = 3", folder);
    assert_int_equal(system(command), 0);
}

static void test_save_without_file(void **state)
{
    (void)state;
    struct document *document = parse("a: 1\n");
    assert_int_equal(document_save(document, NULL, NULL), STATUS_INVALID);
    document_free(document);
    struct document *none;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(document_load("tests/no-such-file", &none, &diagnostics), STATUS_NOT_FOUND);
    assert_int_equal(diagnostics.errors, 1);
    diagnostics_free(&diagnostics);
    assert_int_equal(document_load("/", &none, NULL), STATUS_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree),
        cmocka_unit_test(test_dotted_keys_are_found),
        cmocka_unit_test(test_empty_files),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_all_errors_at_once),
        cmocka_unit_test(test_errors_are_bounded),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_set_value),
        cmocka_unit_test(test_create_key),
        cmocka_unit_test(test_refused_edits),
        cmocka_unit_test(test_random_edits_change_only_their_path),
        cmocka_unit_test(test_restore),
        cmocka_unit_test_setup_teardown(test_save, make_folder, remove_folder),
        cmocka_unit_test(test_save_without_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
