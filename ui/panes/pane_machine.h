/* The Machine pane: the parameters of the machine, in groups that fold. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "schema/parameters.h"
#include "ui/panes/list.h"

struct explorer;

struct machine_row {
    const struct parameter *parameter; /* NULL: the heading of a group */
    int group;                         /* index into groups; -1: no group */
    int depth;
};

struct machine_group {
    char prefix[32];
    int parent; /* -1: none */
    int depth;
    bool folded;
};

struct machine_pane {
    struct list list;
    struct machine_row *rows;
    int count;
    size_t capacity;
    struct machine_group *groups;
    int group_count;
    size_t group_capacity;
};

enum status machine_pane_init(struct explorer *explorer);
void machine_pane_free(struct machine_pane *pane);
void machine_pane_fold(struct explorer *explorer, bool all);
/* Unfolds the groups that hide a parameter, and selects it. False: it is not relevant to this
 * machine. */
bool machine_pane_select(struct explorer *explorer, const struct parameter *parameter);
/* Whether there is a row of it that no group hides. */
bool machine_pane_lists(const struct explorer *explorer, const struct parameter *parameter);
/* The selected parameter, or NULL. */
const struct parameter *explorer_parameter(const struct explorer *explorer);
