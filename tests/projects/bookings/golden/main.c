/* Reads the days of arrival and departure (year month day), prints nights and price. */
#include <stdio.h>

#include "dates.h"
#include "price.h"
#include "season.h"

enum { LONGEST = 60 };

static int read_date(struct date *date)
{
    if (scanf("%d %d %d", &date->year, &date->month, &date->day) != 3)
        return 0;
    return date_is_valid(*date);
}

int main(void)
{
    struct date arrival, departure;
    long nights;

    if (!read_date(&arrival) || !read_date(&departure)) {
        printf("no such day\n");
        return 1;
    }
    nights = date_number(departure) - date_number(arrival);
    if (nights < 1) {
        printf("departure before arrival\n");
        return 1;
    }
    if (nights > LONGEST) {
        printf("too long\n");
        return 1;
    }
    printf("%ld nights, %s season: %d\n", nights, season_name(season_of(arrival)), price_of(arrival, (int)nights));
    return 0;
}
