#include "lot.h"

void lot_begin(struct lot *lot, int places)
{
    lot->count = 0;
    lot->places = places;
}

int lot_add(struct lot *lot, const struct stay *stay)
{
    if (lot->count == MOST_STAYS || stay->place < 1 || stay->place > lot->places)
        return 0;
    if (!clock_is_valid(stay->from) || !clock_is_valid(stay->to))
        return 0;
    lot->stays[lot->count++] = *stay;
    return 1;
}

int lot_income(const struct lot *lot)
{
    int sum = 0;

    for (int i = 0; i < lot->count; i++) {
        const struct stay *stay = &lot->stays[i];

        sum += tariff_price(tariff_for(stay->vehicle), stay->from, stay->to);
    }
    return sum;
}

static minutes used(const struct lot *lot, int place)
{
    minutes sum = 0;

    for (int i = 0; i < lot->count; i++)
        if (lot->stays[i].place == place)
            sum += clock_between(lot->stays[i].from, lot->stays[i].to);
    return sum;
}

int lot_favourite(const struct lot *lot)
{
    int best = 1;

    for (int place = 2; place <= lot->places; place++)
        if (used(lot, place) > used(lot, best))
            best = place;
    return best;
}
