#ifndef VARS_H
#define VARS_H

#define MOST_VARS 50
#define VAR_NAME 16

struct vars {
    char names[MOST_VARS][VAR_NAME];
    long values[MOST_VARS];
    int count;
};

void vars_clear(struct vars *vars);

/* 0 where there is no room. */
int vars_set(struct vars *vars, const char *name, long value);

/* 0 where nobody set it. */
int vars_get(const struct vars *vars, const char *name, long *value);

#endif
