/* Commands and results, as frames over pipes (see engine.py). */
static void read_all(int fd, void *to, size_t n) {
    for (char *p = to; n;) {
        ssize_t got = read(fd, p, n);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) _exit(0);
        p += got, n -= got;
    }
}

static void write_all(int fd, const void *from, size_t n) {
    for (const char *p = from; n;) {
        ssize_t put = write(fd, p, n);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) _exit(97);
        p += put, n -= put;
    }
}

static char *frame;
static u32 frame_length;
static char *cursor;

static void *next_bytes(size_t n) {
    char *p = cursor;
    cursor += n;
    if (cursor > frame + frame_length) _exit(96);
    return p;
}
static u32 next_u32(void) { u32 v; memcpy(&v, next_bytes(4), 4); return v; }
static i64 next_i64(void) { i64 v; memcpy(&v, next_bytes(8), 8); return v; }
static double next_f64(void) { double v; memcpy(&v, next_bytes(8), 8); return v; }

static double used(int who) {
    struct rusage u;
    getrusage(who, &u);
    return u.ru_utime.tv_sec + u.ru_stime.tv_sec + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

static void reply(const void *data, u32 n) {
    struct { double seconds; u32 n, unused; } head = {used(RUSAGE_SELF) + used(RUSAGE_CHILDREN), n, 0};
    write_all(replies, &head, sizeof head);
    write_all(replies, data, n);
}
