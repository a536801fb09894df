#ifndef PRINT_H
#define PRINT_H

#include "table.h"

void print_table(const struct table *table);

#endif
