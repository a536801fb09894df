/* How many whole times b goes into a; 0 when b is 0. */
#include <stdio.h>

int main(void) {
    int a, b, times = 0;
    scanf("%d %d", &a, &b);
    times = a / b;
    printf("%d\n", times);
    return 0;
}
