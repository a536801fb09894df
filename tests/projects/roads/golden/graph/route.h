#ifndef ROUTE_H
#define ROUTE_H

#include "map.h"

/* The shortest way between two towns. */
struct route {
    int length; /* -1 where there is none */
    int stops;
    int town[MOST_TOWNS];
};

struct route route_find(const struct map *map, int from, int to);

/* Hours and minutes for a length at a speed. */
void route_time(int length, int speed, int *hours, int *minutes);

#endif
