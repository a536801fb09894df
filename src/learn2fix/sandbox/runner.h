/* What the parts of the runner share: see runner.c. */
#ifndef LEARN2FIX_RUNNER_H
#define LEARN2FIX_RUNNER_H
#include "isolate.h"

#include <signal.h>
#include <sys/types.h>

enum ending { EXITED, SIGNALLED, TIMEOUT, MEMORY, FLOOD, NOT_STARTED, RAISED };

struct request { uint32_t args, arg_bytes, input; };
struct result { uint32_t ending; int32_t status; uint64_t nanoseconds, peak; uint32_t output, error, detail; char mark[4]; };
struct stream { int fd; char *data; size_t size, most; int flooded; };

struct config {
    int flags, abi, launch, has_uid;
    int python; /* a warm interpreter, that forks for each call ('f') or script ('s') */
    uid_t uid;
    gid_t gid;
    struct limits limits;
    char *scratch, *folder, *path;
    char **argv, **env, **fork_env, **readable, **writable;
    size_t argc, envc, fork_envc, readables, writables;
    char *input_file; /* where the input goes instead of standard input */
    struct file { char *name, *content; size_t size; } *files;
    size_t file_count;
};
extern struct config config;

extern volatile sig_atomic_t asked_to_end;
extern int forking;    /* a fork server is wanted, and has agreed with fresh starts so far */
extern int nothing_fd; /* /dev/null, opened while we are still ourselves */
extern int status_fd, parent_fd, scratch_fd;
extern sigset_t normal_mask;

/* runner.c */
void fail(const char *what);
void *need(void *memory);
int read_full(int fd, void *data, size_t size);
const char *shut_in(void);
int shut_in_once(void);

/* execute.c */
extern volatile int start_error;
extern const char *volatile start_step;
pid_t spawn(char **argv, const int ends[3], int control);
int execute(char **argv, int forked, const char *words, size_t words_size, const char *input, size_t input_size,
            struct stream out[3], struct result *result);
void end_all(pid_t group);
void clean_scratch(void);
void parent_is_gone(pid_t group);

/* serve.c */
void serve(void);
void launch(void);

/* attack.c */
int attempt(const char *name, const char *arg);

#endif
