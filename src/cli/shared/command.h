/* The subcommands of warpscape: each is one file cmd_NAME.c and one row in COMMAND_LIST. The row is
 * the only registration: dispatch, help, completion and the manual page take it from here.
 *
 * Exit status: 0 success, 1 error, 2 wrong usage, 75 stopped before the end and can be resumed by
 * the same command. */
#pragma once

#include "base/diag.h"

/* X(name, help). The function is `int command_NAME(int argc, char **argv)`; argv[0] is the name of
 * the subcommand. Returns the exit status. */
#define COMMAND_LIST(X)                                                                            \
    X(explore, "the interactive explorer (the default on a terminal)")                             \
    X(run, "evaluate one machine on one workload")                                                 \
    X(explain, "explain a number by experiments: what limits it, which levers change it")          \
    X(diff, "find where two timed runs part, and what that costs")                                 \
    X(step, "go through a timed run cycle by cycle, forwards and backwards")                       \
    X(causes, "why a timed run took its cycles: its critical path, the cone of an event")          \
    X(area, "area, access time and energy of a machine's structures")                              \
    X(probe, "infer a memory hierarchy from micro-benchmarks")                                     \
    X(silicon, "compare with real GPUs: known kernels, or a profile, which it also fits")          \
    X(want, "the cheapest machine that satisfies a wish")                                          \
    X(sweep, "run or resume a study over a design space")                                          \
    X(submit, "run a study on a Slurm cluster")                                                    \
    X(watch, "follow the progress of sweeps, from another terminal")                               \
    X(show, "print results of a sweep")                                                            \
    X(report, "write a report of a sweep, with charts")                                            \
    X(compare, "compare two sweeps")                                                               \
    X(merge, "merge the stores of one study")                                                      \
    X(importance, "rank the axes of a sweep by importance")                                        \
    X(export, "export the best or a chosen point as a configuration")                              \
    X(reproduce, "run the experiments of a paper again")                                           \
    X(check, "check machine and study files")                                                      \
    X(convert, "convert machines from and to gpgpusim.config")                                     \
    X(machine, "make the machine of a graphics card")                                              \
    X(machines, "list the machines, and where their numbers come from")                            \
    X(trace, "inspect and import traces")                                                          \
    X(simt, "run, assemble and disassemble programs of the SIMT processor")                        \
    X(raster, "draw a scene and count the requests of its back end")                               \
    X(tile, "inspect a scene on a tile cache: maps of the frame, banks, miss queue")               \
    X(replace, "step through a replacement policy in one set")                                     \
    X(schedule, "step through the picks of a warp scheduler")                                      \
    X(workloads, "list workloads and recipes")                                                     \
    X(params, "the manual of parameters")                                                          \
    X(metrics, "the manual of metrics")                                                            \
    X(ideals, "the manual of idealisations (run --ideal)")                                         \
    X(bench, "measure the simulation speed on this computer")                                      \
    X(completion, "print a completion script for bash, zsh or fish")

#define COMMAND_DECLARATION(name, help) int command_##name(int argc, char **argv);
COMMAND_LIST(COMMAND_DECLARATION)
#undef COMMAND_DECLARATION

/* COMMAND_LIST as a table, ended by a row without a name. */
struct command {
    const char *name, *help;
    int (*run)(int argc, char **argv);
};
extern const struct command subcommands[];

/* Runs the program: picks the subcommand and returns its exit status. */
int command_main(int argc, char **argv);

/* Prints the diagnostics to stderr, frees them, and returns the exit status for `status`. */
int command_finish(enum status status, struct diagnostics *diagnostics);
