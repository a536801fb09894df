/* The system calls that a program may make: those in the table below, and no other.
 *
 * The table holds what C programs, interpreters, sanitizers, compilers and build commands need. Left out is what
 * reaches beyond the program: the network, other processes' memory, mounts, namespaces, keys, kernel interfaces,
 * the metadata of files (Landlock does not guard it), watches on files, System V objects (they outlive the
 * program), io_uring (it makes other calls unseen).
 *
 * What is refused gives EPERM; from FIRST_OF_ALL_MACHINES on ENOSYS, as a kernel gives that does not have the
 * call, because libraries then fall back to an older one.
 */
#define _GNU_SOURCE
#include "isolate.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

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

#define FIRST_OF_ALL_MACHINES 424 /* from here on a call has the same number everywhere */
#define LAST_CALL 511

enum who {
    EVERYONE,
    UNFENCED, /* unless a filter is what keeps signals inside */
    BUILDERS, /* compilers and build commands */
    ENGINES,  /* our own, that share memory with their children */
};

struct group { enum who who; const short *calls; size_t count; };
#define GROUP(who, ...) {who, (const short[]){__VA_ARGS__}, sizeof((const short[]){__VA_ARGS__}) / sizeof(short)}

static const struct group table[] = {
    /* reading and writing */
    GROUP(EVERYONE, SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_preadv, SYS_pwritev,
          SYS_lseek, SYS_sendfile, SYS_splice, SYS_tee, SYS_ioctl, SYS_fcntl, SYS_flock, SYS_dup, SYS_dup3, SYS_pipe2,
          SYS_close, 436 /* close_range */),
    /* files and folders */
    GROUP(EVERYONE, SYS_openat, 437 /* openat2 */, SYS_faccessat, 439 /* faccessat2 */, SYS_readlinkat,
          SYS_getdents64, SYS_getcwd, SYS_chdir, SYS_fchdir, SYS_mkdirat, SYS_mknodat, SYS_unlinkat, SYS_linkat,
          SYS_symlinkat, SYS_renameat2, SYS_truncate, SYS_ftruncate, SYS_fallocate, SYS_fadvise64, SYS_readahead,
          SYS_fsync, SYS_fdatasync, SYS_umask, SYS_fstat, SYS_newfstatat, SYS_statfs, SYS_fstatfs,
          SYS_getxattr, SYS_lgetxattr, SYS_fgetxattr, SYS_listxattr, SYS_llistxattr, SYS_flistxattr),
    /* waiting for descriptors */
    GROUP(EVERYONE, SYS_ppoll, SYS_pselect6, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait,
          441 /* epoll_pwait2 */, SYS_eventfd2, SYS_signalfd4, SYS_timerfd_create, SYS_timerfd_settime,
          SYS_timerfd_gettime),
    /* a pair of connected sockets inside the program; there is no other way to get one */
    GROUP(EVERYONE, SYS_socketpair, SYS_sendto, SYS_recvfrom, SYS_sendmsg, SYS_recvmsg, SYS_sendmmsg, SYS_recvmmsg,
          SYS_shutdown, SYS_getsockname, SYS_getpeername, SYS_getsockopt, SYS_setsockopt),
    /* memory */
    GROUP(EVERYONE, SYS_brk, SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_msync, SYS_mincore,
          SYS_mlock, SYS_munlock, SYS_mlockall, SYS_munlockall),
    /* processes, threads and their signals */
    GROUP(EVERYONE, SYS_clone, SYS_execve, SYS_execveat, SYS_exit, SYS_exit_group, SYS_wait4, SYS_waitid,
          SYS_set_tid_address, SYS_set_robust_list, SYS_get_robust_list, SYS_futex, 449 /* futex_waitv */,
          454, 455, 456 /* futex_wake, futex_wait, futex_requeue */, SYS_prctl, SYS_personality,
          SYS_kill, SYS_tgkill, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigpending,
          SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_sigaltstack, SYS_restart_syscall),
    GROUP(UNFENCED, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo),
    /* who one is, and what one may use */
    GROUP(EVERYONE, SYS_getpid, SYS_getppid, SYS_gettid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid,
          SYS_getresuid, SYS_getresgid, SYS_getgroups, SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid,
          SYS_setresuid, SYS_setresgid, SYS_capget, SYS_getpgid, SYS_setpgid, SYS_getsid, SYS_setsid,
          SYS_getpriority, SYS_setpriority, SYS_prlimit64, SYS_getrusage, SYS_times, SYS_sched_yield,
          SYS_sched_getaffinity, SYS_sched_setaffinity, SYS_sched_getscheduler, SYS_sched_setscheduler,
          SYS_sched_getparam, SYS_sched_setparam, SYS_sched_getattr, SYS_sched_get_priority_max,
          SYS_sched_get_priority_min, SYS_sched_rr_get_interval, SYS_getcpu, SYS_get_mempolicy, SYS_sysinfo,
          SYS_uname, SYS_getrandom),
    /* time */
    GROUP(EVERYONE, SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday,
          SYS_getitimer, SYS_setitimer, SYS_timer_create, SYS_timer_settime, SYS_timer_gettime,
          SYS_timer_getoverrun, SYS_timer_delete),
    /* metadata of files: linkers make their output executable, make and cp set times */
    GROUP(BUILDERS, SYS_fchmod, SYS_fchmodat, 452 /* fchmodat2 */, SYS_fchown, SYS_fchownat, SYS_utimensat,
          SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr),
    /* memory that counts towards no limit until it is mapped */
    GROUP(ENGINES, SYS_memfd_create),
    /* the same on younger kernels, and some that not every machine has */
#ifdef SYS_statx
    GROUP(EVERYONE, SYS_statx, SYS_preadv2, SYS_pwritev2, SYS_copy_file_range, SYS_mlock2, SYS_membarrier),
#endif
#ifdef SYS_rseq
    GROUP(EVERYONE, SYS_rseq),
#endif
#ifdef SYS_renameat
    GROUP(EVERYONE, SYS_renameat),
#endif
#ifdef SYS_getrlimit
    GROUP(EVERYONE, SYS_getrlimit, SYS_setrlimit),
#endif
    /* older ways to do the same, which older machines have */
#ifdef SYS_open
    GROUP(EVERYONE, SYS_open, SYS_creat, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_getdents, SYS_mkdir,
          SYS_rmdir, SYS_mknod, SYS_unlink, SYS_link, SYS_symlink, SYS_rename, SYS_dup2, SYS_pipe, SYS_poll,
          SYS_select, SYS_epoll_create, SYS_epoll_wait, SYS_eventfd, SYS_signalfd, SYS_fork, SYS_vfork,
          SYS_getpgrp, SYS_pause, SYS_alarm, SYS_time),
    GROUP(BUILDERS, SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat),
#endif
#ifdef SYS_arch_prctl
    GROUP(EVERYONE, SYS_arch_prctl),
#endif
#ifdef SYS_riscv_flush_icache
    GROUP(EVERYONE, SYS_riscv_flush_icache, 258 /* riscv_hwprobe */),
#endif
#ifdef SYS_swapcontext
    GROUP(EVERYONE, SYS_swapcontext),
#endif
};

