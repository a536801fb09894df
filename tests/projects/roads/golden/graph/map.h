#ifndef MAP_H
#define MAP_H

#include <stdbool.h>

#define MOST_TOWNS 40
#define MOST_ROADS 200

/* A road leads both ways, unless it is a one-way road. */
struct road {
    int from, to;
    int length;
    bool one_way;
};

struct map {
    int towns;
    int roads;
    struct road road[MOST_ROADS];
};

void map_clear(struct map *map, int towns);

/* False where there is no such town or no room, or the road has no length. */
bool map_add(struct map *map, int from, int to, int length, bool one_way);

/* The length of the shortest road from one town to another; -1 where there is none. */
int map_direct(const struct map *map, int from, int to);

/* How many roads lead out of a town. */
int map_exits(const struct map *map, int town);

#endif
