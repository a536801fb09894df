/* Several lists: the length of each one's longest rising run. */
#include <stdio.h>

int main(void) {
    int t, n, i, value, last, run, best = 0;
    scanf("%d", &t);
    while (t--) {
        scanf("%d", &n);
        run = 0;
        last = 0;
        for (i = 0; i < n; i++) {
            scanf("%d", &value);
            if (i > 0 && value > last)
                run++;
            else
                run = 1;
            if (run > best)
                best = run;
            last = value;
        }
        printf("%d\n", best);
    }
    return 0;
}
