/* For each pair up to 0 0 how far apart its numbers are. */
#include <stdio.h>

int main(void) {
    int a, b;
    while (scanf("%d %d", &a, &b) == 2 && (a != 0 || b != 0)) {
        if (b > a)
            printf("%d\n", b - a);
        else
            printf("%d\n", a - b);
    }
    return 0;
}
