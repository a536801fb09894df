/* How many rows of a grid have no hole. */
#include <stdio.h>

int main(void) {
    int n, m, i, j, full = 0;
    char row[101];
    scanf("%d %d", &n, &m);
    for (i = 0; i < n; i++) {
        int whole = 1;
        scanf("%100s", row);
        for (j = 0; j < m; j++)
            if (row[j] == '.')
                whole = 0;
        full += whole;
    }
    printf("%d\n", full);
    return 0;
}
