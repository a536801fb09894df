#include "cart.h"

static int total_of(const struct line *line)
{
    return line->price * line->quantity;
}

void cart_init(struct cart *cart)
{
    cart->count = 0;
}

/* 0 when the line makes no sense or there is no room for it. */
int cart_add(struct cart *cart, int price, int quantity)
{
    struct line *line;

    if (price < 0 || quantity < 1 || cart->count == MOST_LINES)
        return 0;
    line = &cart->lines[cart->count++];
    line->price = price;
    line->quantity = quantity;
    return 1;
}

int cart_items(const struct cart *cart)
{
    int items = 0;

    for (int i = 0; i < cart->count; i++)
        items += cart->lines[i].quantity;
    return items;
}

int cart_sum(const struct cart *cart)
{
    int sum = 0;

    for (int i = 0; i < cart->count; i++)
        sum += total_of(&cart->lines[i]);
    return sum;
}

/* What the dearest line costs; 0 for an empty cart. */
int cart_dearest(const struct cart *cart)
{
    int dearest = 0;

    for (int i = 0; i < cart->count; i++)
        if (total_of(&cart->lines[i]) > dearest)
            dearest = total_of(&cart->lines[i]);
    return dearest;
}
