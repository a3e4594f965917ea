/* What a file is that someone names without saying so, by what it holds: `warpscape FILE` opens
 * machines, studies, stores, papers, profiles, recipes and traces alike.
 *
 * Whatever is none of the others is taken for a trace, whose reader says what it finds. */
#pragma once

enum file_kind {
    FILE_MACHINE, /* also what is no file: the name of a machine */
    FILE_STUDY,
    FILE_STORE,
    FILE_PAPER,
    FILE_PROFILE,
    FILE_WORKLOAD
};

enum file_kind file_kind(const char *path);
