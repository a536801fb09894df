#include <stdio.h>

/* The largest number whose square is at most n. */
int main(void) {
    long long n, low = 0, high, middle;
    if (scanf("%lld", &n) != 1) return 1;
    high = n;
    while (low < high) {
        middle = (low + high + 1) / 2;
        if (middle <= n / middle)
            low = middle;
        else
            high = middle - 1;
    }
    printf("%lld\n", low);
    return 0;
}
