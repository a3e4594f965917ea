typedef int report_is_empty;
