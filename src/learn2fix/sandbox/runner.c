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
#include "forkserver.h"
#include "isolate.h"

#include <dirent.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>

#define CHECK_FIRST 3 /* so many copies are compared with a fresh start, and then one of so many */
#define CHECK_EVERY 256
#define BRIEF 3000000ll  /* for so long we do not look at what a copy prints */
#define GRACE 50000000ll /* how long a grandchild may hold stdout after the program's own end */

enum ending { EXITED, SIGNALLED, TIMEOUT, MEMORY, FLOOD, NOT_STARTED, RAISED };

struct request { uint32_t args, arg_bytes, input; };
struct result { uint32_t ending; int32_t status; uint64_t nanoseconds, peak; uint32_t output, error, detail, unused; };

static struct {
    int flags, abi, launch, has_uid;
    int python; /* a warm interpreter, that forks for each call ('f') or script ('s') */
    uid_t uid;
    gid_t gid;
    struct limits limits;
    char *scratch, *folder, *path;
    char **argv, **env, **fork_env, **readable, **writable;
    size_t argc, envc, fork_envc, readables, writables;
} config;

static volatile sig_atomic_t asked_to_end;
static int forking;          /* a fork server is wanted, and has agreed with fresh starts so far */
static int nothing_fd = -1;  /* /dev/null, opened while we are still ourselves */
static int template_fd = -1; /* where the process that forks listens */
static int status_fd = -1, parent_fd = -1, scratch_fd = -1, ruleset = -1;
static sigset_t normal_mask;

static void fail(const char *what) {
    char line[512];
    int n = snprintf(line, sizeof line, "error: %s: %s\n", what, strerror(errno));
    if (write(status_fd, line, (size_t)n) < 0) {}
    _exit(125);
}

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void *need(void *memory) {
    if (!memory) fail("out of memory");
    return memory;
}

static int read_full(int fd, void *data, size_t size) {
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
static const char *shut_in(void) {
    if (limit_shared(&config.limits)) return "limits";
    if (config.has_uid && become(config.uid, config.gid, config.flags & KEEP_READ)) return "uid";
    if ((config.flags & LAYER_USERNS) && keep_capabilities(0)) return "capabilities";
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return "no_new_privs";
    if (ruleset >= 0 && syscall(SYS_landlock_restrict_self, ruleset, 0)) return "Landlock";
    if ((config.flags & LAYER_SECCOMP) && seccomp_enter(config.flags, config.limits.memory)) return "seccomp";
    return NULL;
}

static int shut_in_once(void) { return !config.launch && (config.flags & LAYER_NAMESPACES); }

/* ---------------------------------------------------------------- ending what is left */

static void kill_children_by_proc(void) {
    DIR *proc = opendir("/proc");
    if (!proc) return;
    pid_t self = getpid();
    for (struct dirent *entry; (entry = readdir(proc));) {
        pid_t pid = atoi(entry->d_name);
        if (pid <= 1) continue;
        char path[64], text[512];
        snprintf(path, sizeof path, "/proc/%d/stat", pid);
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0) continue;
        ssize_t n = read(fd, text, sizeof text - 1);
        close(fd);
        if (n <= 0) continue;
        text[n] = 0;
        char *after = strrchr(text, ')'), state;
        int parent;
        if (after && sscanf(after + 1, " %c %d", &state, &parent) == 2 && parent == self) kill(pid, SIGKILL);
    }
    closedir(proc);
}

/* As subreaper or init we are the parent of every orphan: no child left means nothing left. */
static int any_left(void) {
    for (;;) {
        siginfo_t info = {0};
        if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT)) return 0;
        if (!info.si_pid) return 1;
        waitpid(info.si_pid, NULL, WNOHANG);
    }
}

static void end_all(pid_t group) {
    if (template_fd >= 0) close(template_fd), template_fd = -1; /* it is one of ours, and goes too */
    while (any_left()) {
        if (config.flags & LAYER_NAMESPACES)
            kill(-1, SIGKILL);
        else {
            if (group > 0) kill(-group, SIGKILL);
            kill_children_by_proc();
        }
        struct timespec pause = {0, 200000};
        nanosleep(&pause, NULL);
    }
}

