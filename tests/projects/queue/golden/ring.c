#include "ring.h"

static int at(const struct ring *ring, int offset)
{
    return (ring->first + offset) % RING_ROOM;
}

static int is_full(const struct ring *ring)
{
    return ring->count == RING_ROOM;
}

void ring_clear(struct ring *ring)
{
    ring->first = 0;
    ring->count = 0;
}

void ring_push(struct ring *ring, int value)
{
    if (is_full(ring)) {
        ring->first = at(ring, 1);
        ring->count--;
    }
    ring->values[at(ring, ring->count)] = value;
    ring->count++;
}

int ring_pop(struct ring *ring, int *value)
{
    if (ring->count == 0)
        return 0;
    *value = ring->values[ring->first];
    ring->first = at(ring, 1);
    ring->count--;
    return 1;
}

int ring_sum(const struct ring *ring)
{
    int sum = 0;

    for (int i = 0; i < ring->count; i++)
        sum += ring->values[at(ring, i)];
    return sum;
}
