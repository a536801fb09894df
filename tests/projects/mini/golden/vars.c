#include "vars.h"

#include <string.h>

void vars_clear(struct vars *vars)
{
    vars->count = 0;
}

static int find(const struct vars *vars, const char *name)
{
    for (int i = 0; i < vars->count; i++)
        if (strcmp(vars->names[i], name) == 0)
            return i;
    return -1;
}

int vars_set(struct vars *vars, const char *name, long value)
{
    int place = find(vars, name);

    if (place < 0) {
        if (vars->count == MOST_VARS)
            return 0;
        place = vars->count++;
        strncpy(vars->names[place], name, VAR_NAME - 1);
        vars->names[place][VAR_NAME - 1] = '\0';
    }
    vars->values[place] = value;
    return 1;
}

int vars_get(const struct vars *vars, const char *name, long *value)
{
    int place = find(vars, name);

    if (place < 0)
        return 0;
    *value = vars->values[place];
    return 1;
}