/* ---------------------------------------------------------------- the scratch folder */

static void empty_folder(int fd, int depth) {
    int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = copy < 0 ? NULL : fdopendir(copy);
    if (!folder) {
        if (copy >= 0) close(copy);
        return;
    }
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        if (unlinkat(fd, entry->d_name, 0) == 0) continue;
        int inner = openat(fd, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner >= 0) {
            if (depth < 200) empty_folder(inner, depth + 1);
            close(inner);
        }
        unlinkat(fd, entry->d_name, AT_REMOVEDIR);
    }
    closedir(folder);
}

static void clean_scratch(void) {
    char entries[256];
    if (lseek(scratch_fd, 0, SEEK_SET) < 0) return;
    long n = syscall(SYS_getdents64, scratch_fd, entries, sizeof entries);
    if (n > 48) empty_folder(scratch_fd, 0); /* "." and ".." take 24 bytes each */
}

/* ---------------------------------------------------------------- one execution */

struct stream { int fd; char *data; size_t size, most; int flooded; };

/* Reads what is there. Returns -1 at the end of the stream. */
static int drain(struct stream *stream) {
    for (;;) {
        char spill[4096];
        size_t room = stream->most - stream->size;
        ssize_t n = room ? read(stream->fd, stream->data + stream->size, room) : read(stream->fd, spill, sizeof spill);
        if (n > 0) {
            if (room) stream->size += (size_t)n;
            else stream->flooded = 1;
            if (stream->flooded) return 0;
            continue;
        }
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return 0;
        close(stream->fd);
        stream->fd = -1;
        return -1;
    }
}

static volatile int start_error;
static const char *volatile start_step;

static void __attribute__((noreturn)) child(char **argv, const int ends[3], int control) {
    setpgid(0, 0); /* not a session: those are scheduled apart, and making one for each input costs */
    for (int fd = 0; fd < 3; fd++)
        if (ends && dup2(ends[fd], fd) < 0) goto failed;
    if (control >= 0 && dup2(control, CONTROL) < 0) goto failed;
    signal(SIGPIPE, SIG_DFL);
    if (!shut_in_once() && (start_step = shut_in())) goto failed;
    if (limit_program(&config.limits, !config.launch && control < 0)) goto failed;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* after the uid, whose change clears it */
    /* A long-lived process looks after its own children: their orphans come to it. */
    if (config.launch || control >= 0) prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigprocmask(SIG_SETMASK, &normal_mask, NULL);
    start_step = NULL;
    execve(config.path ? config.path : argv[0], argv, control >= 0 ? config.fork_env : config.env);
failed:
    start_error = errno ? errno : EINVAL;
    _exit(126);
}

static pid_t __attribute__((noinline)) spawn(char **argv, const int ends[3], int control) {
    start_error = 0;
    start_step = NULL;
    pid_t pid = vfork();
    if (pid == 0) child(argv, ends, control);
    if (pid < 0) start_error = errno;
    return pid;
}

static void parent_is_gone(pid_t group) {
    end_all(group);
    clean_scratch();
    _exit(0);
}

/* Start the process that forks. A static program, or one that cannot load the library, never gets ready. */
static int start_template(void) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) return -1;
    pid_t pid = spawn(config.argv, (int[]){nothing_fd, nothing_fd, nothing_fd}, pair[1]);
    close(pair[1]);
    template_fd = pair[0];
    char ready = 0;
    struct pollfd polled = {template_fd, POLLIN, 0};
    struct timespec wait = {config.python ? 30 : 2, 0};
    sigset_t all;
    sigfillset(&all); /* its own end is to be seen as the end of the stream */
    if (pid > 0 && !start_error && ppoll(&polled, 1, &wait, &all) == 1 && read(template_fd, &ready, 1) == 1 &&
        ready == 'r')
        return 0;
    end_all(pid);
    return -1;
}

