#include "orders.h"

static int boxes_for(int pieces, int box)
{
    return (pieces + box - 1) / box;
}

int orders_needed(const item *one, int box)
{
    int missing;

    if (one->count >= one->least)
        return 0;
    missing = 2 * one->least - one->count;
    return boxes_for(missing, box) * box;
}

int orders_total(const shelf *all, int box)
{
    int total = 0;

    for (int i = 0; i < all->used; i++)
        total += orders_needed(&all->items[i], box);
    return total;
}
