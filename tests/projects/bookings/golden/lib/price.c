#include "price.h"

#include "season.h"

enum { FRIDAY = 4, SATURDAY = 5 };

static int free_nights(int nights)
{
    return nights >= LONG_STAY ? 1 : 0;
}

static int is_weekend(struct date date)
{
    int weekday = date_weekday(date);

    return weekday == FRIDAY || weekday == SATURDAY;
}

int price_of_night(struct date date)
{
    int price = NIGHT_PRICE;

    price += price * season_percent(season_of(date)) / 100;
    if (is_weekend(date))
        price += price / 10;
    return price;
}

int price_of(struct date arrival, int nights)
{
    struct date date = arrival;
    int left = free_nights(nights);
    int sum = 0;

    for (int night = 0; night < nights; night++) {
        if (left > 0)
            left--;
        else
            sum += price_of_night(date);
        date = date_next(date);
    }
    return sum;
}
