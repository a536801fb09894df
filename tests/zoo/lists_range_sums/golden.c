/* Sums of parts of a list: n numbers, then q queries from l to r. */
#include <stdio.h>

int main(void) {
    int n, q, i, l, r;
    long sum[101] = {0};
    scanf("%d %d", &n, &q);
    for (i = 1; i <= n; i++) {
        int value;
        scanf("%d", &value);
        sum[i] = sum[i - 1] + value;
    }
    for (i = 0; i < q; i++) {
        scanf("%d %d", &l, &r);
        printf("%ld\n", sum[r] - sum[l - 1]);
    }
    return 0;
}
