/* Reads numbers: those from 0 on come into the ring, a negative one takes the oldest out. Prints the sum of each. */
#include <stdio.h>

#include "ring.h"

int main(void)
{
    struct ring ring;
    int value, out;

    ring_clear(&ring);
    while (scanf("%d", &value) == 1) {
        if (value >= 0)
            ring_push(&ring, value);
        else if (ring_pop(&ring, &out))
            printf("out %d\n", out);
        else
            printf("empty\n");
    }
    printf("sum %d of %d\n", ring_sum(&ring), ring.count);
    return 0;
}
