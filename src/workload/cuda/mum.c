/* MUM: where do short reads match a genome? Exact matches in a suffix tree, after MUMmerGPU in
 * ISPASS-2009.
 *
 * One thread per read of 25 letters. It follows the read down the tree as far as it matches,
 * records where, drops the read's first letter by the suffix link and continues, six times. The
 * tree and the genome are read through the texture unit: a node has one 16 B texel for its edge and
 * link and one for its four children, and the genome has one texel per letter. The read itself and
 * the results are in global memory. Every lane walks its own path, so warps diverge and addresses
 * scatter over the whole tree.
 *
 * The genome is not the suite's: it has random letters and the suite's length, and each read is a
 * piece of it with an occasional error. The tree is a real one. Its nodes are numbered in the order
 * in which Ukkonen's algorithm creates them; the suite's host may renumber them. The place of a
 * number in the texture is the suite's: blocks of 32 rows, down first. Texels are assumed to be
 * stored in rows, without the GPU's own tiling. Lanes that leave a loop wait for the others at its
 * end. */
#include "workload/cuda/mum.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { LENGTH, QUERIES, ERRORS, SEED };
enum {
    BLOCK = 256,
    TEXEL_BYTES = 16,
    TREE_COLUMNS = 4096,
    TEXT_COLUMNS = 65536,
    RESULT_BYTES = 8,
    EDGE_AT = 4, /* of a result: node, then letters matched on its edge */
    CHILDREN = 4
};
enum {
    ARRAY_TEXT,
    ARRAY_NODES,
    ARRAY_CHILDREN,
    ARRAY_QUERIES,
    ARRAY_PLACES,
    ARRAY_LENGTHS,
    ARRAY_RESULTS
};

static const struct workload_parameter parameters_mum[] = {
    {"length", 1399930, 64, 1 << 22, "letters of the genome"},
    {"queries", 50000, 1, 1 << 22, "reads of 25 letters"},
    {"errors", 10, 0, 1000, "wrong letters in a thousand of the reads"},
    {"seed", 1, 0, UINT32_MAX, "of genome and reads"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct mum {
    struct staged_program staged; /* first */
    struct suffix_tree tree;
    char *queries;
    uint64_t query_count;
};

enum phase { PHASE_READ, PHASE_START, PHASE_WALK, PHASE_COMPARE, PHASE_RECORD };

/* A warp between two stages. Lane by lane: the node, the one above it, its edge, the place on it,
 * the letters matched (from 1), those that must match because the longer suffix did, the letter of
 * the read. */
struct matcher {
    uint8_t phase;
    uint32_t start;                       /* letters dropped from the read */
    uint32_t lanes;                       /* that have a read */
    uint32_t walking, comparing, at_edge; /* lanes in either loop; that stopped on an edge */
    uint32_t node[WARP_SIZE], above[WARP_SIZE], edge[WARP_SIZE][CHILDREN];
    int32_t place[WARP_SIZE], matched[WARP_SIZE], must_match[WARP_SIZE];
    int32_t read_at[WARP_SIZE]; /* of the read in the queries */
    char letter[WARP_SIZE];
};

static const struct mum *mum_of(const struct stage *stage)
{
    return (const struct mum *)stage->program;
}

/* x in the low half, y in the high one: 32 nodes stand in a column, 4096 columns in a band. */
static uint32_t pack_place(uint32_t node)
{
    return (node & 0x1ffff) >> 5 | (((node >> 17) << 5) + (node & 31)) << 16;
}

static uint32_t unpack_place(uint32_t packed)
{
    uint32_t x = packed & 0xffff, y = packed >> 16;
    return (x << 5) + (y & 31) + ((y >> 5) << 17);
}

static uint64_t texel_offset(uint32_t node)
{
    uint32_t packed = pack_place(node);
    return TEXEL_BYTES * ((uint64_t)(packed >> 16) * TREE_COLUMNS + (packed & 0xffff));
}

static uint64_t letter_offset(uint32_t place)
{
    uint32_t column = place & 0x3ffff, band = place >> 18;
    return (uint64_t)((band << 2) + (column & 3)) * TEXT_COLUMNS + (column >> 2);
}

/* A texel as the host packs it: start, end and link of a node, or its children. */
static void pack_node(const struct suffix_node *node, uint32_t texel[CHILDREN])
{
    const uint32_t words[CHILDREN] = {node->start, node->end, pack_place(node->suffix), 0};
    memcpy(texel, words, sizeof words);
}

static void pack_children(const struct suffix_node *node, uint32_t texel[CHILDREN])
{
    for (int i = 0; i < CHILDREN; i++)
        texel[i] = pack_place(node->child[i]);
}

static void fetch_texels(struct stage *stage, uint8_t site, uint32_t array, uint32_t mask,
                         const uint32_t nodes[WARP_SIZE], uint32_t texels[WARP_SIZE][CHILDREN])
{
    const struct suffix_tree *tree = &mum_of(stage)->tree;
    uint64_t addresses[WARP_SIZE];
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        addresses[lane] = array_base(stage, array) + texel_offset(nodes[lane]);
        if (array == ARRAY_NODES)
            pack_node(&tree->nodes[nodes[lane]], texels[lane]);
        else
            pack_children(&tree->nodes[nodes[lane]], texels[lane]);
    }
    stage_load(stage, (struct site){site, SPACE_TEXTURE, TEXEL_BYTES}, mask, addresses, texels);
}

/* The next letter of each lane's read. */
static void load_letters(struct stage *stage, uint8_t site, uint32_t mask, struct matcher *matcher)
{
    uint64_t addresses[WARP_SIZE];
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t at =
            (uint64_t)matcher->read_at[lane] + matcher->start + (uint64_t)matcher->matched[lane];
        addresses[lane] = array_base(stage, ARRAY_QUERIES) + at;
        matcher->letter[lane] = mum_of(stage)->queries[at];
    }
    stage_load(stage, (struct site){site, SPACE_GLOBAL, 1}, mask, addresses, matcher->letter);
}

