/* The sum of each of n rows of m numbers, one a line. */
#include <stdio.h>

int main(void) {
    int n, m, i, j, value, sum = 0;
    scanf("%d %d", &n, &m);
    for (i = 0; i < n; i++) {
        sum = 0;
        for (j = 0; j < m; j++) {
            scanf("%d", &value);
            sum += value;
        }
        printf("%d\n", sum);
    }
    return 0;
}
