/* An experiment (config/experiment_file.h) printed: how many claims got which verdict, the claims
 * beside ours, readings of the paper by their distance from its numbers, and the tables and figures
 * that the file describes. The report only formats; explore/papers runs and judges. */
#pragma once

#include <stdio.h>

#include "explore/papers/experiment_claims.h"
#include "report/drawing/page.h"

struct experiment_report;

/* Reads what is to be printed: one table, or everything (`table` NULL), and asks the terms for it.
 * The tables `numbers` and `readings` are those of the claims. STATUS_NOT_FOUND names the nearest
 * table. */
enum status experiment_report_create(const struct experiment *experiment,
                                     const struct experiment_runs *runs,
                                     struct experiment_terms *terms, const char *table,
                                     struct experiment_report **report,
                                     struct diagnostics *diagnostics);
void experiment_report_free(struct experiment_report *report); /* NULL is allowed */

/* Judges the claims and prints, once the runs are made and the values known: the whole report for
 * people, or what was chosen in any format. */
enum status experiment_report_print(struct experiment_report *report, enum glyphs glyphs, FILE *out,
                                    struct diagnostics *diagnostics);
enum status experiment_report_table(struct experiment_report *report, enum table_format format,
                                    FILE *out, struct diagnostics *diagnostics);

/* The whole report as a document, with figures as charts. */
enum status experiment_report_page(struct experiment_report *report, enum page_format format,
                                   FILE *out, struct diagnostics *diagnostics);

/* The names of the tables, "numbers" first, for lists: the n-th, or NULL. */
const char *experiment_table_name(const struct experiment *experiment, size_t n);
