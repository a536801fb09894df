/* n! for n up to 20. */
#include <stdio.h>

int main(void) {
    int n, i;
    int product = 1;
    scanf("%d", &n);
    for (i = 2; i <= n; i++)
        product *= i;
    printf("%d\n", product);
    return 0;
}
