/* Hours and minutes in seconds. */
#include <stdio.h>

#define MINUTE 60
#define HOUR 3600

int main(void) {
    int hours, minutes;
    scanf("%d %d", &hours, &minutes);
    printf("%d\n", hours * HOUR + minutes * MINUTE);
    return 0;
}
