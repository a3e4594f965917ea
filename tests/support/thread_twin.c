#include "support/thread_twin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/program_trial.h"

void touch_bytes(struct thread *thread, enum memory_op op, const char *array, uint64_t offset,
                 unsigned bytes)
{
    const struct trace_array *found = program_find_array(thread->source, array);
    assert_non_null(found);
    assert_true(offset + bytes <= found->bytes);
    thread->hash = hash_access(thread->hash, op, SPACE_GLOBAL, bytes, found->base + offset);
}

void touch_space(struct thread *thread, enum memory_op op, enum memory_space space, unsigned bytes,
                 uint64_t address)
{
    thread->hash = hash_access(thread->hash, op, space, bytes, address);
}

void touch(struct thread *thread, enum memory_op op, const char *array, int64_t index)
{
    touch_bytes(thread, op, array, (uint64_t)index * 4, 4);
}

void load(struct thread *thread, const char *array, int64_t index)
{
    touch(thread, OP_LOAD, array, index);
}

void store(struct thread *thread, const char *array, int64_t index)
{
    touch(thread, OP_STORE, array, index);
}

void check_twin(const struct trace_source *source, struct sizes n, void (*run)(struct thread *))
{
    static uint64_t hashes[BLOCK_THREADS_MAX];
    for (uint32_t launch = 0; launch < source->launch_count; launch++) {
        const struct trace_launch *shape = &source->launches[launch];
        for (uint64_t block = 0; block < launch_blocks(shape); block++) {
            hash_block(source, launch, block, hashes);
            for (uint32_t i = 0; i < launch_threads(shape); i++) {
                struct thread thread = {
                    source,
                    n,
                    launch,
                    (int64_t)(block % shape->grid[0] * shape->block[0] + i % shape->block[0]),
                    (int64_t)(block / shape->grid[0] * shape->block[1] * shape->block[2] +
                              i / shape->block[0]),
                    0};
                run(&thread);
                if (thread.hash != hashes[i])
                    fail_msg("%s: launch %u block %llu thread %u", source->name, launch,
                             (unsigned long long)block, i);
            }
        }
    }
}
