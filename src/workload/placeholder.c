typedef int workload_is_empty;
