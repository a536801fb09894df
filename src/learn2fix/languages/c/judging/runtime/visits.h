/* One visit to a site: alternatives are evaluated, compared and, where they differ, forked. */
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

/* Steps decide when a run is over. These limits are only for what takes none: CPU seconds for a loop in a library
   function (trying out alternatives takes some too), and real time for a system call that blocks. */
static void set_timer(int which, double seconds) {
    struct itimerval t = {{0, 0}, {(long)seconds, (long)((seconds - (long)seconds) * 1e6)}};
    setitimer(which, &t, 0);
}

static void watch(u32 candidates) {
    set_timer(ITIMER_PROF, guard * (1 + candidates / 16.0));
    set_timer(ITIMER_REAL, BLOCKED);
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
    set_timer(ITIMER_REAL, 0); /* to wait for a child is not to be blocked */
    int status = child < 0 ? 95 << 8 : wait_for(child);
    set_timer(ITIMER_REAL, BLOCKED);
    record('P', &status, sizeof status, 0, 0);
    return 0;
}

/* The group splits by value. True when this process now carries another group: the visit is repeated. */
static int split(void) {
    struct site *s = visited;
    char *before = arena_top;
    /* A program that writes everywhere may have led us to a site of others: who splits those never comes to an end. */
    for (u32 i = 0; i < s->n; i++)
        if (s->who[i] >= candidate_count || !mine[s->who[i]]) _exit(98);
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
   is read from there. Clean are zeros, or the pattern that the user's compiler puts there. */
static __attribute__((used)) unsigned long l2f_fresh;
#ifdef __x86_64__
__attribute__((naked)) void l2f_wipe(void) {
    __asm__("lea -8192(%rsp), %rdi\n mov l2f_fresh(%rip), %rax\n mov $1024, %ecx\n rep stosq\n ret");
}
#else
__attribute__((noinline)) void l2f_wipe(void) {
    char below[8192];
    memset(below, (u8)l2f_fresh, sizeof below);
    __asm__ volatile("" : : "r"(below) : "memory");
}
#endif

/* A fault of an alternative is that of its candidates; one outside of all of them, as when a wild write has met the
   tables that lead to them, is that of the whole group, and would come again for ever if the visit were repeated. */
static void fault(int number) {
    if (speculating && l2f_p > l2f_base && l2f_p[-1] <= visited->alternatives && fault_count <= visited->alternatives) {
        u32 *at = l2f_p - 1;
        faults[fault_count].alternative = *at, faults[fault_count++].signal = number;
        for (; *at <= visited->alternatives; at++) *at = at[1];
        restarted = 1;
        longjmp(l2f_jump, 1);
    }
    finish(SIGNALLED, number);
}
