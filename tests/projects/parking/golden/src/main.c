/* Reads the kind of vehicles (1 car, 2 van, 3 motorcycle), how many places there are and how many stays, then each
 * stay as place, arrival and departure in minutes since midnight. */
#include <stdio.h>

#include "lot.h"
#include "version.h"

static void print_stay(const struct stay *stay)
{
    int price = tariff_price(tariff_for(stay->vehicle), stay->from, stay->to);

    printf("%d: %d minutes, %d.%02d\n", stay->place, clock_between(stay->from, stay->to), price / 100, price % 100);
}

int main(void)
{
    struct lot lot;
    int vehicle, places, count;

    if (scanf("%d %d %d", &vehicle, &places, &count) != 3 || vehicle < CAR || vehicle > MOTORCYCLE) {
        printf("parking %s: vehicle, places, stays\n", VERSION);
        return 2;
    }
    lot_begin(&lot, places);
    for (int i = 0; i < count; i++) {
        struct stay stay = {.vehicle = (enum vehicle)vehicle};

        if (scanf("%d %d %d", &stay.place, &stay.from, &stay.to) != 3)
            return 2;
        if (lot_add(&lot, &stay))
            print_stay(&stay);
        else
            printf("stay %d makes no sense\n", i + 1);
    }
    printf("income %d.%02d, favourite place %d\n", lot_income(&lot) / 100, lot_income(&lot) % 100, lot_favourite(&lot));
    return 0;
}
