#ifndef PRICE_H
#define PRICE_H

#include "dates.h"

/* What a night costs that begins on a day: by season, and a tenth more on Friday and Saturday. */
int price_of_night(struct date date);

/* What so many nights from a day on cost; the first one of a long stay is free. */
int price_of(struct date arrival, int nights);

#endif
