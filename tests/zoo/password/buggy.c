/* Is a word a strong password: at least 8 letters and at least one digit? */
#include <stdio.h>
#include <string.h>

int main(void) {
    char word[100];
    int i, digits = 0;
    scanf("%99s", word);
    for (i = 0; word[i] != '\0'; i++)
        if (word[i] >= '1' && word[i] <= '9')
            digits++;
    if (strlen(word) >= 8 && digits > 0)
        printf("strong\n");
    else
        printf("weak\n");
    return 0;
}
