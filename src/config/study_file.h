/* Studies in YAML:
 *
 *     machine: gtx480                 # built in, or a file beside the study
 *     set: {l1d.mshr.entries: 32}     # changes to that machine
 *     depth: reuse                    # or functional; left out: what the metrics need
 *     workloads: [2DCONV:n=512, conv2d-512]
 *     axes:                           # parameter: its values
 *       l1d.size: {from: 4KiB, to: 64KiB, factor: 2}
 *       l1d.ways: {from: 1, to: 16, step: 1}
 *       l1d.line: [64B, 128B]
 *       l1d.replacement: all          # every choice of an enum or switch
 *     where: [l1d.size <= 32768]      # SQL over parameters; what fails is not evaluated
 *     filters: [l1d.area < 0.5]       # SQL over parameters and metrics
 *     objectives:                     # metrics, with a direction where the table has none
 *       - l1d.miss_rate: minimize
 *       - total.area
 *     metrics: [l1d.accesses]         # further result columns
 *     search: {random: {points: 500}} # schema/search.h; left out: exhaustive
 *     seed: 1
 *
 * A range without step and factor takes the parameter's own steps. Conditions are kept as text with
 * their line; explore/ checks them. */
#pragma once

#include "config/document.h"
#include "schema/study.h"

enum { AXIS_VALUES_MAX = 65536 };

/* On an error *study owns nothing; every problem of the file, and of the machine's, is reported. */
enum status study_load(const char *path, struct study *study, struct diagnostics *diagnostics);
enum status study_from_document(const struct document *document, const char *base_folder,
                                struct study *study, struct diagnostics *diagnostics);

/* True where the keys are a study's rather than a machine's. */
bool document_is_study(const struct document *document);

/* The study as YAML that study_load reads back; *text is malloc'ed. */
enum status study_to_yaml(const struct study *study, char **text);
