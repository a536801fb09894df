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
#include "memory.h"
#include "frames.h"
#include "streams.h"
#include "files.h"
#include "groups.h"
#include "visits.h"
#include "process.h"
#include "library.h"
#include "compiling.h"
#include "outcomes.h"

static void run(void) {
    i64 steps = next_i64();
    double limit = next_f64(), longest = next_f64();
    u32 n = next_u32();
    u32 *alive = next_bytes(n * 4);
    argument_count = next_u32();
    given_length = next_u32();
    arguments = next_bytes(next_u32());
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
    double before_run = used(RUSAGE_CHILDREN);
    int status = end_group(child);
    double spent = used(RUSAGE_CHILDREN) - before_run;
    arena_top = before;
    struct outcomes all = {0};
    u32 *ended = malloc(sizeof(u32) * (candidate_count + 1)), runs;
    char *counts;
    i64 taken;
    u32 root = resolve(alive, n, status, &all, ended, &taken, &runs, &counts);
    struct text out = {0};
    struct { u32 late, runs; i64 steps; u32 outcomes, lines, root, unused; double seconds; } head = {
        late, runs, taken, all.count, counts ? 2 * line_count : 0, root, 0, spent};
    append(&out, &head, sizeof head);
    append(&out, all.bodies.data, all.bodies.n);
    for (u32 i = 0; i < n; i++) append(&out, &ended[alive[i]], 4);
    if (counts) append(&out, counts, 2 * line_count * sizeof *lines);
    reply(out.data, out.n);
    free(out.data), free(ended), free(all.bodies.data), free(all.table), free(all.at), free(counts);
}

#ifndef L2F_LINKED
/* One whole program, compiled by itself and run on each input. */
static void alone(void) {
    double limit = next_f64(), longest = next_f64();
    u32 inputs = next_u32();
    struct { i64 steps; u32 words, length; char *arguments, *text; } *each = malloc(sizeof *each * (inputs + 1));
    for (u32 i = 0; i < inputs; i++) {
        each[i].steps = next_i64();
        each[i].words = next_u32();
        each[i].length = next_u32();
        each[i].arguments = next_bytes(next_u32());
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
        set_timer(ITIMER_PROF, COMPILING);
        signal(SIGSEGV, SIG_DFL);
        long size = compile(text, option_text, code, &entry, &counters, &data);
        if (size < 0) {
            struct { struct outcome o; i64 steps; } head = {{NOT_COMPILED, 0, strlen(trouble)}, 0};
            record('O', &head, sizeof head, trouble, head.o.length);
            _exit(0);
        }
        program = entry;
        munmap(code + ((size + 4095) & ~4095L), CODE - ((size + 4095) & ~4095L));
        set_timer(ITIMER_PROF, 0);
        record('C', &none, 4, 0, 0);
        for (u32 i = 0; i < inputs; i++) {
            pid_t grandchild = i + 1 < inputs ? syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : 0;
            if (!grandchild) {
                prctl(PR_SET_PDEATHSIG, SIGKILL);
                arguments = each[i].arguments, argument_count = each[i].words;
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
            if (end - p < 4) break;
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

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "stderr")) errors_count = 1;
        if (!strcmp(argv[i], "pattern")) memset(&l2f_fresh, 0xfe, sizeof l2f_fresh);
    }
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
    if (l2f_fresh) memset(stack + STACK - FRESH, (u8)l2f_fresh, FRESH);
    code = CODE_AT, aside = take(ASIDE);
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
        else if (head[0] == SURROUND) set_surroundings(), room = 0;
#ifndef L2F_LINKED
        else if (head[0] == ALONE) alone();
#endif
        else return 85;
    }
}
