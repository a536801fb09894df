#include "clock.h"

int clock_is_valid(minutes time)
{
    return time >= 0 && time < DAY;
}

minutes clock_between(minutes from, minutes to)
{
    if (to >= from)
        return to - from;
    return DAY - from + to;
}

static minutes later(minutes a, minutes b)
{
    return a > b ? a : b;
}

static minutes earlier(minutes a, minutes b)
{
    return a < b ? a : b;
}

static minutes overlap_on_one_day(minutes from, minutes to, minutes begin, minutes end)
{
    minutes first = later(from, begin);
    minutes last = earlier(to, end);

    return last > first ? last - first : 0;
}

minutes clock_overlap(minutes from, minutes to, minutes begin, minutes end)
{
    if (to >= from)
        return overlap_on_one_day(from, to, begin, end);
    return overlap_on_one_day(from, DAY, begin, end) + overlap_on_one_day(0, to, begin, end);
}
