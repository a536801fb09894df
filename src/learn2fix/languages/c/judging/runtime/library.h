/* Functions that a program gets instead of libc's, and the names it may link to. */
static void (*at_exit[32])(void);
static u32 at_exit_count;

static void my_exit(int status) {
    while (at_exit_count) at_exit[--at_exit_count]();
    finish(EXITED, status & 255);
}
static void my__exit(int status) { exiting = 1; finish(EXITED, status & 255); }
static int my_atexit(void (*f)(void)) {
    if (at_exit_count == sizeof at_exit / sizeof *at_exit) return -1;
    at_exit[at_exit_count++] = f;
    return 0;
}
static void my_abort(void) { finish(SIGNALLED, SIGABRT); }
static void my_assert_fail(const char *a, const char *b, unsigned c, const char *d) {
    (void)a, (void)b, (void)c, (void)d;
    finish(SIGNALLED, SIGABRT);
}
static char *my_gets(char *to) {
    int c, n = 0;
    while ((c = getchar_unlocked()) != EOF && c != '\n') to[n++] = c;
    if (c == EOF && !n) return 0;
    to[n] = 0;
    return to;
}
static int my_fclose(FILE *f) { return fflush(f); }
static void my_setbuf(FILE *f, char *b) { (void)f, (void)b; }
static int my_setvbuf(FILE *f, char *b, int m, size_t n) { (void)f, (void)b, (void)m, (void)n; return 0; }
static unsigned my_sleep(unsigned n) { (void)n; return 0; }

#ifdef L2F_LINKED
/* The program is compiled with these names in place of libc's. */
void l2f_exit(int status) { my_exit(status); }
void l2f__exit(int status) { my__exit(status); }
int l2f_atexit(void (*f)(void)) { return my_atexit(f); }
void l2f_abort(void) { my_abort(); }
char *l2f_gets(char *to) { return my_gets(to); }
int l2f_fclose(FILE *f) { return my_fclose(f); }
void l2f_setbuf(FILE *f, char *b) { my_setbuf(f, b); }
int l2f_setvbuf(FILE *f, char *b, int m, size_t n) { return my_setvbuf(f, b, m, n); }
unsigned l2f_sleep(unsigned n) { return my_sleep(n); }
char *l2f_getenv(const char *n) { return my_getenv(n); }
FILE *l2f_fopen(const char *name, const char *mode) { return my_fopen(name, mode); }
FILE *l2f_freopen(const char *name, const char *mode, FILE *stream) { return my_freopen(name, mode, stream); }
void l2f_assert_fail(const char *a, const char *b, unsigned c, const char *d) { my_assert_fail(a, b, c, d); }
#endif

/* What objects of the user's build call by their own names (the linker's --wrap). */
void __wrap_exit(int status) { my_exit(status); }
void __wrap_abort(void) { my_abort(); }

#ifndef L2F_LINKED
struct va { unsigned gp, fp; char *overflow, *saved; };
static void *my_va_arg(struct va *ap, int kind, int size, int align) {
    size = (size + 7) & ~7, align = (align + 7) & ~7;
    if (kind == 0 && ap->gp + size <= 48) return ap->gp += size, ap->saved + ap->gp - size;
    if (kind == 1 && ap->fp < 128 + 48) {
        ap->fp += 16;
        if (size == 8) return ap->saved + ap->fp - 16;
        if (ap->fp < 128 + 48) {
            memcpy(ap->saved + ap->fp - 8, ap->saved + ap->fp, 8);
            ap->fp += 16;
            return ap->saved + ap->fp - 32;
        }
    }
    ap->overflow += size;
    ap->overflow = (char *)((intptr_t)(ap->overflow + align - 1) & -(intptr_t)align);
    return ap->overflow - size;
}
static unsigned long from_float(float x) { return (unsigned long)x; }
static unsigned long from_double(double x) { return (unsigned long)x; }
static unsigned long from_long_double(long double x) { return (unsigned long)x; }
static float to_float(unsigned long x) { return x; }
static double to_double(unsigned long x) { return x; }
static long double to_long_double(unsigned long x) { return x; }

/* A scanf with an argument too few stores at whatever is left in a register, which may be a pointer of ours: only
   the candidate that does so crashes then, not the engine with all the others. */
extern char __data_start, _end;
static void check_targets(const char *f, va_list targets) {
    while ((f = strchr(f, '%'))) {
        int stored = *++f != '*' && *f != '%';
        f += strspn(f, "*0123456789mhlLqjzt");
        if (*f == '[') f += f[1] == '^', f += 1 + (f[1] == ']'), f += strcspn(f, "]");
        if (!*f) return;
        f++;
        char *to = stored ? va_arg(targets, char *) : 0;
        if (stored && ((to >= ARENA_AT && to < ARENA_AT + ARENA) || (to >= PRINTED_AT && to < PRINTED_AT + 2 * OUTPUT) ||
                       (to >= &__data_start && to < &_end))) finish(SIGNALLED, SIGSEGV);
    }
}
#define CHECKED_SCAN(call) va_list list; va_start(list, f); check_targets(f, list); va_end(list); \
    va_start(list, f); int n = call; va_end(list);
/* Most loops that never end read on where there is nothing left, which is slow: each such turn counts as many. */
enum { AT_THE_END = 30 };
static int counted(int read) { if (read < 0) l2f_steps -= AT_THE_END; return read; }
static int my_scanf(const char *f, ...) { CHECKED_SCAN(vscanf(f, list)) return counted(n); }
static int my_fscanf(FILE *in, const char *f, ...) { CHECKED_SCAN(vfscanf(in, f, list)) return counted(n); }
static int my_sscanf(const char *in, const char *f, ...) { CHECKED_SCAN(vsscanf(in, f, list)) return n; }

