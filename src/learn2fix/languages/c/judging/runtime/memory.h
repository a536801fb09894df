/* What every other part stands on: types, what the meta-program refers to, and memory at fixed places. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#ifndef L2F_LINKED
#include <libtcc.h>
#endif
#if __has_include(<sys/rseq.h>) && __GNUC__ >= 11
#include <sys/rseq.h>
#endif

typedef uint32_t u32;
typedef int64_t i64;
typedef unsigned char u8;

enum { LOAD = 1, RUN = 2, ALONE = 3, SURROUND = 4 };
enum { EXITED, SIGNALLED, TIMEOUT, MEMORY, FLOOD, NOT_COMPILED };
enum { MAX_SITES = 1 << 17, STACK = 256 << 20, CODE = 512 << 20, OUTPUT = 1 << 20, ERRORS = 1 << 16, CHUNK = 1 << 16, FRESH = 1 << 17, ASIDE = 1 << 14, MANY = 50, BLOCKED = 60, COMPILING = 20 };
#define ARENA (1L << 30)
#define MEMORY_LIMIT (ARENA + STACK + CODE + (1L << 30)) /* what we reserve, and 1 GB for the program */
#define LONGEST 250e6 /* steps of a run that nobody waits for any longer */
#define NOBODY 0xffffffffu

static int commands = 0, replies = 1, records = -1;

/* ------------------------------------------------------------------ what the meta-program refers to */

/* l2f_live: 0 takes the original, 1 compares alternatives, 2 when a single one is left; l2f_list: the alternatives
   to evaluate, then the end. Every child writes to both, so they lie beside the sites, on as few pages as can be. */
#ifdef L2F_LINKED
#define SHARED
u8 l2f_live[MAX_SITES];
u32 *l2f_list[MAX_SITES];
#else
#define SHARED static
static u8 *l2f_live;
static u32 **l2f_list;
#endif
SHARED u32 *l2f_base, *l2f_p; /* the list of this visit, and what comes next */
SHARED i64 l2f_steps;
SHARED jmp_buf l2f_jump;

/* ------------------------------------------------------------------ memory */

static char *arena, *arena_top;

static void *take(size_t size) {
    char *result = arena_top;
    arena_top += (size + 15) & ~15UL;
    if (arena_top > arena + ARENA) _exit(99);
    return result;
}

/* Code with the program's data, our own memory and the stack lie far apart: a wild write meets nothing. All are
   below 512 GB, which one upper page table describes: every fork copies the tables. */
#define CODE_AT ((char *)0x1000000000)
#define ARENA_AT ((char *)0x3000000000)
#define STACK_AT ((char *)0x5000000000)
#define PRINTED_AT ((char *)0x7000000000)
#define HUGE_PAGE (2UL << 20)

static void *reserve(char *where, size_t size, int protection) {
    void *p = mmap(where, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (p == MAP_FAILED) _exit(98);
    return p;
}

/* Huge pages at `to`, for what is only read and executed: a fork copies one entry of a table for 2 MB, and the child
   faults in none of it. False, and nothing kept, where the system has none to give. */
static int huge_pages(char *to, size_t size) {
    struct rusage before, after;
    if (mmap(to, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) return 0;
    madvise(to, size, MADV_HUGEPAGE);
    getrusage(RUSAGE_SELF, &before);
    for (size_t at = 0; at < size; at += HUGE_PAGE / 2) *(volatile char *)(to + at) = 0;
    getrusage(RUSAGE_SELF, &after);
    if (after.ru_minflt - before.ru_minflt <= (long)(size / HUGE_PAGE)) return 1;
    munmap(to, size);
    return 0;
}
