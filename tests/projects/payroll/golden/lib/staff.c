#include "staff.h"

#include <stddef.h>

void staff_clear(struct staff *staff)
{
    staff->count = 0;
}

static int is_known(const struct staff *staff, int number)
{
    for (int i = 0; i < staff->count; i++) {
        if (staff->people[i].number == number)
            return 1;
    }
    return 0;
}

enum staff_error staff_add(struct staff *staff, const struct person *person, int class)
{
    struct person *added;

    if (staff->count == MOST_STAFF)
        return STAFF_FULL;
    if (is_known(staff, person->number))
        return STAFF_TWICE;
    if (person->rate <= 0)
        return STAFF_RATE;
    if (!tax_class_is_valid(class))
        return STAFF_CLASS;
    if (!week_is_valid(&person->week))
        return STAFF_HOURS;
    added = &staff->people[staff->count++];
    *added = *person;
    added->class = (enum tax_class)class;
    return STAFF_OK;
}

const char *staff_words(enum staff_error error)
{
    static const char *const words[] = {
        "ok", "too many people", "no rate", "no such tax class", "impossible hours", "listed twice",
    };

    return words[error];
}

static int hours_of(const struct person *person)
{
    int sum = 0;

    for (int day = 0; day < DAYS; day++)
        sum += person->week.hours[day];
    return sum;
}

const struct person *staff_busiest(const struct staff *staff)
{
    const struct person *busiest = NULL;

    for (int i = 0; i < staff->count; i++) {
        const struct person *person = &staff->people[i];

        if (busiest == NULL || hours_of(person) > hours_of(busiest))
            busiest = person;
    }
    return busiest;
}
