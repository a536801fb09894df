/* Hostile attempts, to see what holds: each returns 0 when it got through. */
#define _GNU_SOURCE
#include "runner.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/ptrace.h>
#include <sys/un.h>
#include <sys/wait.h>

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

int attempt(const char *name, const char *arg) {
    char byte;
    if (!strcmp(name, "read")) {
        int fd = open(arg, O_RDONLY);
        return fd >= 0 && read(fd, &byte, 1) == 1 ? 0 : -1;
    }
    if (!strcmp(name, "write")) {
        int fd = open(arg, O_WRONLY | O_APPEND);
        return fd >= 0 && write(fd, "x", 1) == 1 ? 0 : -1;
    }
    if (!strcmp(name, "stat")) {
        struct stat info;
        return stat(arg, &info);
    }
    if (!strcmp(name, "watch")) {
        int fd = inotify_init();
        return fd < 0 || inotify_add_watch(fd, arg, IN_ACCESS | IN_OPEN | IN_ATTRIB) < 0 ? -1 : 0;
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
