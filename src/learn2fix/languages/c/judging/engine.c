/* Runs all candidates of one C file at once: they share an execution until they compute different values.
 *
 * The meta-program (written by meta.py) holds, at each site, the original expression and the alternatives of
 * the candidates. A process carries a group of candidates that have behaved alike so far. At a visit to a site
 * the alternatives of the group are evaluated; those that differ are forked off with their value, smallest
 * groups first, so processes are never nested deeper than the logarithm of the number of candidates (plus one).
 * A parent waits for its child: records of the run are in depth-first order.
 *
 * Nothing that a candidate's wild write can reach is believed: groups are recorded in a memory file before the
 * group runs, a group's outcome is recorded only by its own process or by its parent, and the supervisor checks
 * that every group recorded is part of its parent's.
 *
 * Commands come in on descriptor 0 and results go out on descriptor 1, as frames (see engine.py).
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
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

enum { LOAD = 1, RUN = 2, ALONE = 3 };
enum { EXITED, SIGNALLED, TIMEOUT, MEMORY, FLOOD, NOT_COMPILED };
enum { MAX_SITES = 1 << 17, STACK = 256 << 20, CODE = 512 << 20, OUTPUT = 1 << 20, CHUNK = 1 << 16, ASIDE = 1 << 14, MANY = 50 };
#define ARENA (1L << 30)
#define MEMORY_LIMIT (ARENA + STACK + CODE + (1L << 30)) /* what we reserve, and 1 GB for the program */
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

/* ------------------------------------------------------------------ frames */

static void read_all(int fd, void *to, size_t n) {
    for (char *p = to; n;) {
        ssize_t got = read(fd, p, n);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) _exit(0);
        p += got, n -= got;
    }
}

static void write_all(int fd, const void *from, size_t n) {
    for (const char *p = from; n;) {
        ssize_t put = write(fd, p, n);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) _exit(97);
        p += put, n -= put;
    }
}

/* ------------------------------------------------------------------ records of one run */

struct outcome { int kind, status; u32 length; };

static void record(char tag, const void *head, u32 size, const void *body, u32 length) {
    struct iovec parts[3] = {{&tag, 1}, {(void *)head, size}, {(void *)body, length}};
    ssize_t total = 1 + size + length, put;
    do put = writev(records, parts, 3);
    while (put < 0 && errno == EINTR);
    if (put != total) _exit(97);
}

/* ------------------------------------------------------------------ the program's streams */

static char *given;
static u32 given_length, given_at;
static char *printed, *waiting; /* what was written, and the buffer of what will be */
static u32 printed_length;
static int exiting;
static i64 budget;
static unsigned long *lines;
static u32 line_count;

static void finish(int kind, int status) __attribute__((noreturn));
static void finish(int kind, int status) {
    if (kind == EXITED && !exiting) {
        exiting = 1;
        if (printed_length || stdout->_IO_write_base != waiting || __fpending(stdout) > CHUNK) fflush(stdout);
        else printed = waiting, printed_length = __fpending(stdout); /* all of it: no need to copy */
    }
    struct { struct outcome o; i64 steps; } head = {{kind, status, kind == EXITED ? printed_length : 0}, budget - l2f_steps};
    record('O', &head, sizeof head, printed, head.o.length);
    if (line_count) record('L', &line_count, sizeof line_count, lines, line_count * sizeof *lines);
    _exit(0);
}

static ssize_t from_memory(void *cookie, char *to, size_t n) {
    (void)cookie;
    if (n > given_length - given_at) n = given_length - given_at;
    memcpy(to, given + given_at, n);
    given_at += n;
    return n;
}

static ssize_t to_memory(void *cookie, const char *from, size_t n) {
    (void)cookie;
    if (printed_length + n > OUTPUT) finish(FLOOD, 0);
    memcpy(printed + printed_length, from, n);
    printed_length += n;
    return n;
}

static ssize_t to_nowhere(void *cookie, const char *from, size_t n) {
    (void)cookie, (void)from;
    return n;
}

static void open_streams(void) {
    enum { IN = 1 << 12, ERR = 1 << 12 };
    waiting = reserve(PRINTED_AT, CHUNK + IN + ERR + OUTPUT, PROT_READ | PROT_WRITE);
    char *in = waiting + CHUNK, *err = in + IN;
    printed = err + ERR;
    stdin = fopencookie(0, "r", (cookie_io_functions_t){.read = from_memory});
    stdout = fopencookie(0, "w", (cookie_io_functions_t){.write = to_memory});
    stderr = fopencookie(0, "w", (cookie_io_functions_t){.write = to_nowhere});
    setvbuf(stdin, in, _IOFBF, IN);
    setvbuf(stdout, waiting, _IOFBF, CHUNK);
    setvbuf(stderr, err, _IOFBF, 256);
    __fsetlocking(stdin, FSETLOCKING_BYCALLER);
    __fsetlocking(stdout, FSETLOCKING_BYCALLER);
    __fsetlocking(stderr, FSETLOCKING_BYCALLER);
}

/* ------------------------------------------------------------------ candidates and sites */

struct site {
    u32 alternatives; /* 0 is the original; alternatives + 1 ends a list */
    u32 n;            /* live candidates with an alternative here */
    u32 *who, *what;  /* each one, and its alternative */
    u32 left;         /* the last departure that this list was gone through for */
};

static struct site *sites;
static u32 site_count, candidate_count, most_alternatives;
static u32 *first_use;                   /* candidate -> its uses, as in a sparse matrix */
static struct { u32 site, alternative; } *uses;

static u32 *current, current_count; /* the group of this process; in the root only the count is kept */
static int is_root;
static u32 *stamp, stamped;

static void make_list(struct site *s) {
    u32 *list = l2f_list[s - sites], *to = list;
    stamped++;
    if (s->n < current_count) *to++ = 0;
    for (u32 i = 0; i < s->n; i++)
        if (stamp[s->what[i]] != stamped) stamp[s->what[i]] = stamped, *to++ = s->what[i];
    *to = s->alternatives + 1;
    l2f_live[s - sites] = !s->n ? 0 : to - list == 1 ? 2 : 1;
}

/* The lists of this process, for the group that it carries from now on; those it had before make room for them. */
static char *lists;
static u32 *moved;
static struct site *visited;

