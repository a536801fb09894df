#include <stdio.h>

/* Counts down to 1. */
int main(void) {
    int n, i;
    if (scanf("%d", &n) != 1) return 1;
    for (i = n; i >= 1; i--)
        printf("%d\n", i);
    return 0;
}
