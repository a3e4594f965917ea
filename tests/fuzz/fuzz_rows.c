/* Any bytes as measured rows: errors, or rows whose numbers are finite. Built by `./dev fuzz`. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "explore/papers/row_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = memfd_create("rows", 0);
    char path[64];
    struct row_file rows = {0};
    if (fd >= 0 && write(fd, data, size) == (ssize_t)size) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        if (!row_file_read(path, NULL, &rows, NULL)) {
            if (!rows.count)
                abort();
            for (size_t i = 0; i < rows.count; i++)
                for (size_t k = 0; k < rows.width; k++)
                    if (isinf(row_measured(&rows, i, k)))
                        abort();
            row_file_free(&rows);
        }
    }
    if (fd >= 0)
        close(fd);
    return 0;
}
