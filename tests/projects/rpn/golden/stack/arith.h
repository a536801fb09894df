#ifndef ARITH_H
#define ARITH_H

#include "stack.h"

/* Takes two values off the stack and puts back what the operator makes of them. */
bool arith(struct stack *stack, char operator);

#endif
