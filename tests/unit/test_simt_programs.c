/* The nine programs of the SIMT processor, in assembly and as compiled from C, against plain C, at
 * several sizes and shapes; and their streams: what is read through windows is what one execution
 * steps through, and recipes name what was compiled. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/simt_run.h"
#include "workload/simt/simt_source.h"
#include "workload/workload.h"

static int number(int index, unsigned bits)
{
    return (int)((1103515245u * (uint32_t)index + 12345u) << 1 >> (32 - bits));
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The twins: each fills `words` with what the program leaves at `result`; the number of words. */

static size_t twin_loop(int n, uint32_t *words)
{
    for (int i = 0; i < 64; i++) {
        words[i] = 0;
        for (int k = 1; k <= n; k++)
            words[i] += (uint32_t)k;
    }
    return 64;
}

static size_t twin_maximum(int n, uint32_t *words)
{
    int most = 0;
    for (int i = 0; i < n; i++)
        most = number(i, 15) > most ? number(i, 15) : most;
    words[0] = (uint32_t)most;
    return 1;
}

static size_t twin_matmul(int n, uint32_t *words)
{
    static const uint32_t a[16] = {1, 2, 3, 4, 5, 6, 7, 8, 1, 3, 5, 7, 2, 4, 6, 8};
    for (int i = 0; i < n * n; i++) {
        words[i] = 0;
        for (int k = 0; k < n; k++)
            words[i] += a[(i / n * n + k) % 16] * a[(i % n * n + k) % 16];
    }
    return (size_t)(n * n);
}

static size_t twin_convolution(int n, uint32_t *words)
{
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            int sum = 0;
            for (int r = -1; r <= 1 && x && y && x < n - 1 && y < n - 1; r++)
                for (int c = -1; c <= 1; c++)
                    sum += (2 - abs(r)) * (2 - abs(c)) * number((y + r) * n + x + c, 8);
            words[y * n + x] = (uint32_t)(sum / 16);
        }
    return (size_t)(n * n);
}

