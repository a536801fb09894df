/* Compiling a meta-program and placing its code where forks are cheap. */
static char *code;

#ifndef L2F_LINKED
static char trouble[2048];

static void complain(void *opaque, const char *message) {
    (void)opaque;
    if (!*trouble && !strstr(message, "warning:")) snprintf(trouble, sizeof trouble, "%s", message);
}

/* What of the user's objects and libraries the program refers to, where we are linked with such; see foreign.py. */
extern const struct symbol l2f_beside[] __attribute__((weak));

/* Translation units stand one after the other, an empty one ends them; after a byte 1 stands the path of an object. The addresses of main and of the line counters; 0 and `trouble` when it does not compile. */
static long compile(const char *text, const char *options, void *to, void **entry, void **counters, char **data) {
    TCCState *state = tcc_new();
    *trouble = 0;
    tcc_set_error_func(state, 0, complain);
    tcc_set_options(state, "-nostdlib -w");
    if (*options) tcc_set_options(state, options);
    tcc_set_output_type(state, TCC_OUTPUT_MEMORY);
#ifdef L2F_HEADERS /* after its own, which may not be installed: stddef.h and the like of the compiler that built us */
    tcc_add_sysinclude_path(state, L2F_HEADERS);
#endif
    for (u32 i = 0; i < sizeof symbols / sizeof *symbols; i++) tcc_add_symbol(state, symbols[i].name, symbols[i].address);
    for (const struct symbol *each = l2f_beside; each && each->name; each++) tcc_add_symbol(state, each->name, each->address);
    tcc_add_symbol(state, "l2f_live", l2f_live), tcc_add_symbol(state, "l2f_list", l2f_list);
    for (const char *unit = text; *unit; unit += strlen(unit) + 1)
        if ((*unit == 1 ? tcc_add_file(state, unit + 1) : tcc_compile_string(state, unit)) < 0) goto failed;
    long size = tcc_relocate(state, 0);
    if (size < 0 || size > CODE || tcc_relocate(state, to) < 0) goto failed;
    *entry = tcc_get_symbol(state, "main");
    *counters = tcc_get_symbol(state, "l2f_lines");
    *data = tcc_get_symbol(state, "l2f_data");
    if (*entry) return size;
failed:
    if (!*trouble) strcpy(trouble, "the program cannot be linked");
    return -1;
}
#else
int l2f_main(int, char **, char **);
extern unsigned long l2f_lines[] __attribute__((weak));
#endif

/* A fork copies the page tables of private memory that was written to, and leaves those of untouched files to
   be faulted in again by every child. One byte written makes all the difference. */
static int touch(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size, (void)data;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || part->p_flags & PF_W) continue;
        uintptr_t from = (info->dlpi_addr + part->p_vaddr) & ~4095UL;
        size_t length = (info->dlpi_addr + part->p_vaddr + part->p_memsz + 4095 - from) & ~4095UL;
        int protection = PROT_READ | (part->p_flags & PF_X ? PROT_EXEC : 0);
        if (mprotect((void *)from, length, protection | PROT_WRITE)) continue;
        *(volatile char *)from = *(volatile char *)from;
        mprotect((void *)from, length, protection);
        madvise((void *)from, length, 22 /* MADV_POPULATE_READ */);
    }
    return 1;
}

/* Our own code moves into huge pages, when we are linked so that nothing else lies in them. */
static void move_own_code(void) {
    static int moved;
    if (moved++) return;
    struct span { uintptr_t from, to; } own = {-1UL, 0}, other = {-1UL, 0};
    const ElfW(Phdr) *parts = (const ElfW(Phdr) *)getauxval(AT_PHDR);
    for (unsigned long i = 0; i < getauxval(AT_PHNUM); i++) {
        if (parts[i].p_type != PT_LOAD) continue;
        struct span *s = parts[i].p_flags & PF_W ? &other : &own;
        if (parts[i].p_vaddr < s->from) s->from = parts[i].p_vaddr;
        if (parts[i].p_vaddr + parts[i].p_memsz > s->to) s->to = parts[i].p_vaddr + parts[i].p_memsz;
    }
    size_t size = (own.to - own.from + HUGE_PAGE - 1) & -HUGE_PAGE;
    if (!own.from || own.from % HUGE_PAGE || other.from < own.from + size || (uintptr_t)touch - own.from >= size) return;
    char *aside = CODE_AT + CODE;
    if (!huge_pages(aside, size)) return;
    memcpy(aside, (char *)own.from, own.to - own.from);
    mprotect(aside, size, PROT_READ | PROT_EXEC);
    mremap(aside, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)own.from);
}

