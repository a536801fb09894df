/* YES when a word reads the same from both ends. */
#include <stdio.h>
#include <string.h>

int main(void) {
    char s[101];
    int i, n, same = 1;
    scanf("%100s", s);
    n = strlen(s);
    for (i = 0; i < n / 2 - 1; i++)
        if (s[i] != s[n - 1 - i])
            same = 0;
    printf("%s\n", same ? "YES" : "NO");
    return 0;
}
