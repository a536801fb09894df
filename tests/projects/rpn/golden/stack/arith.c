#include "arith.h"

static bool check(long right)
{
    return right != 0;
}

static bool add(struct stack *stack, long left, long right)
{
    return push(stack, left + right);
}

static bool subtract(struct stack *stack, long left, long right)
{
    return push(stack, left - right);
}

static bool multiply(struct stack *stack, long left, long right)
{
    return push(stack, left * right);
}

static bool divide(struct stack *stack, long left, long right)
{
    return check(right) && push(stack, left / right);
}

bool arith(struct stack *stack, char operator)
{
    long left, right;

    if (!pop(stack, &right) || !pop(stack, &left))
        return false;
    switch (operator) {
    case '+':
        return add(stack, left, right);
    case '-':
        return subtract(stack, left, right);
    case '*':
        return multiply(stack, left, right);
    case '/':
        return divide(stack, left, right);
    default:
        return false;
    }
}
