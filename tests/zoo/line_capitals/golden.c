/* Every word of a line with a capital, read character by character. */
#include <ctype.h>
#include <stdio.h>

int main(void) {
    int c, before = ' ';
    while ((c = getchar()) != '\n' && c != EOF) {
        putchar(before == ' ' ? toupper(c) : c);
        before = c;
    }
    putchar('\n');
    return 0;
}
