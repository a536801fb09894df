#include "words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "arith.h"

static bool is_number(const char *word)
{
    if (*word == '-')
        word++;
    return isdigit((unsigned char)*word);
}

static bool copy_top(struct stack *stack)
{
    long top;

    return peek(stack, 0, &top) && push(stack, top);
}

static bool drop(struct stack *stack)
{
    long top;

    return pop(stack, &top);
}

/* The second value once more, on top of all. */
static bool over(struct stack *stack)
{
    long second;

    return peek(stack, 1, &second) && push(stack, second);
}

static bool negate(struct stack *stack)
{
    long top;

    return pop(stack, &top) && push(stack, -top);
}

/* How many values there are. */
static bool depth(struct stack *stack)
{
    return push(stack, stack->height);
}

static const struct named {
    const char *name;
    bool (*run)(struct stack *stack);
} named[] = {
    {"dup", copy_top},
    {"drop", drop},
    {"swap", swap},
    {"over", over},
    {"neg", negate},
    {"depth", depth},
};

static const int named_count = sizeof named / sizeof *named;

bool take_word(struct stack *stack, const char *word)
{
    if (is_number(word))
        return push(stack, strtol(word, NULL, 10));
    for (int i = 0; i < named_count; i++)
        if (strcmp(word, named[i].name) == 0)
            return named[i].run(stack);
    if (word[1] != '\0')
        return false;
    return arith(stack, word[0]);
}
