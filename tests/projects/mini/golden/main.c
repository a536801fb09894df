/* A calculator with variables. Each line is an expression, whose value is printed, or NAME = expression. */
#include <stdio.h>

#include "eval.h"
#include "parser.h"
#include "vars.h"

static struct tree tree;

static void run_line(struct vars *vars, const char *line)
{
    enum outcome outcome;
    long value;

    switch (parse_line(&tree, line)) {
    case PARSED_NOTHING:
        return;
    case PARSE_ERROR:
        printf("syntax error\n");
        return;
    default:
        break;
    }
    outcome = eval(&tree, tree.root, vars, &value);
    if (outcome != DONE)
        printf("%s\n", eval_words(outcome));
    else if (tree.target[0] == '\0')
        printf("%ld\n", value);
    else if (!vars_set(vars, tree.target, value))
        printf("too many variables\n");
}

int main(void)
{
    struct vars vars;
    char line[256];

    vars_clear(&vars);
    while (fgets(line, sizeof line, stdin) != NULL)
        run_line(&vars, line);
    return 0;
}
