/* Reads how many marks there are and the marks; prints statistics of them and how many passed. */
#include <stdio.h>

#include "letters.h"
#include "marks.h"
#include "stats.h"

#define NEEDED 5

static void print_report(const marks *sorted)
{
    printf("mean %.2f\n", stats_mean(sorted->values, sorted->count));
    printf("median %.1f\n", stats_median(sorted->values, sorted->count));
    printf("trimmed %.2f\n", stats_trimmed(sorted->values, sorted->count));
    printf("mode %d, range %d\n", stats_mode(sorted->values, sorted->count),
           stats_range(sorted->values, sorted->count));
    printf("passed %d\n", stats_passed(sorted->values, sorted->count, NEEDED));
    letters_print(sorted->values, sorted->count);
}

int main(void)
{
    marks all;

    switch (marks_read(&all)) {
    case MARKS_OK:
        marks_sort(&all);
        print_report(&all);
        return 0;
    case MARKS_EMPTY:
        printf("no marks\n");
        return 0;
    default:
        printf("bad marks\n");
        return 1;
    }
}
