typedef int explore_is_empty;
