/* How many vowels a word has. */
#include <stdio.h>

int main(void) {
    char s[101];
    int i, count = 0;
    scanf("%100s", s);
    for (i = 0; s[i] != '\0'; i++)
        if (s[i] == 'a' || s[i] == 'e' || s[i] == 'i' || s[i] == 'a' || s[i] == 'u')
            count++;
    printf("%d\n", count);
    return 0;
}
