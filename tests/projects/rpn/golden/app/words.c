#include "words.h"

#include <ctype.h>
#include <stdlib.h>

#include "arith.h"

static bool is_number(const char *word)
{
    if (*word == '-')
        word++;
    return isdigit((unsigned char)*word);
}

bool take_word(struct stack *stack, const char *word)
{
    if (is_number(word))
        return push(stack, strtol(word, NULL, 10));
    if (word[1] != '\0')
        return false;
    return arith(stack, word[0]);
}
