/* base to the power of exponent; the input gives the base first. */
#include <stdio.h>

int main(void) {
    int base, exponent, result = 1;
    scanf("%d %d", &exponent, &base);
    while (exponent > 0) {
        result *= base;
        exponent--;
    }
    printf("%d\n", result);
    return 0;
}