static void read_query(struct stage *stage, struct matcher *matcher)
{
    uint64_t first = stage_thread(stage), addresses[WARP_SIZE];
    int32_t lengths[WARP_SIZE];
    matcher->lanes = lanes_below(first, mum_of(stage)->query_count) & stage->lanes;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        addresses[lane] = array_base(stage, ARRAY_LENGTHS) + 4 * (first + lane);
    stage_load(stage, word_site(0), matcher->lanes, addresses, lengths);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        addresses[lane] = array_base(stage, ARRAY_PLACES) + 4 * (first + lane);
        matcher->read_at[lane] = (int32_t)(MUM_QUERY_BYTES * (first + lane));
    }
    stage_mix(stage, 1, (struct work){.addresses = 2});
    stage_load(stage, word_site(1), matcher->lanes, addresses, matcher->read_at);
    stage_work(stage, 6);
    matcher->phase = PHASE_START;
}

static void start_match(struct stage *stage, struct matcher *matcher)
{
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        if (matcher->node[lane] == SUFFIX_NONE || matcher->matched[lane] < 1) {
            matcher->node[lane] = SUFFIX_ROOT;
            matcher->matched[lane] = 1;
            matcher->must_match[lane] = 0;
        }
    stage_work(stage, 4);
    load_letters(stage, 2, matcher->lanes, matcher);
    matcher->walking = matcher->lanes;
    matcher->at_edge = 0;
    matcher->phase = PHASE_WALK;
}

