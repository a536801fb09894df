#ifndef QUEUE_H
#define QUEUE_H

#include "map.h"

/* Towns that wait, the nearest one first. */
struct queue {
    int town[MOST_TOWNS];
    int distance[MOST_TOWNS];
    int count;
};

void queue_clear(struct queue *queue);

/* A town that waits already comes nearer, or stays where it is. */
void queue_put(struct queue *queue, int town, int distance);

/* Takes the nearest town out; 0 when there is none. */
int queue_take(struct queue *queue, int *distance);

#endif
