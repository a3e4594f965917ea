/* Files are there as a whole or as they were before, whatever goes wrong; devices, pipes and links
 * stay what they are. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/output_file.h"
#include "support/temporary.h"

/* Both ways to make a file: without a name, and with a hidden one. */
static const unsigned ways[] = {0, OUTPUT_HIDDEN_NAME};
#define EACH_WAY(way) for (size_t i_ = 0; i_ < 2 && ((way) = ways[i_], true); i_++)

static enum status put(const char *path, const char *text, unsigned options)
{
    return output_file_write(path, text, strlen(text), options, NULL);
}

static void assert_text(const char *path, const char *expected)
{
    char text[64] = "";
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    (void)!fread(text, 1, sizeof text - 1, in);
    fclose(in);
    assert_string_equal(text, expected);
}

/* How many names the folder has; a new folder has none. */
static unsigned names(void)
{
    DIR *folder = opendir(temporary_folder);
    unsigned count = 0;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        count += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
    closedir(folder);
    return count;
}

static int fresh_folder(void **state)
{
    temporary_clear(state);
    return temporary_make(state);
}

static void test_new_and_replaced(void **state)
{
    (void)state;
    char path[TEMPORARY_PATH];
    unsigned way;
    EACH_WAY(way)
    {
        struct stat there;
        temporary_path(temporary_folder, "file", path);
        assert_int_equal(put(path, "old", way), STATUS_OK);
        assert_int_equal(put(path, "new", way), STATUS_CONFLICT);
        assert_text(path, "old");
        assert_int_equal(chmod(path, 0640), 0);
        assert_int_equal(put(path, "new", way | OUTPUT_REPLACE), STATUS_OK);
        assert_text(path, "new");
        assert_int_equal(stat(path, &there), 0);
        assert_int_equal(there.st_mode & 07777, 0640);
        assert_int_equal(names(), 1);
        unlink(path);
    }
}

static void test_umask(void **state)
{
    (void)state;
    char path[TEMPORARY_PATH];
    unsigned way;
    const mode_t before = umask(027);
    EACH_WAY(way)
    {
        struct stat there;
        assert_int_equal(put(temporary_path(temporary_folder, "file", path), "x", way), STATUS_OK);
        assert_int_equal(stat(path, &there), 0);
        assert_int_equal(there.st_mode & 07777, 0640);
        unlink(path);
    }
    umask(before);
}

static void test_dropped(void **state)
{
    (void)state;
    char path[TEMPORARY_PATH];
    unsigned way;
    temporary_file(temporary_folder, "file", "old", 0, path);
    EACH_WAY(way)
    {
        struct output_file file;
        assert_int_equal(output_file_open(path, way | OUTPUT_REPLACE, &file, NULL), STATUS_OK);
        fputs("half of the n", file.stream);
        output_file_drop(&file);
        assert_text(path, "old");
        assert_int_equal(names(), 1);
    }
}

/* One that appears between opening and the end is nobody's to replace. */
static void test_taken_meanwhile(void **state)
{
    (void)state;
    char path[TEMPORARY_PATH];
    unsigned way;
    EACH_WAY(way)
    {
        struct output_file file;
        temporary_path(temporary_folder, "file", path);
        assert_int_equal(output_file_open(path, way, &file, NULL), STATUS_OK);
        fputs("ours", file.stream);
        temporary_file(temporary_folder, "file", "theirs", 0, path);
        assert_int_equal(output_file_commit(&file, NULL), STATUS_CONFLICT);
        assert_text(path, "theirs");
        assert_int_equal(names(), 1);
        unlink(path);
    }
}

static void test_links(void **state)
{
    (void)state;
    char path[TEMPORARY_PATH], link[TEMPORARY_PATH], second[TEMPORARY_PATH];
    unsigned way;
    temporary_path(temporary_folder, "file", path);
    assert_int_equal(symlink("file", temporary_path(temporary_folder, "link", link)), 0);
    assert_int_equal(symlink(link, temporary_path(temporary_folder, "second", second)), 0);
    EACH_WAY(way)
    {
        struct stat there;
        assert_int_equal(put(second, "through two links", way), STATUS_OK); /* to nothing yet */
        assert_text(path, "through two links");
        assert_int_equal(put(link, "again", way | OUTPUT_REPLACE), STATUS_OK);
        assert_text(path, "again");
        assert_int_equal(lstat(link, &there), 0);
        assert_true(S_ISLNK(there.st_mode));
        assert_int_equal(lstat(path, &there), 0);
        assert_true(S_ISREG(there.st_mode));
        assert_int_equal(names(), 3);
        unlink(path);
    }
    assert_int_equal(symlink("loop", temporary_path(temporary_folder, "loop", path)), 0);
    assert_int_equal(put(path, "x", OUTPUT_REPLACE), STATUS_IO);
}