/* Ask for a copy with these descriptors. */
static int ask_template(const int *ends, size_t count, const char *words, size_t length) {
    struct order order = {(uint32_t)(config.limits.nanoseconds / 1000000000u + 2), (uint32_t)length};
    union { char bytes[CMSG_SPACE(4 * sizeof(int))]; struct cmsghdr align; } control = {{0}};
    struct iovec data = {&order, sizeof order};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control};
    message.msg_controllen = CMSG_SPACE(count * sizeof(int));
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(count * sizeof(int));
    memcpy(CMSG_DATA(head), ends, count * sizeof(int));
    if (sendmsg(template_fd, &message, MSG_NOSIGNAL) != sizeof order) return -1;
    while (length) {
        ssize_t n = send(template_fd, words, length, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        words += n, length -= (size_t)n;
    }
    return 0;
}

/* One execution: a fresh start, or a copy from the fork server. Returns -1 when there is no fork server. */
static int execute(char **argv, int forked, const char *words, size_t words_size, const char *input,
                   size_t input_size, struct stream out[3], struct result *result) {
    if (!forked && template_fd >= 0) end_all(0); /* so that no child left means nothing left */
    if (forked && template_fd < 0 && start_template()) return -1;
    int in[2], pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    memset(result, 0, sizeof *result);
    /* What a Python function prints is no answer: it goes where stderr goes, and the answer comes apart. */
    int first = config.python == 'f', streams = config.python ? 3 : 2;
    if (pipe2(in, O_CLOEXEC)) fail("pipe");
    for (int i = first; i < streams; i++)
        if (pipe2(pipes[i], O_CLOEXEC)) fail("pipe");
    fcntl(in[1], F_SETFL, O_NONBLOCK);
    /* Most inputs fit into the pipe: then they are there before the program starts. */
    size_t sent = 0;
    if (input_size) {
        ssize_t n = write(in[1], input, input_size);
        if (n > 0) sent = (size_t)n;
    }
    if (sent == input_size) close(in[1]), in[1] = -1;
    int64_t start = now();
    int ends[4] = {in[0], pipes[first][1], pipes[1][1], pipes[2][1]};
    pid_t pid = forked ? 0 : spawn(argv, ends, -1);
    int asked = forked ? ask_template(ends, (size_t)streams + 1, words, words_size) : 0;
    close(in[0]);
    for (int i = 0; i < 3; i++) {
        if (pipes[i][1] >= 0) close(pipes[i][1]);
        if (pipes[i][0] >= 0 && asked) close(pipes[i][0]);
        if (pipes[i][0] >= 0 && !asked) fcntl(pipes[i][0], F_SETFL, O_NONBLOCK);
        out[i].fd = asked ? -1 : pipes[i][0];
        out[i].size = 0;
        out[i].flooded = 0;
    }
    if (asked) {
        if (in[1] >= 0) close(in[1]);
        return -1;
    }
    int64_t deadline = start + (int64_t)config.limits.nanoseconds, end = 0;
    int gone = pid < 0 || (!forked && start_error), waited = pid < 0, status = 0, ending = -1, strays = 0;
    /* A copy that is soon over has left its output in the pipes: to look once, at its end, is enough. */
    int brief = forked;
    struct rusage usage = {0};
    if (gone) ending = NOT_STARTED;
    while (ending < 0) {
        if (!forked && !gone && wait4(pid, &status, WNOHANG, &usage) == pid) {
            gone = waited = 1;
            end = now();
            deadline = end + GRACE;
        }
        if (gone && !forked) strays = any_left();
        if (gone && (!strays || (out[0].fd < 0 && out[1].fd < 0))) { /* nobody can write any more */
            for (int i = 0; i < 3; i++)
                if (out[i].fd >= 0) drain(&out[i]);
            if (out[0].flooded || out[1].flooded || out[2].flooded) ending = FLOOD;
            break;
        }
        int64_t left = deadline - now();
        if (left <= 0) {
            if (!gone) ending = TIMEOUT;
            break;
        }
        int look = !brief || gone;
        struct pollfd polled[] = {
            {look ? out[0].fd : -1, POLLIN, 0}, {look ? out[1].fd : -1, POLLIN, 0}, {in[1], POLLOUT, 0},
            {0, 0, 0}, {parent_fd, POLLIN, 0}, {forked && !gone ? template_fd : -1, POLLIN, 0},
            {look ? out[2].fd : -1, POLLIN, 0},
        };
        if (!look && left > BRIEF) left = BRIEF;
        struct timespec wait = {left / 1000000000, left % 1000000000};
        int ready = ppoll(polled, 7, &wait, &normal_mask);
        if (ready == 0) brief = 0;
        if (asked_to_end) parent_is_gone(pid);
        if (ready > 0) {
            for (int i = 0; i < 2; i++)
                if (polled[i].revents) drain(&out[i]);
            if (polled[6].revents) drain(&out[2]);
            if (polled[2].revents) {
                ssize_t n = write(in[1], input + sent, input_size - sent);
                if (n > 0) sent += (size_t)n;
                if ((n < 0 && errno != EAGAIN) || sent == input_size) close(in[1]), in[1] = -1;
            }
            if ((polled[3].revents & (POLLHUP | POLLERR)) || polled[4].revents) parent_is_gone(pid);
            if (polled[5].revents) {
                struct report report = {.status = SIGKILL, .left = 1}; /* it killed the process that forked it */
                if (read_full(template_fd, &report, sizeof report) == 0 && report.error) ending = NOT_STARTED;
                start_error = report.error;
                gone = waited = 1;
                end = now();
                deadline = end + GRACE;
                status = report.status;
                strays = report.left;
                usage.ru_maxrss = (long)(report.peak >> 10);
            }
        }
        if (out[0].flooded || out[1].flooded || out[2].flooded) ending = FLOOD;
    }
    if (!waited && !forked) {
        if (config.flags & LAYER_NAMESPACES) kill(-1, SIGKILL);
        kill(-pid, SIGKILL);
        kill(pid, SIGKILL);
        while (wait4(pid, &status, 0, &usage) < 0 && errno == EINTR) {}
    }
    if (!forked || !waited || strays) end_all(pid);
    for (int i = 0; i < 3; i++)
        if (out[i].fd >= 0) close(out[i].fd), out[i].fd = -1;
    if (in[1] >= 0) close(in[1]);
    result->nanoseconds = (uint64_t)((end ? end : now()) - start);
    result->peak = (uint64_t)usage.ru_maxrss << 10;
    if (ending == NOT_STARTED)
        result->status = start_error;
    else if (ending < 0) {
        ending = WIFSIGNALED(status) ? SIGNALLED : EXITED;
        result->status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
        if (ending == SIGNALLED) {
            int by = result->status;
            uint64_t most = config.limits.memory;
            if (by == SIGXCPU) ending = TIMEOUT;
            if (by == SIGXFSZ) ending = FLOOD;
            /* SIGSYS: a mapping above the limit. A crash with most of the limit in use: an allocation failed
             * and went unchecked. SIGKILL with much in use: the machine ran out before the limit was met. */
            if (by == SIGSYS && (config.flags & BIG_MAP_KILLS)) ending = MEMORY;
            if (most && (by == SIGSEGV || by == SIGABRT || by == SIGBUS) && result->peak > most / 8 * 7)
                ending = MEMORY;
            if (most && by == SIGKILL && result->peak > most / 2) ending = MEMORY;
        }
    }
    result->ending = (uint32_t)ending;
    clean_scratch();
    return 0;
}