static void carry(u32 *group, u32 n) {
    memset(l2f_live, 0, site_count);
    memcpy(moved, group, n * sizeof *group); /* it may lie where the lists will be */
    arena_top = lists;
    current = memcpy(take(n * sizeof *group), moved, n * sizeof *group), current_count = n;
    group = current;
    u32 touched = 0, *order = take(sizeof(u32) * (first_use[candidate_count] < site_count ? first_use[candidate_count] + 1 : site_count + 1));
    for (u32 i = 0; i < n; i++)
        for (u32 u = first_use[group[i]]; u < first_use[group[i] + 1]; u++) {
            u32 s = uses[u].site;
            if (!l2f_live[s]) l2f_live[s] = 1, sites[s].n = 0, order[touched++] = s;
            sites[s].n++;
        }
    for (u32 t = 0; t < touched; t++) {
        struct site *s = &sites[order[t]];
        s->who = take(sizeof(u32) * s->n), s->what = take(sizeof(u32) * s->n);
        l2f_list[order[t]] = take(sizeof(u32) * (s->n + 2));
        s->n = 0;
    }
    for (u32 i = 0; i < n; i++)
        for (u32 u = first_use[group[i]]; u < first_use[group[i] + 1]; u++) {
            struct site *s = &sites[uses[u].site];
            s->who[s->n] = group[i], s->what[s->n++] = uses[u].alternative;
        }
    for (u32 t = 0; t < touched; t++) make_list(&sites[order[t]]);
    if (visited && !l2f_live[visited - sites]) { /* the visit is repeated, also by those who take the original there */
        visited->n = 0, l2f_list[visited - sites] = take(sizeof(u32) * 2);
        make_list(visited);
    }
}

/* Candidates marked in `gone` leave this process. */
static u8 *gone;
static u32 departures;

static void leave_behind(u32 *leaving, u32 n) {
    if (n > current_count) _exit(98); /* a wild write met our lists: better no answer than a late one */
    for (u32 i = 0; i < n; i++) {
        if (leaving[i] >= candidate_count) _exit(98);
        gone[leaving[i]] = 1;
    }
    current_count -= n;
    departures++;
    for (u32 i = 0; i < n; i++)
        for (u32 u = first_use[leaving[i]]; u < first_use[leaving[i] + 1]; u++) {
            struct site *s = &sites[uses[u].site];
            if (s->left == departures) continue; /* many leave at once: each list is gone through once */
            s->left = departures;
            u32 kept = 0;
            for (u32 j = 0; j < s->n; j++)
                if (!gone[s->who[j]]) {
                    if (kept != j) s->who[kept] = s->who[j], s->what[kept] = s->what[j];
                    kept++;
                }
            if (kept != s->n) s->n = kept, make_list(s);
        }
    if (!is_root) {
        u32 kept = 0;
        for (u32 j = 0; j < current_count + n; j++) {
            if (current[j] >= candidate_count) _exit(98);
            if (!gone[current[j]]) current[kept++] = current[j];
        }
    }
}

/* ------------------------------------------------------------------ one visit to a site */

struct value { u32 alternative; u8 bytes[16]; };

static struct value *differing;
static u32 differing_count;
static struct { u32 alternative; int signal; } *faults;
static u32 fault_count;
static volatile int speculating, restarted;
static double guard;

void l2f_enter(u32 number) {
    visited = &sites[number];
    l2f_p = l2f_base = l2f_list[number];
    differing_count = 0;
    if (!restarted) fault_count = 0;
    restarted = 0;
    speculating = 1;
}

static void note(const void *key, u32 n) {
    struct value *v = &differing[differing_count++];
    v->alternative = l2f_p[-1];
    memset(v->bytes, 0, sizeof v->bytes);
    memcpy(v->bytes, key, n);
}

static void hash(const void *data, u32 n, u8 *to) {
    uint64_t a = 1469598103934665603ULL, b = 0x9e3779b97f4a7c15ULL;
    for (const u8 *p = data; n--; p++) {
        a = (a ^ *p) * 1099511628211ULL;
        b = (b + *p) * 0xd6e8feb86659fd93ULL, b ^= b >> 32;
    }
    memcpy(to, &a, 8), memcpy(to + 8, &b, 8);
}

/* The value at `v` is (or may be) another than that of the first alternative, at `o`. */
void l2f_differs(const void *v, void *o, u32 n) {
    if (l2f_p - 1 == l2f_base) {
        memcpy(o, v, n);
        return;
    }
    if (!memcmp(v, o, n)) return;
    u8 key[16];
    if (n > 16) hash(v, n, key), note(key, 16);
    else note(v, n);
}

void l2f_differs_text(const char *const *v, const char **o) {
    if (l2f_p - 1 == l2f_base) {
        *o = *v;
        return;
    }
    if (*v == *o || !strcmp(*v, *o)) return;
    u8 key[16];
    hash(*v, strlen(*v), key), note(key, 16);
}

static int by_value(const void *a, const void *b) {
    const struct value *x = a, *y = b;
    int order = memcmp(x->bytes, y->bytes, 16);
    return order ? order : x->alternative < y->alternative ? -1 : 1;
}

static int wait_for(pid_t child) {
    int status;
    while (waitpid(child, &status, __WALL) < 0)
        if (errno != EINTR) return 0;
    return status;
}

/* CPU time, for loops that no step counter sees; trying out alternatives takes some of it too. */
static void watch(u32 candidates) {
    double seconds = guard * (1 + candidates / 16.0);
    struct itimerval t = {{0, 0}, {(long)seconds, (long)((seconds - (long)seconds) * 1e6) + 1}};
    setitimer(ITIMER_PROF, &t, 0);
}

/* True in the child, which carries the group. */
static int fork_off(u32 *group, u32 n) {
    record('F', &n, sizeof n, group, n * sizeof *group);
    pid_t child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        is_root = 0;
        carry(group, n);
        watch(n);
        return 1;
    }
    int status = child < 0 ? 95 << 8 : wait_for(child);
    record('P', &status, sizeof status, 0, 0);
    return 0;
}

