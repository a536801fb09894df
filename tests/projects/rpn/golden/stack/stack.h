#ifndef STACK_H
#define STACK_H

#include <stdbool.h>

enum { STACK_ROOM = 64 };

struct stack {
    long values[STACK_ROOM];
    int height;
};

void clear(struct stack *stack);
bool push(struct stack *stack, long value);
bool pop(struct stack *stack, long *value);

#endif