static int differ(const struct result *a, const struct stream *outs, const struct result *b, const struct stream *others) {
    if (a->ending != b->ending) return 1;
    if (a->ending != EXITED && a->ending != SIGNALLED) return 0;
    return a->status != b->status || outs->size != others->size || memcmp(outs->data, others->data, outs->size);
}

/* ---------------------------------------------------------------- serve, launch */

static void write_result(struct result *result, struct iovec output, struct iovec error, struct iovec detail) {
    result->output = (uint32_t)output.iov_len;
    result->error = (uint32_t)error.iov_len;
    result->detail = (uint32_t)detail.iov_len;
    struct iovec parts[] = {{result, sizeof *result}, output, error, detail};
    for (int at = 0; at < 4;) {
        ssize_t n = writev(1, parts + at, 4 - at);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) _exit(0);
        while (at < 4 && (size_t)n >= parts[at].iov_len) n -= (ssize_t)parts[at++].iov_len;
        if (at < 4) parts[at].iov_base = (char *)parts[at].iov_base + n, parts[at].iov_len -= (size_t)n;
    }
}

/* The first byte of what a Python child answers says how it ended; the child can spoil no other's answer. */
static void write_python(struct result *result, struct stream out[3]) {
    struct iovec output = {out[0].data, out[0].size}, error = {out[1].data, out[1].size}, detail = {NULL, 0};
    char exit_text[32];
    if (result->ending == EXITED) {
        struct iovec rest = {out[2].data + 1, out[2].size ? out[2].size - 1 : 0};
        struct iovec some = {rest.iov_base, rest.iov_len < 8000 ? rest.iov_len : 8000};
        char kind = out[2].size ? out[2].data[0] : 0;
        if (kind == '=' && config.python == 'f') output = rest;
        else if (kind == '!') result->ending = RAISED, detail = some;
        else if (kind == '?') result->ending = NOT_STARTED, detail = some;
        else if (kind == 'M') result->ending = MEMORY;
        else if (config.python == 'f') {
            int n = snprintf(exit_text, sizeof exit_text, "os._exit: %d", result->status);
            result->ending = RAISED, detail = (struct iovec){exit_text, (size_t)n};
        }
        if (result->ending != EXITED) result->status = 0;
    }
    write_result(result, output, error, detail);
}

