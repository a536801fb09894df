/* From the records of a run to how each candidate ended. */
struct text { char *data; size_t n, room; };

static void append(struct text *t, const void *data, size_t n) {
    if (t->n + n > t->room) {
        t->room = (t->n + n) * 2 + 4096;
        t->data = realloc(t->data, t->room);
        if (!t->data) _exit(91);
    }
    memcpy(t->data + t->n, data, n);
    t->n += n;
}

/* Distinct outcomes of a run; the same kind, status and output are one. */
struct outcomes { struct text bodies; u32 count, slots, *table; size_t *at; };

static u32 outcome_index(struct outcomes *o, int kind, int status, const char *data, u32 n) {
    uint64_t key[2], mixed;
    hash(data, n, (u8 *)key);
    mixed = key[0] ^ key[1] ^ ((uint64_t)kind << 40) ^ status;
    if (o->count * 2 >= o->slots) {
        o->slots = o->slots ? o->slots * 2 : 64;
        o->table = realloc(o->table, sizeof(u32) * o->slots);
        o->at = realloc(o->at, sizeof(size_t) * o->slots);
        memset(o->table, 255, sizeof(u32) * o->slots);
        for (u32 i = 0; i < o->count; i++) {
            struct outcome *head = (struct outcome *)(o->bodies.data + o->at[i]);
            uint64_t again[2];
            hash(head + 1, head->length, (u8 *)again);
            u32 slot = (again[0] ^ again[1] ^ ((uint64_t)head->kind << 40) ^ head->status) & (o->slots - 1);
            while (o->table[slot] != NOBODY) slot = (slot + 1) & (o->slots - 1);
            o->table[slot] = i;
        }
    }
    u32 slot = mixed & (o->slots - 1);
    for (; o->table[slot] != NOBODY; slot = (slot + 1) & (o->slots - 1)) {
        struct outcome *head = (struct outcome *)(o->bodies.data + o->at[o->table[slot]]);
        if (head->kind == kind && head->status == status && head->length == n && !memcmp(head + 1, data, n))
            return o->table[slot];
    }
    o->table[slot] = o->count;
    o->at[o->count] = o->bodies.n;
    struct outcome head = {kind, status, n};
    append(&o->bodies, &head, sizeof head);
    append(&o->bodies, data, n);
    append(&o->bodies, "\0\0\0", -n & 3);
    return o->count++;
}

static void outcome_of_status(int status, int *kind, int *number) {
    *kind = SIGNALLED, *number = SIGKILL;
    if (WIFSIGNALED(status)) {
        *number = WTERMSIG(status);
        if (*number == SIGALRM || *number == SIGPROF) *kind = TIMEOUT, *number = 0;
        if (*number == SIGKILL && late) *kind = TIMEOUT, *number = 0;
    }
}

struct node { u32 *members, count; int has_outcome, kind, status; char *data; u32 length; };

/* Reads the records of a run back and says for each live candidate how it ended. */
static u32 resolve(u32 *alive, u32 n, int status, struct outcomes *all, u32 *ended, i64 *steps, u32 *runs, char **counts) {
    off_t size = lseek(records, 0, SEEK_END);
    char *base = size ? mmap(0, size, PROT_READ, MAP_SHARED, records, 0) : 0, *p = base, *end = base + size;
    if (base == MAP_FAILED) _exit(90);
    u32 *owner = malloc(sizeof(u32) * (candidate_count + 1)); /* depth of the node that carries it */
    struct node path[64];
    u32 depth = 0, root = NOBODY;
    memset(owner, 255, sizeof(u32) * (candidate_count + 1));
    for (u32 i = 0; i < n; i++) owner[alive[i]] = 0, ended[alive[i]] = NOBODY;
    path[0] = (struct node){alive, n, 0, 0, 0, 0, 0};
    *runs = 1, *steps = 0, *counts = 0;
    while (p && p < end) {
        char tag = *p++;
        struct node *at = &path[depth];
        size_t left = end - p;
        if (tag == 'O') {
            struct { struct outcome o; i64 steps; } head;
            if (left < sizeof head) break;
            memcpy(&head, p, sizeof head), p += sizeof head;
            /* A program gone wild may have jumped to where outcomes are written. */
            if (head.o.length > (size_t)(end - p) || (u32)head.o.kind > FLOOD) break;
            at->has_outcome = 1, at->kind = head.o.kind, at->status = head.o.status;
            at->data = p, at->length = head.o.length;
            if (!depth) *steps = head.steps;
            p += head.o.length;
        } else if (tag == 'L') {
            if (left < 2 * line_count * sizeof *lines) break;
            if (!depth) *counts = p;
            p += 2 * line_count * sizeof *lines;
        } else if (tag == 'F' || tag == 'D' || tag == 'X') {
            int number = 0;
            u32 count;
            if (left < 8) break;
            if (tag != 'F') memcpy(&number, p, 4), p += 4;
            memcpy(&count, p, 4), p += 4;
            if (count > (size_t)(end - p) / 4 || count > candidate_count) break;
            u32 *ids = malloc(sizeof(u32) * (count + 1));
            memcpy(ids, p, count * 4), p += count * 4;
            int honest = depth < 62;
            for (u32 i = 0; i < count && honest; i++) honest = ids[i] < candidate_count && owner[ids[i]] == depth;
            if (!honest) break;
            if (tag == 'F') {
                ++*runs, depth++;
                for (u32 i = 0; i < count; i++) owner[ids[i]] = depth;
                path[depth] = (struct node){ids, count, 0, 0, 0, 0, 0};
                continue;
            }
            u32 dead = outcome_index(all, SIGNALLED, number, "", 0);
            if (tag == 'D')
                for (u32 i = 0; i < count; i++) ended[ids[i]] = dead, owner[ids[i]] = NOBODY;
            else {
                for (u32 i = 0; i < count; i++) owner[ids[i]] = NOBODY - 1;
                for (u32 i = 0; i < at->count; i++) {
                    u32 c = at->members[i];
                    if (owner[c] == depth) ended[c] = dead, owner[c] = NOBODY;
                    else if (owner[c] == NOBODY - 1) owner[c] = depth;
                }
            }
            free(ids);
        } else if (tag == 'P') {
            int child;
            if (left < 4 || !depth) break;
            memcpy(&child, p, 4), p += 4;
            int kind = at->kind, number = at->status;
            if (!at->has_outcome || !WIFEXITED(child) || WEXITSTATUS(child)) {
                outcome_of_status(child, &kind, &number);
                at->length = 0;
            }
            u32 index = outcome_index(all, kind, number, at->data, at->length);
            for (u32 i = 0; i < at->count; i++)
                if (owner[at->members[i]] == depth) ended[at->members[i]] = index, owner[at->members[i]] = NOBODY;
            free(at->members);
            depth--;
        } else break;
    }
    if (depth == 0 && p == end && !late) {
        struct node *at = &path[0];
        int kind = at->kind, number = at->status;
        if (!at->has_outcome || !WIFEXITED(status) || WEXITSTATUS(status)) {
            outcome_of_status(status, &kind, &number);
            at->length = 0;
        }
        root = outcome_index(all, kind, number, at->data, at->length);
        for (u32 i = 0; i < n; i++)
            if (owner[alive[i]] == 0) ended[alive[i]] = root;
    }
    if (*counts) {
        char *copy = malloc(2 * line_count * sizeof *lines + 1);
        memcpy(copy, *counts, 2 * line_count * sizeof *lines);
        *counts = copy;
    }
    free(owner);
    if (base) munmap(base, size);
    return root;
}

static void clear_records(void) {
    if (ftruncate(records, 0)) _exit(89);
}
