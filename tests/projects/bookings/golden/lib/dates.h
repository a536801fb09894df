#ifndef DATES_H
#define DATES_H

struct date {
    int year, month, day;
};

int date_is_valid(struct date date);

/* Days since the first of January of the year 1. */
long date_number(struct date date);

/* The day after. */
struct date date_next(struct date date);

/* 0 for Monday to 6 for Sunday. */
int date_weekday(struct date date);

#endif