static int compare_words(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

static size_t twin_sort(int n, uint32_t *words)
{
    for (int i = 0; i < n; i++)
        words[i] = (uint32_t)number(i, 15);
    qsort(words, (size_t)n, sizeof *words, compare_words);
    return (size_t)n;
}

static size_t twin_solve(int n, uint32_t *words)
{
    float *a = calloc((size_t)(n * (n + 1)), sizeof *a);
    assert_non_null(a);
    for (int i = 0; i < n * (n + 1); i++)
        a[i] = (float)(number(i, 4) + (i / (n + 1) == i % (n + 1) ? 16 * n : 0));
    for (int k = 0; k < n; k++)
        for (int row = 0; row < n; row++) {
            const float factor = a[row * (n + 1) + k] / a[k * (n + 1) + k];
            for (int column = k; row != k && column <= n; column++)
                a[row * (n + 1) + column] -= a[k * (n + 1) + column] * factor;
        }
    for (int row = 0; row < n; row++)
        words[row] = bits_of(a[row * (n + 1) + n] / a[row * (n + 1) + row]);
    /* And they are the unknowns. */
    for (int row = 0; row < n; row++) {
        double sum = 0;
        for (int column = 0; column < n; column++) {
            float x;
            memcpy(&x, &words[column], sizeof x);
            sum += (double)x * (number(row * (n + 1) + column, 4) + (row == column ? 16 * n : 0));
        }
        assert_true(fabs(sum - number(row * (n + 1) + n, 4)) < 1e-3);
    }
    free(a);
    return (size_t)n;
}

static size_t twin_line(int n, uint32_t *words)
{
    memset(words, 0, sizeof *words * 256 * (size_t)n);
    for (int i = 0; i < n; i++) {
        int at[2] = {number(4 * i, 4), number(4 * i + 1, 4)};
        const int to[2] = {number(4 * i + 2, 4), number(4 * i + 3, 4)};
        const int way[2] = {abs(to[0] - at[0]), -abs(to[1] - at[1])};
        int error = way[0] + way[1];
        for (;;) {
            words[256 * i + 16 * at[1] + at[0]] = (uint32_t)i + 1;
            if (at[0] == to[0] && at[1] == to[1])
                break;
            const int twice = 2 * error;
            if (twice >= way[1]) {
                error += way[1];
                at[0] += to[0] < at[0] ? -1 : 1;
            }
            if (twice <= way[0]) {
                error += way[0];
                at[1] += to[1] < at[1] ? -1 : 1;
            }
        }
    }
    return 256 * (size_t)n;
}

static size_t twin_vertex(int n, uint32_t *words)
{
    static const float matrix[4][4] = {
        {1.5f, 0, 0, 0}, {0, 2, 0.5f, 0}, {0, -0.25f, 1.25f, -3}, {0, 0, -1, 0}};
    for (int i = 0; i < n; i++) {
        float in[6];
        for (int k = 0; k < 6; k++)
            in[k] = (float)(number(6 * i + k, 10) - 512) / 256;
        for (int row = 0; row < 4; row++)
            words[5 * i + row] = bits_of(
                fmaf(matrix[row][0], in[0],
                     fmaf(matrix[row][1], in[1], fmaf(matrix[row][2], in[2], matrix[row][3]))));
        float grey = fmaf(0.4375f, in[5], fmaf(0.75f, in[4], 0.5f * in[3])) * 255;
        grey = grey > 255 ? 255 : grey;
        words[5 * i + 4] = grey > 0 ? (uint32_t)grey : 0;
    }
    return 5 * (size_t)n;
}

/* By the definition, in doubles: the program's rounding stays below the bound of same_fft. */
static size_t twin_fft(int n, uint32_t *words)
{
    const double pi = acos(-1.0);
    for (int k = 0; k < n; k++) {
        double re = 0, im = 0;
        for (int i = 0; i < n; i++) {
            re += number(i, 10) * cos(2 * pi * i * k / n);
            im -= number(i, 10) * sin(2 * pi * i * k / n);
        }
        words[2 * k] = bits_of((float)re);
        words[2 * k + 1] = bits_of((float)im);
    }
    return 2 * (size_t)n;
}

static const struct {
    const char *name;
    size_t (*twin)(int n, uint32_t *words);
    int sizes[3]; /* the first one is the default, which the compiled form has */
    bool rounded;
} programs[] = {
    {"loop", twin_loop, {1000, 1, 77}, false},
    {"maximum", twin_maximum, {4096, 1, 100}, false},
    {"matmul", twin_matmul, {4, 1, 13}, false},
    {"convolution", twin_convolution, {32, 2, 11}, false},
    {"sort", twin_sort, {256, 1, 64}, false},
    {"solve", twin_solve, {16, 1, 9}, false},
    {"line", twin_line, {64, 1, 10}, false},
    {"vertex", twin_vertex, {256, 1, 33}, false},
    {"fft", twin_fft, {64, 2, 512}, true},
};

static void check_words(const char *path, const struct simt_program *program,
                        const unsigned char *memory, const uint32_t *expected, size_t count,
                        bool is_rounded)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t word = simt_word(program, memory, "result", (uint32_t)i);
        float ours, theirs;
        memcpy(&ours, &word, sizeof ours);
        memcpy(&theirs, &expected[i], sizeof theirs);
        if (is_rounded ? fabsf(ours - theirs) > 0.001f * (float)count : word != expected[i])
            fail_msg("%s: word %zu of the result is 0x%x (%g), expected 0x%x (%g)", path, i, word,
                     (double)ours, expected[i], (double)theirs);
    }
}

/* Runs a file of a program in one shape and compares its result. */
static void check_program(size_t index, const char *path, const char *arguments, int size)
{
    enum { WORDS_MAX = 1 << 16 };
    static uint32_t expected[WORDS_MAX];
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct simt_program program;
    char fault[160] = "";
    const size_t count = programs[index].twin(size, expected);
    assert_true(count <= WORDS_MAX);
    if (simt_open(path, arguments, &program, &diagnostics)) {
        diagnostics_print(&diagnostics, stderr);
        fail_msg("%s cannot be opened", path);
    }
    unsigned char *memory = simt_run(&program, fault);
    if (!memory)
        fail_msg("%s:%s: %s", path, arguments, fault);
    check_words(path, &program, memory, expected, count, programs[index].rounded);
    free(memory);
    simt_program_free(&program);
}

