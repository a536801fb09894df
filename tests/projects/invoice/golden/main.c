/* Reads how many lines an invoice has, then price and quantity of each, and prints what is to be paid. */
#include <stdio.h>

#include "cart.h"
#include "discount.h"

static int read_cart(struct cart *cart)
{
    int count, price, quantity;

    if (scanf("%d", &count) != 1 || count < 1 || count > MOST_LINES)
        return 0;
    cart_init(cart);
    for (int i = 0; i < count; i++) {
        if (scanf("%d %d", &price, &quantity) != 2)
            return 0;
        if (!cart_add(cart, price, quantity))
            return 0;
    }
    return 1;
}

static void print_invoice(const struct cart *cart)
{
    int items = cart_items(cart);
    int percent = discount_percent(items);

    printf("items: %d\n", items);
    printf("dearest: %d\n", cart_dearest(cart));
    printf("to pay: %d\n", discounted(cart_sum(cart), percent));
}

int main(void)
{
    struct cart cart;

    if (!read_cart(&cart)) {
        printf("bad invoice\n");
        return 1;
    }
    print_invoice(&cart);
    return 0;
}
