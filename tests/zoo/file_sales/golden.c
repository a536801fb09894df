#include <stdio.h>

/* Reads a number of sales and the sales from sales.txt; prints the sum of those above 100. */
int main(void) {
    FILE *in = fopen("sales.txt", "r");
    int n, sale, sum = 0;
    if (in == NULL) {
        printf("no sales\n");
        return 1;
    }
    if (fscanf(in, "%d", &n) != 1)
        n = 0;
    for (int i = 0; i < n; i++)
        if (fscanf(in, "%d", &sale) == 1 && sale > 100)
            sum += sale;
    fclose(in);
    printf("%d\n", sum);
    return 0;
}
