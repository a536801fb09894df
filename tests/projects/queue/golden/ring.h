#ifndef RING_H
#define RING_H

#define RING_ROOM 4

/* The last values that came in, oldest first. */
struct ring {
    int values[RING_ROOM];
    int first;
    int count;
};

void ring_clear(struct ring *ring);

/* Takes the place of the oldest when there is no room. */
void ring_push(struct ring *ring, int value);

/* The oldest; 0 when there is none. */
int ring_pop(struct ring *ring, int *value);

int ring_sum(const struct ring *ring);

#endif