/* The group splits by value. True when this process now carries another group: the visit is repeated. */
static int split(void) {
    struct site *s = visited;
    char *before = arena_top;
    if (fault_count) {
        u32 *dead = take(sizeof(u32) * s->n), n = 0, original = 0;
        for (u32 f = 0; f < fault_count; f++) {
            if (!faults[f].alternative) {
                original = faults[f].signal;
                continue;
            }
            u32 from = n;
            for (u32 i = 0; i < s->n; i++)
                if (s->what[i] == faults[f].alternative) dead[n++] = s->who[i];
            struct { int signal; u32 n; } head = {faults[f].signal, n - from};
            record('D', &head, sizeof head, dead + from, (n - from) * sizeof *dead);
        }
        fault_count = 0;
        leave_behind(dead, n);
        if (original) { /* all that have no alternative here share the original's fate */
            u32 *rest = take(sizeof(u32) * (s->n + 1)), count = s->n;
            memcpy(rest, s->who, count * sizeof *rest);
            struct { int signal; u32 n; } head = {original, count};
            record('X', &head, sizeof head, rest, count * sizeof *rest);
            is_root = 0;
            if (!count) _exit(0);
            carry(rest, count);
            return 1;
        }
        if (!current_count) _exit(0);
        if (!differing_count) {
            arena_top = before;
            return 0;
        }
    }
    qsort(differing, differing_count, sizeof *differing, by_value);
    u32 *group_of = take(sizeof(u32) * (s->alternatives + 2)), groups = 0;
    memset(group_of, 0, sizeof(u32) * (s->alternatives + 2));
    for (u32 i = 0; i < differing_count; i++) {
        if (!i || memcmp(differing[i].bytes, differing[i - 1].bytes, 16)) groups++;
        group_of[differing[i].alternative] = groups;
    }
    u32 *size = take(sizeof(u32) * (groups + 1)), *start = take(sizeof(u32) * (groups + 2));
    memset(size, 0, sizeof(u32) * (groups + 1));
    for (u32 i = 0; i < s->n; i++) size[group_of[s->what[i]]]++;
    u32 total = 0;
    for (u32 g = 1; g <= groups; g++) start[g] = total, total += size[g];
    u32 *members = take(sizeof(u32) * (total + 1));
    for (u32 i = 0; i < s->n; i++) {
        u32 g = group_of[s->what[i]];
        if (g) members[start[g]++] = s->who[i];
    }
    u32 keep = 0; /* 0: those that agree with the first alternative */
    if (!is_root) {
        u32 most = current_count - total;
        for (u32 g = 1; g <= groups; g++)
            if (size[g] > most) most = size[g], keep = g;
    }
    if (keep) { /* the others of this process become a child */
        u32 *rest = take(sizeof(u32) * (current_count - total)), n = 0;
        for (u32 i = 0; i < total; i++) gone[members[i]] = 1;
        for (u32 i = 0; i < current_count; i++)
            if (!gone[current[i]]) rest[n++] = current[i];
        for (u32 i = 0; i < total; i++) gone[members[i]] = 0;
        if (n && fork_off(rest, n)) return 1; /* the list may be older than the last that left without a use here */
    }
    for (u32 g = 1; g <= groups; g++)
        if (g != keep && size[g] && fork_off(members + start[g] - size[g], size[g])) return 1;
    if (keep) {
        carry(members + start[keep] - size[keep], size[keep]);
        return 1;
    }
    leave_behind(members, total);
    arena_top = before;
    return 0;
}

/* True when the visit has to be repeated. */
int l2f_leave(void) {
    speculating = 0;
    if (!differing_count && !fault_count) return 0;
    int again = split();
    differing_count = 0;
    return again;
}

/* A choice that cannot be evaluated beforehand: each alternative is a value of its own. */
u32 l2f_pick(u32 number) {
    do {
        visited = &sites[number];
        differing_count = fault_count = 0;
        if (!l2f_live[number]) return 0;
        if (l2f_live[number] == 2) return l2f_list[number][0];
        for (l2f_p = l2f_base = l2f_list[number]; *l2f_p <= visited->alternatives;) {
            u32 alternative = *l2f_p++;
            if (l2f_p - 1 > l2f_base) note(&alternative, sizeof alternative);
        }
    } while (differing_count && split());
    differing_count = 0;
    return l2f_live[number] ? l2f_list[number][0] : 0;
}

/* A function about to be called shall find the stack as clean as without us: what a program forgets to initialise
   is read from there. */
#ifdef __x86_64__
__attribute__((naked)) void l2f_wipe(void) {
    __asm__("lea -8192(%rsp), %rdi\n xor %eax, %eax\n mov $1024, %ecx\n rep stosq\n ret");
}
#else
__attribute__((noinline)) void l2f_wipe(void) {
    char below[8192];
    memset(below, 0, sizeof below);
    __asm__ volatile("" : : "r"(below) : "memory");
}
#endif

void l2f_stop(void) { finish(TIMEOUT, 0); }

static void fault(int number) {
    if (speculating) {
        u32 *at = l2f_p - 1;
        faults[fault_count].alternative = *at, faults[fault_count++].signal = number;
        for (; *at <= visited->alternatives; at++) *at = at[1];
        restarted = 1;
        longjmp(l2f_jump, 1);
    }
    finish(SIGNALLED, number);
}

/* ------------------------------------------------------------------ the program's process */

static char *stack, *aside; /* the program's, and that of its signals */
static ucontext_t here, there;
static int (*program)(int, char **, char **);

static void begin(void) {
    static char *argv[] = {"program", 0}, *env[] = {0};
    int status = program(1, argv, env);
    finish(EXITED, status & 255);
}

static void start(i64 steps) {
    struct sigaction action = {.sa_handler = fault, .sa_flags = SA_NODEFER | SA_ONSTACK};
    static const int caught[] = {SIGSEGV, SIGFPE, SIGBUS, SIGILL};
    for (u32 i = 0; i < sizeof caught / sizeof *caught; i++) sigaction(caught[i], &action, 0);
    sigaltstack(&(stack_t){.ss_sp = aside, .ss_size = ASIDE}, 0);
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    struct rlimit space = {MEMORY_LIMIT, MEMORY_LIMIT};
    setrlimit(RLIMIT_AS, &space);
    watch(current_count);
    l2f_steps = budget = steps;
    getcontext(&there);
    there.uc_stack.ss_sp = stack, there.uc_stack.ss_size = STACK;
    makecontext(&there, begin, 0);
    swapcontext(&here, &there);
}

/* ------------------------------------------------------------------ functions a program gets instead of libc's */

static void (*at_exit[32])(void);
static u32 at_exit_count;

static void my_exit(int status) {
    while (at_exit_count) at_exit[--at_exit_count]();
    finish(EXITED, status & 255);
}
static void my__exit(int status) { (void)status; exiting = 1; finish(EXITED, 0); }
static int my_atexit(void (*f)(void)) {
    if (at_exit_count == sizeof at_exit / sizeof *at_exit) return -1;
    at_exit[at_exit_count++] = f;
    return 0;
}
static void my_abort(void) { finish(SIGNALLED, SIGABRT); }
static void my_assert_fail(const char *a, const char *b, unsigned c, const char *d) {
    (void)a, (void)b, (void)c, (void)d;
    finish(SIGNALLED, SIGABRT);
}
static char *my_gets(char *to) {
    int c, n = 0;
    while ((c = getchar_unlocked()) != EOF && c != '\n') to[n++] = c;
    if (c == EOF && !n) return 0;
    to[n] = 0;
    return to;
}
static int my_fclose(FILE *f) { return fflush(f); }
static void my_setbuf(FILE *f, char *b) { (void)f, (void)b; }
static int my_setvbuf(FILE *f, char *b, int m, size_t n) { (void)f, (void)b, (void)m, (void)n; return 0; }
static unsigned my_sleep(unsigned n) { (void)n; return 0; }
static char *my_getenv(const char *n) { (void)n; return 0; }

