#ifndef STAFF_H
#define STAFF_H

#include "hours.h"
#include "tax.h"

#define MOST_STAFF 32

struct person {
    int number;
    cents rate;
    enum tax_class class;
    struct week week;
};

struct staff {
    struct person people[MOST_STAFF];
    int count;
};

enum staff_error { STAFF_OK, STAFF_FULL, STAFF_RATE, STAFF_CLASS, STAFF_HOURS, STAFF_TWICE };

void staff_clear(struct staff *staff);

/* Adds a person, unless something about them is wrong. */
enum staff_error staff_add(struct staff *staff, const struct person *person, int class);

/* What an error is called. */
const char *staff_words(enum staff_error error);

/* Who has worked most hours; the first of them where several did. */
const struct person *staff_busiest(const struct staff *staff);

#endif
