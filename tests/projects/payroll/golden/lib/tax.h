#ifndef TAX_H
#define TAX_H

#include "money.h"

enum tax_class { SINGLE = 1, MARRIED = 2, PARENT = 3 };

/* What is taken off the pay of one week. */
struct deductions {
    cents tax;
    cents insurance;
};

/* 0 for a number that is no class. */
int tax_class_is_valid(int number);

struct deductions tax_deductions(cents pay, enum tax_class class);

#endif
