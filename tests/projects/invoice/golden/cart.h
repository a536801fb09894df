#ifndef CART_H
#define CART_H

#define MOST_LINES 100

/* One line of an invoice: what one piece costs, and how many there are. */
struct line {
    int price;
    int quantity;
};

struct cart {
    struct line lines[MOST_LINES];
    int count;
};

void cart_init(struct cart *cart);
int cart_add(struct cart *cart, int price, int quantity);
int cart_items(const struct cart *cart);
int cart_sum(const struct cart *cart);
int cart_dearest(const struct cart *cart);

#endif
