#include "tariff.h"

enum { HALF = HOUR / 2, EVENING = 20 * HOUR, MORNING = 6 * HOUR };

static const struct tariff tariffs[] = {
    {150, 100, 1800, 15},
    {250, 150, 3000, 15},
    {50, 50, 600, 30},
};

const struct tariff *tariff_for(enum vehicle vehicle)
{
    return &tariffs[vehicle - 1];
}

static int begun_halves(minutes stay)
{
    return (stay + HALF - 1) / HALF;
}

static int price_by_day(const struct tariff *tariff, minutes stay)
{
    int price = tariff->first_hour;

    if (stay <= tariff->free)
        return 0;
    if (stay > HOUR)
        price += begun_halves(stay - HOUR) * tariff->each_half;
    return price < tariff->most ? price : tariff->most;
}

static int is_at_night(minutes from, minutes to, minutes stay)
{
    minutes night = clock_overlap(from, to, EVENING, DAY) + clock_overlap(from, to, 0, MORNING);

    return 2 * night > stay;
}

int tariff_price(const struct tariff *tariff, minutes from, minutes to)
{
    minutes stay = clock_between(from, to);
    int price = price_by_day(tariff, stay);

    return is_at_night(from, to, stay) ? price / 2 : price;
}
