#include "route.h"

#include "queue.h"

struct search {
    bool done[MOST_TOWNS + 1];
    int before[MOST_TOWNS + 1];
    int distance[MOST_TOWNS + 1];
    struct queue queue;
};

static void begin(struct search *search, int from)
{
    for (int town = 0; town <= MOST_TOWNS; town++) {
        search->done[town] = false;
        search->before[town] = 0;
        search->distance[town] = -1;
    }
    queue_clear(&search->queue);
    search->distance[from] = 0;
    queue_put(&search->queue, from, 0);
}

static void look_around(const struct map *map, struct search *search, int town)
{
    for (int next = 1; next <= map->towns; next++) {
        int step = map_direct(map, town, next);
        int whole = search->distance[town] + step;

        if (step < 0 || search->done[next])
            continue;
        if (search->distance[next] < 0 || whole < search->distance[next]) {
            search->distance[next] = whole;
            search->before[next] = town;
            queue_put(&search->queue, next, whole);
        }
    }
}

static void trace_back(const struct search *search, struct route *route, int to)
{
    int stops = 0;

    for (int town = to; town != 0; town = search->before[town])
        stops++;
    route->stops = stops;
    for (int town = to; town != 0; town = search->before[town])
        route->town[--stops] = town;
}

struct route route_find(const struct map *map, int from, int to)
{
    struct search search;
    struct route route = {.length = -1};
    int town, distance;

    begin(&search, from);
    while ((town = queue_take(&search.queue, &distance)) != 0) {
        search.done[town] = true;
        if (town == to) {
            route.length = distance;
            trace_back(&search, &route, to);
            break;
        }
        look_around(map, &search, town);
    }
    return route;
}

void route_time(int length, int speed, int *hours, int *minutes)
{
    int whole = (length * 60 + speed - 1) / speed;

    *hours = whole / 60;
    *minutes = whole % 60;
}
