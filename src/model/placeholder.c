typedef int model_is_empty;