#ifdef L2F_LINKED
/* The program is compiled with these names in place of libc's. */
void l2f_exit(int status) { my_exit(status); }
void l2f__exit(int status) { my__exit(status); }
int l2f_atexit(void (*f)(void)) { return my_atexit(f); }
void l2f_abort(void) { my_abort(); }
char *l2f_gets(char *to) { return my_gets(to); }
int l2f_fclose(FILE *f) { return my_fclose(f); }
void l2f_setbuf(FILE *f, char *b) { my_setbuf(f, b); }
int l2f_setvbuf(FILE *f, char *b, int m, size_t n) { return my_setvbuf(f, b, m, n); }
unsigned l2f_sleep(unsigned n) { return my_sleep(n); }
char *l2f_getenv(const char *n) { return my_getenv(n); }
void l2f_assert_fail(const char *a, const char *b, unsigned c, const char *d) { my_assert_fail(a, b, c, d); }
#endif

#ifndef L2F_LINKED
struct va { unsigned gp, fp; char *overflow, *saved; };
static void *my_va_arg(struct va *ap, int kind, int size, int align) {
    size = (size + 7) & ~7, align = (align + 7) & ~7;
    if (kind == 0 && ap->gp + size <= 48) return ap->gp += size, ap->saved + ap->gp - size;
    if (kind == 1 && ap->fp < 128 + 48) {
        ap->fp += 16;
        if (size == 8) return ap->saved + ap->fp - 16;
        if (ap->fp < 128 + 48) {
            memcpy(ap->saved + ap->fp - 8, ap->saved + ap->fp, 8);
            ap->fp += 16;
            return ap->saved + ap->fp - 32;
        }
    }
    ap->overflow += size;
    ap->overflow = (char *)((intptr_t)(ap->overflow + align - 1) & -(intptr_t)align);
    return ap->overflow - size;
}
static unsigned long from_float(float x) { return (unsigned long)x; }
static unsigned long from_double(double x) { return (unsigned long)x; }
static unsigned long from_long_double(long double x) { return (unsigned long)x; }
static float to_float(unsigned long x) { return x; }
static double to_double(unsigned long x) { return x; }
static long double to_long_double(unsigned long x) { return x; }

/* A scanf with an argument too few stores at whatever is left in a register, which may be a pointer of ours: only
   the candidate that does so crashes then, not the engine with all the others. */
extern char __data_start, _end;
static void check_targets(const char *f, va_list targets) {
    while ((f = strchr(f, '%'))) {
        int stored = *++f != '*' && *f != '%';
        f += strspn(f, "*0123456789mhlLqjzt");
        if (*f == '[') f += f[1] == '^', f += 1 + (f[1] == ']'), f += strcspn(f, "]");
        if (!*f) return;
        f++;
        char *to = stored ? va_arg(targets, char *) : 0;
        if (stored && ((to >= ARENA_AT && to < ARENA_AT + ARENA) || (to >= PRINTED_AT && to < PRINTED_AT + 2 * OUTPUT) ||
                       (to >= &__data_start && to < &_end))) finish(SIGNALLED, SIGSEGV);
    }
}
#define CHECKED_SCAN(call) va_list list; va_start(list, f); check_targets(f, list); va_end(list); \
    va_start(list, f); int n = call; va_end(list); return n;
static int my_scanf(const char *f, ...) { CHECKED_SCAN(vscanf(f, list)) }
static int my_fscanf(FILE *in, const char *f, ...) { CHECKED_SCAN(vfscanf(in, f, list)) }
static int my_sscanf(const char *in, const char *f, ...) { CHECKED_SCAN(vsscanf(in, f, list)) }

static int bits_int(unsigned x) { return __builtin_popcount(x); }
static int bits_long(unsigned long x) { return __builtin_popcountl(x); }
static int low_int(unsigned x) { return __builtin_ctz(x); }
static int low_long(unsigned long x) { return __builtin_ctzl(x); }
static int high_int(unsigned x) { return __builtin_clz(x); }
static int high_long(unsigned long x) { return __builtin_clzl(x); }

struct symbol { const char *name; const void *address; };
#define S(name) {#name, (const void *)name},
#define M(name) {#name, (const void *)name}, {#name "f", (const void *)name##f}, {#name "l", (const void *)name##l},
static const struct symbol symbols[] = {
    {"l2f_p", &l2f_p}, {"l2f_base", &l2f_base}, {"l2f_steps", &l2f_steps}, {"l2f_jump", &l2f_jump}, S(l2f_enter) S(l2f_differs)
    S(l2f_differs_text) S(l2f_leave) S(l2f_pick) S(l2f_wipe) S(l2f_stop) S(_setjmp)
    {"stdin", &stdin}, {"stdout", &stdout}, {"stderr", &stderr},
    {"exit", my_exit}, {"_exit", my__exit}, {"_Exit", my__exit}, {"atexit", my_atexit}, {"abort", my_abort},
    {"__assert_fail", my_assert_fail}, {"gets", my_gets}, {"fclose", my_fclose}, {"setbuf", my_setbuf},
    {"setvbuf", my_setvbuf}, {"sleep", my_sleep}, {"usleep", my_sleep}, {"getenv", my_getenv},
    {"__va_arg", my_va_arg}, {"__fixunssfdi", from_float}, {"__fixunsdfdi", from_double},
    {"__fixunsxfdi", from_long_double}, {"__floatundisf", to_float}, {"__floatundidf", to_double},
    {"__floatundixf", to_long_double},
    S(printf) S(fprintf) S(sprintf) S(snprintf) S(vprintf) S(vfprintf) S(vsprintf) S(vsnprintf)
    {"scanf", my_scanf}, {"sscanf", my_sscanf}, {"fscanf", my_fscanf},
    {"__isoc99_scanf", my_scanf}, {"__isoc99_sscanf", my_sscanf}, {"__isoc99_fscanf", my_fscanf},
    S(getchar) S(getc) S(fgetc) S(ungetc) S(putchar) S(putc) S(fputc) S(puts) S(fputs) S(fgets) S(fflush) S(feof)
    S(ferror) S(clearerr) S(fread) S(fwrite) S(getline) S(getdelim) S(perror) S(getchar_unlocked) S(putchar_unlocked)
    S(getc_unlocked) S(putc_unlocked)
    S(malloc) S(calloc) S(realloc) S(free) S(atoi) S(atol) S(atoll) S(atof) S(strtol) S(strtoul) S(strtoll)
    S(strtoull) S(strtod) S(strtof) S(strtold) S(rand) S(srand) S(random) S(srandom) S(rand_r) S(drand48) S(srand48)
    S(lrand48) S(qsort) S(bsearch) S(abs) S(labs) S(llabs) S(div) S(ldiv) S(lldiv)
    S(memcpy) S(memmove) S(memset) S(memcmp) S(memchr) S(strcpy) S(strncpy) S(strcat) S(strncat) S(strcmp) S(strncmp)
    S(strchr) S(strrchr) S(strstr) S(strlen) S(strtok) S(strtok_r) S(strspn) S(strcspn) S(strpbrk) S(strdup)
    S(strndup) S(strcoll) S(strerror) S(strnlen) S(stpcpy) S(strsep) S(strcasecmp) S(strncasecmp) S(bzero) S(bcopy)
    {"index", strchr}, {"rindex", strrchr}, S(memmem) S(mempcpy)
    S(isalpha) S(isdigit) S(isalnum) S(isspace) S(isupper) S(islower) S(ispunct) S(isprint) S(iscntrl) S(isxdigit)
    S(isgraph) S(isblank) S(isascii) S(toupper) S(tolower) S(__ctype_b_loc) S(__ctype_tolower_loc)
    S(__ctype_toupper_loc) S(__errno_location)
    M(sqrt) M(cbrt) M(pow) M(exp) M(exp2) M(expm1) M(log) M(log2) M(log10) M(log1p) M(sin) M(cos) M(tan) M(asin) M(acos)
    M(atan) M(atan2) M(sinh) M(cosh) M(tanh) M(asinh) M(acosh) M(atanh) M(floor) M(ceil) M(round) M(trunc) M(rint)
    M(nearbyint) M(lround) M(llround) M(lrint) M(llrint) M(fabs) M(fmod) M(remainder) M(hypot) M(fmin) M(fmax) M(fdim)
    M(modf) M(frexp) M(ldexp) M(copysign) M(tgamma) M(lgamma) M(erf) M(erfc) M(nextafter) M(fma) M(logb) M(ilogb)
    M(scalbn) M(exp10)
    S(time) S(clock) S(difftime) S(localtime) S(gmtime) S(mktime) S(strftime) S(clock_gettime) S(gettimeofday)
    {"setjmp", _setjmp}, S(longjmp)
    {"__builtin_popcount", bits_int}, {"__builtin_popcountl", bits_long}, {"__builtin_popcountll", bits_long},
    {"__builtin_ctz", low_int}, {"__builtin_ctzl", low_long}, {"__builtin_ctzll", low_long},
    {"__builtin_clz", high_int}, {"__builtin_clzl", high_long}, {"__builtin_clzll", high_long},
};
#endif

