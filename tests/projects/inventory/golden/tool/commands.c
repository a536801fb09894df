#include "commands.h"

#include <stddef.h>
#include <stdio.h>

#include "orders.h"

static const char *words_for(shelf_result result)
{
    switch (result) {
    case SHELF_FULL:
        return "no room";
    case SHELF_UNKNOWN:
        return "not there";
    case SHELF_TOO_FEW:
        return "too few";
    default:
        return NULL;
    }
}

static const char *set_least(shelf *all, int code, int least)
{
    item *known = shelf_find(all, code);

    if (known == NULL)
        return words_for(SHELF_UNKNOWN);
    known->least = least;
    return NULL;
}

const char *command_run(shelf *all, int kind, int code, int count, int price)
{
    if (!item_code_is_valid(code))
        return "no such code";
    if (count < 0 || price < 0)
        return "less than nothing";
    switch (kind) {
    case COMMAND_ADD:
        return words_for(shelf_add(all, code, count, price));
    case COMMAND_TAKE:
        return words_for(shelf_take(all, code, count));
    case COMMAND_LEAST:
        return set_least(all, code, count);
    default:
        return "no such command";
    }
}

void command_list(shelf *all, int box)
{
    shelf_sort(all);
    for (int i = 0; i < all->used; i++) {
        const item *one = &all->items[i];

        printf("%d: %d at %d", one->code, one->count, one->price);
        if (orders_needed(one, box) > 0)
            printf(", order %d", orders_needed(one, box));
        printf("\n");
    }
    printf("value %ld, order %d\n", shelf_value(all), orders_total(all, box));
}
