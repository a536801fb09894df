#ifndef CLOCK_H
#define CLOCK_H

/* Minutes since midnight. */
typedef int minutes;

enum { HOUR = 60, DAY = 24 * HOUR };

int clock_is_valid(minutes time);

/* From one time to the next time that the clock shows another, over midnight if need be. */
minutes clock_between(minutes from, minutes to);

/* How much of a stay lies between two times of the day. */
minutes clock_overlap(minutes from, minutes to, minutes begin, minutes end);

#endif
