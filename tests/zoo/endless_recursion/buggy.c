#include <stdio.h>

/* The sum of the decimal digits. */
int digits(int n) {
    if (n == 0) return 0;
    return n % 10 + digits(n - 10);
}

int main(void) {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    printf("%d\n", digits(n));
    return 0;
}
