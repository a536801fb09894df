/* What a program finds besides its standard input: arguments, environment variables, and files, which live in memory,
 * so that candidates that were forked off read and write files of their own. */
enum { MOST_ARGUMENTS = 256, MOST_FILES = 64, LARGEST_FILE = 16 << 20 };

struct file { const char *name; char *data; size_t size, room; }; /* room: 0 as long as the data are not ours */
struct opened { struct file *file; size_t at; int appends; };

static struct file stored[MOST_FILES];
static u32 stored_count, variable_count, argument_count;
static char *input_file = "", *variables, *arguments;

static char *next_text(void) {
    char *text = cursor;
    next_bytes(strnlen(text, frame + frame_length - cursor) + 1);
    return text;
}

/* Kept for all runs to come. */
static void set_surroundings(void) {
    input_file = next_text();
    stored_count = next_u32();
    if (stored_count >= MOST_FILES) _exit(94);
    for (u32 i = 0; i < stored_count; i++) {
        stored[i].name = next_text();
        stored[i].size = next_u32();
        stored[i].data = next_bytes(stored[i].size);
    }
    variable_count = next_u32();
    variables = cursor;
    frame = 0; /* the next command gets a frame of its own: this one stays */
}

static char *my_getenv(const char *name) {
    size_t length = strlen(name);
    char *text = variables;
    for (u32 i = 0; i < variable_count; i++, text += strlen(text) + 1)
        if (!strncmp(text, name, length) && text[length] == '=') return text + length + 1;
    return 0;
}

static ssize_t read_stored(void *cookie, char *to, size_t n) {
    struct opened *o = cookie;
    size_t left = o->at < o->file->size ? o->file->size - o->at : 0;
    if (n > left) n = left;
    memcpy(to, o->file->data + o->at, n);
    o->at += n;
    return n;
}

static ssize_t write_stored(void *cookie, const char *from, size_t n) {
    struct opened *o = cookie;
    struct file *file = o->file;
    if (o->appends) o->at = file->size;
    size_t end = o->at + n;
    if (end > LARGEST_FILE) finish(FLOOD, 0);
    if (end > file->room) {
        char *larger = calloc(2, end);
        if (!larger) return 0;
        memcpy(larger, file->data, file->size);
        file->data = larger, file->room = 2 * end;
    }
    memcpy(file->data + o->at, from, n);
    o->at = end;
    if (end > file->size) file->size = end;
    return n;
}

static int seek_stored(void *cookie, off64_t *offset, int whence) {
    struct opened *o = cookie;
    i64 to = *offset + (whence == SEEK_CUR ? (i64)o->at : whence == SEEK_END ? (i64)o->file->size : 0);
    if (to < 0 || to > LARGEST_FILE) return -1;
    *offset = o->at = to;
    return 0;
}

static FILE *open_stored(struct file *file, const char *mode) {
    struct opened *o = malloc(sizeof *o);
    if (!o) return 0;
    *o = (struct opened){file, 0, mode[0] == 'a'};
    return fopencookie(o, mode, (cookie_io_functions_t){.read = read_stored, .write = write_stored, .seek = seek_stored});
}

static FILE *my_fopen(const char *name, const char *mode) {
    u32 i = 0;
    if (!strncmp(name, "./", 2)) name += 2;
    while (i < stored_count && strcmp(stored[i].name, name)) i++;
    if (i == stored_count && (mode[0] == 'r' || i == MOST_FILES || !*name || strchr(name, '/'))) return errno = ENOENT, (FILE *)0;
    if (i == stored_count) stored[stored_count++] = (struct file){strdup(name), 0, 0, 0};
    if (mode[0] == 'w') stored[i].size = 0;
    return open_stored(&stored[i], mode);
}

static FILE *my_freopen(const char *name, const char *mode, FILE *stream) {
    static struct file nothing;
    FILE *file = name ? my_fopen(name, mode) : 0;
    fflush(stream);
    FILE *instead = file ? file : open_stored(&nothing, "r");
    if (stream == stdin) stdin = instead;
    if (stream == stdout) stdout = instead;
    if (stream == stderr) stderr = instead;
    return file;
}

/* The arguments of a run come one after the other, each with its end; `given` goes to the file that is varied. */
static int place_input(char **argv) {
    int count = 1;
    char *text = arguments;
    for (u32 i = 0; i < argument_count && count < MOST_ARGUMENTS; i++, text += strlen(text) + 1) argv[count++] = text;
    if (*input_file) {
        u32 i = 0;
        while (i < stored_count && strcmp(stored[i].name, input_file)) i++;
        stored[i] = (struct file){input_file, given, given_length, 0};
        stored_count += i == stored_count;
        given_length = 0;
    }
    return count;
}
