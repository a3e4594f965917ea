#include "support/shared_pass.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void *share_pass(void *argument)
{
    struct shared_pass *pass = argument;
    if (!atomic_exchange(&pass->begun, true))
        pass->status = evaluate_many(pass->machines, pass->count, pass->source, pass->options,
                                     pass->metrics, NULL);
    pass_pool_done(pass->options->pool);
    return NULL;
}

void shared_pass_run(struct shared_pass *pass, unsigned threads)
{
    pthread_t others[8];
    for (unsigned t = 0; t < threads; t++)
        pass_pool_join(pass->options->pool);
    for (unsigned t = 1; t < threads; t++)
        assert_int_equal(pthread_create(&others[t], NULL, share_pass, pass), 0);
    share_pass(pass);
    for (unsigned t = 1; t < threads; t++)
        pthread_join(others[t], NULL);
    assert_int_equal(pass->status, STATUS_OK);
}