static void serve_python(const struct request *request, const char *body, struct stream out[3]) {
    struct result result;
    const char *input = body + request->arg_bytes;
    int call = config.python == 'f';
    if (execute(NULL, 1, call ? input : body, call ? request->input : request->arg_bytes, input,
                call ? 0 : request->input, out, &result)) {
        struct iovec none = {NULL, 0}, why = {"the interpreter does not start in the sandbox", 45};
        memset(&result, 0, sizeof result);
        result.ending = NOT_STARTED;
        write_result(&result, none, none, why);
    } else write_python(&result, out);
}

static void allocate(struct stream out[3]) {
    for (int i = 0; i < (config.python ? 3 : 2); i++) {
        out[i].most = config.limits.output + (i == 2);
        out[i].data = need(malloc(out[i].most));
    }
}

static void serve(void) {
    struct stream out[3] = {{.fd = -1}}, again[3] = {{.fd = -1}};
    allocate(out);
    if (forking && !config.python) allocate(again);
    uint64_t copies = 0;
    char **argv = NULL, *body = NULL;
    struct request request;
    while (read_full(0, &request, sizeof request) == 0) {
        size_t total = (size_t)request.arg_bytes + request.input;
        body = need(realloc(body, total + 1));
        if (read_full(0, body, total)) break;
        if (config.python) {
            serve_python(&request, body, out);
            continue;
        }
        argv = need(realloc(argv, (config.argc + request.args + 1) * sizeof *argv));
        memcpy(argv, config.argv, config.argc * sizeof *argv);
        char *at = body;
        for (uint32_t i = 0; i < request.args; i++) argv[config.argc + i] = at, at += strlen(at) + 1;
        argv[config.argc + request.args] = NULL;
        struct result result, fresh;
        const char *input = body + request.arg_bytes;
        int done = forking && !request.args && execute(argv, 1, NULL, 0, input, request.input, out, &result) == 0;
        if (forking && !request.args && !done) forking = 0;
        if (done && (copies++ < CHECK_FIRST || copies % CHECK_EVERY == 0)) {
            execute(argv, 0, NULL, 0, input, request.input, again, &fresh);
            if (differ(&result, &out[0], &fresh, &again[0])) forking = done = 0;
        }
        if (!done) execute(argv, 0, NULL, 0, input, request.input, out, &result);
        struct iovec printed = {out[0].data, out[0].size}, warned = {out[1].data, out[1].size}, none = {NULL, 0};
        write_result(&result, printed, warned, none);
        if (total > 1u << 20) free(body), body = NULL;
    }
    _exit(0);
}

