#define _GNU_SOURCE
#include "isolate.h"

#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
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

/* ---------------------------------------------------------------- seccomp */

#if defined(__x86_64__)
#define NATIVE_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCH AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define NATIVE_ARCH AUDIT_ARCH_RISCV64
#elif defined(__powerpc64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NATIVE_ARCH AUDIT_ARCH_PPC64LE
#endif

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARG_LOW(n) (offsetof(struct seccomp_data, args) + 8 * (n))
#define ARG_HIGH(n) (ARG_LOW(n) + 4)
#endif

#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000U
#endif

/* What a program under test has no business with. Metadata of files is here because Landlock does not
 * guard it; io_uring because it runs other calls unseen; SysV objects because they outlive the program;
 * memfd because its memory counts towards no limit. Numbers from 424 on are the same on every machine. */
static const int denied_calls[] = {
    SYS_socket, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_ptrace,
    SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_mount, SYS_umount2, SYS_pivot_root,
    SYS_chroot, SYS_setns, SYS_unshare, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_bpf,
    SYS_perf_event_open, SYS_userfaultfd, SYS_kexec_load, SYS_init_module, SYS_finit_module,
    SYS_delete_module, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_syslog, SYS_acct, SYS_quotactl,
    SYS_sethostname, SYS_setdomainname, SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime,
    SYS_adjtimex, SYS_open_by_handle_at, SYS_name_to_handle_at, SYS_vhangup, SYS_fanotify_init,
    SYS_inotify_init1, SYS_inotify_add_watch, SYS_migrate_pages, SYS_move_pages, SYS_shmget, SYS_msgget, SYS_semget, SYS_mq_open,
#ifdef SYS_iopl
    SYS_iopl, SYS_ioperm,
#endif
#ifdef SYS_modify_ldt
    SYS_modify_ldt,
#endif
    425, 426, 427, /* io_uring */
    428, 429, 430, 431, 432, 433, 442, 467, /* open_tree, move_mount, fsopen, …, mount_setattr */
    438, 440, 443, 448, 447, /* pidfd_getfd, process_madvise, quotactl_fd, process_mrelease, memfd_secret */
};

static const int denied_metadata[] = {
#ifdef SYS_chmod
    SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
    SYS_fchmod, SYS_fchmodat, 452, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_setxattr, SYS_lsetxattr,
    SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, 463, 466, 469,
};

#define MAX_FILTER 400
struct filter { struct sock_filter code[MAX_FILTER]; unsigned short length; };

static void emit(struct filter *f, uint16_t code, uint8_t jt, uint8_t jf, uint32_t k) {
    if (f->length < MAX_FILTER) f->code[f->length++] = (struct sock_filter){code, jt, jf, k};
}
static void load(struct filter *f, size_t offset) { emit(f, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset); }
static void give(struct filter *f, uint32_t action) { emit(f, BPF_RET | BPF_K, 0, 0, action); }
#define FAIL(e) (SECCOMP_RET_ERRNO | ((e) & SECCOMP_RET_DATA))

static void deny(struct filter *f, int call, int error) {
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (uint32_t)call);
    give(f, FAIL(error));
}

/* `call` with argument n above the limit ends the process. Leaves the call number loaded. */
static void cap_argument(struct filter *f, int call, int n, uint64_t most) {
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 7, (uint32_t)call);
    load(f, ARG_HIGH(n));
    emit(f, BPF_JMP | BPF_JGT | BPF_K, 3, 0, (uint32_t)(most >> 32));
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 3, (uint32_t)(most >> 32));
    load(f, ARG_LOW(n));
    emit(f, BPF_JMP | BPF_JGT | BPF_K, 0, 1, (uint32_t)most);
    give(f, SECCOMP_RET_KILL_PROCESS);
    load(f, offsetof(struct seccomp_data, nr));
}

/* `call` whose first argument, under mask, is not `only` fails. Leaves the call number loaded. */
static void only_argument(struct filter *f, int call, int n, uint32_t mask, uint32_t only) {
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 5, (uint32_t)call);
    load(f, ARG_LOW(n));
    emit(f, BPF_ALU | BPF_AND | BPF_K, 0, 0, mask);
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, only);
    give(f, FAIL(EPERM));
    load(f, offsetof(struct seccomp_data, nr));
}

int seccomp_enter(int flags, uint64_t memory) {
#if !defined(NATIVE_ARCH) || !defined(ARG_LOW)
    (void)flags, (void)memory;
    errno = ENOSYS;
    return -1;
#else
    struct filter f = {.length = 0};
    load(&f, offsetof(struct seccomp_data, arch));
    emit(&f, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, NATIVE_ARCH);
    give(&f, FAIL(ENOSYS));
    load(&f, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    emit(&f, BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000); /* the x32 way to the same calls */
    give(&f, FAIL(ENOSYS));
#endif
    for (size_t i = 0; i < sizeof denied_calls / sizeof *denied_calls; i++) deny(&f, denied_calls[i], EPERM);
    if (!(flags & ALLOW_CHMOD))
        for (size_t i = 0; i < sizeof denied_metadata / sizeof *denied_metadata; i++)
            deny(&f, denied_metadata[i], EPERM);
    if (!(flags & ALLOW_MEMFD)) deny(&f, SYS_memfd_create, EPERM);
    deny(&f, 435, ENOSYS); /* clone3 hides its flags behind a pointer; libc falls back to clone */
    deny(&f, 434, ENOSYS); /* pidfd_open */
    deny(&f, 424, ENOSYS); /* pidfd_send_signal */
    only_argument(&f, SYS_clone, 0, 0x7e020000, 0);           /* no new namespace */
    only_argument(&f, SYS_socketpair, 1, 0xf, SOCK_STREAM);   /* a datagram pair can send anywhere */
    only_argument(&f, SYS_prlimit64, 0, 0xffffffff, 0);       /* one's own limits only */
    emit(&f, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, SYS_ioctl);     /* no typing into a terminal */
    load(&f, ARG_LOW(1));
    emit(&f, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0x5412);
    give(&f, FAIL(EPERM));
    load(&f, offsetof(struct seccomp_data, nr));
    if (flags & FENCE_KILL) {
        uint32_t self = (uint32_t)getpid();
        deny(&f, SYS_tkill, EPERM);
        deny(&f, SYS_rt_sigqueueinfo, EPERM);
        deny(&f, SYS_rt_tgsigqueueinfo, EPERM);
        only_argument(&f, SYS_tgkill, 0, 0xffffffff, self);
        emit(&f, BPF_JMP | BPF_JEQ | BPF_K, 0, 5, SYS_kill);
        load(&f, ARG_LOW(0));
        emit(&f, BPF_JMP | BPF_JEQ | BPF_K, 2, 0, self);
        emit(&f, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 0);
        give(&f, FAIL(EPERM));
        load(&f, offsetof(struct seccomp_data, nr));
    }
    if ((flags & BIG_MAP_KILLS) && memory) {
        cap_argument(&f, SYS_mmap, 1, memory);
        cap_argument(&f, SYS_mremap, 2, memory);
    }
    give(&f, SECCOMP_RET_ALLOW);
    if (f.length >= MAX_FILTER) {
        errno = E2BIG;
        return -1;
    }
    struct sock_fprog program = {f.length, f.code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
#endif
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
