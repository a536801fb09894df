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
