#include "explore/search_state.h"
enum status search_halving(struct search_state *state)
{
    return search_sample(state);
}
