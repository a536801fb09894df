#include "shelf.h"

#include <stddef.h>

enum { USUAL_LEAST = 5 };

void shelf_clear(shelf *all)
{
    all->used = 0;
}

item *shelf_find(shelf *all, int code)
{
    for (int i = 0; i < all->used; i++)
        if (all->items[i].code == code)
            return &all->items[i];
    return NULL;
}

shelf_result shelf_add(shelf *all, int code, int count, int price)
{
    item *known = shelf_find(all, code);

    if (known != NULL) {
        known->count += count;
        known->price = price;
        return SHELF_DONE;
    }
    if (all->used == SHELF_ROOM)
        return SHELF_FULL;
    all->items[all->used++] = (item){code, count, USUAL_LEAST, price};
    return SHELF_DONE;
}

shelf_result shelf_take(shelf *all, int code, int count)
{
    item *known = shelf_find(all, code);

    if (known == NULL)
        return SHELF_UNKNOWN;
    if (known->count < count)
        return SHELF_TOO_FEW;
    known->count -= count;
    return SHELF_DONE;
}

void shelf_sort(shelf *all)
{
    for (int i = 1; i < all->used; i++) {
        item moved = all->items[i];
        int place = i;

        while (place > 0 && all->items[place - 1].code > moved.code) {
            all->items[place] = all->items[place - 1];
            place--;
        }
        all->items[place] = moved;
    }
}

long shelf_value(const shelf *all)
{
    long sum = 0;

    for (int i = 0; i < all->used; i++)
        sum += item_value(&all->items[i]);
    return sum;
}
