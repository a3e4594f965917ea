typedef int ui_is_empty;
