/* How many words a line has. */
#include <stdio.h>

int main(void) {
    char line[200];
    int i, words = 0;
    fgets(line, sizeof line, stdin);
    for (i = 0; line[i] != '\0' && line[i] != '\n'; i++)
        if (i == 0 || line[i - 1] == ' ')
            words++;
    printf("%d\n", words);
    return 0;
}
