#ifndef HOURS_H
#define HOURS_H

#include "money.h"

#define DAYS 7
#define FULL_DAY 8
#define FULL_WEEK 40

/* What one person worked in a week. */
struct week {
    int hours[DAYS];
};

/* The hours of the week, none of them twice. */
struct split {
    int normal;
    int overtime;
    int weekend;
};

/* 0 when a day has more hours than there are, or fewer than none. */
int week_is_valid(const struct week *week);

/* Saturday and Sunday count as weekend; of the other days, what is over a full week is overtime. */
struct split week_split(const struct week *week);

/* Overtime is paid one and a half times, weekends twice. */
cents week_pay(const struct split *split, cents rate);

#endif