static int bits_int(unsigned x) { return __builtin_popcount(x); }
static int bits_long(unsigned long x) { return __builtin_popcountl(x); }
static int low_int(unsigned x) { return __builtin_ctz(x); }
static int low_long(unsigned long x) { return __builtin_ctzl(x); }
static int high_int(unsigned x) { return __builtin_clz(x); }
static int high_long(unsigned long x) { return __builtin_clzl(x); }

struct symbol { const char *name; const void *address; };
#define S(name) {#name, (const void *)name},
#define M(name) {#name, (const void *)name}, {#name "f", (const void *)name##f}, {#name "l", (const void *)name##l},
static const struct symbol symbols[] = {
    {"l2f_p", &l2f_p}, {"l2f_base", &l2f_base}, {"l2f_steps", &l2f_steps}, {"l2f_jump", &l2f_jump}, S(l2f_enter) S(l2f_differs)
    S(l2f_differs_text) S(l2f_leave) S(l2f_pick) S(l2f_wipe) S(l2f_stop) S(_setjmp)
    {"stdin", &stdin}, {"stdout", &stdout}, {"stderr", &stderr},
    {"exit", my_exit}, {"_exit", my__exit}, {"_Exit", my__exit}, {"atexit", my_atexit}, {"abort", my_abort},
    {"__assert_fail", my_assert_fail}, {"gets", my_gets}, {"fclose", my_fclose}, {"setbuf", my_setbuf},
    {"setvbuf", my_setvbuf}, {"sleep", my_sleep}, {"usleep", my_sleep}, {"getenv", my_getenv},
    {"fopen", my_fopen}, {"freopen", my_freopen}, S(fseek) S(ftell) S(rewind)
    {"__va_arg", my_va_arg}, {"__fixunssfdi", from_float}, {"__fixunsdfdi", from_double},
    {"__fixunsxfdi", from_long_double}, {"__floatundisf", to_float}, {"__floatundidf", to_double},
    {"__floatundixf", to_long_double},
    S(printf) S(fprintf) S(sprintf) S(snprintf) S(vprintf) S(vfprintf) S(vsprintf) S(vsnprintf)
    {"scanf", my_scanf}, {"sscanf", my_sscanf}, {"fscanf", my_fscanf},
    {"__isoc99_scanf", my_scanf}, {"__isoc99_sscanf", my_sscanf}, {"__isoc99_fscanf", my_fscanf},
    S(getchar) S(getc) S(fgetc) S(ungetc) S(putchar) S(putc) S(fputc) S(puts) S(fputs) S(fgets) S(fflush) S(feof)
    S(ferror) S(clearerr) S(fread) S(fwrite) S(getline) S(getdelim) S(perror) S(getchar_unlocked) S(putchar_unlocked)
    S(getc_unlocked) S(putc_unlocked)
    S(malloc) S(calloc) S(realloc) S(free) S(atoi) S(atol) S(atoll) S(atof) S(strtol) S(strtoul) S(strtoll)
    S(strtoull) S(strtod) S(strtof) S(strtold) S(rand) S(srand) S(random) S(srandom) S(rand_r) S(drand48) S(srand48)
    S(lrand48) S(qsort) S(bsearch) S(abs) S(labs) S(llabs) S(div) S(ldiv) S(lldiv)
    S(memcpy) S(memmove) S(memset) S(memcmp) S(memchr) S(strcpy) S(strncpy) S(strcat) S(strncat) S(strcmp) S(strncmp)
    S(strchr) S(strrchr) S(strstr) S(strlen) S(strtok) S(strtok_r) S(strspn) S(strcspn) S(strpbrk) S(strdup)
    S(strndup) S(strcoll) S(strerror) S(strnlen) S(stpcpy) S(strsep) S(strcasecmp) S(strncasecmp) S(bzero) S(bcopy)
    {"index", strchr}, {"rindex", strrchr}, S(memmem) S(mempcpy)
    S(isalpha) S(isdigit) S(isalnum) S(isspace) S(isupper) S(islower) S(ispunct) S(isprint) S(iscntrl) S(isxdigit)
    S(isgraph) S(isblank) S(isascii) S(toupper) S(tolower) S(__ctype_b_loc) S(__ctype_tolower_loc)
    S(__ctype_toupper_loc) S(__errno_location)
    M(sqrt) M(cbrt) M(pow) M(exp) M(exp2) M(expm1) M(log) M(log2) M(log10) M(log1p) M(sin) M(cos) M(tan) M(asin) M(acos)
    M(atan) M(atan2) M(sinh) M(cosh) M(tanh) M(asinh) M(acosh) M(atanh) M(floor) M(ceil) M(round) M(trunc) M(rint)
    M(nearbyint) M(lround) M(llround) M(lrint) M(llrint) M(fabs) M(fmod) M(remainder) M(hypot) M(fmin) M(fmax) M(fdim)
    M(modf) M(frexp) M(ldexp) M(copysign) M(tgamma) M(lgamma) M(erf) M(erfc) M(nextafter) M(fma) M(logb) M(ilogb)
    M(scalbn) M(exp10)
    S(time) S(clock) S(difftime) S(localtime) S(gmtime) S(mktime) S(strftime) S(clock_gettime) S(gettimeofday)
    {"setjmp", _setjmp}, S(longjmp)
    {"__builtin_popcount", bits_int}, {"__builtin_popcountl", bits_long}, {"__builtin_popcountll", bits_long},
    {"__builtin_ctz", low_int}, {"__builtin_ctzl", low_long}, {"__builtin_ctzll", low_long},
    {"__builtin_clz", high_int}, {"__builtin_clzl", high_long}, {"__builtin_clzll", high_long},
};
#endif
