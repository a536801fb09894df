#ifndef PRICE_H
#define PRICE_H

/* What so many nights cost; one night of a long stay is free. */
int price_of(int nights);

#endif