/* A match long enough is noted: the node, and how far it goes on the node's edge. */
static void note_match(struct stage *stage, uint8_t site, uint32_t mask,
                       const struct matcher *matcher, const uint32_t nodes[WARP_SIZE],
                       const int32_t on_edge[WARP_SIZE])
{
    uint64_t addresses[WARP_SIZE] = {0};
    uint32_t numbers[WARP_SIZE] = {0}, noted = 0;
    uint16_t lengths[WARP_SIZE] = {0};
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t first = MUM_STARTS * (stage_thread(stage) + lane) + matcher->start;
        if (matcher->matched[lane] <= MUM_MATCH_MIN)
            continue;
        noted |= UINT32_C(1) << lane;
        addresses[lane] = array_base(stage, ARRAY_RESULTS) + RESULT_BYTES * first;
        numbers[lane] = nodes[lane];
        lengths[lane] = (uint16_t)on_edge[lane];
    }
    stage_work(stage, mask ? 2 : 0);
    stage_work(stage, noted ? 7 : 0);
    stage_store(stage, word_site(site), noted, addresses, numbers);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        addresses[lane] += EDGE_AT;
    stage_store(stage, (struct site){site + 1, SPACE_GLOBAL, 2}, noted, addresses, lengths);
}

/* Goes down to the child; returns the lanes that have one. */
static uint32_t choose_children(struct stage *stage, struct matcher *matcher)
{
    static const int32_t nothing[WARP_SIZE] = {0};
    uint32_t children[WARP_SIZE][CHILDREN] = {{0}}, going = 0;
    fetch_texels(stage, 3, ARRAY_CHILDREN, matcher->walking, matcher->node, children);
    for (uint32_t left = matcher->walking; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left),
                 letter = suffix_letter(matcher->letter[lane]);
        matcher->above[lane] = matcher->node[lane];
        matcher->node[lane] =
            letter < CHILDREN ? unpack_place(children[lane][letter]) : SUFFIX_NONE;
        if (matcher->node[lane] != SUFFIX_NONE)
            going |= UINT32_C(1) << lane;
    }
    uint32_t stopped = matcher->walking & ~going;
    stage_work(stage, 8);
    note_match(stage, 4, stopped, matcher, matcher->above, nothing);
    for (uint32_t left = stopped; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        matcher->matched[lane]--;
        matcher->must_match[lane] = 0;
    }
    return going;
}

/* One node down: what must match is skipped, else the first letter of the edge matches anyhow. */
static void walk_down(struct stage *stage, struct matcher *matcher)
{
    matcher->walking = choose_children(stage, matcher);
    fetch_texels(stage, 6, ARRAY_NODES, matcher->walking, matcher->node, matcher->edge);
    for (uint32_t left = matcher->walking; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        int32_t start = (int32_t)matcher->edge[lane][0], must = matcher->must_match[lane];
        int32_t length = (int32_t)matcher->edge[lane][1] - start + 1;
        int32_t skipped = !must ? 1 : must < length ? must : length;
        matcher->place[lane] = start + skipped;
        matcher->matched[lane] += skipped;
        matcher->must_match[lane] -= must ? skipped : 0;
    }
    stage_work(stage, matcher->walking ? 9 : 0);
    load_letters(stage, 7, matcher->walking, matcher);
    matcher->comparing = matcher->walking;
    matcher->phase = PHASE_COMPARE;
}

/* One letter of the edge. */
static void compare_letter(struct stage *stage, struct matcher *matcher)
{
    uint64_t addresses[WARP_SIZE];
    char letters[WARP_SIZE];
    for (uint32_t left = matcher->comparing; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint32_t place = (uint32_t)matcher->place[lane];
        if (place > matcher->edge[lane][1] || !matcher->letter[lane]) {
            matcher->comparing &= ~(UINT32_C(1) << lane);
            continue;
        }
        addresses[lane] = array_base(stage, ARRAY_TEXT) + letter_offset(place);
        letters[lane] = mum_of(stage)->tree.text[place];
    }
    stage_work(stage, 2);
    stage_work(stage, matcher->comparing ? 7 : 0);
    stage_load(stage, (struct site){8, SPACE_TEXTURE, 1}, matcher->comparing, addresses, letters);
    for (uint32_t left = matcher->comparing; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), bit = UINT32_C(1) << lane;
        if (letters[lane] != matcher->letter[lane]) {
            matcher->comparing &= ~bit;
            matcher->walking &= ~bit;
            matcher->at_edge |= bit;
            continue;
        }
        matcher->place[lane]++;
        matcher->matched[lane]++;
    }
    stage_work(stage, matcher->comparing ? 4 : 0);
    load_letters(stage, 9, matcher->comparing, matcher);
    if (matcher->comparing)
        return;
    for (uint32_t left = matcher->walking; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), bit = UINT32_C(1) << lane;
        if (matcher->letter[lane])
            continue;
        matcher->walking &= ~bit;
        matcher->at_edge |= bit;
    }
    matcher->phase = matcher->walking ? PHASE_WALK : PHASE_RECORD;
}

