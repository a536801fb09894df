/* Runs one program on many inputs inside one sandbox, or starts one long-lived process in it.
 *
 *   runner CONFIG_FD STATUS_FD      CONFIG_FD: what to do (see configure); STATUS_FD: "ok …" or "error: …"
 *   runner attack NAME [ARG ...]    tries something hostile and prints "blocked" or "allowed"
 *
 * serve:  requests on fd 0, results on fd 1, both framed (struct request, struct result). The program is
 *         started afresh for each request; when it has ended, nothing that it started is left.
 *         With a library to load into it (forkserver.c) it is started once and forked, and from time to time
 *         compared with a fresh start; at the first difference fresh starts it is.
 *         A warm Python interpreter (inside/warm.py) is such a fork server too, and the only way to run it.
 * launch: the program gets our fd 0, 1, 2; we wait, then end what it left behind.
 *
 * With a pid namespace the runner is its init: out of reach of the program's signals, and its end is the
 * end of all. It then shuts itself in too, once. Without one it stays outside, each child shuts itself in
 * before exec, and orphans come to us because we are the subreaper.
 */
#define _GNU_SOURCE
#include "runner.h"
#include "forkserver.h"

#include <stdlib.h>
#include <sys/wait.h>

struct config config;
volatile sig_atomic_t asked_to_end;
int forking, nothing_fd = -1, status_fd = -1, parent_fd = -1, scratch_fd = -1;
static int ruleset = -1;
sigset_t normal_mask;

void fail(const char *what) {
    char line[512];
    int n = snprintf(line, sizeof line, "error: %s: %s\n", what, strerror(errno));
    if (write(status_fd, line, (size_t)n) < 0) {}
    _exit(125);
}

void *need(void *memory) {
    if (!memory) fail("out of memory");
    return memory;
}

int read_full(int fd, void *data, size_t size) {
    for (char *at = data; size;) {
        ssize_t n = read(fd, at, size);
        if (n == 0) return -1;
        if (n < 0) {
            if (errno == EINTR) continue;
            return -1;
        }
        at += n;
        size -= (size_t)n;
    }
    return 0;
}

/* ---------------------------------------------------------------- configuration */

static void append(char ***list, size_t *count, char *item) {
    *list = need(realloc(*list, (*count + 2) * sizeof **list));
    (*list)[(*count)++] = item;
    (*list)[*count] = NULL;
}

/* A count, then that many strings, each with its length; the first byte says what the rest means. */
static void configure(int fd) {
    uint32_t count, length;
    if (read_full(fd, &count, sizeof count)) fail("configuration");
    while (count--) {
        if (read_full(fd, &length, sizeof length)) fail("configuration");
        char *text = need(calloc(1, (size_t)length + 1));
        if (read_full(fd, text, length)) fail("configuration");
        char *value = text + 1;
        switch (*text) {
        case 'M': config.launch = *value == 'l'; break;
        case 'F': config.flags = atoi(value); forking = !!(config.flags & FORK_SERVER); break;
        case 'U': config.uid = (uid_t)strtoul(value, NULL, 10); config.has_uid = 1; break;
        case 'G': config.gid = (gid_t)strtoul(value, NULL, 10); break;
        case 'x': config.path = value; break;
        case 's': config.scratch = value; break;
        case 'd': config.folder = value; break;
        case 'a': append(&config.argv, &config.argc, value); break;
        case 'e':
            append(&config.env, &config.envc, value);
            append(&config.fork_env, &config.fork_envc, value);
            break;
        case 'Y': config.python = *value; append(&config.fork_env, &config.fork_envc, MARK "=1"); break;
        case 'P': { /* the library that makes a fork server */
            char *preload = need(malloc(strlen(value) + 12));
            sprintf(preload, "LD_PRELOAD=%s", value);
            /* Loaded into fresh starts as well, where it does nothing: what the loader leaves in memory, and
             * uninitialised variables then hold, is the same for both. */
            append(&config.env, &config.envc, preload);
            append(&config.fork_env, &config.fork_envc, preload);
            append(&config.fork_env, &config.fork_envc, MARK "=1");
            break;
        }
        case 'r': append(&config.readable, &config.readables, value); break;
        case 'w': append(&config.writable, &config.writables, value); break;
        case 'i': config.input_file = value; break;
        case 'n':
            config.files = need(realloc(config.files, (config.file_count + 1) * sizeof *config.files));
            config.files[config.file_count++] = (struct file){value, "", 0};
            break;
        case 'c':
            if (!config.file_count) errno = EINVAL, fail("configuration");
            config.files[config.file_count - 1].content = value;
            config.files[config.file_count - 1].size = length - 1;
            break;
        case 'L': {
            uint64_t *slot = &config.limits.nanoseconds;
            for (int i = 0; i < 6; i++) slot[i] = strtoull(value, &value, 10);
            break;
        }
        default: errno = EINVAL; fail("configuration");
        }
    }
    close(fd);
    if (!config.argc || !config.scratch) errno = EINVAL, fail("configuration");
    if (!config.env) append(&config.env, &config.envc, "PATH=/usr/bin:/bin");
}

/* ---------------------------------------------------------------- shutting in */

