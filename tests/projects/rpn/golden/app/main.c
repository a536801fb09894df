/* A calculator for sums written backwards: "7 2 -" is 5. */
#include <stdio.h>

#include "words.h"

int main(void)
{
    struct stack stack;
    char word[32];
    long result;

    clear(&stack);
    while (scanf("%31s", word) == 1) {
        if (!take_word(&stack, word)) {
            printf("error at %s\n", word);
            return 1;
        }
    }
    if (!pop(&stack, &result)) {
        printf("nothing\n");
        return 1;
    }
    printf("%ld\n", result);
    return 0;
}
