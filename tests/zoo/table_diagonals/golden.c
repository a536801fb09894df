/* The sum of both diagonals of a square table. */
#include <stdio.h>

int main(void) {
    int n, g[20][20], i, j, sum = 0;
    scanf("%d", &n);
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            scanf("%d", &g[i][j]);
    for (i = 0; i < n; i++) {
        sum += g[i][i];
        if (i != n - 1 - i)
            sum += g[i][n - 1 - i];
    }
    printf("%d\n", sum);
    return 0;
}
