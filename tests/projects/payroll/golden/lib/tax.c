#include "tax.h"

#define INSURED_UP_TO 120000
#define INSURANCE 925

/* Of what lies between `from` and the next bracket, `rate` hundredths of a percent are taken. */
struct bracket {
    cents from;
    int rate;
};

static const struct bracket brackets[] = {
    {0, 0},
    {20000, 1400},
    {60000, 2400},
    {120000, 4200},
};

static const int bracket_count = sizeof brackets / sizeof *brackets;

int tax_class_is_valid(int number)
{
    return number >= SINGLE && number <= PARENT;
}

/* The part of a week's pay that nobody is taxed for. */
static cents allowance(enum tax_class class)
{
    switch (class) {
    case MARRIED:
        return 10000;
    case PARENT:
        return 15000;
    default:
        return 0;
    }
}

static cents taxed_within(cents pay, int number)
{
    cents from = brackets[number].from;
    cents to = pay;

    if (number + 1 < bracket_count)
        to = money_least(pay, brackets[number + 1].from);
    return to > from ? to - from : 0;
}

static cents tax_on(cents pay)
{
    cents tax = 0;

    for (int i = 0; i < bracket_count; i++)
        tax += money_share(taxed_within(pay, i), brackets[i].rate);
    return tax;
}

struct deductions tax_deductions(cents pay, enum tax_class class)
{
    struct deductions found = {0, 0};
    cents taxable = pay - allowance(class);

    if (taxable > 0)
        found.tax = tax_on(taxable);
    found.insurance = money_share(money_least(pay, INSURED_UP_TO), INSURANCE);
    return found;
}
