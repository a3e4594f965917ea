#include "support/program_trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "workload/arguments.h"

struct trace_source *open_program(const char *name, const char *parameters)
{
    struct arguments arguments;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct trace_source *source = NULL;
    assert_non_null(workload_find(name));
    workload_arguments_init(&arguments, workload_find(name));
    if (workload_arguments_parse(&arguments, parameters, &diagnostics) ||
        workload_arguments_open(&arguments, &source, &diagnostics)) {
        diagnostics_print(&diagnostics, stderr);
        fail_msg("%s:%s", name, parameters);
    }
    return source;
}

void refuse_program(const char *name, const char *parameters, const char *message)
{
    struct arguments arguments;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct trace_source *source;
    workload_arguments_init(&arguments, workload_find(name));
    assert_int_equal(workload_arguments_parse(&arguments, parameters, &diagnostics), STATUS_OK);
    assert_int_equal(workload_arguments_open(&arguments, &source, &diagnostics), STATUS_INVALID);
    assert_int_equal(diagnostics.errors, 1);
    assert_non_null(strstr(diagnostics.items[0].message, message));
    diagnostics_free(&diagnostics);
}

void open_trial(struct trial *trial, const char *name, const char *parameters)
{
    *trial = (struct trial){.source = open_program(name, parameters)};
    assert_int_equal(device_create(trial->source, &trial->device), STATUS_OK);
    const struct program *program = (const struct program *)trial->source;
    for (uint32_t a = 0; a < program->array_count; a++) {
        const struct trace_array *array = &program->arrays[a];
        float *memory = device_at(&trial->device, array->base, array->bytes);
        for (uint64_t i = 0; i < array->bytes / 4; i++)
            memory[i] = (float)((double)(random_at(a, i) >> 40) / (1 << 23) - 1);
    }
}

void *trial_memory(struct trial *trial, const char *name)
{
    const struct trace_array *array = program_find_array(trial->source, name);
    assert_non_null(array);
    return device_at(&trial->device, array->base, array->bytes);
}

uint64_t hash_access(uint64_t hash, enum memory_op op, enum memory_space space, unsigned bytes,
                     uint64_t address)
{
    return random_at(hash ^ address, bytes * 256 + op * 16 + space);
}

static void hash_window(uint64_t *hashes, uint32_t warp, const struct access_window *window)
{
    for (uint32_t r = 0; r < window->count; r++) {
        const struct warp_access *access = &window->items[r];
        uint64_t addresses[WARP_SIZE], *next = addresses;
        access_addresses(access, window, addresses);
        for (uint32_t left = access->mask; left; left &= left - 1) {
            uint64_t *hash = &hashes[warp * WARP_SIZE + (uint32_t)__builtin_ctz(left)];
            *hash = hash_access(*hash, access->op, access->space, access->bytes, *next++);
        }
    }
}

void hash_block(const struct trace_source *source, uint32_t launch, uint64_t block,
                uint64_t hashes[BLOCK_THREADS_MAX])
{
    struct block_reader *reader;
    struct access_window window;
    uint32_t warps = launch_warps(&source->launches[launch]);
    assert_int_equal(window_init(&window, 5), STATUS_OK);
    assert_int_equal(source->ops->open_block(source, launch, block, &reader, NULL), STATUS_OK);
    memset(hashes, 0, BLOCK_THREADS_MAX * sizeof *hashes);
    bool left = true;
    while (left) { /* read one window of each warp in turn, the last warp first */
        left = false;
        for (uint32_t warp = warps; warp-- > 0;) {
            assert_int_equal(source->ops->read(reader, warp, &window, NULL), STATUS_OK);
            assert_true(window.count || window.end);
            hash_window(hashes, warp, &window);
            left |= !window.end;
        }
    }
    source->ops->close_block(reader);
    window_free(&window);
}

static void check_block(const struct trial *trial, uint32_t launch, uint64_t block,
                        const uint64_t *hashes)
{
    static uint64_t plain[BLOCK_THREADS_MAX];
    hash_block(trial->source, launch, block, plain);
    for (uint32_t i = 0; i < BLOCK_THREADS_MAX; i++)
        if (plain[i] != hashes[i])
            fail_msg("%s: launch %u block %llu thread %u accesses on a device what it does not "
                     "without",
                     trial->source->name, launch, (unsigned long long)block, i);
}

/* The running block, and what its threads have accessed. */
struct watch {
    struct trial *trial;
    uint64_t hashes[BLOCK_THREADS_MAX];
    uint32_t launch;
    uint64_t block;
};

static void watch_window(void *context, uint32_t launch, uint64_t block, uint32_t warp,
                         const struct access_window *window)
{
    struct watch *watch = context;
    if (launch != watch->launch || block != watch->block) {
        check_block(watch->trial, watch->launch, watch->block, watch->hashes);
        memset(watch->hashes, 0, sizeof watch->hashes);
        watch->launch = launch;
        watch->block = block;
    }
    hash_window(watch->hashes, warp, window);
}

void trial_run(struct trial *trial)
{
    const struct program *program = (const struct program *)trial->source;
    for (uint32_t a = 0; a < program->array_count; a++) {
        const struct trace_array *array = &program->arrays[a];
        trial->copies[a] = malloc(array->bytes);
        assert_non_null(trial->copies[a]);
        memcpy(trial->copies[a], device_at(&trial->device, array->base, array->bytes),
               array->bytes);
    }
    struct watch *watch = calloc(1, sizeof *watch);
    assert_non_null(watch);
    watch->trial = trial;
    trial->device.observe = watch_window;
    trial->device.context = watch;
    assert_int_equal(program_run(trial->source, &trial->device, NULL), STATUS_OK);
    check_block(trial, watch->launch, watch->block, watch->hashes);
    free(watch);
}

void *trial_copy(const struct trial *trial, const char *name)
{
    const struct program *program = (const struct program *)trial->source;
    const struct trace_array *array = program_find_array(trial->source, name);
    assert_non_null(array);
    return trial->copies[array - program->arrays];
}

static void compare_array(const struct trial *trial, const struct trace_array *array,
                          const void *memory, const void *copy)
{
    const float *found = memory, *expected = copy;
    for (uint64_t i = 0; i < array->bytes / 4; i++)
        if (found[i] != expected[i] && memcmp(&found[i], &expected[i], 4)) {
            uint32_t bits[2];
            memcpy(&bits[0], &found[i], 4);
            memcpy(&bits[1], &expected[i], 4);
            fail_msg("%s: %s[%llu] is %.9g (0x%x), expected %.9g (0x%x)", trial->source->name,
                     array->name, (unsigned long long)i, (double)found[i], bits[0],
                     (double)expected[i], bits[1]);
        }
    uint64_t whole = array->bytes / 4 * 4;
    assert_memory_equal((const char *)memory + whole, (const char *)copy + whole,
                        array->bytes - whole);
}

void free_trial(struct trial *trial)
{
    for (uint32_t a = 0; a < PROGRAM_ARRAYS_MAX; a++)
        free(trial->copies[a]);
    device_free(&trial->device);
    trace_source_free(trial->source);
}

void close_trial(struct trial *trial)
{
    const struct program *program = (const struct program *)trial->source;
    for (uint32_t a = 0; a < program->array_count; a++) {
        const struct trace_array *array = &program->arrays[a];
        if (trial->copies[a])
            compare_array(trial, array, device_at(&trial->device, array->base, array->bytes),
                          trial->copies[a]);
    }
    free_trial(trial);
}
