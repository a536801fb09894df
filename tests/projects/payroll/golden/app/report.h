#ifndef REPORT_H
#define REPORT_H

#include "staff.h"

void report_person(const struct person *person);
void report_total(const struct staff *staff);

#endif
