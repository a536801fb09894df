#pragma once

double stats_mean(const int *values, int count);
double stats_median(const int *sorted, int count);
int stats_passed(const int *values, int count, int needed);

/* The largest distance between two marks. */
int stats_range(const int *sorted, int count);

/* The mark that occurs most often; the smallest of them where several do. */
int stats_mode(const int *sorted, int count);

/* The mean without the best and the worst mark, where there are at least three. */
double stats_trimmed(const int *sorted, int count);
