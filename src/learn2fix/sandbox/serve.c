/* Serves many executions of one program, or launches one long-lived process. */
#define _GNU_SOURCE
#include "runner.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <sys/wait.h>

#define CHECK_FIRST 3 /* so many copies are compared with a fresh start, and then one of so many */
#define CHECK_EVERY 256

static void write_result(struct result *result, struct iovec output, struct iovec error, struct iovec detail) {
    result->output = (uint32_t)output.iov_len;
    result->error = (uint32_t)error.iov_len;
    result->detail = (uint32_t)detail.iov_len;
    memcpy(result->mark, "L2F=", 4); /* frames.py looks for it */
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

static int differ(const struct result *a, const struct stream *outs, const struct result *b, const struct stream *others) {
    if (a->ending != b->ending) return 1;
    if (a->ending != EXITED && a->ending != SIGNALLED) return 0;
    return a->status != b->status || outs->size != others->size || memcmp(outs->data, others->data, outs->size);
}

static void allocate(struct stream out[3]) {
    for (int i = 0; i < (config.python ? 3 : 2); i++) {
        out[i].most = config.limits.output + (i == 2);
        out[i].data = need(malloc(out[i].most));
    }
}

void serve(void) {
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
void launch(void) {
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
        pid_t ended = waitpid(-1, &status, WNOHANG | WUNTRACED);
        if (ended > 0 && WIFSTOPPED(status)) { /* its own children may try to, to hold up everybody */
            kill(ended, SIGCONT);
            continue;
        }
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
