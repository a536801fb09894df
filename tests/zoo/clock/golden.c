/* The hour on a clock of 24 hours, some hours earlier. */
#include <stdio.h>

int main(void) {
    int hour, back;
    scanf("%d %d", &hour, &back);
    back %= 24;
    printf("%d\n", (hour - back + 24) % 24);
    return 0;
}
