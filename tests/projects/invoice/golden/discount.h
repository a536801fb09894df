#ifndef DISCOUNT_H
#define DISCOUNT_H

/* Percent off for so many items. */
int discount_percent(int items);

/* What is left of a sum after so many percent are taken off, rounded down. */
int discounted(int sum, int percent);

#endif
