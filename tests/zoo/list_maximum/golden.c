/* The largest of n numbers. */
#include <stdio.h>

int main(void) {
    int n, a[100], i, best;
    scanf("%d", &n);
    for (i = 0; i < n; i++)
        scanf("%d", &a[i]);
    best = a[0];
    for (i = 1; i < n; i++)
        if (a[i] > best)
            best = a[i];
    printf("%d\n", best);
    return 0;
}
