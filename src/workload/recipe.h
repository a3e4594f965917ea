/* Recipes: YAML files that name a trace file, or a workload and its parameters.
 *
 *     name: gemm-128
 *     help: GEMM small enough to answer at once
 *     workload: GEMM            # a program of this version ...
 *     parameters: {n: 128}
 *     file: bfs.wtr             # ... or a trace file, relative to the recipe's folder
 *     assume: serial            # of a trace that knows no instructions (trace/assumed.h)
 *     digest: 0123...           # of the stream; opening fails if it differs
 *     origin: where the program or the trace comes from
 *     licence: of the trace
 *
 * A recipe is found by the name of its file: first in the user's trace folders (base/data_files.h),
 * then among the recipes built into the program. */
#pragma once

#include "workload/arguments.h"

struct recipe {
    char *name, *help, *origin, *licence, *digest; /* name: by default that of the file; help,
                                                    * origin, licence: "" by default; digest may
                                                    * be NULL */
    char *path; /* of the YAML file; NULL: built into the program */
    char *file; /* the trace file as the recipe spells it; NULL: a program */
    enum assumed_dependences assumed;
    struct arguments arguments; /* of a program */
};

/* Reads the recipe file at `path`. Reports every mistake in it. */
enum status recipe_load(const char *path, struct recipe *recipe, struct diagnostics *diagnostics);

/* Finds a recipe by name. If there is none, returns STATUS_NOT_FOUND and reports nothing. */
enum status recipe_find(const char *name, struct recipe *recipe, struct diagnostics *diagnostics);

void recipe_free(struct recipe *recipe);

/* Opens the stream of a recipe. `overrides` ("block_x=16", or "") replace its parameters, and
 * then its digest is not checked. STATUS_CORRUPT if the digest of the stream is not that of the
 * recipe. */
enum status recipe_open(const struct recipe *recipe, const char *overrides,
                        struct trace_source **source, struct diagnostics *diagnostics);