/* ------------------------------------------------------------------ compiling */

static char *code;

#ifndef L2F_LINKED
static char trouble[2048];

static void complain(void *opaque, const char *message) {
    (void)opaque;
    if (!*trouble && !strstr(message, "warning:")) snprintf(trouble, sizeof trouble, "%s", message);
}

/* The addresses of main and of the line counters; 0 and `trouble` when it does not compile. */
static long compile(const char *text, const char *options, void *to, void **entry, void **counters, char **data) {
    TCCState *state = tcc_new();
    *trouble = 0;
    tcc_set_error_func(state, 0, complain);
    tcc_set_options(state, "-nostdlib -w");
    if (*options) tcc_set_options(state, options);
    tcc_set_output_type(state, TCC_OUTPUT_MEMORY);
    for (u32 i = 0; i < sizeof symbols / sizeof *symbols; i++) tcc_add_symbol(state, symbols[i].name, symbols[i].address);
    tcc_add_symbol(state, "l2f_live", l2f_live), tcc_add_symbol(state, "l2f_list", l2f_list);
    if (tcc_compile_string(state, text) < 0) goto failed;
    long size = tcc_relocate(state, 0);
    if (size < 0 || size > CODE || tcc_relocate(state, to) < 0) goto failed;
    *entry = tcc_get_symbol(state, "main");
    *counters = tcc_get_symbol(state, "l2f_lines");
    *data = tcc_get_symbol(state, "l2f_data");
    if (*entry) return size;
failed:
    if (!*trouble) strcpy(trouble, "the program cannot be linked");
    return -1;
}
#else
int l2f_main(int, char **, char **);
extern unsigned long l2f_lines[] __attribute__((weak));
#endif

/* ------------------------------------------------------------------ commands */

static char *frame;
static u32 frame_length;
static char *cursor;

static void *next_bytes(size_t n) {
    char *p = cursor;
    cursor += n;
    if (cursor > frame + frame_length) _exit(96);
    return p;
}
static u32 next_u32(void) { u32 v; memcpy(&v, next_bytes(4), 4); return v; }
static i64 next_i64(void) { i64 v; memcpy(&v, next_bytes(8), 8); return v; }
static double next_f64(void) { double v; memcpy(&v, next_bytes(8), 8); return v; }

static double used(int who) {
    struct rusage u;
    getrusage(who, &u);
    return u.ru_utime.tv_sec + u.ru_stime.tv_sec + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

static void reply(const void *data, u32 n) {
    struct { double seconds; u32 n, unused; } head = {used(RUSAGE_SELF) + used(RUSAGE_CHILDREN), n, 0};
    write_all(replies, &head, sizeof head);
    write_all(replies, data, n);
}

/* A fork copies the page tables of private memory that was written to, and leaves those of untouched files to
   be faulted in again by every child. One byte written makes all the difference. */
static int touch(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size, (void)data;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || part->p_flags & PF_W) continue;
        uintptr_t from = (info->dlpi_addr + part->p_vaddr) & ~4095UL;
        size_t length = (info->dlpi_addr + part->p_vaddr + part->p_memsz + 4095 - from) & ~4095UL;
        int protection = PROT_READ | (part->p_flags & PF_X ? PROT_EXEC : 0);
        if (mprotect((void *)from, length, protection | PROT_WRITE)) continue;
        *(volatile char *)from = *(volatile char *)from;
        mprotect((void *)from, length, protection);
        madvise((void *)from, length, 22 /* MADV_POPULATE_READ */);
    }
    return 1;
}

/* Our own code moves into huge pages, when we are linked so that nothing else lies in them. */
static void move_own_code(void) {
    static int moved;
    if (moved++) return;
    struct span { uintptr_t from, to; } own = {-1UL, 0}, other = {-1UL, 0};
    const ElfW(Phdr) *parts = (const ElfW(Phdr) *)getauxval(AT_PHDR);
    for (unsigned long i = 0; i < getauxval(AT_PHNUM); i++) {
        if (parts[i].p_type != PT_LOAD) continue;
        struct span *s = parts[i].p_flags & PF_W ? &other : &own;
        if (parts[i].p_vaddr < s->from) s->from = parts[i].p_vaddr;
        if (parts[i].p_vaddr + parts[i].p_memsz > s->to) s->to = parts[i].p_vaddr + parts[i].p_memsz;
    }
    size_t size = (own.to - own.from + HUGE_PAGE - 1) & -HUGE_PAGE;
    if (!own.from || own.from % HUGE_PAGE || other.from < own.from + size || (uintptr_t)touch - own.from >= size) return;
    char *aside = CODE_AT + CODE;
    if (!huge_pages(aside, size)) return;
    memcpy(aside, (char *)own.from, own.to - own.from);
    mprotect(aside, size, PROT_READ | PROT_EXEC);
    mremap(aside, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)own.from);
}

