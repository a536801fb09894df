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

/* The value that lies so many places below the top; false where there is none. */
bool peek(const struct stack *stack, int below, long *value);

/* The two on top change places. */
bool swap(struct stack *stack);

#endif
