/* Recipes: YAML files that give a workload with parameters, or a trace file, a name.
 *
 *     name: gemm-128
 *     help: GEMM small enough to answer at once
 *     workload: GEMM            # a program of this version ...
 *     parameters: {n: 128}
 *     file: bfs.wtr             # ... or a trace file, relative to the recipe's folder
 *     digest: 0123...           # of the stream; opening fails where it differs
 *     origin: where the program or the trace comes from
 *     licence: of the trace
 *
 * A recipe is found by the name of its file, in the user's folders of traces (base/data_files.h)
 * and then among those built into the program. */
#pragma once

#include "workload/arguments.h"

struct recipe {
    char *name, *help, *origin, *licence, *digest; /* help, origin, licence: "" where not given */
    char *path;                 /* of the YAML file; NULL: built into the program */
    char *file;                 /* the trace file as it is written; NULL: a program */
    struct arguments arguments; /* of a program */
};

/* Reads the recipe file at `path`. Every mistake in it is a diagnostic. */
enum status recipe_load(const char *path, struct recipe *recipe, struct diagnostics *diagnostics);

/* Finds a recipe by name; STATUS_NOT_FOUND without a diagnostic where there is none. */
enum status recipe_find(const char *name, struct recipe *recipe, struct diagnostics *diagnostics);

void recipe_free(struct recipe *recipe);

/* Opens what the recipe names, with `overrides` ("block_x=16", or "") on top of its parameters. */
enum status recipe_open(const struct recipe *recipe, const char *overrides,
                        struct trace_source **source, struct diagnostics *diagnostics);
