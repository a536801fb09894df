#ifndef TABLE_H
#define TABLE_H

#include "match.h"

/* What a team has reached so far. */
struct standing {
    int team;
    int played;
    int won, drawn, lost;
    int scored, conceded;
};

struct table {
    int teams;
    struct standing standings[MOST_TEAMS];
};

void table_begin(struct table *table, int teams);
void table_count(struct table *table, const struct match *match);

int standing_points(const struct standing *standing);
int standing_difference(const struct standing *standing);

/* Best first: points, then the difference of goals, then goals, then the number of the team. */
void table_sort(struct table *table);

#endif
