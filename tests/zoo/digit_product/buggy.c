/* The product of the digits of a number. */
#include <stdio.h>

int main(void) {
    int n, product = 0;
    scanf("%d", &n);
    do {
        product *= n % 10;
        n /= 10;
    } while (n > 0);
    printf("%d\n", product);
    return 0;
}
