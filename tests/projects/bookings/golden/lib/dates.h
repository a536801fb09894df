#ifndef DATES_H
#define DATES_H

struct date {
    int year, month, day;
};

int date_is_valid(struct date date);

/* Days since the first of January of the year 1. */
long date_number(struct date date);

#endif
