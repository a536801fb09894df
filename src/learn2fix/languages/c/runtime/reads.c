/* Linked with a program whose reads are recorded: the linker sends its calls here (--wrap). A call through a pointer
 * comes here too, and a function of the program's own that has such a name is left alone.
 *
 * Records (records.py) go to what was standard error, a line each, as they happen: the program may crash at any time.
 * A place is announced as
 *
 *   P KIND WIDTH SKIPS CONVERSION SOURCE ARGUMENT FRAMES UNTIL|ARGUMENTS
 *
 * Nothing here calls a function that programs like to define themselves, such as read or write. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    MOST_READS = 20000,
    MOST_MISSED = 1000, /* in a row */
    MOST_FRAMES = 16,
    DEEPEST = 4096,
    PLACES = 1024,
    SOURCES = 64,
    CHANNEL = 220,
    LINE = 1024
};

extern char __executable_start, etext;
int __real_getc(FILE *), __real_ungetc(int, FILE *), __real___isoc99_fscanf(FILE *, const char *, ...),
    __real___isoc99_vfscanf(FILE *, const char *, va_list), __real_open(const char *, int, ...);
char *__real_gets(char *), *__real_fgets(char *, int, FILE *), *__real_getenv(const char *);
ssize_t __real_getdelim(char **, size_t *, int, FILE *), __real_read(int, void *, size_t);
size_t __real_fread(void *, size_t, size_t, FILE *);
FILE *__real_fopen(const char *, const char *), *__real_freopen(const char *, const char *, FILE *);

/* ------------------------------------------------------------------ records */

struct line { char text[LINE]; size_t size; };
static int channel = -1;

static void put(struct line *line, char c) {
    if (line->size < LINE - 1) line->text[line->size++] = c;
}

static void put_text(struct line *line, const char *text) {
    for (; text && *text; text++) put(line, *text >= 0 && *text < ' ' ? '?' : *text);
}

static void put_number(struct line *line, unsigned long number, unsigned base) {
    char digits[24];
    int count = 0;
    do digits[count++] = "0123456789abcdef"[number % base];
    while (number /= base);
    while (count) put(line, digits[--count]);
}

static void put_numbers(struct line *line, const long *numbers, int count) {
    for (int i = 0; i < count; i++) {
        if (line->size && i) put(line, ' ');
        if (numbers[i] < 0) put(line, '-');
        put_number(line, numbers[i] < 0 ? -(unsigned long)numbers[i] : (unsigned long)numbers[i], 10);
    }
}

static void send(struct line *line) {
    line->text[line->size++] = '\n';
    for (size_t sent = 0; sent < line->size;) {
        long n = syscall(SYS_write, channel, line->text + sent, line->size - sent);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        sent += (size_t)n;
    }
}

static void send_text(char tag, const char *text) {
    struct line line = {.size = 0};
    put(&line, tag);
    put(&line, ' ');
    put_text(&line, text);
    send(&line);
}

/* ------------------------------------------------------------------ where a read happens */

struct place {
    int count, conversion, width, source, argument;
    char kind, skips, used, until;
    const void *frames[MOST_FRAMES];
};
struct call { void **frame; const char *arguments; int source, conversion; };

static struct place places[PLACES]; /* a place that another one displaced is announced again */
static long numbers[PLACES], announced, reads, missed;
static const char *pending;
static char **stack_end;

void l2f_arguments(const char *text) { pending = text; }

/* The calls that are under way, innermost first; of those that recursion repeats, the outermost. */
static void walk(void **frame, struct place *place) {
    for (int depth = 0; depth < DEEPEST; depth++) {
        char *address = frame[1];
        if (address < &__executable_start || address >= &etext) break;
        int kept = 0;
        for (int i = 0; i < place->count; i++)
            if (place->frames[i] != address) place->frames[kept++] = place->frames[i];
        if (kept == MOST_FRAMES) break;
        place->frames[kept++] = address;
        place->count = kept;
        void **outer = *frame;
        if (outer <= frame || (char **)outer >= stack_end - 1 || (size_t)outer % sizeof(void *)) break;
        frame = outer;
    }
}

static long announce(const struct place *place, const char *arguments) {
    size_t hash = 5381;
    for (int i = 0; i < place->count; i++) hash = hash * 33 + (size_t)place->frames[i];
    hash = (hash * 33 + (size_t)place->conversion) * 33 + (size_t)place->width;
    struct place *known = &places[hash % PLACES];
    int same = known->used && known->count == place->count && known->conversion == place->conversion &&
               known->width == place->width && known->source == place->source && known->argument == place->argument &&
               known->kind == place->kind && known->skips == place->skips && known->until == place->until;
    for (int i = 0; same && i < place->count; i++) same = known->frames[i] == place->frames[i];
    if (same) return numbers[hash % PLACES];
    struct line line = {.size = 0};
    put(&line, 'P'), put(&line, ' '), put(&line, place->kind), put(&line, ' ');
    put_numbers(&line, (long[]){place->width, place->skips, place->conversion, place->source, place->argument}, 5);
    for (int i = 0; i < place->count; i++) {
        put(&line, i ? ',' : ' ');
        put_number(&line, (unsigned long)((const char *)place->frames[i] - &__executable_start), 16);
    }
    put(&line, ' ');
    put_number(&line, (unsigned char)place->until, 10);
    put(&line, '|');
    put_text(&line, arguments);
    send(&line);
    *known = *place;
    known->used = 1;
    return numbers[hash % PLACES] = announced++;
}

