#include "explore/search_state.h"
enum status search_pruned(struct search_state *state)
{
    return search_sample(state);
}