static void load(void) {
    line_count = next_u32();
    site_count = next_u32();
    candidate_count = next_u32();
    u32 total = next_u32();
    if (site_count > MAX_SITES) _exit(94);
    sites = take(sizeof *sites * (site_count + 1));
#ifndef L2F_LINKED
    l2f_list = take(sizeof *l2f_list * (site_count + 1)), l2f_live = take(site_count + 1);
#endif
    most_alternatives = 0;
    for (u32 i = 0; i < site_count; i++) {
        sites[i].alternatives = next_u32(), sites[i].left = 0;
        if (sites[i].alternatives > most_alternatives) most_alternatives = sites[i].alternatives;
    }
    first_use = take(sizeof(u32) * (candidate_count + 1));
    memcpy(first_use, next_bytes(sizeof(u32) * (candidate_count + 1)), sizeof(u32) * (candidate_count + 1));
    uses = take(sizeof *uses * (total + 1));
    memcpy(uses, next_bytes(sizeof *uses * total), sizeof *uses * total);
    if (candidate_count >= MANY) move_own_code();
    stamp = take(sizeof(u32) * (most_alternatives + 2));
    differing = take(sizeof *differing * (most_alternatives + 2));
    faults = take(sizeof *faults * (most_alternatives + 2));
    gone = take(candidate_count + 1);
    moved = take(sizeof *moved * (candidate_count + 1));
    lists = arena_top;
#ifdef L2F_LINKED
    program = l2f_main, lines = l2f_lines;
    reply("", 0);
#else
    u32 options = next_u32();
    char *option_text = next_bytes(options + 1), *text = next_bytes(0);
    /* A child compiles into a memory file that is then mapped here: no fork ever copies the compiler's memory,
       and a compiler that crashes takes nothing with it. */
    int image = memfd_create("code", MFD_CLOEXEC), result[2];
    if (image < 0 || ftruncate(image, CODE) || pipe2(result, O_CLOEXEC)) _exit(93);
    struct { long size; void *entry, *counters; char *data, trouble[2048]; } answer;
    memset(&answer, 0, sizeof answer);
    answer.size = -1;
    strcpy(answer.trouble, "the compiler crashed");
    pid_t child = fork();
    if (!child) {
        if (mmap(code, CODE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_SHARED | MAP_FIXED, image, 0) == MAP_FAILED) _exit(1);
        answer.size = compile(text, option_text, code, &answer.entry, &answer.counters, &answer.data);
        memcpy(answer.trouble, trouble, sizeof trouble);
        write_all(result[1], &answer, sizeof answer);
        _exit(0);
    }
    close(result[1]);
    char *to = (char *)&answer;
    for (size_t left = sizeof answer; left;) {
        ssize_t got = read(result[0], to, left);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        to += got, left -= got;
    }
    wait_for(child);
    close(result[0]);
    if (answer.size >= 0) {
        size_t size = (answer.size + 4095) & ~4095UL;
        munmap(code, CODE);
        if (ftruncate(image, size) ||
            mmap(code, size, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, image, 0) == MAP_FAILED) _exit(92);
        /* What is only executed is a mapping of its own, never written to. Without huge pages it stays in the file,
           so that no fork copies its page tables. */
        size_t text_size = answer.data ? (answer.data - code) & -HUGE_PAGE : 0;
        if (text_size && text_size < size) {
            off_t end = lseek(image, 0, SEEK_HOLE), got;
            if (end <= 0 || end > (off_t)text_size) end = text_size;
            if (candidate_count >= MANY && huge_pages(code, text_size)) {
                for (off_t at = 0; at < end; at += got)
                    if ((got = pread(image, code + at, end - at, at)) <= 0) _exit(92);
            } else if (mmap(code, text_size, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, image, 0) == MAP_FAILED) _exit(92);
            mprotect(code, text_size, PROT_READ | PROT_EXEC);
        }
        program = answer.entry, lines = answer.counters;
        *answer.trouble = 0;
    }
    close(image);
    reply(answer.trouble, strlen(answer.trouble));
#endif
}

static volatile pid_t running;
static volatile int late;

static void too_late(int number) {
    (void)number;
    late = 1;
    if (running > 0) kill(-running, SIGKILL), kill(running, SIGKILL);
}

static void set_timer(double seconds) {
    struct itimerval t = {{0, 0}, {(long)seconds, (long)((seconds - (long)seconds) * 1e6)}};
    setitimer(ITIMER_REAL, &t, 0);
}

/* Starts a process group for one run; 0 in its first process. */
static pid_t start_group(double seconds) {
    late = 0;
    pid_t child = fork();
    if (!child) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGALRM, SIG_DFL);
        close(commands), close(replies);
        return 0;
    }
    setpgid(child, child);
    running = child;
    if (seconds > 0) set_timer(seconds);
    return child;
}

static int end_group(pid_t child) {
    int status = wait_for(child);
    set_timer(0);
    running = 0;
    kill(-child, SIGKILL); /* whatever it left behind; the group exists as long as one member does */
    while (waitpid(-1, 0, WNOHANG) > 0) {}
    return status;
}

struct text { char *data; size_t n, room; };

static void append(struct text *t, const void *data, size_t n) {
    if (t->n + n > t->room) {
        t->room = (t->n + n) * 2 + 4096;
        t->data = realloc(t->data, t->room);
        if (!t->data) _exit(91);
    }
    memcpy(t->data + t->n, data, n);
    t->n += n;
}

/* Distinct outcomes of a run; the same kind, status and output are one. */
struct outcomes { struct text bodies; u32 count, slots, *table; size_t *at; };

static u32 outcome_index(struct outcomes *o, int kind, int status, const char *data, u32 n) {
    uint64_t key[2], mixed;
    hash(data, n, (u8 *)key);
    mixed = key[0] ^ key[1] ^ ((uint64_t)kind << 40) ^ status;
    if (o->count * 2 >= o->slots) {
        o->slots = o->slots ? o->slots * 2 : 64;
        o->table = realloc(o->table, sizeof(u32) * o->slots);
        o->at = realloc(o->at, sizeof(size_t) * o->slots);
        memset(o->table, 255, sizeof(u32) * o->slots);
        for (u32 i = 0; i < o->count; i++) {
            struct outcome *head = (struct outcome *)(o->bodies.data + o->at[i]);
            uint64_t again[2];
            hash(head + 1, head->length, (u8 *)again);
            u32 slot = (again[0] ^ again[1] ^ ((uint64_t)head->kind << 40) ^ head->status) & (o->slots - 1);
            while (o->table[slot] != NOBODY) slot = (slot + 1) & (o->slots - 1);
            o->table[slot] = i;
        }
    }
    u32 slot = mixed & (o->slots - 1);
    for (; o->table[slot] != NOBODY; slot = (slot + 1) & (o->slots - 1)) {
        struct outcome *head = (struct outcome *)(o->bodies.data + o->at[o->table[slot]]);
        if (head->kind == kind && head->status == status && head->length == n && !memcmp(head + 1, data, n))
            return o->table[slot];
    }
    o->table[slot] = o->count;
    o->at[o->count] = o->bodies.n;
    struct outcome head = {kind, status, n};
    append(&o->bodies, &head, sizeof head);
    append(&o->bodies, data, n);
    append(&o->bodies, "\0\0\0", -n & 3);
    return o->count++;
}

