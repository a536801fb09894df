#include "queue.h"

void queue_clear(struct queue *queue)
{
    queue->count = 0;
}

static int position(const struct queue *queue, int town)
{
    for (int i = 0; i < queue->count; i++)
        if (queue->town[i] == town)
            return i;
    return -1;
}

void queue_put(struct queue *queue, int town, int distance)
{
    int place = position(queue, town);

    if (place < 0) {
        place = queue->count++;
        queue->town[place] = town;
        queue->distance[place] = distance;
    } else if (distance < queue->distance[place]) {
        queue->distance[place] = distance;
    }
}

static int nearest(const struct queue *queue)
{
    int best = 0;

    for (int i = 1; i < queue->count; i++)
        if (queue->distance[i] < queue->distance[best])
            best = i;
    return best;
}

int queue_take(struct queue *queue, int *distance)
{
    int place, town;

    if (queue->count == 0)
        return 0;
    place = nearest(queue);
    town = queue->town[place];
    *distance = queue->distance[place];
    queue->count--;
    queue->town[place] = queue->town[queue->count];
    queue->distance[place] = queue->distance[queue->count];
    return town;
}
