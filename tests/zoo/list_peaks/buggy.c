/* How many of n numbers are larger than both neighbours. */
#include <stdio.h>

int main(void) {
    int n, a[100], i, peaks = 0;
    scanf("%d", &n);
    for (i = 0; i < n; i++)
        scanf("%d", &a[i]);
    for (i = 1; i < n - 1; i++) {
        if (a[i] > a[i - 1] && a[i] >= a[i + 1])
            peaks++;
    }
    printf("%d\n", peaks);
    return 0;
}
