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
 * A recipe is found by the name of its file, in the folder $WARPSCAPE_TRACES, in ./traces, and
 * among those built into the program, in this order. */
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

/* The path of a file in the first of the recipes' folders that has it, those of an installation
 * included; the name itself where none has. malloc'ed, NULL: no memory. */
char *recipe_folder_file(const char *name);

/* Opens what the recipe names, with `overrides` ("block_x=16", or "") on top of its parameters. */
enum status recipe_open(const struct recipe *recipe, const char *overrides,
                        struct trace_source **source, struct diagnostics *diagnostics);

/* The names of all recipes, sorted, each once. */
struct recipe_names {
    char **items;
    size_t count, capacity;
};
enum status recipe_list(struct recipe_names *names);
void recipe_names_free(struct recipe_names *names);
