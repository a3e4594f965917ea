/* A miss bypasses where it would have to wait for a line, because every line of its set is
 * reserved for data in flight: the bypassing half of MRPB (Jia, Shaw and Martonosi, HPCA 2014),
 * without its queues. */
#include "model/bypass/bypass_member.h"

static enum bypass_verdict on_fail_ask(struct bypass *bypass, const struct bypass_access *access,
                                       struct bypass_choice *choice)
{
    (void)bypass, (void)access;
    return choice->way == BYPASS_NO_LINE ? BYPASS_PASS : BYPASS_ALLOCATE;
}

const struct bypass_kind bypass_on_fail = {
    .name = "on_fail", .size = sizeof(struct bypass), .ask = on_fail_ask};
