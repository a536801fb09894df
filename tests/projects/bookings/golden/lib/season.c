#include "season.h"

enum season season_of(struct date date)
{
    switch (date.month) {
    case 7:
    case 8:
        return HIGH;
    case 12:
    case 1:
    case 2:
        return LOW;
    default:
        return MIDDLE;
    }
}

int season_percent(enum season season)
{
    static const int percent[] = {-20, 0, 30};

    return percent[season];
}

const char *season_name(enum season season)
{
    switch (season) {
    case LOW:
        return "low";
    case HIGH:
        return "high";
    default:
        return "middle";
    }
}
