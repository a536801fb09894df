#include "money.h"

#include <stdio.h>

enum { WHOLE = 10000 };

cents money_share(cents sum, int hundredths)
{
    cents product = sum * hundredths;

    if (product < 0)
        return -((-product + WHOLE / 2) / WHOLE);
    return (product + WHOLE / 2) / WHOLE;
}

cents money_least(cents a, cents b)
{
    return a < b ? a : b;
}

int money_print(cents sum, char *text, int room)
{
    const char *sign = sum < 0 ? "-" : "";
    cents size = sum < 0 ? -sum : sum;

    return snprintf(text, (size_t)room, "%s%ld.%02ld", sign, size / 100, size % 100);
}
