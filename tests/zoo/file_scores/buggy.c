#include <stdio.h>

/* A contest program: reads n and n scores from input.txt in place of standard input, prints the best and its place. */
int main() {
    int n, score, best, place;
    freopen("input.txt", "r", stdin);
    scanf("%d", &n);
    scanf("%d", &best);
    place = 1;
    for (int i = 2; i <= n; i++) {
        scanf("%d", &score);
        if (score >= best) {
            best = score;
            place = i;
        }
    }
    printf("%d %d\n", best, place);
    return 0;
}
