/* The largest of n numbers, which may all be negative. */
#include <stdio.h>

int main(void) {
    int n, i, value, largest = 0;
    scanf("%d", &n);
    for (i = 0; i < n; i++) {
        scanf("%d", &value);
        if (value > largest)
            largest = value;
    }
    printf("%d\n", largest);
    return 0;
}
