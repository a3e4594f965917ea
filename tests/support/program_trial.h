/* A generated program on a device, beside copies of its arrays for plain loops to work on. */
#pragma once

#include "workload/cuda/staged.h"

struct trial {
    struct trace_source *source;
    struct device device;
    void *copies[PROGRAM_ARRAYS_MAX];
};

/* Opens "NAME" with parameters; fails the test where that fails. */
struct trace_source *open_program(const char *name, const char *parameters);

/* "NAME" with parameters must be refused, with one error that holds `message`. */
void refuse_program(const char *name, const char *parameters, const char *message);

/* Opens a program with device memory full of floats in [-1, 1). */
void open_trial(struct trial *trial, const char *name, const char *parameters);

/* Device memory of an array, to put other values there before trial_run. */
void *trial_memory(struct trial *trial, const char *array);

/* Copies every array, runs the program and checks that its accesses are those of a plain walk. */
void trial_run(struct trial *trial);

/* The copy of an array as it was before the run. */
void *trial_copy(const struct trial *trial, const char *array);

/* After the plain loops: every array on the device equals its copy, as floats or in bits. */
void close_trial(struct trial *trial);

/* Ends a trial without a comparison. */
void free_trial(struct trial *trial);

/* The hash of a thread's accesses and one more. */
uint64_t hash_access(uint64_t hash, enum memory_op op, enum memory_space space, unsigned bytes,
                     uint64_t address);

/* The hash of what every thread of a block accesses, in order; `hashes` has an entry a thread. */
void hash_block(const struct trace_source *source, uint32_t launch, uint64_t block,
                uint64_t hashes[BLOCK_THREADS_MAX]);
