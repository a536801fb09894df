/* How many letters two words have in common at their beginning. */
#include <stdio.h>

int main(void) {
    char a[101], b[101];
    int i = 1;
    scanf("%100s %100s", a, b);
    while (a[i] != '\0' && a[i] == b[i])
        i++;
    printf("%d\n", i);
    return 0;
}
