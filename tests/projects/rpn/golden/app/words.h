#ifndef WORDS_H
#define WORDS_H

#include "stack.h"

/* A number is put on the stack, an operator is applied to it. */
bool take_word(struct stack *stack, const char *word);

#endif