static void load(void) {
    line_count = next_u32();
    site_count = next_u32();
    candidate_count = next_u32();
    u32 total = next_u32();
    if (site_count > MAX_SITES) _exit(94);
    sites = take(sizeof *sites * (site_count + 1));
#ifndef L2F_LINKED
    l2f_list = take(sizeof *l2f_list * (site_count + 1)), l2f_live = take(site_count + 1);
#endif
    most_alternatives = 0;
    for (u32 i = 0; i < site_count; i++) {
        sites[i].alternatives = next_u32(), sites[i].left = 0;
        if (sites[i].alternatives > most_alternatives) most_alternatives = sites[i].alternatives;
    }
    first_use = take(sizeof(u32) * (candidate_count + 1));
    memcpy(first_use, next_bytes(sizeof(u32) * (candidate_count + 1)), sizeof(u32) * (candidate_count + 1));
    uses = take(sizeof *uses * (total + 1));
    memcpy(uses, next_bytes(sizeof *uses * total), sizeof *uses * total);
    if (candidate_count >= MANY) move_own_code();
    stamp = take(sizeof(u32) * (most_alternatives + 2));
    differing = take(sizeof *differing * (most_alternatives + 2));
    faults = take(sizeof *faults * (most_alternatives + 2));
    gone = take(candidate_count + 1), mine = take(candidate_count + 1);
    earlier = take(sizeof *earlier * (line_count + 1));
    moved = take(sizeof *moved * (candidate_count + 1));
    lists = arena_top;
#ifdef L2F_LINKED
    program = l2f_main, lines = l2f_lines;
    reply("", 0);
#else
    u32 options = next_u32();
    char *option_text = next_bytes(options + 1), *text = next_bytes(0);
    /* A child compiles into a memory file that is then mapped here: no fork ever copies the compiler's memory,
       and a compiler that crashes takes nothing with it. */
    int image = memfd_create("code", MFD_CLOEXEC), result[2];
    if (image < 0 || ftruncate(image, CODE) || pipe2(result, O_CLOEXEC)) _exit(93);
    struct { long size; void *entry, *counters; char *data, trouble[2048]; } answer;
    memset(&answer, 0, sizeof answer);
    answer.size = -1;
    strcpy(answer.trouble, "the compiler crashed");
    pid_t child = fork();
    if (!child) {
        if (mmap(code, CODE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_SHARED | MAP_FIXED, image, 0) == MAP_FAILED) _exit(1);
        answer.size = compile(text, option_text, code, &answer.entry, &answer.counters, &answer.data);
        memcpy(answer.trouble, trouble, sizeof trouble);
        write_all(result[1], &answer, sizeof answer);
        _exit(0);
    }
    close(result[1]);
    char *to = (char *)&answer;
    for (size_t left = sizeof answer; left;) {
        ssize_t got = read(result[0], to, left);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        to += got, left -= got;
    }
    wait_for(child);
    close(result[0]);
    if (answer.size >= 0) {
        size_t size = (answer.size + 4095) & ~4095UL;
        munmap(code, CODE);
        if (ftruncate(image, size) ||
            mmap(code, size, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, image, 0) == MAP_FAILED) _exit(92);
        /* What is only executed is a mapping of its own, never written to. Without huge pages it stays in the file,
           so that no fork copies its page tables. */
        size_t text_size = answer.data ? (answer.data - code) & -HUGE_PAGE : 0;
        if (text_size && text_size < size) {
            off_t end = lseek(image, 0, SEEK_HOLE), got;
            if (end <= 0 || end > (off_t)text_size) end = text_size;
            if (candidate_count >= MANY && huge_pages(code, text_size)) {
                for (off_t at = 0; at < end; at += got)
                    if ((got = pread(image, code + at, end - at, at)) <= 0) _exit(92);
            } else if (mmap(code, text_size, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, image, 0) == MAP_FAILED) _exit(92);
            mprotect(code, text_size, PROT_READ | PROT_EXEC);
        }
        program = answer.entry, lines = answer.counters;
        *answer.trouble = 0;
    }
    close(image);
    reply(answer.trouble, strlen(answer.trouble));
#endif
}
