/* The fewest strides of one or two steps that climb n steps. */
#include <stdio.h>

int main(void) {
    long long n;
    scanf("%lld", &n);
    printf("%lld\n", n / 2);
    return 0;
}
