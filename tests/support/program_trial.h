/* Runs a generated program on a device, next to copies of its arrays that plain C loops compute on.
 * A trial checks that the program computes the right values, which is how a wrong address in a
 * kernel is found. */
#pragma once

#include "workload/cuda/staged.h"

struct trial {
    struct trace_source *source;
    struct device device;
    void *copies[PROGRAM_ARRAYS_MAX];
};

/* Opens "NAME" with parameters; fails the test if it cannot. */
struct trace_source *open_program(const char *name, const char *parameters);

/* Checks that "NAME" with these parameters is refused with a single error that contains `message`.
 */
void refuse_program(const char *name, const char *parameters, const char *message);

/* Opens a program and fills its device memory with floats in [-1, 1). */
void open_trial(struct trial *trial, const char *name, const char *parameters);

/* The device memory of an array, to store other values before trial_run. */
void *trial_memory(struct trial *trial, const char *array);

/* Copies every array, runs the program, and checks that its accesses are those of a plain walk
 * through the source. */
void trial_run(struct trial *trial);

/* The copy of an array as it was before the run. */
void *trial_copy(const struct trial *trial, const char *array);

/* Call this after the plain loops: checks that every array on the device equals its copy, as floats
 * or bit by bit, and ends the trial. */
void close_trial(struct trial *trial);

/* Ends a trial without comparing. */
void free_trial(struct trial *trial);

/* Extends the hash of the accesses of a thread by one access. */
uint64_t hash_access(uint64_t hash, enum memory_op op, enum memory_space space, unsigned bytes,
                     uint64_t address);

/* The hashes of the accesses of all threads of a block, in order; `hashes` has one entry for each
 * thread. */
void hash_block(const struct trace_source *source, uint32_t launch, uint64_t block,
                uint64_t hashes[BLOCK_THREADS_MAX]);
