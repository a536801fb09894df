/* Fence for n plots side by side, each w long and d deep; neighbours share the fence between them. */
#include <stdio.h>

int main(void) {
    int n, w, d, length;
    if (scanf("%d %d %d", &n, &w, &d) != 3)
        return 1;
    length = n * w;
    if (length > 1000)
        length = 1000;
    printf("%d\n", length);
    return 0;
}