static int admits(enum who who, int flags) {
    switch (who) {
    case EVERYONE: return 1;
    case UNFENCED: return !(flags & FENCE_KILL);
    case BUILDERS: return flags & ALLOW_CHMOD;
    case ENGINES: return flags & ALLOW_MEMFD;
    }
    return 0;
}

/* ---------------------------------------------------------------- the filter */

#define MAX_FILTER 400
struct filter { struct sock_filter code[MAX_FILTER]; unsigned short length; };

static void emit(struct filter *f, uint16_t code, uint8_t jt, uint8_t jf, uint32_t k) {
    if (f->length < MAX_FILTER) f->code[f->length++] = (struct sock_filter){code, jt, jf, k};
}
static void load(struct filter *f, size_t offset) { emit(f, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset); }
static void give(struct filter *f, uint32_t action) { emit(f, BPF_RET | BPF_K, 0, 0, action); }
#define FAIL(e) (SECCOMP_RET_ERRNO | ((e) & SECCOMP_RET_DATA))

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

/* `call` whose argument n, under mask, is not `only` fails. Leaves the call number loaded. */
static void only_argument(struct filter *f, int call, int n, uint32_t mask, uint32_t only) {
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 5, (uint32_t)call);
    load(f, ARG_LOW(n));
    emit(f, BPF_ALU | BPF_AND | BPF_K, 0, 0, mask);
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, only);
    give(f, FAIL(EPERM));
    load(f, offsetof(struct seccomp_data, nr));
}

/* No typing into a terminal (TIOCSTI), no pasting at the console (TIOCLINUX). */
static void no_typing(struct filter *f) {
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 5, SYS_ioctl);
    load(f, ARG_LOW(1));
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 0x5412);
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0x541C);
    give(f, FAIL(EPERM));
    load(f, offsetof(struct seccomp_data, nr));
}

/* Signals to oneself and one's own group, to nobody else. */
static void fence_signals(struct filter *f) {
    uint32_t self = (uint32_t)getpid();
    only_argument(f, SYS_tgkill, 0, 0xffffffff, self);
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 5, SYS_kill);
    load(f, ARG_LOW(0));
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, 2, 0, self);
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 0);
    give(f, FAIL(EPERM));
    load(f, offsetof(struct seccomp_data, nr));
}

/* Whatever is in the table, as ranges of numbers, and the end of the filter. */
static void only_the_table(struct filter *f, int flags) {
    unsigned char allowed[LAST_CALL + 2] = {0};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (size_t j = 0; j < table[i].count && admits(table[i].who, flags); j++) allowed[table[i].calls[j]] = 1;
    for (int first = 0, next; first <= LAST_CALL; first = next) {
        for (next = first + 1; next <= LAST_CALL && allowed[next] == allowed[first];) next++;
        if (!allowed[first]) continue;
        emit(f, BPF_JMP | BPF_JGE | BPF_K, 0, 2, (uint32_t)first);
        emit(f, BPF_JMP | BPF_JGE | BPF_K, 1, 0, (uint32_t)next);
        give(f, SECCOMP_RET_ALLOW);
    }
    emit(f, BPF_JMP | BPF_JGE | BPF_K, 0, 1, FIRST_OF_ALL_MACHINES);
    give(f, FAIL(ENOSYS));
    give(f, FAIL(EPERM));
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
    load(&f, offsetof(struct seccomp_data, nr)); /* what has no place in the table, like x32, is beyond its end */
    only_argument(&f, SYS_clone, 0, 0x7e020000, 0);           /* no new namespace */
    only_argument(&f, SYS_socketpair, 1, 0xf, SOCK_STREAM);   /* a datagram pair can send anywhere */
    only_argument(&f, SYS_prlimit64, 0, 0xffffffff, 0);       /* one's own limits only */
    no_typing(&f);
    if (flags & FENCE_KILL) fence_signals(&f);
    if ((flags & BIG_MAP_KILLS) && memory) {
        cap_argument(&f, SYS_mmap, 1, memory);
        cap_argument(&f, SYS_mremap, 2, memory);
    }
    only_the_table(&f, flags);
    if (f.length >= MAX_FILTER) {
        errno = E2BIG;
        return -1;
    }
    struct sock_fprog program = {f.length, f.code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
#endif
}