/* A limit on the size of files is a full disk without a disk. */
static void test_full_disk(void **state)
{
    (void)state;
    char path[TEMPORARY_PATH], text[9000];
    unsigned way;
    struct rlimit before;
    memset(text, 'x', sizeof text);
    temporary_file(temporary_folder, "file", "old", 0, path);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    EACH_WAY(way)
    {
        struct output_file file;
        const struct rlimit limit = {8000, before.rlim_max};
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        assert_int_equal(
            output_file_write(path, text, sizeof text, way | OUTPUT_REPLACE, &diagnostics),
            STATUS_IO);
        assert_int_equal(output_file_open(path, way | OUTPUT_REPLACE, &file, NULL), STATUS_OK);
        (void)!fwrite(text, 1, sizeof text, file.stream);
        assert_int_equal(output_file_commit(&file, NULL), STATUS_IO);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_non_null(strstr(diagnostics_first(&diagnostics, STATUS_IO), strerror(EFBIG)));
        diagnostics_free(&diagnostics);
        assert_text(path, "old");
        assert_int_equal(names(), 1);
    }
}

static void test_devices(void **state)
{
    (void)state;
    struct stat there;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(put("/dev/null", "gone", OUTPUT_NEW), STATUS_OK);
    assert_int_equal(output_file_write("/dev/full", "x", 1, OUTPUT_REPLACE, &diagnostics),
                     STATUS_IO);
    assert_non_null(strstr(diagnostics_first(&diagnostics, STATUS_IO), strerror(ENOSPC)));
    diagnostics_free(&diagnostics);
    assert_int_equal(put("/dev/null", "x", OUTPUT_FILES_ONLY), STATUS_IO);
    assert_int_equal(stat("/dev/full", &there), 0);
    assert_true(S_ISCHR(there.st_mode));
    assert_int_equal(put(temporary_folder, "x", OUTPUT_REPLACE), STATUS_IO);
    assert_int_equal(put("/nowhere/at/all", "x", OUTPUT_NEW), STATUS_NOT_FOUND);
}

static void test_pipes(void **state)
{
    (void)state;
    char path[TEMPORARY_PATH], name[32], text[8] = "";
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[1]);
    assert_int_equal(put(name, "pipe", OUTPUT_NEW), STATUS_OK);
    assert_int_equal(read(ends[0], text, sizeof text), 4);
    assert_string_equal(text, "pipe");
    close(ends[0]);
    close(ends[1]);
    /* Nobody reads this one, and it must not be waited for. */
    assert_int_equal(mkfifo(temporary_path(temporary_folder, "fifo", path), 0600), 0);
    assert_int_equal(put(path, "x", OUTPUT_REPLACE | OUTPUT_FILES_ONLY), STATUS_IO);
    struct stat there;
    assert_int_equal(stat(path, &there), 0);
    assert_true(S_ISFIFO(there.st_mode));
}

/* A file that the shell opened as standard output goes on where it is. */
static void test_open_descriptor(void **state)
{
    (void)state;
    char path[TEMPORARY_PATH], name[32];
    const int fd = open(temporary_path(temporary_folder, "file", path), O_CREAT | O_RDWR, 0600);
    assert_int_equal(write(fd, "first ", 6), 6);
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    assert_int_equal(put(name, "second ", OUTPUT_NEW), STATUS_OK);
    assert_int_equal(write(fd, "third", 5), 5);
    close(fd);
    assert_text(path, "first second third");
}

/* A process that is killed in the middle leaves the old file and nothing else. */
static void test_killed(void **state)
{
    (void)state;
    char path[TEMPORARY_PATH];
    int status;
    temporary_file(temporary_folder, "file", "old", 0, path);
    const pid_t child = fork();
    if (!child) {
        struct output_file file;
        if (!output_file_open(path, OUTPUT_REPLACE, &file, NULL)) {
            fputs("half of the n", file.stream);
            fflush(file.stream);
            if (file.unfinished) /* this file system has no files without names */
                unlink(file.unfinished);
            raise(SIGKILL);
        }
        _exit(1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_text(path, "old");
    assert_int_equal(names(), 1);
}

int main(void)
{
#define FRESH(test) cmocka_unit_test_setup(test, fresh_folder)
    const struct CMUnitTest tests[] = {
        FRESH(test_new_and_replaced), FRESH(test_umask), FRESH(test_dropped),
        FRESH(test_taken_meanwhile),  FRESH(test_links), FRESH(test_full_disk),
        FRESH(test_devices),          FRESH(test_pipes), FRESH(test_open_descriptor),
        FRESH(test_killed),
    };
    return cmocka_run_group_tests(tests, temporary_make, temporary_clear);
}
