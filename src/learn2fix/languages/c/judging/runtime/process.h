/* The process of a run: its stack, signals and limits, and the group that it leads. */
static char *stack, *aside; /* the program's, and that of its signals */
static ucontext_t here, there;
static int (*program)(int, char **, char **);

static char *program_arguments[MOST_ARGUMENTS + 1] = {"program"}, *no_environment[] = {0};
static int program_count;

/* On its own: no register may hold an address of ours when the program begins, which would save it on its stack. */
static __attribute__((noinline)) void place_arguments(void) { program_count = place_input(program_arguments); }

static void begin(void) {
    place_arguments();
    if (l2f_fresh) l2f_wipe();
    int status = program(program_count, program_arguments, no_environment);
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
    budget = steps, reserved = steps / 2, l2f_steps = steps - reserved;
    getcontext(&there);
    there.uc_stack.ss_sp = stack, there.uc_stack.ss_size = STACK;
    makecontext(&there, begin, 0);
#ifdef __x86_64__ /* our own registers hold addresses that differ from run to run, and the program saves them on its stack */
    static const int saved[] = {REG_RBP, REG_R12, REG_R13, REG_R14, REG_R15}; /* rbx is makecontext's */
    for (u32 i = 0; i < sizeof saved / sizeof *saved; i++) there.uc_mcontext.gregs[saved[i]] = 0;
#endif
    swapcontext(&here, &there);
}

static volatile pid_t running;
static volatile int late;

static void too_late(int number) {
    (void)number;
    late = 1;
    if (running > 0) kill(-running, SIGKILL), kill(running, SIGKILL);
}

/* A run can signal nobody, so that it neither stops nor kills us, nor leave its group, nor cut the records off. What
   libc does when it finds its memory destroyed is left to it. */
static void restrain(void) {
#define REFUSE(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        REFUSE(kill), REFUSE(tkill), REFUSE(rt_sigqueueinfo), REFUSE(rt_tgsigqueueinfo), REFUSE(pidfd_send_signal),
        REFUSE(setsid), REFUSE(setpgid), REFUSE(ftruncate), REFUSE(memfd_create),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SIGABRT, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog all = {sizeof filter / sizeof *filter, filter};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all);
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
        restrain();
        return 0;
    }
    setpgid(child, child);
    running = child;
    if (seconds > 0) set_timer(ITIMER_REAL, seconds);
    return child;
}

/* What left the group of a run is our child, since we are the subreaper of all that it started. */
static void kill_children(void) {
    char text[4096], *p = text;
    int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (n <= 0) _exit(84); /* the sandbox ends with us, and so do they */
    close(fd);
    text[n] = 0;
    for (pid_t child; (child = strtol(p, &p, 10)) > 0;) kill(child, SIGKILL);
}

static int end_group(pid_t child) {
    int status = wait_for(child);
    set_timer(ITIMER_REAL, 0);
    running = 0;
    kill(-child, SIGKILL); /* the group exists as long as one member does */
    for (pid_t gone; (gone = waitpid(-1, 0, WNOHANG)) >= 0;)
        if (!gone) kill_children(), waitpid(-1, 0, 0);
    return status;
}
