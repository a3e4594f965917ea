#include "model/timing/base/team.h"

#include <sched.h>

/* How often a helper looks for work before it lets others have its processor, and before it sleeps:
 * a few microseconds, and some hundreds. */
enum { LOOKS_AWAKE = 200, LOOKS = 1000 };

static inline void relax(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

static inline uint64_t claims_of(uint32_t loop, uint32_t first, uint32_t end)
{
    return (uint64_t)loop << 32 | first << 16 | end;
}

void team_init(struct team *team, uint32_t threads)
{
    *team = (struct team){.helpers = threads - 1};
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->wake, NULL);
}

void team_free(struct team *team)
{
    pthread_cond_destroy(&team->wake);
    pthread_mutex_destroy(&team->lock);
}

static inline uint32_t first_of(uint64_t claims)
{
    return claims >> 16 & UINT16_MAX;
}

static inline uint32_t end_of(uint64_t claims)
{
    return claims & UINT16_MAX;
}

/* Claims an item of the loop that `claims` was read from; false if it has none left. */
static bool claim(struct team *team, uint64_t *claims, bool back, uint32_t *item)
{
    const uint32_t loop = (uint32_t)(*claims >> 32);
    while (*claims >> 32 == loop && first_of(*claims) < end_of(*claims)) {
        const uint32_t first = first_of(*claims), end = end_of(*claims);
        const uint64_t left =
            back ? claims_of(loop, first, end - 1) : claims_of(loop, first + 1, end);
        if (atomic_compare_exchange_weak(&team->claims, claims, left)) {
            *item = back ? end - 1 : first;
            *claims = left;
            return true;
        }
    }
    return false;
}

static void wake(struct team *team)
{
    if (!atomic_load(&team->sleeping))
        return;
    pthread_mutex_lock(&team->lock);
    pthread_cond_broadcast(&team->wake);
    pthread_mutex_unlock(&team->lock);
}

void team_run(struct team *team, uint32_t count, team_function function, void *context)
{
    uint32_t item;
    if (!team->helpers || count < 2) {
        for (item = 0; item < count; item++)
            function(context, item);
        return;
    }
    atomic_store_explicit(&team->function, function, memory_order_relaxed);
    atomic_store_explicit(&team->context, context, memory_order_relaxed);
    atomic_store_explicit(&team->finished, 0, memory_order_relaxed);
    uint64_t claims = claims_of(++team->loops, 0, count);
    atomic_store(&team->claims, claims);
    wake(team);
    uint32_t own = 0;
    for (; claim(team, &claims, false, &item); own++)
        function(context, item);
    for (uint32_t looks = 0; atomic_load(&team->finished) + own < count; looks++)
        if (looks < LOOKS_AWAKE)
            relax();
        else
            sched_yield();
}

void team_end(struct team *team)
{
    atomic_store(&team->over, true);
    wake(team);
}

/* Runs what can be claimed of the present loop; returns whether that was anything. */
static bool help_once(struct team *team)
{
    uint64_t claims = atomic_load(&team->claims);
    const team_function function = atomic_load_explicit(&team->function, memory_order_relaxed);
    void *context = atomic_load_explicit(&team->context, memory_order_relaxed);
    uint32_t item;
    bool any = false;
    for (; claim(team, &claims, true, &item); any = true) {
        function(context, item);
        atomic_fetch_add(&team->finished, 1);
    }
    return any;
}

static bool has_work(struct team *team)
{
    const uint64_t claims = atomic_load(&team->claims);
    return atomic_load(&team->over) || first_of(claims) < end_of(claims);
}

static void sleep_until_work(struct team *team)
{
    pthread_mutex_lock(&team->lock);
    atomic_fetch_add(&team->sleeping, 1);
    while (!has_work(team))
        pthread_cond_wait(&team->wake, &team->lock);
    atomic_fetch_sub(&team->sleeping, 1);
    pthread_mutex_unlock(&team->lock);
}

void team_help(struct team *team)
{
    uint32_t looks = 0;
    while (!atomic_load(&team->over)) {
        if (help_once(team))
            looks = 0;
        else if (++looks < LOOKS_AWAKE)
            relax();
        else if (looks < LOOKS)
            sched_yield();
        else
            sleep_until_work(team);
    }
}
