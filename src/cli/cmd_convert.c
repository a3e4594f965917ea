#include <stdio.h>

#include "cli/command.h"

int command_convert(int argc, char **argv)
{
    (void)argc;
    fprintf(stderr, "%s: not built yet\n", argv[0]);
    return 1;
}