static void record(const struct call *call, struct place place, long start, long end, int found) {
    place.conversion = call->conversion;
    place.source = call->source;
    walk(call->frame, &place);
    missed = found ? 0 : missed + 1;
    if (++reads > MOST_READS || missed > MOST_MISSED) {
        send_text('C', "");
        syscall(SYS_exit_group, 0);
    }
    struct line line = {.size = 0};
    long place_number = announce(&place, call->arguments);
    put_numbers(&line, (long[]){place_number, start < 0 ? 0 : start, end < 0 ? 0 : end}, 3);
    if (!found) put(&line, ' '), put(&line, '!');
    send(&line);
}

/* ------------------------------------------------------------------ what is read from */

static FILE *streams[SOURCES];
static int sources = 1;

static int source_of(FILE *stream) {
    for (int i = sources - 1; i > 0; i--)
        if (streams[i] == stream) return i;
    return stream == stdin || fileno(stream) == 0 ? 0 : -1;
}

static void opened(const char *name, const char *mode, FILE *stream) {
    int reads_it = 0;
    for (const char *c = mode; c && *c; c++) reads_it |= *c == 'r' || *c == '+';
    for (int i = 1; i < sources; i++)
        if (streams[i] == stream) streams[i] = NULL;
    if (!reads_it || !name) return;
    send_text('O', name);
    if (!stream || sources == SOURCES) return;
    send_text('F', name);
    streams[sources++] = stream;
}

static struct call calling(void *frame, FILE *stream) {
    struct call call = {frame, pending, source_of(stream), 0};
    pending = NULL;
    return call;
}
#define CALL(stream) calling(__builtin_frame_address(0), stream)

/* The program's input becomes a file of its own, so that every position in it is known. */
static void __attribute__((constructor)) begin(int count, char **words) {
    (void)count;
    stack_end = words;
    channel = (int)syscall(SYS_fcntl, 2, F_DUPFD_CLOEXEC, CHANNEL);
    int nowhere = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        syscall(SYS_dup3, nowhere, 2, 0);
        if (nowhere != 2) syscall(SYS_close, nowhere);
    } else
        syscall(SYS_close, 2);
    static const char name[] = ".learn2fix-input";
    static char block[1 << 16];
    int file = (int)syscall(SYS_openat, AT_FDCWD, name, O_RDWR | O_CREAT | O_EXCL, 0600);
    int well = file >= 0 && channel >= 0;
    for (long n; well && (n = syscall(SYS_read, 0, block, sizeof block)) != 0;)
        well = n > 0 && syscall(SYS_write, file, block, (size_t)n) == n;
    if (file >= 0) syscall(SYS_unlinkat, AT_FDCWD, name, 0);
    if (well) well = syscall(SYS_lseek, file, 0L, 0) == 0 && syscall(SYS_dup3, file, 0, 0) == 0;
    if (!well) syscall(SYS_exit_group, 97);
    syscall(SYS_close, file);
    send_text('F', "");
}

/* ------------------------------------------------------------------ scanf */

