#include <stdio.h>

/* The smallest divisor of n that is greater than 1. */
int main(void) {
    int n, d = 2;
    if (scanf("%d", &n) != 1) return 1;
    while (d <= n) {
        if (n % d == 0) break;
        d++;
    }
    printf("%d\n", d);
    return 0;
}
