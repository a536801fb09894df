#ifndef LOT_H
#define LOT_H

#include "tariff.h"

#define MOST_STAYS 50

struct stay {
    int place;
    enum vehicle vehicle;
    minutes from, to;
};

struct lot {
    struct stay stays[MOST_STAYS];
    int count;
    int places;
};

void lot_begin(struct lot *lot, int places);

/* 0 where there is no such place or time. */
int lot_add(struct lot *lot, const struct stay *stay);

int lot_income(const struct lot *lot);

/* The place that was used longest; the smallest number where several were. */
int lot_favourite(const struct lot *lot);

#endif