/* The end of a match, and the suffix link to the next one. */
static void record_match(struct stage *stage, struct matcher *matcher)
{
    int32_t on_edge[WARP_SIZE] = {0};
    uint32_t links[WARP_SIZE][CHILDREN] = {{0}};
    for (uint32_t left = matcher->at_edge; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        on_edge[lane] = matcher->place[lane] - (int32_t)matcher->edge[lane][0];
    }
    note_match(stage, 10, matcher->at_edge, matcher, matcher->node, on_edge);
    for (uint32_t left = matcher->at_edge; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        matcher->must_match[lane] = on_edge[lane];
        matcher->matched[lane] -= on_edge[lane] + 1;
    }
    fetch_texels(stage, 12, ARRAY_NODES, matcher->lanes, matcher->above, links);
    for (uint32_t left = matcher->lanes; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        matcher->node[lane] = unpack_place(links[lane][2]);
    }
    stage_work(stage, 5);
    matcher->start++;
    matcher->phase = PHASE_START;
}

static enum stage_end run_mum(struct stage *stage)
{
    struct matcher *matcher = stage->state;
    switch ((enum phase)matcher->phase) {
    case PHASE_READ:
        read_query(stage, matcher);
        return matcher->lanes ? STAGE_NEXT : STAGE_DONE;
    case PHASE_START:
        start_match(stage, matcher);
        break;
    case PHASE_WALK:
        walk_down(stage, matcher);
        break;
    case PHASE_COMPARE:
        compare_letter(stage, matcher);
        break;
    case PHASE_RECORD:
        record_match(stage, matcher);
        break;
    }
    return matcher->start == MUM_STARTS ? STAGE_DONE : STAGE_NEXT;
}

static const struct staged_kernel kernel = {
    .name = "mummergpuKernel",
    .code = {.sites = "L L LT SS T L T L SS T", .prologue = 7},
    .state_bytes = sizeof(struct matcher),
    .run = run_mum,
};

static unsigned char *memory_of(const struct staged_program *program, uint32_t array,
                                struct device *device)
{
    return device_at(device, program->program.arrays[array].base, 1);
}

static void mum_upload(const struct staged_program *program, struct device *device)
{
    const struct mum *mum = (const struct mum *)program;
    for (uint32_t a = ARRAY_TEXT; a <= ARRAY_RESULTS; a++)
        memset(memory_of(program, a, device), 0, program->program.arrays[a].bytes);
    for (uint32_t place = 0; place <= mum->tree.length + 1; place++)
        memory_of(program, ARRAY_TEXT, device)[letter_offset(place)] =
            (unsigned char)mum->tree.text[place];
    for (uint32_t node = SUFFIX_ROOT; node < mum->tree.node_count; node++) {
        uint32_t texel[CHILDREN];
        pack_node(&mum->tree.nodes[node], texel);
        memcpy(memory_of(program, ARRAY_NODES, device) + texel_offset(node), texel, sizeof texel);
        pack_children(&mum->tree.nodes[node], texel);
        memcpy(memory_of(program, ARRAY_CHILDREN, device) + texel_offset(node), texel,
               sizeof texel);
    }
    memcpy(memory_of(program, ARRAY_QUERIES, device), mum->queries,
           mum->query_count * MUM_QUERY_BYTES);
    for (uint64_t q = 0; q < mum->query_count; q++) {
        int32_t place = (int32_t)(MUM_QUERY_BYTES * q), length = MUM_QUERY_LENGTH;
        memcpy(memory_of(program, ARRAY_PLACES, device) + 4 * q, &place, sizeof place);
        memcpy(memory_of(program, ARRAY_LENGTHS, device) + 4 * q, &length, sizeof length);
    }
}

