#include "discount.h"

struct tier {
    int from;
    int percent;
};

static const struct tier tiers[] = {
    {20, 15},
    {7, 10},
    {3, 5},
};

static const int tier_count = sizeof tiers / sizeof *tiers;

int discount_percent(int items)
{
    for (int i = 0; i < tier_count; i++)
        if (items >= tiers[i].from)
            return tiers[i].percent;
    return 0;
}

int discounted(int sum, int percent)
{
    return sum - sum * percent / 100;
}
