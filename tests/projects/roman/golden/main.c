/* Reads a number and prints it as the Romans wrote it. */
#include <stdio.h>

#include "convert.h"

int main(void)
{
    char text[64];
    int number;

    if (scanf("%d", &number) != 1 || number < 1 || number > LARGEST) {
        printf("no such number\n");
        return 1;
    }
    to_roman(number, text);
    printf("%s\n", text);
    return 0;
}
