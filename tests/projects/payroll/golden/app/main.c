/* The pay of a week. Reads how many people there are, then for each a number, the rate of an hour in cents,
 * the tax class and the hours from Monday to Sunday. */
#include <stdio.h>

#include "report.h"

static int read_person(struct person *person, int *class)
{
    if (scanf("%d %ld %d", &person->number, &person->rate, class) != 3)
        return 0;
    for (int day = 0; day < DAYS; day++) {
        if (scanf("%d", &person->week.hours[day]) != 1)
            return 0;
    }
    return 1;
}

int main(void)
{
    struct staff staff;
    int count;

    staff_clear(&staff);
    if (scanf("%d", &count) != 1 || count < 1 || count > MOST_STAFF) {
        printf("how many people?\n");
        return 2;
    }
    for (int i = 0; i < count; i++) {
        struct person person;
        int class;
        enum staff_error error;

        if (!read_person(&person, &class)) {
            printf("line %d: cannot be read\n", i + 1);
            return 2;
        }
        error = staff_add(&staff, &person, class);
        if (error != STAFF_OK) {
            printf("line %d: %s\n", i + 1, staff_words(error));
            return 1;
        }
    }
    for (int i = 0; i < staff.count; i++)
        report_person(&staff.people[i]);
    report_total(&staff);
    return 0;
}
