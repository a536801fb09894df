#include "hours.h"

enum { SATURDAY = 5, SUNDAY = 6, HOURS_A_DAY = 24 };

static int is_weekend(int day)
{
    return day == SATURDAY || day == SUNDAY;
}

int week_is_valid(const struct week *week)
{
    for (int day = 0; day < DAYS; day++) {
        if (week->hours[day] < 0 || week->hours[day] > HOURS_A_DAY)
            return 0;
    }
    return 1;
}

struct split week_split(const struct week *week)
{
    struct split split = {0, 0, 0};

    for (int day = 0; day < DAYS; day++) {
        if (is_weekend(day))
            split.weekend += week->hours[day];
        else
            split.normal += week->hours[day];
    }
    if (split.normal > FULL_WEEK) {
        split.overtime = split.normal - FULL_WEEK;
        split.normal = FULL_WEEK;
    }
    return split;
}

cents week_pay(const struct split *split, cents rate)
{
    cents pay = split->normal * rate;

    pay += split->overtime * rate * 3 / 2;
    pay += split->weekend * rate * 2;
    return pay;
}