static int blank(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static void skip_blanks(FILE *stream) {
    int c;
    do c = __real_getc(stream);
    while (blank(c));
    if (c != EOF) __real_ungetc(c, stream);
}

struct conversion {
    struct place place;
    const char *start, *size, *end;
    char letter;
    int suppressed;
};

/* What a set like [^,] or [a-z] asks for: a line, or characters up to the one that it names. Returns its end. */
static const char *read_set(const char *set, struct place *place) {
    const char *first = set + 1 + (set[1] == '^'), *end = first + (*first == ']');
    while (*end && *end != ']') end++;
    place->kind = 'w';
    if (set[1] == '^' && (*first == '\n' || (*first == '\r' && first[1] == '\n'))) place->kind = 'l';
    else if (set[1] == '^') place->until = *first;
    return end;
}

/* Of a format, at its %. */
static struct conversion read_conversion(const char *f) {
    struct conversion read = {.place = {.argument = -1}, .start = f++};
    for (; *f == '*' || *f == '\'' || *f == 'I'; f++) read.suppressed |= *f == '*';
    for (; *f >= '0' && *f <= '9'; f++) read.place.width = read.place.width * 10 + (*f - '0');
    read.size = f;
    while (*f == 'm' || *f == 'h' || *f == 'l' || *f == 'L' || *f == 'q' || *f == 'j' || *f == 'z' || *f == 't') f++;
    read.letter = *f;
    read.place.skips = *f != 'c' && *f != '[' && *f != 'n';
    switch (*f) {
    case 'd': case 'i': case 'u': read.place.kind = 'i'; break;
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': read.place.kind = 'r'; break;
    case 'c': read.place.kind = read.place.width > 1 ? 'b' : 'c'; break;
    case '[': f = read_set(f, &read.place); break;
    default: read.place.kind = 'w';
    }
    read.end = f + (*f != 0);
    return read;
}

/* What %n does. */
static void store_count(const char *size, void *to, long count) {
    if (size[0] == 'h' && size[1] == 'h') *(signed char *)to = (signed char)count;
    else if (size[0] == 'h') *(short *)to = (short)count;
    else if (size[0] == 'l' && size[1] == 'l') *(long long *)to = count;
    else if (size[0] != 'n' && size[0] != 'L') *(long *)to = count;
    else *(int *)to = (int)count;
}

static int match(FILE *stream, int wanted) {
    int c = __real_getc(stream);
    if (c == wanted || c == EOF) return c;
    __real_ungetc(c, stream);
    return -2;
}

/* A conversion at a time, so that the position of each is known. `first`: number of the first pointer among the
 * arguments. */
static int scan(struct call call, int first, FILE *stream, const char *format, va_list pointers) {
    size_t length = 0;
    int positional = 0, done = 0, spaced = 0;
    for (; format[length]; length++) positional |= format[length] == '$';
    if (call.source < 0 || positional) return __real___isoc99_vfscanf(stream, format, pointers);
    char piece[length + 3];
    long began = ftell(stream);
    for (const char *f = format; *f;) {
        if (blank(*f)) {
            skip_blanks(stream);
            spaced = 1;
            f++;
            continue;
        }
        if (*f != '%' || f[1] == '%') {
            if (*f == '%') skip_blanks(stream), f++;
            int c = match(stream, (unsigned char)*f++);
            if (c == EOF) return done ? done : EOF;
            if (c == -2) return done;
            spaced = 0;
            continue;
        }
        struct conversion read = read_conversion(f);
        if (!read.letter) break;
        f = read.end;
        void *to = NULL;
        if (!read.suppressed) to = va_arg(pointers, void *), read.place.argument = first++;
        if (read.letter == 'n') {
            if (to) store_count(read.size, to, ftell(stream) - began);
            continue;
        }
        size_t n = 0;
        for (const char *c = read.start; c < read.end; c++) piece[n++] = *c;
        piece[n++] = '%', piece[n++] = 'n', piece[n] = 0;
        if (read.place.skips) skip_blanks(stream);
        long start = ftell(stream);
        int taken = -1, result;
        if (read.suppressed) result = __real___isoc99_fscanf(stream, piece, &taken);
        else result = __real___isoc99_fscanf(stream, piece, to, &taken);
        read.place.skips |= spaced;
        record(&call, read.place, start, ftell(stream), taken >= 0);
        call.conversion++;
        if (taken < 0) return result == EOF && !done ? EOF : done;
        done += !read.suppressed;
        spaced = 0;
    }
    return done;
}

#define SCANF(prefix) \
    int __wrap_##prefix##scanf(const char *format, ...) { \
        va_list pointers; \
        va_start(pointers, format); \
        int result = scan(CALL(stdin), 1, stdin, format, pointers); \
        va_end(pointers); \
        return result; \
    } \
    int __wrap_##prefix##fscanf(FILE *stream, const char *format, ...) { \
        va_list pointers; \
        va_start(pointers, format); \
        int result = scan(CALL(stream), 2, stream, format, pointers); \
        va_end(pointers); \
        return result; \
    } \
    int __wrap_##prefix##vscanf(const char *format, va_list pointers) { \
        return scan(CALL(stdin), 99, stdin, format, pointers); \
    } \
    int __wrap_##prefix##vfscanf(FILE *stream, const char *format, va_list pointers) { \
        return scan(CALL(stream), 99, stream, format, pointers); \
    }
SCANF()
SCANF(__isoc99_)
SCANF(__isoc23_)

/* ------------------------------------------------------------------ characters, lines, bytes */

static int one(struct call call, FILE *stream) {
    if (call.source < 0) return __real_getc(stream);
    long start = ftell(stream);
    int c = __real_getc(stream);
    record(&call, (struct place){.kind = 'c', .argument = -1}, start, start + (c != EOF), c != EOF);
    return c;
}

