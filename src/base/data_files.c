#include "base/data_files.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/memory.h"

static const struct {
    const char *folder;   /* below a root */
    const char *variable; /* names another folder, which comes first */
} kinds[] = {[DATA_MACHINES] = {"configs/machines", NULL},
             [DATA_STUDIES] = {"configs/studies", NULL},
             [DATA_EXPERIMENTS] = {"configs/experiments", NULL},
             [DATA_TRACES] = {"traces", "WARPSCAPE_TRACES"}};

char *home_file(const char *variable, const char *below, const char *name)
{
    const char *chosen = getenv(variable), *home = getenv("HOME");
    const char *join = *name ? "/" : "";
    char *path = NULL;
    int length = -1;
    if (chosen && *chosen == '/') /* the XDG specification says to ignore a relative path */
        length = asprintf(&path, "%s/warpscape%s%s", chosen, join, name);
    else if (home && *home == '/')
        length = asprintf(&path, "%s/%s/warpscape%s%s", home, below, join, name);
    return length < 0 ? NULL : path;
}

void folders_make(const char *path)
{
    char *folder = strdup(path);
    for (char *at = folder; at && (at = strchr(at + 1, '/'));) {
        *at = '\0';
        (void)mkdir(folder, 0700);
        *at = '/';
    }
    free(folder);
}

bool file_exists(const char *path)
{
    struct stat information;
    return !stat(path, &information) && !S_ISDIR(information.st_mode);
}

bool folder_exists(const char *path)
{
    struct stat information;
    return !stat(path, &information) && S_ISDIR(information.st_mode);
}

/* Whether a folder holds all of our folders. A test by one of them would take "/usr" for a root. */
static bool is_root(const char *folder)
{
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        int length = snprintf(path, sizeof path, "%s/%s", folder, kinds[i].folder);
        if (length < 0 || (size_t)length >= sizeof path || !folder_exists(path))
            return false;
    }
    return true;
}

/* Finds the files that come with the program relative to the running binary, so that an
 * installation can be moved: ../share/warpscape first, else the nearest source tree above the
 * binary. */
static bool find_program_root(char root[PATH_MAX])
{
    static const char share[] = "share/warpscape";
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - sizeof share - 1);
    if (length <= 0)
        return false;
    program[length] = '\0';
    enum { LEVELS = 4 }; /* source/build/preset/tests/program */
    for (int level = 0; level <= LEVELS; level++) {
        char *slash = strrchr(program, '/');
        if (!slash || slash == program)
            return false;
        *slash = '\0';
        if (level == 1 && snprintf(root, PATH_MAX, "%s/%s", program, share) < PATH_MAX &&
            is_root(root))
            return true;
        if (is_root(program)) {
            strcpy(root, program);
            return true;
        }
    }
    return false;
}

/* The root folders in order: "" is the working folder, the others end with "/". The struct takes 12
 * KiB, so callers allocate it. */
struct roots {
    char items[3][PATH_MAX];
    size_t count;
};

static void find_roots(enum data_scope scope, struct roots *roots)
{
    roots->items[0][0] = '\0';
    roots->count = 1;
    char *home = home_file("XDG_DATA_HOME", ".local/share", "");
    if (home && strlen(home) < PATH_MAX - 1)
        sprintf(roots->items[roots->count++], "%s/", home);
    free(home);
    if (scope == DATA_ALL && find_program_root(roots->items[roots->count])) {
        char *root = roots->items[roots->count];
        if (strlen(root) < PATH_MAX - 1) {
            strcat(root, "/");
            roots->count++;
        }
    }
}

/* Looks for "first/second/name" and then "first/second/name.yaml". *path stays NULL if neither is a
 * file. */
