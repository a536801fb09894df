/* How a run ends: its records, and what the program reads and prints. */
/* ------------------------------------------------------------------ records of one run */

struct outcome { int kind, status; u32 length; };

static void record(char tag, const void *head, u32 size, const void *body, u32 length) {
    struct iovec parts[3] = {{&tag, 1}, {(void *)head, size}, {(void *)body, length}};
    ssize_t total = 1 + size + length, put;
    do put = writev(records, parts, 3);
    while (put < 0 && errno == EINTR);
    if (put != total) _exit(97);
}

/* ------------------------------------------------------------------ the program's streams */

static char *given;
static u32 given_length, given_at;
static char *printed, *waiting; /* what was written, and the buffer of what will be */
static u32 printed_length;
static char *errors; /* what was written to stderr, when that counts */
static u32 errors_length;
static int errors_count;
static int exiting;
static i64 budget, reserved; /* steps of the whole run; those of its second half, until they are handed out */
static unsigned long *earlier, *lines; /* counters up to half of the budget, and since */
static u32 line_count;

static void finish(int kind, int status) __attribute__((noreturn));
static void finish(int kind, int status) {
    if (kind == EXITED && !exiting) {
        exiting = 1;
        if (errors_count || printed_length || stdout->_IO_write_base != waiting || __fpending(stdout) > CHUNK) fflush(stdout);
        else printed = waiting, printed_length = __fpending(stdout); /* all of it: no need to copy */
    }
    if (kind == EXITED && errors_count) { /* after the output, and then its length */
        fflush(stderr);
        memcpy(printed + printed_length, errors, errors_length), printed_length += errors_length;
        memcpy(printed + printed_length, &errors_length, sizeof errors_length), printed_length += sizeof errors_length;
    }
    struct { struct outcome o; i64 steps; } head = {{kind, status, kind == EXITED ? printed_length : 0},
        budget - reserved - l2f_steps};
    record('O', &head, sizeof head, printed, head.o.length);
    if (line_count) record('L', earlier, line_count * sizeof *earlier, lines, line_count * sizeof *lines);
    _exit(0);
}

/* The steps are spent. At half of the budget the run goes on; at its end, what it did in between tells what it would
   have come to: a stack that grows overflows, what prints floods, and all else goes on for ever. */
void l2f_stop(void) {
    static char *depth;
    static size_t output;
    char here;
    size_t now = printed_length + __fpending(stdout);
    if (reserved) {
        depth = &here, output = now, l2f_steps += reserved, reserved = 0;
        if (line_count) memcpy(earlier, lines, line_count * sizeof *lines), memset(lines, 0, line_count * sizeof *lines);
        return;
    }
    double times = LONGEST / (budget / 2 + 1.0), stack_used = (depth - &here) * times / STACK, flood = (now - output) * times / OUTPUT;
    if (stack_used > 1 && stack_used > flood) finish(SIGNALLED, SIGSEGV);
    finish(flood > 1 ? FLOOD : TIMEOUT, 0);
}

static ssize_t from_memory(void *cookie, char *to, size_t n) {
    (void)cookie;
    if (n > given_length - given_at) n = given_length - given_at;
    memcpy(to, given + given_at, n);
    given_at += n;
    return n;
}

static ssize_t to_memory(void *cookie, const char *from, size_t n) {
    (void)cookie;
    if (printed_length + n > OUTPUT) finish(FLOOD, 0);
    memcpy(printed + printed_length, from, n);
    printed_length += n;
    return n;
}

static ssize_t to_errors(void *cookie, const char *from, size_t n) {
    (void)cookie;
    size_t kept = !errors_count ? 0 : n < ERRORS - errors_length ? n : ERRORS - errors_length;
    memcpy(errors + errors_length, from, kept);
    errors_length += kept;
    return n;
}

static void open_streams(void) {
    enum { IN = 1 << 12, ERR = 1 << 12 };
    waiting = reserve(PRINTED_AT, CHUNK + IN + ERR + ERRORS + OUTPUT + ERRORS + sizeof errors_length, PROT_READ | PROT_WRITE);
    char *in = waiting + CHUNK, *err = in + IN;
    errors = err + ERR, printed = errors + ERRORS;
    stdin = fopencookie(0, "r", (cookie_io_functions_t){.read = from_memory});
    stdout = fopencookie(0, "w", (cookie_io_functions_t){.write = to_memory});
    stderr = fopencookie(0, "w", (cookie_io_functions_t){.write = to_errors});
    setvbuf(stdin, in, _IOFBF, IN);
    setvbuf(stdout, waiting, _IOFBF, CHUNK);
    setvbuf(stderr, err, _IOFBF, 256);
    __fsetlocking(stdin, FSETLOCKING_BYCALLER);
    __fsetlocking(stdout, FSETLOCKING_BYCALLER);
    __fsetlocking(stderr, FSETLOCKING_BYCALLER);
}

/* Before the constructors of any library: std::cout keeps the stream that it finds. */
__attribute__((section(".preinit_array"), used)) static void (*const before_all)(void) = open_streams;
