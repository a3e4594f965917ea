#include "explore/sweep/pass_head.h"

#include <math.h>

/* The least share of the source to extrapolate from: a shorter head says little about the whole. */
#define SHARE_LEAST 0.01
/* The share of a measurement in which the processor's caches and the pages of memory still fill. */
#define SHARE_COLD 0.25

/* By how much what is said at two checks may differ. */
#define SAID_APART 0.2

/* Compares what the head says with what it said when it was half as long. */
static void check_head(struct pass_head *head, double spent)
{
    const double says = pass_head_seconds(head);
    head->agreed = !head->alone || (head->said > 0 && fabs(says - head->said) <= SAID_APART * says);
    head->said = says;
    head->check = 2 * spent;
}

bool pass_head_report(struct pass_head *head, double now, double share)
{
    if (share <= 0)
        return false;
    head->now = now;
    head->share = share;
    head->first = head->first > 0 ? head->first : now;
    const double spent = now - head->first;
    if (spent <= SHARE_COLD * head->most) {
        head->begin = now;
        head->begin_share = share;
    }
    if (spent >= fmax(head->check, head->most / 2))
        check_head(head, spent);
    const bool is_long = head->share - head->begin_share >= SHARE_LEAST;
    return spent > head->most && ((is_long && head->agreed) || spent > head->longest);
}

double pass_head_seconds(const struct pass_head *head)
{
    const double share = head->share - head->begin_share, spent = head->now - head->start;
    if (share > 0)
        return spent + (1 - head->share) * (head->now - head->begin) / share;
    return head->share > 0 ? spent / head->share : 0;
}
