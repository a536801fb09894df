/* How many pairs of stars stand side by side in a grid that is read character by character. */
#include <stdio.h>

int main(void) {
    int n, m, i, j, pairs = 0;
    char g[20][20];
    scanf("%d %d", &n, &m);
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            scanf(" %c", &g[i][j]);
    for (i = 0; i < n; i++)
        for (j = 0; j + 1 < m; j++)
            if (g[i][j] == '*' && g[i][j + 1] == '*')
                pairs++;
    printf("%d\n", pairs);
    return 0;
}
