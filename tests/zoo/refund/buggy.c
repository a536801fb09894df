/* What is left of a budget after n items of a price, never less than nothing. */
#include <stdio.h>

int main(void) {
    long long budget, price, n;
    scanf("%lld %lld %lld", &budget, &price, &n);
    long long left = budget - price * n;
    printf("%lld\n", left);
    return 0;
}
