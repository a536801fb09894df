#pragma once

double stats_mean(const int *values, int count);
double stats_median(const int *sorted, int count);
int stats_passed(const int *values, int count, int needed);
