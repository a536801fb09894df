/* The first of the longest of n words. */
#include <stdio.h>
#include <string.h>

int main(void) {
    char word[101], best[101] = "";
    int n, i;
    scanf("%d", &n);
    for (i = 0; i < n; i++) {
        scanf("%100s", word);
        if (strlen(word) > strlen(best))
            strcpy(best, word);
    }
    printf("%s\n", best);
    return 0;
}
