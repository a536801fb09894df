/* The kind of a day: 1 to 5 work, 6 shopping, 7 rest. */
#include <stdio.h>

int main(void) {
    int day;
    scanf("%d", &day);
    switch (day) {
    case 6:
        printf("shopping\n");
    case 7:
        printf("rest\n");
        break;
    default:
        printf("work\n");
    }
    return 0;
}