int __wrap_getchar(void) { return one(CALL(stdin), stdin); }
int __wrap_getchar_unlocked(void) { return one(CALL(stdin), stdin); }
int __wrap_getc(FILE *stream) { return one(CALL(stream), stream); }
int __wrap_fgetc(FILE *stream) { return one(CALL(stream), stream); }
int __wrap_getc_unlocked(FILE *stream) { return one(CALL(stream), stream); }
int __wrap_fgetc_unlocked(FILE *stream) { return one(CALL(stream), stream); }

int __wrap_ungetc(int c, FILE *stream) {
    int result = __real_ungetc(c, stream);
    if (result != EOF && source_of(stream) >= 0) send_text('U', "");
    return result;
}

/* `last`: the last byte that was taken, or '\n' where it was taken and left out. */
static void line_read(struct call *call, struct place place, long start, long end, int last, int stop) {
    if (call->source >= 0) record(call, place, start, end - (end > start && last == stop), end > start);
}

char *__wrap_gets(char *to) {
    struct call call = CALL(stdin);
    long start = ftell(stdin);
    char *result = __real_gets(to);
    long end = result ? ftell(stdin) : start;
    line_read(&call, (struct place){.kind = 'l'}, start, end, end > start && !to[end - start - 1] ? '\n' : 0, '\n');
    return result;
}

static char *a_line(struct call call, char *to, int size, FILE *stream) {
    long start = ftell(stream);
    char *result = __real_fgets(to, size, stream);
    long end = result ? ftell(stream) : start;
    struct place place = {.kind = 'l', .width = size > 0 ? size - 1 : 0};
    line_read(&call, place, start, end, end > start ? to[end - start - 1] : 0, '\n');
    return result;
}

char *__wrap_fgets(char *to, int size, FILE *stream) { return a_line(CALL(stream), to, size, stream); }
char *__wrap_fgets_unlocked(char *to, int size, FILE *stream) { return a_line(CALL(stream), to, size, stream); }

static ssize_t delimited(struct call call, char **to, size_t *size, int stop, FILE *stream) {
    long start = ftell(stream);
    ssize_t result = __real_getdelim(to, size, stop, stream);
    struct place place = {.kind = stop == '\n' ? 'l' : 'w', .until = stop == '\n' ? 0 : (char)stop};
    int last = result > 0 ? (unsigned char)(*to)[result - 1] : 0;
    line_read(&call, place, start, result > 0 ? start + result : start, last, stop);
    return result;
}

ssize_t __wrap_getline(char **to, size_t *size, FILE *stream) {
    return delimited(CALL(stream), to, size, '\n', stream);
}
ssize_t __wrap_getdelim(char **to, size_t *size, int stop, FILE *stream) {
    return delimited(CALL(stream), to, size, stop, stream);
}

static int most(size_t size) { return size > INT_MAX ? INT_MAX : (int)size; }

static size_t bytes(struct call call, void *to, size_t size, size_t count, FILE *stream) {
    long start = ftell(stream);
    size_t result = __real_fread(to, size, count, stream);
    struct place place = {.kind = 'b', .width = most(size * count)};
    if (call.source >= 0) record(&call, place, start, ftell(stream), result > 0);
    return result;
}

size_t __wrap_fread(void *to, size_t size, size_t count, FILE *stream) {
    return bytes(CALL(stream), to, size, count, stream);
}
size_t __wrap_fread_unlocked(void *to, size_t size, size_t count, FILE *stream) {
    return bytes(CALL(stream), to, size, count, stream);
}

ssize_t __wrap_read(int fd, void *to, size_t size) {
    struct call call = {__builtin_frame_address(0), NULL, 0, 0};
    ssize_t result = __real_read(fd, to, size);
    if (fd == 0) {
        struct place place = {.kind = 'b', .width = most(size), .argument = -1};
        long end = syscall(SYS_lseek, 0, 0L, 1);
        record(&call, place, end - (result > 0 ? result : 0), end, result > 0);
    }
    return result;
}

/* ------------------------------------------------------------------ what else it asks for */

#define OPENING(suffix) \
    FILE *__wrap_fopen##suffix(const char *name, const char *mode) { \
        FILE *result = __real_fopen(name, mode); \
        opened(name, mode, result); \
        return result; \
    } \
    FILE *__wrap_freopen##suffix(const char *name, const char *mode, FILE *stream) { \
        FILE *result = __real_freopen(name, mode, stream); \
        opened(name, mode, result); \
        return result; \
    } \
    int __wrap_open##suffix(const char *name, int flags, ...) { \
        va_list more; \
        va_start(more, flags); \
        int mode = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(more, int) : 0; \
        va_end(more); \
        if ((flags & O_ACCMODE) != O_WRONLY) send_text('O', name); \
        return __real_open(name, flags, mode); \
    }
OPENING()
OPENING(64)

char *__wrap_getenv(const char *name) {
    send_text('V', name);
    return __real_getenv(name);
}
