/* Parking is free for half an hour a visit and point of the card. */
#include <stdio.h>

int main(void) {
    int hours, visits, card;
    if (scanf("%d %d %d", &hours, &visits, &card) != 3)
        return 1;
    if (hours * 2 <= visits + card)
        printf("free\n");
    else
        printf("pay\n");
    return 0;
}
