/* One execution, as a fresh start or as a copy from the fork server, and the end of all that it started. */
#define _GNU_SOURCE
#include "runner.h"
#include "forkserver.h"

#include <dirent.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>

#define BRIEF 3000000ll  /* for so long we do not look at what a copy prints */
#define GRACE 50000000ll /* how long a grandchild may hold stdout after the program's own end */

static int template_fd = -1; /* where the process that forks listens */
static pid_t template_pid;

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

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

void end_all(pid_t group) {
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

void clean_scratch(void) {
    char entries[256];
    if (lseek(scratch_fd, 0, SEEK_SET) < 0) return;
    long n = syscall(SYS_getdents64, scratch_fd, entries, sizeof entries);
    if (n > 48) empty_folder(scratch_fd, 0); /* "." and ".." take 24 bytes each */
}

/* Every run finds its files as they were given, whatever the run before did to them. The folder is empty, and nobody
 * else is alive who could put anything into it. */
static int put_file(const char *name, const char *content, size_t size) {
    int fd = openat(scratch_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    while (fd >= 0 && size) {
        ssize_t n = write(fd, content, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        content += n, size -= (size_t)n;
    }
    return fd < 0 || close(fd) || size ? -1 : 0;
}

static int put_files(const char *input, size_t input_size) {
    for (size_t i = 0; i < config.file_count; i++)
        if (put_file(config.files[i].name, config.files[i].content, config.files[i].size)) return -1;
    return config.input_file ? put_file(config.input_file, input, input_size) : 0;
}

/* ---------------------------------------------------------------- one execution */

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

volatile int start_error;
const char *volatile start_step;

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

pid_t __attribute__((noinline)) spawn(char **argv, const int ends[3], int control) {
    start_error = 0;
    start_step = NULL;
    pid_t pid = vfork();
    if (pid == 0) child(argv, ends, control);
    if (pid < 0) start_error = errno;
    return pid;
}

void parent_is_gone(pid_t group) {
    end_all(group);
    clean_scratch();
    _exit(0);
}

/* Start the process that forks. A static program, or one that cannot load the library, never gets ready. */
static int start_template(void) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) return -1;
    pid_t pid = template_pid = spawn(config.argv, (int[]){nothing_fd, nothing_fd, nothing_fd}, pair[1]);
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

/* Who forks is no part of the run: that it was stopped is not held against the program. */
static void wake_template(void) {
    siginfo_t seen = {0};
    if (waitid(P_PID, (id_t)template_pid, &seen, WSTOPPED | WNOHANG) == 0 && seen.si_pid) kill(template_pid, SIGCONT);
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
int execute(char **argv, int forked, const char *words, size_t words_size, const char *input, size_t input_size,
            struct stream out[3], struct result *result) {
    if (!forked && template_fd >= 0) end_all(0); /* so that no child left means nothing left */
    if (forked && template_fd < 0 && start_template()) return -1;
    int in[2], pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    memset(result, 0, sizeof *result);
    if (put_files(input, input_size)) {
        result->ending = NOT_STARTED, result->status = errno;
        out[0].size = out[1].size = out[2].size = 0;
        clean_scratch();
        return 0;
    }
    if (config.input_file) input_size = 0;
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
        if (forked && !gone && ready <= 0) wake_template();
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
