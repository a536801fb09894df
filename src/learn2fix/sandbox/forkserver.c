/* Loaded into a program ahead of everything else: stops before the program's own first instruction and forks
 * a copy for each input, so that loading and linking are done once. The copies go on into the program; the
 * original never does, so no code of the program runs where it could spoil the next copy.
 *
 * On fd CONTROL: we say 'r' when ready; a request is struct order with three descriptors; the answer is
 * struct report.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "forkserver.h"

static int receive(struct order *order, int fds[3]) {
    union { char bytes[CMSG_SPACE(3 * sizeof(int))]; struct cmsghdr align; } control;
    struct iovec data = {order, sizeof *order};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t n;
    while ((n = recvmsg(CONTROL, &message, 0)) < 0 && errno == EINTR) {}
    struct cmsghdr *head = n == sizeof *order ? CMSG_FIRSTHDR(&message) : NULL;
    if (!head || head->cmsg_len != CMSG_LEN(3 * sizeof(int))) return -1;
    memcpy(fds, CMSG_DATA(head), 3 * sizeof(int));
    return 0;
}

static void __attribute__((noinline)) serve(void) {
    struct order order;
    int fds[3];
    if (write(CONTROL, "r", 1) != 1) _exit(0);
    while (receive(&order, fds) == 0) {
        pid_t pid = fork();
        if (pid == 0) {
            struct rlimit cpu = {order.seconds, order.seconds + 1};
            setpgid(0, 0);
            setrlimit(RLIMIT_CPU, &cpu);
            for (int i = 0; i < 3; i++) dup2(fds[i], i);
            for (int i = 0; i < 3; i++) close(fds[i]);
            close(CONTROL);
            return;
        }
        for (int i = 0; i < 3; i++) close(fds[i]);
        struct rusage usage = {0};
        struct report report = {.status = 0};
        if (pid < 0) report.error = errno;
        else while (wait4(pid, &report.status, 0, &usage) < 0 && errno == EINTR) {}
        report.peak = (uint64_t)usage.ru_maxrss << 10;
        report.left = waitpid(-1, NULL, WNOHANG) != -1; /* we adopt orphans */
        if (write(CONTROL, &report, sizeof report) != sizeof report) break;
    }
    _exit(0);
}

/* Uninitialised variables of a program hold what was on the stack before. So that a copy finds there what a
 * fresh start finds, we work on a stack of our own. */
#ifndef __x86_64__
#error "no fork server on this machine"
#endif

static char __attribute__((aligned(16), used)) own_stack[65536];
static void *__attribute__((used)) program_stack;

static void __attribute__((used)) begin(void) {
    unsetenv("LD_PRELOAD");
    if (!getenv(MARK)) return;
    unsetenv(MARK);
    serve();
}

__asm__(
    ".text\n"
    "enter:\n"
    "  mov %rsp, program_stack(%rip)\n"
    "  lea own_stack+65536(%rip), %rsp\n"
    "  call begin\n"
    "  mov program_stack(%rip), %rsp\n"
    "  ret\n"
    ".section .init_array,\"aw\"\n"
    "  .quad enter\n"
    ".text\n");
