/* The layers that shut a process in: limits, namespaces, uid, Landlock, seccomp.
 *
 * Every function either does what it says or fails; nothing is skipped quietly, because the caller
 * tells the user which layers hold. Kernel interfaces newer than old headers are spelled out here.
 */
#ifndef LEARN2FIX_ISOLATE_H
#define LEARN2FIX_ISOLATE_H

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    LAYER_LANDLOCK = 1,
    LAYER_SECCOMP = 2,
    LAYER_NAMESPACES = 4, /* pid, mount, ipc; the runner is init, so nothing outlives it */
    LAYER_USERNS = 8,     /* a user namespace comes first: we are not root */
    LAYER_NETNS = 16,
    ALLOW_CHMOD = 32,     /* linkers make their output executable */
    KEEP_READ = 64,       /* root gave up its uid but the program lies where only root may look */
    BIG_MAP_KILLS = 128,  /* a mapping above the memory limit ends the program, so that we can say why */
    FENCE_KILL = 256,     /* no other layer keeps signals inside */
    FORK_SERVER = 1024,   /* start once, fork for each input */
    ALLOW_MEMFD = 512,    /* our own engine shares memory with its children */
};

struct limits {
    uint64_t nanoseconds, memory, output, processes, stack, file_size;
};

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

enum {
    FS_EXECUTE = 1 << 0, FS_WRITE = 1 << 1, FS_READ = 1 << 2, FS_READ_DIR = 1 << 3,
    FS_ABI1 = (1 << 13) - 1, FS_REFER = 1 << 13, FS_TRUNCATE = 1 << 14, FS_IOCTL = 1 << 15,
    FS_ON_FILE = FS_EXECUTE | FS_WRITE | FS_READ | FS_TRUNCATE | FS_IOCTL,
};

int limit_shared(const struct limits *limits);
int limit_program(const struct limits *limits, int with_cpu);
int landlock_abi(void);
uint64_t landlock_rights(int abi);
int landlock_open(int abi);
int landlock_allow(int ruleset, const char *path, uint64_t access);
int seccomp_enter(int flags, uint64_t memory);
int keep_capabilities(uint32_t bits);
int become(uid_t uid, gid_t gid, int keep_read);
int enter_namespaces(int flags);
int mount_scratch(const char *path, uint64_t file_size, uid_t uid, gid_t gid);

#endif