static void mum_release(struct staged_program *program)
{
    struct mum *mum = (struct mum *)program;
    suffix_tree_free(&mum->tree);
    free(mum->queries);
}

static char letter_of(uint64_t bits)
{
    return "ACGT"[bits >> 62];
}

static enum status make_genome(struct mum *mum, uint64_t length, uint64_t seed)
{
    char *text = malloc(length + 2);
    if (!text)
        return STATUS_MEMORY;
    text[0] = 's';
    for (uint64_t i = 1; i <= length; i++)
        text[i] = letter_of(random_at(3 * seed, i));
    text[length + 1] = '$';
    return suffix_tree_create(&mum->tree, text, (uint32_t)length);
}

static enum status make_queries(struct mum *mum, const uint64_t *values)
{
    uint64_t seed = values[SEED], places = values[LENGTH] - MUM_QUERY_LENGTH + 1;
    mum->query_count = values[QUERIES];
    mum->queries = malloc(values[QUERIES] * MUM_QUERY_BYTES);
    if (!mum->queries)
        return STATUS_MEMORY;
    for (uint64_t q = 0; q < values[QUERIES]; q++) {
        char *query = mum->queries + q * MUM_QUERY_BYTES;
        uint64_t from = 1 + random_below(random_at(3 * seed + 1, q), places);
        query[0] = 'q';
        memcpy(query + 1, mum->tree.text + from, MUM_QUERY_LENGTH);
        query[MUM_QUERY_LENGTH + 1] = 0;
        for (uint64_t i = 1; i <= MUM_QUERY_LENGTH; i++) {
            uint64_t bits = random_at(3 * seed + 2, q * MUM_QUERY_BYTES + i);
            if (random_below(bits, 1000) < values[ERRORS])
                query[i] = letter_of(bits << 32);
        }
    }
    return STATUS_OK;
}

static void mum_allocate(struct program *program, const struct mum *mum)
{
    uint64_t rows = (mum->tree.node_count + TREE_COLUMNS - 1) / TREE_COLUMNS + 32;
    uint64_t text_rows = 4 * (uint64_t)((mum->tree.length + 1) / (4 * TEXT_COLUMNS) + 1);
    uint64_t queries = mum->query_count;
    program_array(program, "reference", TEXT_COLUMNS * text_rows);
    program_array(program, "nodes", TEXEL_BYTES * TREE_COLUMNS * rows);
    program_array(program, "children", TEXEL_BYTES * TREE_COLUMNS * rows);
    program_array(program, "queries", MUM_QUERY_BYTES * queries);
    program_array(program, "query_places", 4 * queries);
    program_array(program, "query_lengths", 4 * queries);
    program_array(program, "results", RESULT_BYTES * MUM_STARTS * queries);
}

static enum status open_mum(const uint64_t *values, struct trace_source **source,
                            struct diagnostics *diagnostics)
{
    struct mum *mum = staged_create(sizeof *mum, &workload_mum, values);
    if (!mum)
        return STATUS_MEMORY;
    struct staged_program *program = &mum->staged;
    program->upload = mum_upload;
    program->release = mum_release;
    enum status status = make_genome(mum, values[LENGTH], values[SEED]);
    if (!status)
        status = make_queries(mum, values);
    if (status) {
        program->program.status = status;
        return staged_finish(program, source, diagnostics);
    }
    mum_allocate(&program->program, mum);
    staged_launch(program, &kernel, (values[QUERIES] + BLOCK - 1) / BLOCK, 1, BLOCK, 1, 0);
    return staged_finish(program, source, diagnostics);
}

const struct suffix_tree *mum_tree(const struct trace_source *source)
{
    return &((const struct mum *)source)->tree;
}

const char *mum_queries(const struct trace_source *source)
{
    return ((const struct mum *)source)->queries;
}

CUDA_PROGRAM(mum, "MUM", ISPASS_SUITE,
             .help = "reads matched in the suffix tree of a genome; scattered texture fetches");
