#include "dates.h"

static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static int is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int days_in(int year, int month)
{
    if (month == 2 && is_leap(year))
        return 29;
    return days[month - 1];
}

int date_is_valid(struct date date)
{
    if (date.year < 1900 || date.year > 2199)
        return 0;
    if (date.month < 1 || date.month > 12)
        return 0;
    return date.day >= 1 && date.day <= days_in(date.year, date.month);
}

long date_number(struct date date)
{
    long number = date.day;

    for (int year = 1900; year < date.year; year++)
        number += 365 + is_leap(year);
    for (int month = 1; month < date.month; month++)
        number += days_in(date.year, month);
    return number;
}

struct date date_next(struct date date)
{
    date.day++;
    if (date.day > days_in(date.year, date.month)) {
        date.day = 1;
        date.month++;
    }
    if (date.month > 12) {
        date.month = 1;
        date.year++;
    }
    return date;
}

/* The first of January 1900 was a Monday. */
int date_weekday(struct date date)
{
    return (int)((date_number(date) - 1) % 7);
}
