/* Reads how many towns and roads there are, then each road as from, to, length and 1 if it is a one-way road, then
 * from where to where somebody goes and how fast. Prints the way. */
#include <stdio.h>

#include "map.h"
#include "route.h"

enum { BAD = 2, NO_WAY = 1 };

static bool read_map(struct map *map)
{
    int towns, roads;

    if (scanf("%d %d", &towns, &roads) != 2)
        return false;
    if (towns < 1 || towns > MOST_TOWNS || roads < 0 || roads > MOST_ROADS)
        return false;
    map_clear(map, towns);
    for (int i = 0; i < roads; i++) {
        int from, to, length, one_way;

        if (scanf("%d %d %d %d", &from, &to, &length, &one_way) != 4)
            return false;
        if (!map_add(map, from, to, length, one_way == 1))
            return false;
    }
    return true;
}

static void print_route(const struct route *route, int speed)
{
    int hours, minutes;

    route_time(route->length, speed, &hours, &minutes);
    printf("%d km, %d:%02d h:", route->length, hours, minutes);
    for (int i = 0; i < route->stops; i++)
        printf(" %d", route->town[i]);
    printf("\n");
}

int main(void)
{
    struct map map;
    struct route route;
    int from, to, speed;

    if (!read_map(&map) || scanf("%d %d %d", &from, &to, &speed) != 3 || speed < 1) {
        printf("bad map\n");
        return BAD;
    }
    if (from < 1 || from > map.towns || to < 1 || to > map.towns) {
        printf("no such town\n");
        return BAD;
    }
    route = route_find(&map, from, to);
    if (route.length < 0) {
        printf("no way\n");
        return NO_WAY;
    }
    print_route(&route, speed);
    return 0;
}
