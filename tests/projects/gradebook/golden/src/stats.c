#include "stats.h"

static int sum(const int *values, int count)
{
    int total = 0;

    for (int i = 0; i < count; i++)
        total += values[i];
    return total;
}

double stats_mean(const int *values, int count)
{
    return (double)sum(values, count) / count;
}

double stats_median(const int *sorted, int count)
{
    if (count % 2 == 1)
        return sorted[count / 2];
    return (sorted[count / 2 - 1] + sorted[count / 2]) / 2.0;
}

int stats_passed(const int *values, int count, int needed)
{
    int passed = 0;

    for (int i = 0; i < count; i++)
        if (values[i] >= needed)
            passed++;
    return passed;
}
