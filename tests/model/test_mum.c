/* MUM: the tree is the suffix tree of its text, the matches are those of a naive search, and each
 * thread makes the accesses of its twin. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "support/program_trial.h"
#include "support/thread_twin.h"
#include "workload/cuda/mum.h"

/* How many letters of `pattern` occur in a row in the text, from some place on. */
static size_t longest_match(const char *text, size_t length, const char *pattern)
{
    size_t match = 0;
    while (pattern[match] && memmem(text, length, pattern, match + 1))
        match++;
    return match;
}

/* The node that the edge ends in on which the string ends, walking letter by letter; *depth is how
 * long the string of the walk down to that node's end is. */
static uint32_t walk_string(const struct suffix_tree *tree, const char *string, size_t length,
                            size_t *depth)
{
    uint32_t node = SUFFIX_ROOT;
    *depth = 0;
    while (*depth < length) {
        node = tree->nodes[node].child[suffix_letter(string[*depth])];
        assert_int_not_equal(node, SUFFIX_NONE);
        for (uint32_t place = tree->nodes[node].start; place <= tree->nodes[node].end; place++) {
            if (*depth < length)
                assert_int_equal(tree->text[place], string[*depth]);
            ++*depth;
        }
    }
    return node;
}

/* Below the node: leaves end at the end of the text, inner nodes have two children or more, links
 * drop the first letter. */
static uint32_t check_nodes(const struct suffix_tree *tree, uint32_t number, size_t depth,
                            uint32_t *seen)
{
    const struct suffix_node *node = &tree->nodes[number];
    uint32_t children = 0, leaves = 0;
    ++*seen;
    if (number != SUFFIX_ROOT)
        depth += node->end - node->start + 1;
    for (uint32_t i = 0; i < SUFFIX_LETTERS; i++) {
        if (!node->child[i])
            continue;
        children++;
        assert_int_equal(suffix_letter(tree->text[tree->nodes[node->child[i]].start]), i);
        leaves += check_nodes(tree, node->child[i], depth, seen);
    }
    if (!children) {
        assert_int_equal(node->end, tree->length + 1);
        return 1;
    }
    if (number == SUFFIX_ROOT)
        return leaves;
    assert_true(children >= 2);
    size_t linked;
    const char *string = tree->text + node->end + 1 - depth;
    assert_int_equal(walk_string(tree, string + 1, depth - 1, &linked), node->suffix);
    assert_int_equal(linked, depth - 1);
    return leaves;
}

static void check_tree(const char *letters, uint32_t length)
{
    struct suffix_tree tree;
    char *text = malloc(length + 2);
    assert_non_null(text);
    text[0] = 's';
    memcpy(text + 1, letters, length);
    text[length + 1] = '$';
    assert_int_equal(suffix_tree_create(&tree, text, length), STATUS_OK);
    uint32_t seen = 0;
    size_t depth;
    assert_int_equal(check_nodes(&tree, SUFFIX_ROOT, 0, &seen), length + 1);
    assert_int_equal(seen, tree.node_count - 1);
    assert_int_equal(tree.nodes[SUFFIX_ROOT].suffix, SUFFIX_NONE);
    for (uint32_t from = 1; from <= length + 1; from++) {
        walk_string(&tree, text + from, length + 2 - from, &depth);
        assert_int_equal(depth, length + 2 - from);
    }
    suffix_tree_free(&tree);
}

static void the_tree_is_the_suffix_tree(void **state)
{
    (void)state;
    char text[400];
    check_tree("A", 1);
    check_tree("AAAAAAAAAA", 10);
    check_tree("ACACACACTACACAC", 15);
    for (uint64_t trial = 0; trial < 40; trial++) {
        uint32_t length = 1 + (uint32_t)random_below(random_at(trial, 1000), 399);
        for (uint32_t i = 0; i < length; i++)
            text[i] = "ACGT"[random_below(random_at(trial, i), 1 + trial % 4)];
        check_tree(text, length);
    }
}

struct result {
    int32_t node;
    int16_t on_edge, unused;
};

/* The place in the text where a result says that its match ends. */
static size_t end_of_match(const struct suffix_tree *tree, const struct result *result)
{
    const struct suffix_node *node = &tree->nodes[result->node];
    return result->on_edge ? node->start + (size_t)result->on_edge - 1 : node->end;
}

static void check_matches(const char *parameters, uint64_t queries)
{
    struct trial trial;
    uint64_t noted = 0;
    open_trial(&trial, "MUM", parameters);
    staged_upload(trial.source, &trial.device);
    trial_run(&trial);
    const struct suffix_tree *tree = mum_tree(trial.source);
    const struct result *result = trial_memory(&trial, "results");
    for (uint64_t q = 0; q < queries; q++)
        for (uint64_t start = 0; start < MUM_STARTS; start++, result++) {
            const char *query = mum_queries(trial.source) + q * MUM_QUERY_BYTES + 1 + start;
            size_t match = longest_match(tree->text + 1, tree->length, query);
            if (match < MUM_MATCH_MIN) {
                assert_int_equal(result->node, 0);
                continue;
            }
            size_t end = end_of_match(tree, result);
            assert_memory_equal(tree->text + end + 1 - match, query, match);
            noted++;
        }
    assert_true(noted > queries);
    free_trial(&trial);
}