static void test_results(void **state)
{
    (void)state;
    static const char *const shapes[] = {"warps=8,lanes=8", "warps=4,lanes=4", "warps=1,lanes=1",
                                         "warps=3,lanes=7,blocks=2"};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            for (size_t k = 0; k < 3; k++) {
                char path[64], arguments[64];
                /* Only lanes that there are write their word of the loop's result. */
                if (programs[i].twin == twin_loop && s)
                    continue;
                snprintf(path, sizeof path, "traces/simt/%s.s", programs[i].name);
                snprintf(arguments, sizeof arguments, "%s,N=%d", shapes[s], programs[i].sizes[k]);
                check_program(i, path, arguments, programs[i].sizes[k]);
            }
}

static void test_compiled(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        char path[64];
        snprintf(path, sizeof path, "traces/simt/compiled/%s.s", programs[i].name);
        check_program(i, path, "", programs[i].sizes[0]);
    }
}

/* The paper's matrix with 4 warps of 4 lanes. */
static void test_paper(void **state)
{
    (void)state;
    static const uint32_t expected[16] = {0x1e, 0x46, 0x32, 0x3c, 0x46, 0xae, 0x72, 0x8c,
                                          0x32, 0x72, 0x54, 0x64, 0x3c, 0x8c, 0x64, 0x78};
    struct simt_program program;
    assert_int_equal(simt_open("traces/simt/matmul.s", "warps=4,lanes=4", &program, NULL),
                     STATUS_OK);
    unsigned char *memory = simt_run(&program, NULL);
    check_words("matmul", &program, memory, expected, 16, false);
    free(memory);
    simt_program_free(&program);
}

/* Reads one warp of a block through windows of `capacity` and compares it with the steps of an
 * execution. */
static void check_warp(const struct trace_source *source, const struct simt_program *program,
                       struct block_reader *reader, uint32_t block, uint32_t warp,
                       uint32_t capacity)
{
    struct access_window window;
    struct instruction_window issued;
    struct simt_block *own;
    struct simt_step step;
    uint32_t record = 0, instruction = 0, gap = 0;
    assert_int_equal(window_init(&window, capacity), STATUS_OK);
    assert_int_equal(instruction_window_init(&issued, capacity), STATUS_OK);
    assert_int_equal(simt_block_start(&own, program, block, NULL), STATUS_OK);
    while (simt_block_step(own, &step) == SIMT_RAN) {
        if (step.warp != warp)
            continue;
        if (instruction == issued.count) {
            assert_int_equal(source->ops->read_instructions(reader, warp, &issued, NULL),
                             STATUS_OK);
            instruction = 0;
        }
        const struct warp_instruction *at = &issued.items[instruction++];
        const bool is_record = step.bytes && !step.shared;
        assert_int_equal(source->codes[0].items[at->code].pc, step.pc);
        assert_int_equal(at->mask, step.mask);
        assert_int_equal(at->flags & ISSUE_RECORD, is_record ? ISSUE_RECORD : 0);
        if (!is_record) {
            gap++;
            continue;
        }
        if (record == window.count) {
            assert_int_equal(source->ops->read(reader, warp, &window, NULL), STATUS_OK);
            record = 0;
        }
        uint64_t addresses[WARP_SIZE];
        const struct warp_access *access = &window.items[record++];
        const unsigned count = access_addresses(access, &window, addresses);
        assert_int_equal(access->gap, gap);
        assert_int_equal(access->pc, step.pc);
        unsigned active = 0;
        for (unsigned lane = 0; lane < SIMT_LANES; lane++)
            if (step.mask >> lane & 1)
                assert_int_equal(addresses[active++], step.addresses[lane]);
        assert_int_equal(active, count);
        gap = 0;
    }
    assert_int_equal(instruction, issued.count);
    assert_int_equal(record, window.count);
    if (!window.end)
        assert_int_equal(source->ops->read(reader, warp, &window, NULL), STATUS_OK);
    assert_true(window.end);
    assert_int_equal(window.tail, gap);
    simt_block_free(own);
    window_free(&window);
    instruction_window_free(&issued);
}