/* Ends with the program, with the host, or on SIGTERM; fd 0 and 1 are the program's own. */
static void launch(void) {
    pid_t pid = spawn(config.argv, NULL, -1);
    if (start_error) {
        errno = start_error;
        fail(start_step ? start_step : "start");
    }
    if (write(status_fd, "ok\n", 3) < 0) {}
    close(0);
    close(1);
    for (;;) {
        int status;
        pid_t ended = waitpid(-1, &status, WNOHANG);
        if (ended == pid) {
            end_all(pid);
            clean_scratch();
            _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
        }
        if (ended > 0) continue;
        struct pollfd polled = {parent_fd, POLLIN, 0};
        if (ppoll(&polled, 1, NULL, &normal_mask) > 0 || asked_to_end) {
            kill(pid, SIGKILL);
            parent_is_gone(pid);
        }
    }
}

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

/* ---------------------------------------------------------------- attacks, to see what holds */

static int reach(int family, int type, const void *address, socklen_t size) {
    int fd = socket(family, type, 0);
    if (fd < 0) return -1;
    if (connect(fd, address, size)) return -1;
    return write(fd, "x", 1) == 1 ? 0 : -1;
}

static int inet(int type, const char *port) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return reach(AF_INET, type, &to, sizeof to);
}

static int attempt(const char *name, const char *arg) {
    char byte;
    if (!strcmp(name, "read")) {
        int fd = open(arg, O_RDONLY);
        return fd >= 0 && read(fd, &byte, 1) == 1 ? 0 : -1;
    }
    if (!strcmp(name, "write")) {
        int fd = open(arg, O_WRONLY | O_APPEND);
        return fd >= 0 && write(fd, "x", 1) == 1 ? 0 : -1;
    }
    if (!strcmp(name, "delete")) return unlink(arg);
    if (!strcmp(name, "chmod")) return chmod(arg, 0777);
    if (!strcmp(name, "tcp")) return inet(SOCK_STREAM, arg);
    if (!strcmp(name, "udp")) return inet(SOCK_DGRAM, arg);
    if (!strcmp(name, "unix")) {
        struct sockaddr_un to = {.sun_family = AF_UNIX};
        snprintf(to.sun_path, sizeof to.sun_path, "%s", arg);
        return reach(AF_UNIX, SOCK_STREAM, &to, sizeof to);
    }
    if (!strcmp(name, "kill")) return kill(atoi(arg), SIGKILL);
    if (!strcmp(name, "trace")) return (int)ptrace(PTRACE_ATTACH, atoi(arg), NULL, NULL);
    if (!strcmp(name, "daemon")) { /* allowed only if it is still there when asked for: see the host */
        pid_t first = fork();
        if (first == 0) {
            setsid();
            if (fork() == 0) {
                for (int fd = 0; fd < 3; fd++) close(fd);
                execl("/proc/self/exe", arg, "attack", "wait", arg, (char *)NULL);
                pause();
            }
            _exit(0);
        }
        return first > 0 && waitpid(first, NULL, 0) == first ? 0 : -1;
    }
    if (!strcmp(name, "fork")) { /* arg processes at once? */
        for (int i = 0; i < atoi(arg); i++) {
            pid_t pid = fork();
            if (pid < 0) return -1;
            if (pid == 0) {
                pause();
                _exit(0);
            }
        }
        return 0;
    }
    if (!strcmp(name, "wait")) {
        pause();
        return 0;
    }
    errno = EINVAL;
    return -1;
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
