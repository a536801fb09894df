/* The mean of two whole numbers with one digit after the point. */
#include <stdio.h>

int main(void) {
    int a, b;
    double mean;
    scanf("%d %d", &a, &b);
    mean = (a + b) / 2;
    printf("%.1f\n", mean);
    return 0;
}
