/* What a test of MUM needs besides the stream. */
#pragma once

#include "workload/cuda/program.h"
#include "workload/cuda/suffix_tree.h"

enum { MUM_QUERY_LENGTH = 25, MUM_MATCH_MIN = 20, MUM_STARTS = 6, MUM_QUERY_BYTES = 27 };

const struct suffix_tree *mum_tree(const struct trace_source *source);

/* The queries, MUM_QUERY_BYTES each: 'q', the letters, 0. */
const char *mum_queries(const struct trace_source *source);
