#include "map.h"

void map_clear(struct map *map, int towns)
{
    map->towns = towns;
    map->roads = 0;
}

static bool is_town(const struct map *map, int town)
{
    return town >= 1 && town <= map->towns;
}

bool map_add(struct map *map, int from, int to, int length, bool one_way)
{
    struct road *road;

    if (!is_town(map, from) || !is_town(map, to) || length <= 0 || map->roads == MOST_ROADS)
        return false;
    road = &map->road[map->roads++];
    road->from = from;
    road->to = to;
    road->length = length;
    road->one_way = one_way;
    return true;
}

static bool leads(const struct road *road, int from, int to)
{
    if (road->from == from && road->to == to)
        return true;
    return !road->one_way && road->from == to && road->to == from;
}

int map_direct(const struct map *map, int from, int to)
{
    int best = -1;

    for (int i = 0; i < map->roads; i++) {
        const struct road *road = &map->road[i];

        if (leads(road, from, to) && (best < 0 || road->length < best))
            best = road->length;
    }
    return best;
}

int map_exits(const struct map *map, int town)
{
    int count = 0;

    for (int other = 1; other <= map->towns; other++)
        if (other != town && map_direct(map, town, other) >= 0)
            count++;
    return count;
}
