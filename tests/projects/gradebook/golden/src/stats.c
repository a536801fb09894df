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

int stats_range(const int *sorted, int count)
{
    return sorted[count - 1] - sorted[0];
}

int stats_mode(const int *sorted, int count)
{
    int mode = sorted[0], most = 0, run = 0;

    for (int i = 0; i < count; i++) {
        run = i > 0 && sorted[i] == sorted[i - 1] ? run + 1 : 1;
        if (run > most) {
            most = run;
            mode = sorted[i];
        }
    }
    return mode;
}

double stats_trimmed(const int *sorted, int count)
{
    if (count < 3)
        return stats_mean(sorted, count);
    return stats_mean(sorted + 1, count - 2);
}
