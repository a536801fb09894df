#ifndef MONEY_H
#define MONEY_H

/* Sums of money are whole cents. */
typedef long cents;

/* A share of a sum in hundredths of a percent, rounded to the nearest cent. */
cents money_share(cents sum, int hundredths);

/* The smaller one. */
cents money_least(cents a, cents b);

/* Writes "12.05" into `text`; its length. */
int money_print(cents sum, char *text, int room);

#endif
