/* Is a year a leap year of the Gregorian calendar? */
#include <stdio.h>

static int leap(int year) {
    if (year % 400 == 0)
        return 1;
    return year % 4 == 0 && year % 100 != 0;
}

int main(void) {
    int year;
    if (scanf("%d", &year) != 1)
        return 1;
    puts(leap(year) ? "yes" : "no");
    return 0;
}
