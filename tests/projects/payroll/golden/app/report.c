#include "report.h"

#include <stdio.h>

enum { ROOM = 32 };

static cents gross_of(const struct person *person)
{
    struct split split = week_split(&person->week);

    return week_pay(&split, person->rate);
}

static cents net_of(const struct person *person)
{
    cents gross = gross_of(person);
    struct deductions off = tax_deductions(gross, person->class);

    return gross - off.tax - off.insurance;
}

static void print_sum(const char *name, cents sum)
{
    char text[ROOM];

    money_print(sum, text, sizeof text);
    printf(" %s %s", name, text);
}

void report_person(const struct person *person)
{
    struct split split = week_split(&person->week);

    printf("%d: %d+%d+%d hours", person->number, split.normal, split.overtime, split.weekend);
    print_sum("gross", gross_of(person));
    print_sum("net", net_of(person));
    printf("\n");
}

void report_total(const struct staff *staff)
{
    const struct person *busiest = staff_busiest(staff);
    cents gross = 0, net = 0;

    for (int i = 0; i < staff->count; i++) {
        gross += gross_of(&staff->people[i]);
        net += net_of(&staff->people[i]);
    }
    printf("total:");
    print_sum("gross", gross);
    print_sum("net", net);
    printf("\n");
    if (busiest != NULL)
        printf("busiest: %d\n", busiest->number);
}
