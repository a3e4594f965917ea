/* Any bytes as a profile of ncu or nvprof: an error or a profile whose values belong to its
 * counters. Built by `./dev fuzz`. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = memfd_create("profile", 0);
    char path[64];
    struct profile profile;
    if (fd >= 0 && write(fd, data, size) == (ssize_t)size) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        if (!profile_read(path, &profile, NULL)) {
            size_t values = 0;
            for (size_t i = 0; i < profile.launch_count; i++)
                for (size_t k = 0; k < profile.launches[i].count; k++, values++)
                    if (profile.launches[i].values[k].counter >= profile.counter_count)
                        abort();
            if (!values)
                abort();
            profile_free(&profile);
        }
    }
    if (fd >= 0)
        close(fd);
    return 0;
}
