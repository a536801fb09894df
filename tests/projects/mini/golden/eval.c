#include "eval.h"

#include "builtin.h"

static enum outcome apply(char sign, long left, long right, long *result)
{
    switch (sign) {
    case '+':
        *result = left + right;
        break;
    case '-':
        *result = left - right;
        break;
    case '*':
        *result = left * right;
        break;
    case '/':
        if (right == 0)
            return DIVIDED_BY_ZERO;
        *result = left / right;
        break;
    case '%':
        if (right == 0)
            return DIVIDED_BY_ZERO;
        *result = left % right;
        break;
    case '<':
        *result = left < right;
        break;
    case '>':
        *result = left > right;
        break;
    default:
        *result = left != right;
        break;
    }
    return DONE;
}

static enum outcome call(const struct node *node, const long *values, long *result)
{
    switch (builtin_call(node->name, values, node->count, result)) {
    case CALLED:
        return DONE;
    case NO_FUNCTION:
        return UNKNOWN_FUNCTION;
    default:
        return WRONG_ARGUMENTS;
    }
}

enum outcome eval(const struct tree *tree, int number, const struct vars *vars, long *result)
{
    const struct node *node = &tree->nodes[number];
    long values[MOST_ARGUMENTS] = {0};

    if (node->kind == N_CHOICE) {
        enum outcome outcome = eval(tree, node->operands[0], vars, &values[0]);

        if (outcome != DONE)
            return outcome;
        return eval(tree, node->operands[values[0] != 0 ? 1 : 2], vars, result);
    }
    for (int i = 0; i < node->count; i++) {
        enum outcome outcome = eval(tree, node->operands[i], vars, &values[i]);

        if (outcome != DONE)
            return outcome;
    }
    switch (node->kind) {
    case N_NUMBER:
        *result = node->number;
        return DONE;
    case N_NAME:
        return vars_get(vars, node->name, result) ? DONE : UNKNOWN_NAME;
    case N_NEGATE:
        *result = -values[0];
        return DONE;
    case N_CALL:
        return call(node, values, result);
    default:
        return apply(node->sign, values[0], values[1], result);
    }
}

const char *eval_words(enum outcome outcome)
{
    static const char *const words[] = {
        "done", "unknown name", "unknown function", "wrong arguments", "divided by zero",
    };

    return words[outcome];
}
