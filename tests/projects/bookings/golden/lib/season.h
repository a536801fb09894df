#ifndef SEASON_H
#define SEASON_H

#include "dates.h"

enum season { LOW, MIDDLE, HIGH };

/* July and August are high, December to February low; all else lies between. */
enum season season_of(struct date date);

/* Percent that a night costs more or less. */
int season_percent(enum season season);

const char *season_name(enum season season);

#endif
