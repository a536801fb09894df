/* Loaded into a process (LD_PRELOAD): logs what it does to files, in order, to the descriptor DISK_LOG.
 * A record is: what, length of each of two texts, offset; then the texts. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

struct record { int32_t what, first, second, pad; int64_t offset; };

static void note(char what, const char *first, const void *second, size_t length, int64_t offset) {
    static int log = -2;
    if (log == -2) log = getenv("DISK_LOG") ? atoi(getenv("DISK_LOG")) : -1;
    if (log < 0) return;
    struct record record = {what, (int32_t)strlen(first), (int32_t)length, 0, offset};
    struct iovec parts[] = {{&record, sizeof record}, {(void *)first, strlen(first)}, {(void *)second, length}};
    if (syscall(SYS_writev, log, parts, 3) < 0) abort();
}

static const char *path_of(int fd, char *buffer) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, buffer, 4095);
    buffer[n < 0 ? 0 : n] = 0;
    return buffer;
}

static const char *absolute(const char *path, char *buffer) {
    if (*path == '/') return path;
    char here[2048];
    snprintf(buffer, 4096, "%s/%s", getcwd(here, sizeof here), path);
    return buffer;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *data, size_t size) {
    char path[4096];
    int64_t at = lseek(fd, 0, SEEK_CUR);
    if (fcntl(fd, F_GETFL) & O_APPEND) at = lseek(fd, 0, SEEK_END);
    ssize_t n = REAL(write)(fd, data, size);
    if (n > 0) note(fd == 1 ? 'o' : 'w', path_of(fd, path), data, (size_t)n, at);
    return n;
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
    char path[4096];
    ssize_t n = REAL(pwrite64)(fd, data, size, at);
    if (n > 0) note('w', path_of(fd, path), data, (size_t)n, at);
    return n;
}
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) { return pwrite64(fd, data, size, at); }
int fsync(int fd) {
    char path[4096];
    int failed = REAL(fsync)(fd);
    if (!failed) note('s', path_of(fd, path), "", 0, 0);
    return failed;
}
int fdatasync(int fd) { return fsync(fd); }
int ftruncate64(int fd, off64_t size) {
    char path[4096];
    int failed = REAL(ftruncate64)(fd, size);
    if (!failed) note('t', path_of(fd, path), "", 0, size);
    return failed;
}
int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }
int rename(const char *from, const char *to) {
    char first[4096], second[4096];
    int failed = REAL(rename)(from, to);
    to = absolute(to, second);
    if (!failed) note('r', absolute(from, first), to, strlen(to), 0);
    return failed;
}
int unlink(const char *path) {
    char first[4096];
    int failed = REAL(unlink)(path);
    if (!failed) note('u', absolute(path, first), "", 0, 0);
    return failed;
}
int rmdir(const char *path) {
    char first[4096];
    int failed = REAL(rmdir)(path);
    if (!failed) note('u', absolute(path, first), "", 0, 0);
    return failed;
}
int mkdir(const char *path, mode_t mode) {
    char first[4096];
    int failed = REAL(mkdir)(path, mode);
    if (!failed) note('m', absolute(path, first), "", 0, 0);
    return failed;
}
static int opened(int fd, int flags, int fresh) {
    char path[4096];
    if (fd >= 0 && (flags & O_CREAT) && fresh) note('c', path_of(fd, path), "", 0, 0);
    if (fd >= 0 && (flags & O_TRUNC)) note('t', path_of(fd, path), "", 0, 0);
    return fd;
}
int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    int mode = flags & O_CREAT ? va_arg(rest, int) : 0, fresh = access(path, F_OK);
    va_end(rest);
    return opened((int)syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, mode), flags, fresh);
}
int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    int mode = flags & O_CREAT ? va_arg(rest, int) : 0;
    va_end(rest);
    return open64(path, flags, mode);
}
