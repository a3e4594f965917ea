/* An explanation as JSON (docs/FORMATS.md, "The JSON of explain"), for explain_report.c. */
#pragma once

#include "report/runs/explain_report.h"

enum status explain_json(const struct explain_report *report, FILE *out);
