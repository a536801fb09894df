#ifndef TARIFF_H
#define TARIFF_H

#include "clock.h"

/* What a place costs, in cents. */
struct tariff {
    int first_hour;
    int each_half; /* every half hour after that, also where it has only begun */
    int most;      /* for a whole day */
    minutes free;  /* so long one pays nothing */
};

enum vehicle { CAR = 1, VAN = 2, MOTORCYCLE = 3 };

const struct tariff *tariff_for(enum vehicle vehicle);

/* At night, from 20 to 6 o'clock, it costs half. */
int tariff_price(const struct tariff *tariff, minutes from, minutes to);

#endif