static enum status try_file(const char *first, const char *second, const char *name, char **path)
{
    static const char *const extensions[] = {"", ".yaml"};
    const char *join = *second ? "/" : "";
    for (size_t i = 0; i < 2; i++) {
        if (asprintf(path, "%s%s%s%s%s", first, second, join, name, extensions[i]) < 0) {
            *path = NULL;
            return STATUS_MEMORY;
        }
        if (file_exists(*path))
            return STATUS_OK;
        free(*path);
        *path = NULL;
    }
    return STATUS_OK;
}

/* The folder that the environment names for this kind, or NULL if it names none. */
static const char *chosen_folder(enum data_kind kind)
{
    const char *chosen = kinds[kind].variable ? getenv(kinds[kind].variable) : NULL;
    return chosen && *chosen ? chosen : NULL;
}

enum status data_file_find(enum data_kind kind, enum data_scope scope, const char *name,
                           char **path)
{
    *path = NULL;
    if (!*name)
        return STATUS_OK;
    enum status status = try_file("", "", name, path);
    /* A name with a leading "/", "./" or "../" means that very file, so no other folder may answer
     * for it. */
    bool very = *name == '/' || !strncmp(name, "./", 2) || !strncmp(name, "../", 3);
    if (status || *path || very)
        return status;
    const char *chosen = chosen_folder(kind);
    if (chosen)
        status = try_file("", chosen, name, path);
    struct roots *roots = status || *path ? NULL : malloc(sizeof *roots);
    if (!roots)
        return *path ? STATUS_OK : STATUS_MEMORY;
    find_roots(scope, roots);
    for (size_t i = 0; i < roots->count && !status && !*path; i++) {
        status = try_file(roots->items[i], kinds[kind].folder, name, path);
        if (!status && !*path)
            status = try_file(roots->items[i], "", name, path);
    }
    free(roots);
    return status;
}

/* ---- lists ---- */

static enum status add_name(struct data_names *names, const char *name, size_t length)
{
    for (size_t i = 0; i < names->count; i++)
        if (strlen(names->items[i]) == length && !strncmp(names->items[i], name, length))
            return STATUS_OK;
    if (array_reserve(&names->items, &names->capacity, names->count + 1))
        return STATUS_MEMORY;
    names->items[names->count] = strndup(name, length);
    return names->items[names->count] ? names->count++, STATUS_OK : STATUS_MEMORY;
}

static enum status add_folder(struct data_names *names, const char *folder)
{
    enum status status = STATUS_OK;
    DIR *directory = opendir(folder);
    struct dirent *entry;
    while (directory && !status && (entry = readdir(directory))) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot && dot != entry->d_name && !strcmp(dot, ".yaml"))
            status = add_name(names, entry->d_name, (size_t)(dot - entry->d_name));
    }
    if (directory)
        closedir(directory);
    return status;
}

static enum status add_roots(struct data_names *names, enum data_kind kind)
{
    enum status status = STATUS_OK;
    struct roots *roots = malloc(sizeof *roots);
    if (!roots)
        return STATUS_MEMORY;
    find_roots(DATA_OWN, roots);
    for (size_t i = 0; i < roots->count && !status; i++) {
        char folder[PATH_MAX + 32];
        snprintf(folder, sizeof folder, "%s%s", roots->items[i], kinds[kind].folder);
        status = add_folder(names, folder);
    }
    free(roots);
    return status;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

enum status data_names_list(enum data_kind kind, const struct embedded_file *embedded,
                            struct data_names *names)
{
    *names = (struct data_names){0};
    const char *chosen = chosen_folder(kind);
    enum status status = chosen ? add_folder(names, chosen) : STATUS_OK;
    if (!status)
        status = add_roots(names, kind);
    for (size_t i = 0; embedded[i].name && !status; i++)
        status = add_name(names, embedded[i].name, strlen(embedded[i].name));
    if (status)
        data_names_free(names);
    else if (names->count)
        qsort(names->items, names->count, sizeof *names->items, compare_names);
    return status;
}

/* Duplicates are expected: a user's file may have the name of an embedded one. */
void data_names_free(struct data_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->items[i]);
    free(names->items);
    *names = (struct data_names){0};
}