static void outcome_of_status(int status, int *kind, int *number) {
    *kind = SIGNALLED, *number = SIGKILL;
    if (WIFSIGNALED(status)) {
        *number = WTERMSIG(status);
        if (*number == SIGALRM || *number == SIGPROF) *kind = TIMEOUT, *number = 0;
        if (*number == SIGKILL && late) *kind = TIMEOUT, *number = 0;
    }
}

struct node { u32 *members, count; int has_outcome, kind, status; char *data; u32 length; };

/* Reads the records of a run back and says for each live candidate how it ended. */
static u32 resolve(u32 *alive, u32 n, int status, struct outcomes *all, u32 *ended, i64 *steps, u32 *runs, u32 **counts) {
    off_t size = lseek(records, 0, SEEK_END);
    char *base = size ? mmap(0, size, PROT_READ, MAP_SHARED, records, 0) : 0, *p = base, *end = base + size;
    if (base == MAP_FAILED) _exit(90);
    u32 *owner = malloc(sizeof(u32) * (candidate_count + 1)); /* depth of the node that carries it */
    struct node path[64];
    u32 depth = 0, root = NOBODY;
    memset(owner, 255, sizeof(u32) * (candidate_count + 1));
    for (u32 i = 0; i < n; i++) owner[alive[i]] = 0, ended[alive[i]] = NOBODY;
    path[0] = (struct node){alive, n, 0, 0, 0, 0, 0};
    *runs = 1, *steps = 0, *counts = 0;
    while (p && p < end) {
        char tag = *p++;
        struct node *at = &path[depth];
        size_t left = end - p;
        if (tag == 'O') {
            struct { struct outcome o; i64 steps; } head;
            if (left < sizeof head) break;
            memcpy(&head, p, sizeof head), p += sizeof head;
            /* A program gone wild may have jumped to where outcomes are written. */
            if (head.o.length > (size_t)(end - p) || (u32)head.o.kind > FLOOD) break;
            at->has_outcome = 1, at->kind = head.o.kind, at->status = head.o.status;
            at->data = p, at->length = head.o.length;
            if (!depth) *steps = head.steps;
            p += head.o.length;
        } else if (tag == 'L') {
            if (left < 4 + line_count * sizeof *lines) break;
            if (!depth) *counts = (u32 *)(p + 4);
            p += 4 + line_count * sizeof *lines;
        } else if (tag == 'F' || tag == 'D' || tag == 'X') {
            int number = 0;
            u32 count;
            if (left < 8) break;
            if (tag != 'F') memcpy(&number, p, 4), p += 4;
            memcpy(&count, p, 4), p += 4;
            if (count > (size_t)(end - p) / 4 || count > candidate_count) break;
            u32 *ids = malloc(sizeof(u32) * (count + 1));
            memcpy(ids, p, count * 4), p += count * 4;
            int honest = depth < 62;
            for (u32 i = 0; i < count && honest; i++) honest = ids[i] < candidate_count && owner[ids[i]] == depth;
            if (!honest) break;
            if (tag == 'F') {
                ++*runs, depth++;
                for (u32 i = 0; i < count; i++) owner[ids[i]] = depth;
                path[depth] = (struct node){ids, count, 0, 0, 0, 0, 0};
                continue;
            }
            u32 dead = outcome_index(all, SIGNALLED, number, "", 0);
            if (tag == 'D')
                for (u32 i = 0; i < count; i++) ended[ids[i]] = dead, owner[ids[i]] = NOBODY;
            else {
                for (u32 i = 0; i < count; i++) owner[ids[i]] = NOBODY - 1;
                for (u32 i = 0; i < at->count; i++) {
                    u32 c = at->members[i];
                    if (owner[c] == depth) ended[c] = dead, owner[c] = NOBODY;
                    else if (owner[c] == NOBODY - 1) owner[c] = depth;
                }
            }
            free(ids);
        } else if (tag == 'P') {
            int child;
            if (left < 4 || !depth) break;
            memcpy(&child, p, 4), p += 4;
            int kind = at->kind, number = at->status;
            if (!at->has_outcome || !WIFEXITED(child) || WEXITSTATUS(child)) {
                outcome_of_status(child, &kind, &number);
                at->length = 0;
            }
            u32 index = outcome_index(all, kind, number, at->data, at->length);
            for (u32 i = 0; i < at->count; i++)
                if (owner[at->members[i]] == depth) ended[at->members[i]] = index, owner[at->members[i]] = NOBODY;
            free(at->members);
            depth--;
        } else break;
    }
    if (depth == 0 && p == end && !late) {
        struct node *at = &path[0];
        int kind = at->kind, number = at->status;
        if (!at->has_outcome || !WIFEXITED(status) || WEXITSTATUS(status)) {
            outcome_of_status(status, &kind, &number);
            at->length = 0;
        }
        root = outcome_index(all, kind, number, at->data, at->length);
        for (u32 i = 0; i < n; i++)
            if (owner[alive[i]] == 0) ended[alive[i]] = root;
    }
    if (*counts) {
        u32 *copy = malloc(line_count * sizeof *lines + 1);
        memcpy(copy, *counts, line_count * sizeof *lines);
        *counts = copy;
    }
    free(owner);
    if (base) munmap(base, size);
    return root;
}

static void clear_records(void) {
    if (ftruncate(records, 0)) _exit(89);
}

