typedef int trace_is_empty;
