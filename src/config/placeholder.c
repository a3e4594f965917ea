typedef int config_is_empty;