static void build_ruleset(void) {
    config.abi = landlock_abi();
    if (config.abi < 1) fail("Landlock");
    ruleset = landlock_open(config.abi);
    if (ruleset < 0) fail("Landlock ruleset");
    fcntl(ruleset, F_SETFD, FD_CLOEXEC);
    uint64_t all = landlock_rights(config.abi);
    for (size_t i = 0; i < config.readables; i++)
        if (landlock_allow(ruleset, config.readable[i], FS_EXECUTE | FS_READ | FS_READ_DIR))
            fail(config.readable[i]);
    for (size_t i = 0; i < config.writables; i++)
        if (landlock_allow(ruleset, config.writable[i], all)) fail(config.writable[i]);
    if (landlock_allow(ruleset, config.scratch, all & ~(uint64_t)FS_EXECUTE)) fail(config.scratch);
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (landlock_allow(ruleset, devices[i], FS_READ | (i ? 0 : FS_WRITE | (all & FS_TRUNCATE))))
            fail(devices[i]);
}

/* Everything that cannot be undone, in the only order that works. Returns the step that failed, or NULL.
 * Also called in a vfork child, so it makes system calls and nothing else. */
const char *shut_in(void) {
    if (limit_shared(&config.limits)) return "limits";
    if (config.has_uid && become(config.uid, config.gid, config.flags & KEEP_READ)) return "uid";
    if ((config.flags & LAYER_USERNS) && keep_capabilities(0)) return "capabilities";
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return "no_new_privs";
    if (ruleset >= 0 && syscall(SYS_landlock_restrict_self, ruleset, 0)) return "Landlock";
    if ((config.flags & LAYER_SECCOMP) && seccomp_enter(config.flags, config.limits.memory)) return "seccomp";
    return NULL;
}

int shut_in_once(void) { return !config.launch && (config.flags & LAYER_NAMESPACES); }

/* ---------------------------------------------------------------- start and end */

static pid_t init_inside;

static void on_signal(int number) {
    if (number != SIGTERM) return;
    asked_to_end = 1;
    if (init_inside > 0) kill(init_inside, SIGKILL);
}

/* Outside the namespace: our end is its end and the other way round. Once its init has been waited for,
 * the kernel has ended everything inside. */
static void wait_outside(pid_t init) {
    init_inside = init;
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGTERM, &action, NULL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    close(0);
    close(1);
    int status;
    while (waitpid(init, &status, 0) != init)
        if (errno != EINTR) _exit(125);
    _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

static void run(int config_fd) {
    fcntl(status_fd, F_SETFD, FD_CLOEXEC); /* kept to the end: that it closes tells the host that all is over */
    configure(config_fd);
    nothing_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    parent_fd = (int)syscall(434 /* pidfd_open */, getppid(), 0);
    if (parent_fd >= 0) fcntl(parent_fd, F_SETFD, FD_CLOEXEC);
    umask(022);
    setsid();
    if (config.flags & LAYER_NAMESPACES) {
        if (enter_namespaces(config.flags)) fail("namespaces");
        pid_t init = fork();
        if (init < 0) fail("pid namespace");
        if (init > 0) wait_outside(init);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        uid_t uid = config.has_uid ? config.uid : geteuid();
        gid_t gid = config.has_uid ? config.gid : getegid();
        if (mount_scratch(config.scratch, config.limits.file_size, uid, gid)) fail("scratch");
    } else if (prctl(PR_SET_CHILD_SUBREAPER, 1)) fail("subreaper");
    prctl(PR_SET_DUMPABLE, 0); /* not before the namespaces: it would close our own /proc to us */
    if (config.flags & LAYER_LANDLOCK) build_ruleset();
    /* No namespace, no uid of its own, no Landlock scope: then a filter is what keeps signals in. */
    if (!config.launch && !(config.flags & (LAYER_NAMESPACES | ALLOW_CHMOD)) && !config.has_uid && config.abi < 6)
        config.flags |= FENCE_KILL;
    scratch_fd = open(config.scratch, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (scratch_fd < 0 || chdir(config.folder ? config.folder : config.scratch)) fail("scratch");

    signal(SIGPIPE, SIG_IGN);
    struct sigaction action = {.sa_handler = on_signal};
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaction(SIGCHLD, &action, NULL);
    sigaddset(&blocked, SIGCHLD);
    sigaction(SIGTERM, &action, NULL);
    sigaddset(&blocked, SIGTERM);
    sigprocmask(SIG_BLOCK, &blocked, &normal_mask);
    sigemptyset(&normal_mask);

    if (shut_in_once()) {
        const char *step = shut_in();
        if (step) fail(step);
        prctl(PR_SET_DUMPABLE, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* changing the uid cleared it */
    }
    if (config.launch) launch();
    if (write(status_fd, "ok\n", 3) < 0) _exit(0);
    serve();
}

int main(int argc, char **argv) {
    if (argc >= 4 && !strcmp(argv[1], "attack")) {
        errno = 0;
        int allowed = attempt(argv[2], argv[3]) == 0;
        printf("%s %s\n", allowed ? "allowed" : "blocked", allowed ? "" : strerror(errno));
        return 0;
    }
    if (argc != 3) return 2;
    status_fd = atoi(argv[2]);
    run(atoi(argv[1]));
    return 0;
}
