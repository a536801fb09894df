#include "print.h"

#include <stdio.h>

static void print_standing(int place, const struct standing *standing)
{
    printf("%d. team %d: %d played, %d-%d-%d, %d:%d, %d points\n", place, standing->team, standing->played,
           standing->won, standing->drawn, standing->lost, standing->scored, standing->conceded,
           standing_points(standing));
}

void print_table(const struct table *table)
{
    for (int i = 0; i < table->teams; i++)
        print_standing(i + 1, &table->standings[i]);
}