static void matches_are_those_of_a_naive_search(void **state)
{
    (void)state;
    check_matches("length=3000,queries=300", 300);
    check_matches("length=64,queries=70,seed=9", 70);
    check_matches("length=20000,queries=100,errors=50,seed=3", 100);
}

static uint64_t texel(uint32_t node)
{
    uint64_t x = (node & 0x1ffff) >> 5, y = ((node >> 17) << 5) + (node & 31);
    return 16 * (y * 4096 + x);
}

static void fetch(struct thread *t, const char *array, uint64_t offset, unsigned bytes)
{
    touch_space(t, OP_LOAD, SPACE_TEXTURE, bytes,
                program_find_array(t->source, array)->base + offset);
}

/* One thread of the kernel as its source reads; `query` points at 'q' or the letters dropped. */
struct walk {
    const char *query;
    uint32_t node, above;
    int must_match, matched, place;
};

static char query_letter(struct thread *t, const struct walk *walk)
{
    uint64_t at = (uint64_t)(walk->query + walk->matched - mum_queries(t->source));
    touch_bytes(t, OP_LOAD, "queries", at, 1);
    return walk->query[walk->matched];
}

static void note(struct thread *t, const struct walk *walk, uint64_t start)
{
    if (walk->matched <= MUM_MATCH_MIN)
        return;
    touch_bytes(t, OP_STORE, "results", 8 * (uint64_t)(6 * t->x) + 8 * start, 4);
    touch_bytes(t, OP_STORE, "results", 8 * (uint64_t)(6 * t->x) + 8 * start + 4, 2);
}

/* Returns false where there is no edge to follow. */
static bool match_down(struct thread *t, struct walk *walk)
{
    const struct suffix_tree *tree = mum_tree(t->source);
    for (char c = query_letter(t, walk); c;) {
        fetch(t, "children", texel(walk->node), 16);
        walk->above = walk->node;
        walk->node = tree->nodes[walk->node].child[suffix_letter(c)];
        if (!walk->node)
            return false;
        fetch(t, "nodes", texel(walk->node), 16);
        const struct suffix_node *node = &tree->nodes[walk->node];
        int length = (int)(node->end - node->start + 1), skipped = 1;
        if (walk->must_match) {
            skipped = walk->must_match < length ? walk->must_match : length;
            walk->must_match -= skipped;
        }
        walk->matched += skipped;
        walk->place = (int)node->start + skipped;
        c = query_letter(t, walk);
        while (walk->place <= (int)node->end && c) {
            uint64_t place = (uint64_t)walk->place, x = (place & 0x3ffff) >> 2;
            uint64_t y = ((place >> 18) << 2) + (place & 3);
            fetch(t, "reference", y * 65536 + x, 1);
            if (tree->text[place] != c)
                return true;
            walk->matched++;
            walk->place++;
            c = query_letter(t, walk);
        }
    }
    return true;
}

static void match_twin(struct thread *t)
{
    const struct suffix_tree *tree = mum_tree(t->source);
    struct walk walk = {.query = mum_queries(t->source) + t->x * MUM_QUERY_BYTES};
    if (t->x >= t->n.i)
        return;
    load(t, "query_lengths", t->x);
    load(t, "query_places", t->x);
    for (uint64_t start = 0; start < MUM_STARTS; start++, walk.query++) {
        if (!walk.node || walk.matched < 1) {
            walk.node = SUFFIX_ROOT;
            walk.matched = 1;
            walk.must_match = 0;
        }
        bool stopped = match_down(t, &walk);
        note(t, &walk, start);
        walk.must_match = stopped ? walk.place - (int)tree->nodes[walk.node].start : 0;
        walk.matched -= walk.must_match + 1;
        fetch(t, "nodes", texel(walk.above), 16);
        walk.node = tree->nodes[walk.above].suffix;
    }
}

static void threads_make_the_accesses_of_their_twin(void **state)
{
    (void)state;
    struct trace_source *source = open_program("MUM", "length=300000,queries=600,errors=30");
    assert_true(mum_tree(source)->node_count > 1 << 17);
    check_twin(source, (struct sizes){600, 0, 0, 0, 0}, match_twin);
    trace_source_free(source);
    source = open_program("MUM", "length=100,queries=40,seed=2");
    check_twin(source, (struct sizes){40, 0, 0, 0, 0}, match_twin);
    trace_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_is_the_suffix_tree),
        cmocka_unit_test(matches_are_those_of_a_naive_search),
        cmocka_unit_test(threads_make_the_accesses_of_their_twin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
