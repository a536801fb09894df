#include "stack.h"

static bool check(const struct stack *stack, int grown)
{
    int height = stack->height + grown;

    return height >= 0 && height <= STACK_ROOM;
}

void clear(struct stack *stack)
{
    stack->height = 0;
}

bool push(struct stack *stack, long value)
{
    if (!check(stack, 1))
        return false;
    stack->values[stack->height++] = value;
    return true;
}

bool pop(struct stack *stack, long *value)
{
    if (!check(stack, -1))
        return false;
    *value = stack->values[--stack->height];
    return true;
}

bool peek(const struct stack *stack, int below, long *value)
{
    if (below < 0 || below >= stack->height)
        return false;
    *value = stack->values[stack->height - 1 - below];
    return true;
}

bool swap(struct stack *stack)
{
    long upper, lower;

    if (!pop(stack, &upper))
        return false;
    if (!pop(stack, &lower))
        return false;
    return push(stack, upper) && push(stack, lower);
}