static void test_streams(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        char path[64], arguments[64];
        struct simt_program program;
        struct trace_source *source;
        struct block_reader *reader;
        snprintf(path, sizeof path, "traces/simt/%s.s", programs[i].name);
        snprintf(arguments, sizeof arguments, "warps=3,blocks=2,N=%d", programs[i].sizes[2]);
        assert_int_equal(simt_open(path, arguments, &program, NULL), STATUS_OK);
        assert_int_equal(simt_source_open(path, "name", arguments, &source, NULL), STATUS_OK);
        assert_int_equal(source->ops->open_block(source, 0, 1, &reader, NULL), STATUS_OK);
        /* Not in turns: queues hold what is ahead. */
        check_warp(source, &program, reader, 1, 2, 5);
        check_warp(source, &program, reader, 1, 0, 300);
        check_warp(source, &program, reader, 1, 1, 1);
        source->ops->close_block(reader);
        trace_source_free(source);
        simt_program_free(&program);
    }
}

/* Programs, files and recipes open by name; equal programs have equal digests. */
static void test_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        char name[96];
        struct trace_source *built, *file, *recipe;
        snprintf(name, sizeof name, "simt-%s:warps=2", programs[i].name);
        assert_int_equal(workload_open(name, &built, NULL), STATUS_OK);
        snprintf(name, sizeof name, "simt/%s.s:warps=2,N=%d", programs[i].name,
                 programs[i].sizes[0]);
        assert_int_equal(workload_open(name, &file, NULL), STATUS_OK);
        assert_string_equal(built->digest, file->digest);
        assert_true(trace_source_timed(built));
        snprintf(name, sizeof name, "simt-%s-c", programs[i].name);
        assert_int_equal(workload_open(name, &recipe, NULL), STATUS_OK);
        assert_string_not_equal(built->digest, recipe->digest);
        trace_source_free(built);
        trace_source_free(file);
        trace_source_free(recipe);
    }
}

/* Blocks that run programs of their own, with registers that the host sets, and the digest of
 * streams that nothing but those tells apart. */
static void test_blocks_start_as_told(void **state)
{
    static const char text[] = "main: la t0, result; sw a0, 0(t0); ret\n"
                               "main_1: la t0, result; add t1, a2, s1; sw t1, 4(t0); ret\n"
                               "_start_2: la t0, result; fsw fa0, 8(t0); ret\n"
                               ".equ _start_1_s1, 41\n .equ _start_2_fa0, 0x40490fdb\n"
                               ".equ _start_0_a0, SIZE\n"
                               ".data\n result: .word 9, 9, 9, 9\n";
    static const struct simt_setup setup = {3, 1, 1, false, 1000, SIMT_STACK_BYTES};
    char digests[2][64];
    (void)state;
    for (int i = 0; i < 2; i++) {
        char whole[600];
        struct simt_program program;
        struct trace_source *source;
        snprintf(whole, sizeof whole, ".equ SIZE, %d\n%s", 7 + i, text);
        simt_make(whole, &setup, &program);
        unsigned char *memory = simt_run(&program, NULL);
        assert_non_null(memory);
        const uint32_t expected[] = {7 + (uint32_t)i, 42, 0x40490fdb, 9};
        for (uint32_t k = 0; k < 4; k++)
            assert_int_equal(simt_word(&program, memory, "result", k), expected[k]);
        free(memory);
        assert_int_equal(simt_source_create("test", &program, &source, NULL), STATUS_OK);
        snprintf(digests[i], sizeof digests[i], "%.63s", source->digest);
        trace_source_free(source);
    }
    assert_string_not_equal(digests[0], digests[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results), cmocka_unit_test(test_compiled),
        cmocka_unit_test(test_paper),   cmocka_unit_test(test_streams),
        cmocka_unit_test(test_names),   cmocka_unit_test(test_blocks_start_as_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
