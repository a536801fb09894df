#define _GNU_SOURCE
#include "isolate.h"

#include <grp.h>
#include <sched.h>
#include <sys/mount.h>

/* ---------------------------------------------------------------- limits */

static int limit(int what, uint64_t value) {
    struct rlimit wanted = {value, value}, old;
    if (getrlimit(what, &old) == 0 && old.rlim_max < value) /* never ask for more than we may have */
        wanted.rlim_cur = wanted.rlim_max = old.rlim_max;
    return setrlimit(what, &wanted);
}

int limit_shared(const struct limits *limits) {
    return limit(RLIMIT_CORE, 0) || limit(RLIMIT_NOFILE, 256) || limit(RLIMIT_STACK, limits->stack) ||
           limit(RLIMIT_NPROC, limits->processes);
}

int limit_program(const struct limits *limits, int with_cpu) {
    if (limits->memory && limit(RLIMIT_AS, limits->memory)) return -1;
    if (limits->file_size && limit(RLIMIT_FSIZE, limits->file_size)) return -1;
    /* Wall time is the limit; processor time is the net below it, for children that escape our eyes. */
    if (with_cpu) {
        uint64_t seconds = limits->nanoseconds / 1000000000u + 2;
        struct rlimit cpu = {seconds, seconds + 1}; /* the first warning is a signal that we can tell apart */
        setrlimit(RLIMIT_CPU, &cpu);
    }
    return 0;
}

/* ---------------------------------------------------------------- Landlock */

struct l2f_ruleset_attr { uint64_t fs, net, scoped; };
struct l2f_path_attr { uint64_t access; int32_t parent; } __attribute__((packed));

int landlock_abi(void) { return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, 1); }

uint64_t landlock_rights(int abi) {
    uint64_t rights = FS_ABI1;
    if (abi >= 2) rights |= FS_REFER;
    if (abi >= 3) rights |= FS_TRUNCATE;
    if (abi >= 5) rights |= FS_IOCTL;
    return rights;
}

/* An empty ruleset that handles everything this kernel knows: files, TCP, signals, abstract sockets. */
int landlock_open(int abi) {
    struct l2f_ruleset_attr attr = {landlock_rights(abi), abi >= 4 ? 3 : 0, abi >= 6 ? 3 : 0};
    size_t size = abi >= 6 ? sizeof attr : abi >= 4 ? 16 : 8;
    return (int)syscall(SYS_landlock_create_ruleset, &attr, size, 0);
}

int landlock_allow(int ruleset, const char *path, uint64_t access) {
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) return errno == ENOENT || errno == ENOTDIR || errno == EACCES ? 0 : -1; /* out of reach anyway */
    struct stat info;
    if (fstat(fd, &info) == 0 && !S_ISDIR(info.st_mode)) access &= FS_ON_FILE;
    struct l2f_path_attr attr = {access, fd};
    int result = (int)syscall(SYS_landlock_add_rule, ruleset, 1, &attr, 0);
    int saved = errno;
    close(fd);
    errno = saved;
    return result;
}

/* ---------------------------------------------------------------- uid and capabilities */

#define CAP_READ_SEARCH 2
struct cap_header { uint32_t version; int pid; };
struct cap_data { uint32_t effective, permitted, inheritable; };

int keep_capabilities(uint32_t bits) {
    struct cap_header header = {0x20080522, 0};
    struct cap_data data[2] = {{bits, bits, bits}, {0, 0, 0}};
    return (int)syscall(SYS_capset, &header, data);
}

/* Become `uid`. With keep_read, reading stays possible where only root may look: Landlock is what
 * confines reading then, and it names each file that the program may see. */
int become(uid_t uid, gid_t gid, int keep_read) {
    if (keep_read && prctl(PR_SET_KEEPCAPS, 1)) return -1;
    if (setgroups(0, NULL) || setresgid(gid, gid, gid) || setresuid(uid, uid, uid)) return -1;
    if (keep_capabilities(keep_read ? 1u << CAP_READ_SEARCH : 0)) return -1;
    if (keep_read && prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_READ_SEARCH, 0, 0)) return -1;
    return 0;
}

/* ---------------------------------------------------------------- namespaces */

static int write_text(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return -1;
    ssize_t done = write(fd, text, strlen(text));
    close(fd);
    return done == (ssize_t)strlen(text) ? 0 : -1;
}

int enter_namespaces(int flags) {
    int spaces = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC;
    if (flags & LAYER_NETNS) spaces |= CLONE_NEWNET;
    if (flags & LAYER_USERNS) {
        char map[64];
        uid_t uid = geteuid();
        gid_t gid = getegid();
        if (unshare(CLONE_NEWUSER)) return -1;
        if (write_text("/proc/self/setgroups", "deny")) return -1;
        snprintf(map, sizeof map, "%u %u 1", uid, uid);
        if (write_text("/proc/self/uid_map", map)) return -1;
        snprintf(map, sizeof map, "%u %u 1", gid, gid);
        if (write_text("/proc/self/gid_map", map)) return -1;
    }
    return unshare(spaces);
}

/* A scratch folder of bounded size that vanishes with the namespace. */
int mount_scratch(const char *path, uint64_t file_size, uid_t uid, gid_t gid) {
    char options[128];
    uint64_t size = file_size ? file_size * 4 : 64u << 20;
    snprintf(options, sizeof options, "size=%llu,nr_inodes=20000,mode=0700,uid=%u,gid=%u",
             (unsigned long long)size, uid, gid);
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) return -1;
    return mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, options);
}
