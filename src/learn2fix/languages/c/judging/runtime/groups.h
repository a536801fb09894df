/* Candidates and sites: which alternatives are live in this process. */
struct site {
    u32 alternatives; /* 0 is the original; alternatives + 1 ends a list */
    u32 n;            /* live candidates with an alternative here */
    u32 *who, *what;  /* each one, and its alternative */
    u32 left;         /* the last departure that this list was gone through for */
};

static struct site *sites;
static u32 site_count, candidate_count, most_alternatives;
static u32 *first_use;                   /* candidate -> its uses, as in a sparse matrix */
static struct { u32 site, alternative; } *uses;

static u32 *current, current_count; /* the group of this process; in the root only the count is kept */
static int is_root;
static u8 *mine; /* candidate -> whether it is in the group of this process */
static u32 *stamp, stamped;

static void make_list(struct site *s) {
    u32 *list = l2f_list[s - sites], *to = list;
    stamped++;
    if (s->n < current_count) *to++ = 0;
    for (u32 i = 0; i < s->n; i++)
        if (stamp[s->what[i]] != stamped) stamp[s->what[i]] = stamped, *to++ = s->what[i];
    *to = s->alternatives + 1;
    l2f_live[s - sites] = !s->n ? 0 : to - list == 1 ? 2 : 1;
}

/* The lists of this process, for the group that it carries from now on; those it had before make room for them. */
static char *lists;
static u32 *moved;
static struct site *visited;

static void carry(u32 *group, u32 n) {
    memset(l2f_live, 0, site_count);
    memcpy(moved, group, n * sizeof *group); /* it may lie where the lists will be */
    arena_top = lists;
    current = memcpy(take(n * sizeof *group), moved, n * sizeof *group), current_count = n;
    group = current;
    memset(mine, 0, candidate_count);
    for (u32 i = 0; i < n; i++) mine[group[i]] = 1;
    u32 touched = 0, *order = take(sizeof(u32) * (first_use[candidate_count] < site_count ? first_use[candidate_count] + 1 : site_count + 1));
    for (u32 i = 0; i < n; i++)
        for (u32 u = first_use[group[i]]; u < first_use[group[i] + 1]; u++) {
            u32 s = uses[u].site;
            if (!l2f_live[s]) l2f_live[s] = 1, sites[s].n = 0, order[touched++] = s;
            sites[s].n++;
        }
    for (u32 t = 0; t < touched; t++) {
        struct site *s = &sites[order[t]];
        s->who = take(sizeof(u32) * s->n), s->what = take(sizeof(u32) * s->n);
        l2f_list[order[t]] = take(sizeof(u32) * (s->n + 2));
        s->n = 0;
    }
    for (u32 i = 0; i < n; i++)
        for (u32 u = first_use[group[i]]; u < first_use[group[i] + 1]; u++) {
            struct site *s = &sites[uses[u].site];
            s->who[s->n] = group[i], s->what[s->n++] = uses[u].alternative;
        }
    for (u32 t = 0; t < touched; t++) make_list(&sites[order[t]]);
    if (visited && !l2f_live[visited - sites]) { /* the visit is repeated, also by those who take the original there */
        visited->n = 0, l2f_list[visited - sites] = take(sizeof(u32) * 2);
        make_list(visited);
    }
}

/* Candidates marked in `gone` leave this process. */
static u8 *gone;
static u32 departures;

static void leave_behind(u32 *leaving, u32 n) {
    if (n > current_count) _exit(98); /* a wild write met our lists: better no answer than a late one */
    for (u32 i = 0; i < n; i++) {
        if (leaving[i] >= candidate_count) _exit(98);
        gone[leaving[i]] = 1, mine[leaving[i]] = 0;
    }
    current_count -= n;
    departures++;
    for (u32 i = 0; i < n; i++)
        for (u32 u = first_use[leaving[i]]; u < first_use[leaving[i] + 1]; u++) {
            struct site *s = &sites[uses[u].site];
            if (s->left == departures) continue; /* many leave at once: each list is gone through once */
            s->left = departures;
            u32 kept = 0;
            for (u32 j = 0; j < s->n; j++)
                if (!gone[s->who[j]]) {
                    if (kept != j) s->who[kept] = s->who[j], s->what[kept] = s->what[j];
                    kept++;
                }
            if (kept != s->n) s->n = kept, make_list(s);
        }
    if (!is_root) {
        u32 kept = 0;
        for (u32 j = 0; j < current_count + n; j++) {
            if (current[j] >= candidate_count) _exit(98);
            if (!gone[current[j]]) current[kept++] = current[j];
        }
    }
}