static void run(void) {
    i64 steps = next_i64();
    double limit = next_f64(), longest = next_f64();
    u32 n = next_u32();
    u32 *alive = next_bytes(n * 4);
    given_length = next_u32();
    given = next_bytes(given_length), given_at = 0;
    guard = limit;
    clear_records();
    char *before = arena_top;
    pid_t child = start_group(longest);
    if (!child) {
        is_root = 1;
        carry(alive, n);
        start(steps);
        _exit(88);
    }
    double earlier = used(RUSAGE_CHILDREN);
    int status = end_group(child);
    double spent = used(RUSAGE_CHILDREN) - earlier;
    arena_top = before;
    struct outcomes all = {0};
    u32 *ended = malloc(sizeof(u32) * (candidate_count + 1)), runs, *counts;
    i64 taken;
    u32 root = resolve(alive, n, status, &all, ended, &taken, &runs, &counts);
    struct text out = {0};
    struct { u32 late, runs; i64 steps; u32 outcomes, lines, root, unused; double seconds; } head = {
        late, runs, taken, all.count, counts ? line_count : 0, root, 0, spent};
    append(&out, &head, sizeof head);
    append(&out, all.bodies.data, all.bodies.n);
    for (u32 i = 0; i < n; i++) append(&out, &ended[alive[i]], 4);
    if (counts) append(&out, counts, line_count * sizeof *lines);
    reply(out.data, out.n);
    free(out.data), free(ended), free(all.bodies.data), free(all.table), free(all.at), free(counts);
}

#ifndef L2F_LINKED
/* One whole program, compiled by itself and run on each input. */
static void alone(void) {
    double limit = next_f64(), longest = next_f64();
    u32 inputs = next_u32();
    struct { i64 steps; u32 length; char *text; } *each = malloc(sizeof *each * (inputs + 1));
    for (u32 i = 0; i < inputs; i++) {
        each[i].steps = next_i64();
        each[i].length = next_u32();
        each[i].text = next_bytes(each[i].length);
    }
    u32 options = next_u32();
    char *option_text = next_bytes(options + 1), *text = next_bytes(0);
    guard = limit;
    clear_records();
    pid_t child = start_group(longest);
    if (!child) {
        void *entry, *counters;
        char *data;
        u32 none = 0;
        reserve(code, CODE, PROT_READ | PROT_WRITE | PROT_EXEC);
        line_count = current_count = 0;
        set_timer(10);
        signal(SIGSEGV, SIG_DFL);
        long size = compile(text, option_text, code, &entry, &counters, &data);
        if (size < 0) {
            struct { struct outcome o; i64 steps; } head = {{NOT_COMPILED, 0, strlen(trouble)}, 0};
            record('O', &head, sizeof head, trouble, head.o.length);
            _exit(0);
        }
        program = entry;
        munmap(code + ((size + 4095) & ~4095L), CODE - ((size + 4095) & ~4095L));
        set_timer(0);
        record('C', &none, 4, 0, 0);
        for (u32 i = 0; i < inputs; i++) {
            pid_t grandchild = i + 1 < inputs ? syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : 0;
            if (!grandchild) {
                prctl(PR_SET_PDEATHSIG, SIGKILL);
                given = each[i].text, given_length = each[i].length, given_at = 0;
                start(each[i].steps);
                _exit(88);
            }
            int status = wait_for(grandchild);
            record('P', &status, 4, 0, 0);
        }
        _exit(0);
    }
    int status = end_group(child);
    off_t size = lseek(records, 0, SEEK_END);
    char *base = size ? mmap(0, size, PROT_READ, MAP_SHARED, records, 0) : 0, *p = base, *end = base + size;
    struct text out = {0};
    u32 done = 0;
    int compiled = 0, has = 0;
    struct { struct outcome o; i64 steps; } head;
    char *body = 0;
    u32 was_late = late;
    append(&out, &was_late, 4);
    while (p && p < end) {
        char tag = *p++;
        if (tag == 'C') p += 4, compiled = 1;
        else if (tag == 'O' && (size_t)(end - p) >= sizeof head) {
            memcpy(&head, p, sizeof head), p += sizeof head, body = p, has = 1;
            if (head.o.length > (size_t)(end - p) || (u32)head.o.kind > NOT_COMPILED) { has = 0; break; }
            p += head.o.length;
            if (!compiled) break;
        } else if (tag == 'P' && compiled && done + 1 < inputs) {
            int ended;
            memcpy(&ended, p, 4), p += 4;
            if (!has || !WIFEXITED(ended) || WEXITSTATUS(ended)) outcome_of_status(ended, &head.o.kind, &head.o.status), head.o.length = 0;
            append(&out, &head.o, sizeof head.o);
            if (head.o.length) append(&out, body, head.o.length);
            has = 0, done++;
        } else break;
    }
    if (!compiled) {
        if (!has) head.o = (struct outcome){NOT_COMPILED, 0, 0};
        append(&out, &head.o, sizeof head.o);
        if (head.o.length) append(&out, body, head.o.length);
    } else if (done + 1 == inputs) {
        if (!has || !WIFEXITED(status) || WEXITSTATUS(status)) outcome_of_status(status, &head.o.kind, &head.o.status), head.o.length = 0;
        append(&out, &head.o, sizeof head.o);
        if (head.o.length) append(&out, body, head.o.length);
    }
    reply(out.data, out.n);
    free(out.data), free(each);
    if (base) munmap(base, size);
}
#endif

int main(void) {
    dl_iterate_phdr(touch, 0);
#ifdef RSEQ_SIG /* the kernel would write to this area, and so copy its page, at every switch between processes */
    if (__rseq_size) syscall(SYS_rseq, (char *)__builtin_thread_pointer() + __rseq_offset, 32, 1, RSEQ_SIG);
#endif
    commands = fcntl(0, F_DUPFD_CLOEXEC, 100), replies = fcntl(1, F_DUPFD_CLOEXEC, 100);
    records = memfd_create("records", MFD_CLOEXEC);
    if (commands < 0 || replies < 0 || records < 0) return 87;
    fcntl(records, F_SETFL, O_APPEND);
    int nothing = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3 && nothing >= 0; fd++) dup2(nothing, fd);
    if (nothing > 2) close(nothing);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    signal(SIGPIPE, SIG_IGN);
    struct sigaction action = {.sa_handler = too_late};
    sigaction(SIGALRM, &action, 0);
    arena = arena_top = reserve(ARENA_AT, ARENA, PROT_READ | PROT_WRITE);
    stack = reserve(STACK_AT, STACK, PROT_READ | PROT_WRITE);
    mprotect(stack, 4096, PROT_NONE);
    code = CODE_AT, aside = take(ASIDE);
    open_streams();
    for (size_t room = 0;;) {
        u32 head[2];
        read_all(commands, head, sizeof head);
        frame_length = head[1];
        if (frame_length + 16 > room) {
            room = frame_length * 2 + 4096;
            free(frame);
            frame = malloc(room);
            if (!frame) return 86;
        }
        read_all(commands, frame, frame_length);
        frame[frame_length] = 0;
        cursor = frame;
        if (head[0] == LOAD) { /* every fork would copy the page tables of the text */
            load();
            free(frame);
            frame = 0, room = 0;
            malloc_trim(0);
        }
        else if (head[0] == RUN) run();
#ifndef L2F_LINKED
        else if (head[0] == ALONE) alone();
#endif
        else return 85;
    }
}
