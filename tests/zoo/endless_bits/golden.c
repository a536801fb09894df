#include <stdio.h>

/* Counts the bits that are set. */
int bits(int n) {
    int count = 0;
    while (n) {
        n &= n - 1;
        count++;
    }
    return count;
}

int main(void) {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    printf("%d\n", bits(n));
    return 0;
}
